"""The tests, in folders as the program's own."""
