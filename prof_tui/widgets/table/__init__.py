"""The table widget: rows come in pages, columns with their widths, and what is drawn is a line at a time."""
