"""Times and memory of op summary on captures of millions of rows, each beside its baseline and its budget.

    python -m tests.benchmarks.op_summary [--rows 1000000] [--rows 5000000] [--runs 5]
                                          [--capture DIR ...] [--keep DIR]

Drives the real program in a terminal of 120x40 by keys.  Without ``--rows`` and ``--capture`` it takes
made-up captures of 1,000,000 and 5,000,000 rows.  Times are medians over the runs.  Machines differ:
compare ratios to E, and run it while nothing else does.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from prof_tui.words import count
from tests.benchmarks import figures as figure
from tests.benchmarks.answers import ask
from tests.benchmarks.options import Budgeted, measured_captures, read_options
from tests.benchmarks.report import Figures, Line, machine, portion_of, table

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
    options = read_options(__doc__ or "")
    print(machine(), flush=True)
    measured = []
    with measured_captures(options) as captures:
        for capture in captures:
            answers = ask(capture)
            figures = Figures(list)
            for run in range(options.runs):
                print(f"{count(answers.rows)} rows, run {run + 1} of {options.runs}", flush=True)
                figure.measure_run(capture, answers, figures)
            measured.append(Measured(answers.rows, figures))
    print(machine())
    print("\n".join(table("rows", _lines(measured))))


def _lines(measured: list[Measured]) -> Iterator[Line]:
    """A line per figure and capture; of the page downs what nine in ten stay within."""
    for each in FIGURES:
        for of in measured:
            yield Line(
                each.name,
                count(of.rows),
                of.figures[each.name],
                each.unit,
                budget=each.of(of.rows),
                baseline=None if each.unit == "MB" else portion_of(of.figures[figure.BASELINE], 0.5),
                portion=0.9 if each.name == figure.PAGE_DOWN else 0.5,
            )


if __name__ == "__main__":
    main()
