"""A directory: in goes a path, out comes the export that it holds, or the reason why there is none."""
