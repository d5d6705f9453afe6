"""``prof-tui report``: the overview and the findings as text, Markdown and JSON."""
