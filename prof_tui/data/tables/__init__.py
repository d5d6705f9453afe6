"""Tables: in go the bytes of one type's files, out come checked rows and typed columns."""
