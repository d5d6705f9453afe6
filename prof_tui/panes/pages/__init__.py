"""The texts of pages: an op, an event, a finding, an iteration, the run."""
