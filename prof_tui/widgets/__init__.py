"""Widgets that know columns, rows and intervals, and nothing of captures."""
