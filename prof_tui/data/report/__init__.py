"""The report: in go the run and its findings, out come text, Markdown, JSON and an exit status."""
