"""Findings: in go the facts of a run, out come what the rules found and what could not be checked."""
