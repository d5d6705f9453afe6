"""The run: in goes an open capture, out come what was run, what counts and where its time goes."""
