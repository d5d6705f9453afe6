"""Reference lists: in go the tables that the program works with, out come the pages of ``prof-tui help``."""
