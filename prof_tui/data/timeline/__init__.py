"""Timelines: in go Chrome-trace JSON files, out come lanes of events, and a part of them as a file."""
