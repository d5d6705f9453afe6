"""Timelines: the Chrome-trace JSON files of an export, indexed in one pass and asked in columns."""
