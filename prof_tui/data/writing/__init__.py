"""Writing: in go rows and texts, out come files that were not there before and lines for a terminal."""
