"""Times and memory of op summary on captures of millions of rows, each beside its baseline and its budget.

    python tests/benchmark.py [--rows 1000000] [--rows 5000000] [--runs 5] [--capture DIR ...] [--keep DIR]

Drives the real program in a terminal of 120x40 by keys.  Without ``--rows`` and ``--capture`` it takes
made-up captures of 1,000,000 and 5,000,000 rows.  Times are medians over the runs.  Machines differ:
compare ratios to E, and run it while nothing else does.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import benchmark_figures as figure
from benchmark_answers import ask
from benchmark_captures import kept_capture
from benchmark_report import Figures, Line, machine, portion_of, table

from prof_tui.words import count

_SMALL_ROWS = 1_500_000
"""Up to so many rows the budgets for 1,000,000 hold, else those for 5,000,000."""


@dataclass(frozen=True)
class Budgeted:
    """A figure; ``budgets`` for 1,000,000 and 5,000,000 rows in E, ms or MB, None where none was set."""

    name: str
    unit: str
    budgets: tuple[float, float] | None = None


FIGURES = (
    Budgeted(figure.BASELINE, "ms"),
    Budgeted(figure.FIRST_ROWS, "E", (2, 2)),
    Budgeted(figure.SORTED, "E", (5, 10)),
    Budgeted(figure.IDLE, "ms"),
    Budgeted(figure.WORST_GAP, "ms", (50, 50)),
    Budgeted(figure.PAGE_DOWN, "ms", (33, 33)),
    Budgeted(figure.OTHER_SORT, "ms", (150, 600)),
    Budgeted(figure.SORT_AGAIN, "ms", (30, 30)),
    Budgeted(figure.TYPES_OPEN, "ms"),
    Budgeted(figure.TYPE_FILTER, "ms", (80, 250)),
    Budgeted(figure.FIND, "ms", (50, 150)),
    Budgeted(figure.FIND_AGAIN, "ms", (50, 150)),
    Budgeted(figure.SETTLED_OPEN, "MB", (200, 500)),
    Budgeted(figure.SETTLED_END, "MB", (200, 500)),
    Budgeted(figure.PEAK_ANONYMOUS, "MB", (800, 1500)),
    Budgeted(figure.PEAK_RESIDENT, "MB", (800, 1500)),
)


@dataclass(frozen=True)
class Measured:
    """What was measured on one capture."""

    rows: int
    figures: Figures


def main() -> None:
    """Prints the machine and the table."""
    options = _options()
    print(machine(), flush=True)
    measured = []
    with _captures(options) as captures:
        for capture in captures:
            answers = ask(capture)
            figures = Figures(list)
            for run in range(options.runs):
                print(f"{count(answers.rows)} rows, run {run + 1} of {options.runs}", flush=True)
                figure.measure_run(capture, answers, figures)
            measured.append(Measured(answers.rows, figures))
    print(machine())
    print("\n".join(table("rows", _lines(measured))))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, action="append", default=[], help="a made-up capture of so many")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--capture", type=Path, action="append", default=[], help="a PROF that is there")
    parser.add_argument("--keep", type=Path, help="keep the made-up captures here, and use those that are")
    options = parser.parse_args()
    if not options.rows and not options.capture:
        options.rows = [1_000_000, 5_000_000]
    return options


@contextmanager
def _captures(options: argparse.Namespace) -> Iterator[list[Path]]:
    """The captures to measure, the made-up ones with their bytes on the disk."""
    with tempfile.TemporaryDirectory(prefix="prof-tui-benchmark-") as temporary:
        parent = options.keep or Path(temporary)
        made_up = [kept_capture(parent / f"rows-{rows}", rows) for rows in options.rows]
        os.sync()
        yield [*made_up, *(path.resolve() for path in options.capture)]


def _lines(measured: list[Measured]) -> Iterator[Line]:
    """A line per figure and capture; of the page downs what nine in ten stay within."""
    for each in FIGURES:
        for of in measured:
            yield Line(
                each.name,
                count(of.rows),
                of.figures[each.name],
                each.unit,
                budget=each.budgets[of.rows > _SMALL_ROWS] if each.budgets else None,
                baseline=None if each.unit == "MB" else portion_of(of.figures[figure.BASELINE], 0.5),
                portion=0.9 if each.name == figure.PAGE_DOWN else 0.5,
            )


if __name__ == "__main__":
    main()
