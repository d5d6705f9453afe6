"""The pane of any one table: it asks, waits for the answer and shows it."""
