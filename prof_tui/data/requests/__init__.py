"""Requests: in go the words of a command, out comes its answer, or a sentence about a wrong word."""
