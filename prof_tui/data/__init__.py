"""Everything that is true of a capture, computed once for the screen and the command line."""

import os

# Read when polars is imported.  A thread per core of a large host costs memory that the training job
# beside us needs: 64 threads took 2.3 GB where 2 took 0.7 for the same answer in the same time.
os.environ.setdefault("POLARS_MAX_THREADS", str(min(8, os.cpu_count() or 1)))
