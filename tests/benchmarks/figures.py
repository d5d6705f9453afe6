"""One run of the program by keys, and the figures that it gives."""

import re
import sys
from pathlib import Path

from prof_tui.words import count
from tests.benchmarks.answers import DURATION, PAGES, REPOSITORY, WAIT, Answers, whole_number
from tests.benchmarks.report import Figures
from tests.benchmarks.terminal import FULL_FRAME, Terminal

EMPTY_APP = "from textual.app import App; App().run()"
BASELINE = "E: an empty Textual app, exec to first frame"
FIRST_ROWS = "first rows drawn"
SORTED = "sorted by Task Duration on screen"
IDLE = "nothing left to be read ahead"
SETTLED_OPEN = "anonymous memory settled, sorted"
SETTLED_END = "anonymous memory settled, after all keys"
PEAK_RESIDENT = "peak resident (VmHWM, file pages too)"
PEAK_ANONYMOUS = "peak anonymous"
PAGE_DOWN = "page down (p90)"
OTHER_SORT = "another sort, first time"
SORT_AGAIN = "another sort, again"
TYPES_OPEN = "Task Type dialog on screen"
TYPE_FILTER = "Task Type filter"
FIND = "find, first time"
FIND_AGAIN = "find another text"
WORST_GAP = "a key's longest wait while loading"

_QUIET_S = 0.15
"""No frame for so long: nothing is left to be drawn of the step before."""
_KEY_EVERY_S = 0.05
_DOWN, _HOME, _PAGE_DOWN, _ENTER = "\x1b[B", "\x1b[H", "\x1b[6~", "\r"
_DURATION_AT, _WAIT_AT = 1, 6
"""Where these columns stand from the left at first, but for the device column."""


def measure_run(capture: Path, answers: Answers, figures: Figures) -> None:
    """The baseline, then the program, then the program with keys while it loads."""
    with Terminal([sys.executable, "-c", EMPTY_APP], REPOSITORY) as terminal:
        figures[BASELINE].append(terminal.seconds_until(FULL_FRAME))
    with _open(capture) as terminal:
        _opening(terminal, answers, figures)
        _pages(terminal, answers, figures)
        _sorts(terminal, capture, answers, figures)
        _types(terminal, answers, figures)
        _finds(terminal, answers, figures)
        terminal.seconds_until_idle()
        figures[SETTLED_END].append(terminal.anonymous())
        figures[PEAK_RESIDENT].append(terminal.peak_resident())
        figures[PEAK_ANONYMOUS].append(terminal.peak_anonymous)
    with _open(capture) as terminal:
        _keys_while_loading(terminal, answers, figures)


def _open(capture: Path) -> Terminal:
    command = [sys.executable, "-m", "prof_tui", "open", str(capture), "--pane", "op_summary"]
    return Terminal(command, REPOSITORY)


def _sorted_by(column: str, leading: str) -> tuple[str, str]:
    """The status line names the order and the first row is there."""
    return re.escape(f"by {column} ▼"), whole_number(leading)


def _opening(terminal: Terminal, answers: Answers, figures: Figures) -> None:
    slowest = whole_number(answers.durations[0])
    figures[FIRST_ROWS].append(terminal.seconds_until(f"{whole_number(answers.first_duration)}|{slowest}"))
    figures[SORTED].append(terminal.seconds_until(*_sorted_by(DURATION, answers.durations[0])))
    figures[IDLE].append(terminal.seconds_until_idle())
    figures[SETTLED_OPEN].append(terminal.anonymous())


def _pages(terminal: Terminal, answers: Answers, figures: Figures) -> None:
    found = re.search(r"rows 1 to (\d+) shown", terminal.text())
    rows = int(found.group(1)) if found else 0
    for page in range(1, PAGES + 1):
        if rows * (page + 1) > min(len(answers.durations), answers.rows):
            break
        terminal.press(_PAGE_DOWN)
        last_of_page = answers.durations[rows * (page + 1) - 1]
        figures[PAGE_DOWN].append(terminal.seconds_until(whole_number(last_of_page)))
        terminal.wait_quiet(_KEY_EVERY_S)
    terminal.press("g")
    terminal.seconds_until(whole_number(answers.durations[0]))


def _sorts(terminal: Terminal, capture: Path, answers: Answers, figures: Figures) -> None:
    device_columns = 1 if len(list(capture.glob("device_*"))) > 1 else 0
    by_wait = _sorted_by(WAIT, answers.wait)
    by_duration = _sorted_by(DURATION, answers.durations[0])
    for keys, figure, answer in (
        (_HOME + "l" * (device_columns + _WAIT_AT), OTHER_SORT, by_wait),
        ("h" * (_WAIT_AT - _DURATION_AT), SORT_AGAIN, by_duration),
        ("l" * (_WAIT_AT - _DURATION_AT), SORT_AGAIN, by_wait),
        ("h" * (_WAIT_AT - _DURATION_AT), SORT_AGAIN, by_duration),
    ):
        terminal.press(keys)
        terminal.wait_quiet(_QUIET_S)
        terminal.press("o")
        figures[figure].append(terminal.seconds_until(*answer))
        terminal.wait_quiet(_QUIET_S)


def _types(terminal: Terminal, answers: Answers, figures: Figures) -> None:
    terminal.press("t")
    listed = rf"{re.escape(answers.task_type)} +{count(answers.type_rows)} rows"
    figures[TYPES_OPEN].append(terminal.seconds_until(listed))
    terminal.wait_quiet(_QUIET_S)
    types = list(dict.fromkeys(re.findall(r"(\S+) +[\d,]+ rows", terminal.text())))
    terminal.press(_DOWN * types.index(answers.task_type) + " ")
    terminal.wait_quiet(_QUIET_S)
    terminal.press(_ENTER)
    counted = whole_number(f"{count(answers.type_rows)}") + " matched"
    first_row = [whole_number(answers.type_duration)] if answers.type_duration else []
    figures[TYPE_FILTER].append(terminal.seconds_until(counted, *first_row))
    terminal.wait_quiet(_QUIET_S)
    terminal.press("x")
    terminal.seconds_until(whole_number(count(answers.rows)) + " matched")
    terminal.wait_quiet(_QUIET_S)
    terminal.press("g")
    terminal.wait_quiet(_QUIET_S)


def _finds(terminal: Terminal, answers: Answers, figures: Figures) -> None:
    for figure, (text, rows) in zip((FIND, FIND_AGAIN), answers.texts, strict=True):
        terminal.press("/")
        terminal.seconds_until_output()
        terminal.wait_quiet(_QUIET_S)
        terminal.press(text)
        terminal.wait_quiet(_QUIET_S)
        terminal.press(_ENTER)
        found = rf"(of {count(rows)}|(?<![\d,]){count(rows)} rows?) with"
        figures[figure].append(terminal.seconds_until(found))
        terminal.wait_quiet(_QUIET_S)


def _keys_while_loading(terminal: Terminal, answers: Answers, figures: Figures) -> None:
    """Keys that only move the cursor, from the first rows until they are sorted."""
    by_duration, slowest = _sorted_by(DURATION, answers.durations[0])
    terminal.seconds_until(f"{whole_number(answers.first_duration)}|{slowest}")
    waits_s: list[float] = []
    while not waits_s or not terminal.drawn(by_duration):
        terminal.press("lh"[len(waits_s) % 2])
        waits_s.append(terminal.seconds_until_output())
        terminal.wait_until(_KEY_EVERY_S)
    figures[WORST_GAP].append(max(waits_s))
