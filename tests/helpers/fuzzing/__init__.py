"""Captures damaged at random, and what the program makes of them."""
