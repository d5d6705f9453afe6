"""Questions about a table: in goes a frozen query, out come the numbers of the rows that answer it."""
