"""The overview pane: what the run was, where its time goes, and the findings."""
