"""Iterations: in go the rows of a step trace, out come its iterations and the one that each op is in."""
