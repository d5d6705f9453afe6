"""Everything that is true of a capture, computed once for the screen and the command line."""

import os

# Read when polars is imported.  A thread per core of a large host costs memory that the training job
# beside us needs: 64 threads took 2.3 GB where 2 took 0.7 for the same answer in the same time.
os.environ.setdefault("POLARS_MAX_THREADS", str(min(8, os.cpu_count() or 1)))
# Of the allocator that polars brings: pages that were freed go back at once.  Else they count as this
# program's memory for another second, which is 0.2 GB while a timeline of 2 GB is indexed.
os.environ.setdefault("_RJEM_MALLOC_CONF", "muzzy_decay_ms:0")
