"""Screens: they push each other, panes never do."""
