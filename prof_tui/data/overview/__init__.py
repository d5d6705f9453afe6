"""What the run was and where its time goes: the answers of the first screen and of the report."""
