"""Times and memory of op summary on captures of millions of rows, each beside its baseline and its budget.

    python tests/benchmark.py [--rows 1000000] [--rows 5000000] [--runs 5] [--capture DIR ...] [--keep DIR]

Drives the real program in a terminal of 120x40 by keys.  Without ``--rows`` and ``--capture`` it takes
made-up captures of 1,000,000 and 5,000,000 rows.  Times are medians over the runs.  Machines differ:
compare ratios to E, and run it while nothing else does.
"""

import argparse
import os
import platform
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median

import benchmark_figures as figure
from benchmark_answers import ask
from benchmark_captures import write_benchmark_capture
from benchmark_terminal import COLUMNS, LINES

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
_TABLE = "{:<46}{:>10}{:>12}{:>18}{:>10}{:>9}{:>10}  {}"


@dataclass(frozen=True)
class Measured:
    """What was measured on one capture."""

    rows: int
    figures: figure.Figures

    def value(self, name: str) -> float:
        """The median of the runs; of the page downs what nine in ten stay within."""
        values = sorted(self.figures[name])
        if not values:
            return 0.0
        return values[-(-9 * len(values) // 10) - 1] if name == figure.PAGE_DOWN else median(values)


def main() -> None:
    """Prints the machine and the table."""
    options = _options()
    print(_machine(), flush=True)
    measured = []
    with _captures(options) as captures:
        for capture in captures:
            answers = ask(capture)
            figures = figure.Figures(list)
            for run in range(options.runs):
                print(f"{count(answers.rows)} rows, run {run + 1} of {options.runs}", flush=True)
                figure.measure_run(capture, answers, figures)
            measured.append(Measured(answers.rows, figures))
    print(_machine())
    print("\n".join(_table(measured)))


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
        made_up = [_made_up_capture(parent / f"rows-{rows}", rows) for rows in options.rows]
        os.sync()
        yield [*made_up, *(path.resolve() for path in options.capture)]


def _made_up_capture(parent: Path, rows: int) -> Path:
    if not parent.exists():
        unfinished = parent.with_name(f"{parent.name}.unfinished")
        write_benchmark_capture(unfinished, rows)
        unfinished.rename(parent)
    return next(parent.resolve().iterdir())


def _machine() -> str:
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    versions = ", ".join(f"{name} {version(name)}" for name in ("polars", "textual", "rich"))
    return (
        f"{os.cpu_count()} cores, load {load}, Python {platform.python_version()}, {versions}, "
        f"terminal {COLUMNS}x{LINES}"
    )


def _table(measured: list[Measured]) -> Iterator[str]:
    """A line per figure and capture."""
    yield _TABLE.format("figure", "rows", "measured", "from to", "E", "ratio", "budget", "verdict")
    for budgeted in FIGURES:
        for each in measured:
            if each.figures[budgeted.name]:
                yield _line(budgeted, each)


def _line(budgeted: Budgeted, measured: Measured) -> str:
    value, baseline_s = measured.value(budgeted.name), measured.value(figure.BASELINE)
    values = measured.figures[budgeted.name]
    in_memory = budgeted.unit == "MB"
    scale, unit = (1e-6, "MB") if in_memory else (1e3, "ms")
    ratio = value / baseline_s
    compared = ratio if budgeted.unit == "E" else value * scale
    budget = budgeted.budgets[measured.rows > _SMALL_ROWS] if budgeted.budgets else None
    return _TABLE.format(
        budgeted.name,
        count(measured.rows),
        f"{value * scale:,.0f} {unit}",
        f"{min(values) * scale:,.0f} to {max(values) * scale:,.0f}",
        "" if in_memory else f"{baseline_s * 1e3:,.0f} ms",
        "" if in_memory else f"{ratio:.2f}",
        f"{budget:,.0f} {budgeted.unit}" if budget else "",
        "" if budget is None else "within" if compared <= budget else "over",
    ).rstrip()


if __name__ == "__main__":
    main()
