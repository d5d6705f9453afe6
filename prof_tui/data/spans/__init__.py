"""Spans of time: in go bounds in nanoseconds, out come unions, overlaps, slices and stacked rows."""
