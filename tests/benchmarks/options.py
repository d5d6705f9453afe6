"""What a benchmark of op_summary is asked to measure."""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.captures import kept_capture

_SMALL_ROWS = 1_500_000
"""Up to so many rows the budgets for 1,000,000 hold, else those for 5,000,000."""


def read_options(description: str) -> argparse.Namespace:
    """Of the command line: ``rows``, ``runs``, ``capture`` and ``keep``."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, action="append", default=[], help="a made-up capture of so many")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--capture", type=Path, action="append", default=[], help="a PROF that is there")
    parser.add_argument("--keep", type=Path, help="keep the made-up captures here, and use those that are")
    options = parser.parse_args()
    if not options.rows and not options.capture:
        options.rows = [1_000_000, 5_000_000]
    return options


@dataclass(frozen=True)
class Budgeted:
    """A figure; ``budgets`` for 1,000,000 and 5,000,000 rows in E, ms or MB, None where none was set."""

    name: str
    unit: str
    budgets: tuple[float, float] | None = None

    def of(self, rows: int) -> float | None:
        return self.budgets[rows > _SMALL_ROWS] if self.budgets else None


@contextmanager
def measured_captures(options: argparse.Namespace) -> Iterator[list[Path]]:
    """The captures to measure, the made-up ones with their bytes on the disk."""
    with tempfile.TemporaryDirectory(prefix="prof-tui-benchmark-") as temporary:
        parent = options.keep or Path(temporary)
        made_up = [kept_capture(parent / f"rows-{rows}", rows) for rows in options.rows]
        os.sync()
        yield [*made_up, *(path.resolve() for path in options.capture)]
