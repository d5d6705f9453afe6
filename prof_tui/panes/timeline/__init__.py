"""The timeline pane: the lanes of a capture or of one iteration."""
