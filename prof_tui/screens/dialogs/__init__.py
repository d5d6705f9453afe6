"""Dialogs: each asks one thing and answers with it, or with None when it is closed."""
