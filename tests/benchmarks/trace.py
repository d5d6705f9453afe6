"""Times and memory of a timeline of gigabytes, each beside its baseline and its budget.

    python -m tests.benchmarks.trace [--rows 2000000] [--runs 3] [--capture DIR] [--keep DIR]

Drives the real program in a terminal of 120x40 by keys.  Without ``--capture`` it takes a made-up capture
of ``--rows`` ops, two slices and about 1,000 bytes of JSON each: 2 GB.  Every run begins with an empty
cache.  Figures are medians over the runs, of keys also what nine in ten stay within.  Machines differ:
compare ratios to the baselines, and run it while nothing else does.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prof_tui.words import byte_size, count
from tests.benchmarks import trace_figures as figure
from tests.benchmarks.answers import REPOSITORY
from tests.benchmarks.captures import kept_capture
from tests.benchmarks.figures import BASELINE
from tests.benchmarks.report import Figures, Line, machine, portion_of, table
from tests.benchmarks.trace_figures import Timeline, measure_run, moves


@dataclass(frozen=True)
class Budgeted:
    """A figure with its unit and its budget in it; None where none was set."""

    name: str
    unit: str
    budget: float | None = None
    portions: tuple[float, ...] = (0.5,)


_KEYS = [
    Budgeted(moves(kind, place), "ms", None if kind == figure.WALK else 33, (0.5, 0.9))
    for place in (figure.OF_WHOLE, figure.OF_ITERATION)
    for kind in (figure.ZOOM, figure.PAN, figure.WALK)
]
FIGURES = (
    Budgeted(BASELINE, "ms"),
    Budgeted(figure.EMPTY_PEAK, "MB"),
    Budgeted(figure.READ_SPEED, "MB/s"),
    Budgeted(figure.FIRST_LANES, "ms"),
    Budgeted(figure.INDEXED, "ms"),
    Budgeted(figure.INDEX_SPEED, "MB/s", 150),
    Budgeted(figure.INDEX_PROCESSOR, "ms"),
    Budgeted(figure.KEY_WAIT, "ms"),
    Budgeted(figure.LOOP_GAP, "ms", 50),
    Budgeted(figure.PEAK_RESIDENT, "MB", 1000),
    Budgeted(figure.PEAK_ANONYMOUS, "MB", 1000),
    Budgeted(figure.SETTLED, "MB"),
    Budgeted(figure.FROM_CACHE, "ms"),
    Budgeted(figure.CACHE_PEAK, "MB", 1000),
    Budgeted(figure.CACHE_GAP, "ms", 50),
    Budgeted(figure.FIRST_ITERATION, "ms"),
    Budgeted(figure.ITERATION, "ms", 300),
    *_KEYS,
    Budgeted(figure.FIND_MANY, "ms"),
    Budgeted(figure.FIND_FEW, "ms"),
    Budgeted(figure.LONGEST, "ms"),
    Budgeted(figure.END_RESIDENT, "MB"),
)
_BASELINES = {"ms": BASELINE, "MB": figure.EMPTY_PEAK, "MB/s": figure.READ_SPEED}


def main() -> None:
    """Prints the machine and the table."""
    options = _options()
    print(machine(), flush=True)
    figures = Figures(list)
    with _capture(options) as capture:
        timeline = _ask(capture)
        size = byte_size(timeline.bytes)
        for run in range(options.runs):
            print(f"{count(timeline.events)} events, run {run + 1} of {options.runs}", flush=True)
            with tempfile.TemporaryDirectory(prefix="prof-tui-cache-") as cache:
                measure_run(capture, timeline, Path(cache), figures)
    print(machine())
    print("\n".join(table("JSON", _lines(figures, size))))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=2_000_000, help="ops of the made-up capture")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--capture", type=Path, help="a PROF that is there, or the directory above it")
    parser.add_argument("--keep", type=Path, help="keep the made-up capture here, and use it if it is there")
    return parser.parse_args()


@contextmanager
def _capture(options: argparse.Namespace) -> Iterator[Path]:
    """The capture to measure, its bytes on the disk when it is made up."""
    if options.capture:
        yield options.capture.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="prof-tui-benchmark-") as temporary:
        parent = options.keep or Path(temporary)
        capture = kept_capture(parent / f"traced-{options.rows}", options.rows, timeline=True)
        os.sync()
        yield capture


def _ask(capture: Path) -> Timeline:
    """What ``prof-tui files`` says of the timeline that comes first; takes as long as reading it."""
    command = [sys.executable, "-m", "prof_tui", "files", str(capture), "--format", "json"]
    with tempfile.TemporaryDirectory(prefix="prof-tui-cache-") as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        run = subprocess.run(command, cwd=REPOSITORY, env=environment, check=True, stdout=subprocess.PIPE)
    told = json.loads(run.stdout)
    shown = [each for each in told["timelines"] if each["name"] == "msprof"]
    files = tuple(Path(told["capture"], name) for each in shown for name in each["files"])
    return Timeline(files, sum(each["slices"] for each in shown))


def _lines(figures: Figures, size: str) -> Iterator[Line]:
    """A line per figure, or one per portion of its values."""
    for each in FIGURES:
        for portion in each.portions:
            yield Line(
                each.name if len(each.portions) == 1 else f"{each.name}, p{portion * 100:.0f}",
                size,
                figures[each.name],
                each.unit,
                budget=each.budget if portion == each.portions[-1] else None,
                baseline=portion_of(figures[_BASELINES[each.unit]], 0.5),
                portion=portion,
            )


if __name__ == "__main__":
    main()
