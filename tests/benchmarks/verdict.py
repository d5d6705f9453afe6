"""Times and memory of the overview and of the report, each beside its baseline and its budget.

    python -m tests.benchmarks.verdict [--rows 1000000] [--rows 5000000] [--runs 5] [--capture DIR ...]

Opens the real program in a terminal of 120x40 and waits until the overview is whole; then runs the report.
Without ``--rows`` and ``--capture`` it takes made-up captures of 1,000,000 and 5,000,000 rows.  Times are
medians over the runs.  Machines differ: compare ratios to E, and run it while nothing else does.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from prof_tui.words import count
from tests.benchmarks.answers import REPOSITORY
from tests.benchmarks.figures import BASELINE, EMPTY_APP
from tests.benchmarks.options import Budgeted, measured_captures, read_options
from tests.benchmarks.report import Figures, Line, machine, portion_of, table
from tests.benchmarks.terminal import FULL_FRAME, Terminal
from tests.helpers.loop_probe import longest_gap

RUN = "what the run was, on screen"
INSIDE = "where the time goes, on screen"
FINDINGS = "all findings, on screen"
LOOP_GAP = "the loop's longest gap meanwhile"
PEAK = "peak resident of the screen"
SETTLED = "anonymous memory settled"
REPORT = "report, the whole command"
REPORT_PEAK = "peak resident of the report"
FIGURES = (
    Budgeted(BASELINE, "ms"),
    Budgeted(RUN, "E"),
    Budgeted(INSIDE, "E", (6, 12)),
    Budgeted(FINDINGS, "E", (15, 60)),
    Budgeted(LOOP_GAP, "ms", (50, 50)),
    Budgeted(PEAK, "MB", (700, 1000)),
    Budgeted(SETTLED, "MB"),
    Budgeted(REPORT, "E", (15, 60)),
    Budgeted(REPORT_PEAK, "MB", (700, 1000)),
)
_OF_RUN, _OF_TIMES, _OF_ALL = "files? read", "Busy", "add them up"


def main() -> None:
    """Prints the machine and the table."""
    options = read_options(__doc__ or "")
    print(machine(), flush=True)
    measured: list[tuple[int, Figures]] = []
    with measured_captures(options) as captures:
        for capture in captures:
            rows, figures = _rows(capture), Figures(list)
            for run in range(options.runs):
                print(f"{count(rows)} rows, run {run + 1} of {options.runs}", flush=True)
                _measure(capture, figures)
            measured.append((rows, figures))
    print(machine())
    print("\n".join(table("rows", _lines(measured))))


def _rows(capture: Path) -> int:
    """Lines of op_summary behind the headers."""
    lines = 0
    for path in capture.rglob("op_summary_*.csv"):
        with path.open("rb") as file:
            lines += sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b"")) - 1
    return lines


def _measure(capture: Path, figures: Figures) -> None:
    with Terminal([sys.executable, "-c", EMPTY_APP], REPOSITORY) as terminal:
        figures[BASELINE].append(terminal.seconds_until(FULL_FRAME))
    with tempfile.TemporaryDirectory(prefix="prof-tui-verdict-") as folder:
        _open(capture, Path(folder) / "gaps", figures)
    _report(capture, figures)


def _open(capture: Path, gaps: Path, figures: Figures) -> None:
    probe = str(REPOSITORY / "tests" / "helpers" / "loop_probe.py")
    command = [sys.executable, probe, str(gaps), "open", str(capture)]
    began_s = time.perf_counter()
    with Terminal(command, REPOSITORY, {"PYTHONPATH": str(REPOSITORY)}) as terminal:
        for name, drawn in ((RUN, _OF_RUN), (INSIDE, _OF_TIMES), (FINDINGS, _OF_ALL)):
            figures[name].append(terminal.seconds_until(drawn))
        terminal.seconds_until_idle()
        figures[LOOP_GAP].append(longest_gap(gaps, began_s + figures[RUN][-1], time.perf_counter()))
        figures[PEAK].append(terminal.peak_resident())
        figures[SETTLED].append(terminal.anonymous())


def _report(capture: Path, figures: Figures) -> None:
    command = [sys.executable, "-m", "prof_tui", "report", str(capture)]
    began_s = time.perf_counter()
    run = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL)
    _process, status, used = os.wait4(run.pid, 0)
    figures[REPORT].append(time.perf_counter() - began_s)
    figures[REPORT_PEAK].append(1024 * used.ru_maxrss)
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")


def _lines(measured: list[tuple[int, Figures]]) -> Iterator[Line]:
    for each in FIGURES:
        for rows, figures in measured:
            yield Line(
                each.name,
                count(rows),
                figures[each.name],
                each.unit,
                budget=each.of(rows),
                baseline=None if each.unit == "MB" else portion_of(figures[BASELINE], 0.5),
            )


if __name__ == "__main__":
    main()
