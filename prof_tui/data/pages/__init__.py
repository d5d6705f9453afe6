"""Pages: in goes one op, event or iteration, out comes all that its page says."""
