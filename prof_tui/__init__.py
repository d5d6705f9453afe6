"""Read an Ascend msprof export in the terminal."""

__version__ = "0.1.0"
