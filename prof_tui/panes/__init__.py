"""Panes: where the tables of a capture meet the widgets."""
