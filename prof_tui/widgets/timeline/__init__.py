"""The timeline widget: lanes of slices come in, the cells of one time window are drawn."""
