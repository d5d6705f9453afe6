"""One run of the program on a timeline by keys, and the figures that it gives."""

import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from prof_tui.words import count
from tests.benchmarks.answers import REPOSITORY
from tests.benchmarks.figures import BASELINE, EMPTY_APP
from tests.benchmarks.report import Figures
from tests.benchmarks.terminal import FULL_FRAME, Terminal
from tests.helpers.loop_probe import longest_gap

EMPTY_PEAK = "E: peak resident"
READ_SPEED = "E: the file read, and nothing else"
FIRST_LANES = "from 5 to the first lanes"
INDEXED = "from 5 to the whole timeline"
INDEX_SPEED = "indexing"
INDEX_PROCESSOR = "processor time of it"
KEY_WAIT = "a zoom's longest wait while indexing"
LOOP_GAP = "the loop's longest gap while indexing"
PEAK_RESIDENT = "peak resident, indexed and kept"
PEAK_ANONYMOUS = "peak anonymous, indexed and kept"
SETTLED = "anonymous memory settled, indexed"
FIRST_ITERATION = "first iteration from its lanes (and op_summary)"
ITERATION = "another iteration from its lanes"
FROM_CACHE = "second opening, from 5 to the whole timeline"
CACHE_PEAK = "peak anonymous of a second opening"
CACHE_GAP = "the loop's longest gap in a second opening"
ZOOM, PAN, WALK = "zoom", "pan", "cursor"
OF_WHOLE, OF_ITERATION = "the whole", "an iteration"
FIND_MANY = "find a name of many events"
FIND_FEW = "find a name of few events"
LONGEST = "list of the longest"
END_RESIDENT = "peak resident, after all keys"

_QUIET_S = 0.15
_KEY_EVERY_S = 0.05
_ITERATIONS = 5
_RIGHT, _LEFT, _DOWN, _ENTER, _ESCAPE, _TAB = "\x1b[C", "\x1b[D", "\x1b[B", "\r", "\x1b", "\t"
_MOVES: dict[str, Sequence[str]] = {
    ZOOM: "w" * 6 + "s" * 6 + "ws" * 4,
    PAN: "ddaaddaadada",
    WALK: (_RIGHT,) * 10 + (_LEFT,) * 6,
}
_DRAWN = "us per cell"
"""The last line of a timeline says how much time a cell stands for: with it, the frame is there."""
_MOVED = r"start [\d.]+ us"
"""The line on the event under the cursor; a move of the cursor alone draws no line below it."""
_ROWS = r"rows 1 to ([1-9]\d*) shown"
_CHUNK_BYTES = 1 << 22
_HEAD_BYTES = 1 << 20
_SLICE_NAME = re.compile(rb'\{"name":"([^"\\]+)"[^{}]*"ph":"X"')


@dataclass(frozen=True)
class Timeline:
    """What there is to be read and looked for."""

    files: tuple[Path, ...]
    events: int
    """As many as the heading counts, in the end."""

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for file in self.files)

    def names(self) -> tuple[str, str]:
        """A name of many events and one of few, as far as the beginning of the file shows."""
        with self.files[0].open("rb") as file:
            names = Counter(_SLICE_NAME.findall(file.read(_HEAD_BYTES)))
        most = [name.decode() for name, _times in names.most_common()]
        return most[0], most[-1]


def moves(kind: str, place: str) -> str:
    """The figure of a kind of keys."""
    return f"{kind} in {place}, from key to frame"


def measure_run(capture: Path, timeline: Timeline, cache: Path, figures: Figures) -> None:
    """The baselines; without and with a cache; keys while the timeline is read.  ``cache`` is empty."""
    _baselines(timeline, figures)
    own = {"XDG_CACHE_HOME": str(cache / "kept")}
    with _open(capture, own) as terminal:
        _indexing(terminal, timeline, figures)
        _iterations(terminal, figures)
        _moves(terminal, OF_WHOLE, figures)
        _finds(terminal, timeline, figures)
        figures[END_RESIDENT].append(terminal.peak_resident())
    with _open(capture, own, cache / "second") as terminal:
        pressed_s, needed_s = _whole_timeline(terminal, timeline)
        figures[FROM_CACHE].append(needed_s)
        terminal.seconds_until_idle()
        figures[CACHE_PEAK].append(terminal.peak_anonymous)
        figures[CACHE_GAP].append(longest_gap(cache / "second", pressed_s, time.perf_counter()))
    with _open(capture, {"XDG_CACHE_HOME": str(cache / "other")}, cache / "gaps") as terminal:
        _keys_while_indexing(terminal, timeline, cache / "gaps", figures)


def _baselines(timeline: Timeline, figures: Figures) -> None:
    with Terminal([sys.executable, "-c", EMPTY_APP], REPOSITORY) as terminal:
        figures[BASELINE].append(terminal.seconds_until(FULL_FRAME))
        figures[EMPTY_PEAK].append(terminal.peak_resident())
    began_s = time.perf_counter()
    for path in timeline.files:
        with path.open("rb", buffering=0) as file:
            while file.read(_CHUNK_BYTES):
                pass
    figures[READ_SPEED].append(timeline.bytes / (time.perf_counter() - began_s))


def _open(capture: Path, environment: dict[str, str], gaps: Path | None = None) -> Terminal:
    """At rest on the step trace; ``gaps``: where those of the loop are written down."""
    watched = [str(REPOSITORY / "tests" / "helpers" / "loop_probe.py"), str(gaps)]
    arguments = ["open", str(capture), "--pane", "step_trace"]
    command = [sys.executable, *(watched if gaps else ["-m", "prof_tui"]), *arguments]
    terminal = Terminal(command, REPOSITORY, {"PYTHONPATH": str(REPOSITORY), **environment})
    terminal.seconds_until(_ROWS)
    terminal.seconds_until_idle()
    return terminal


# Reading


def _events_counted(timeline: Timeline) -> str:
    return f"{count(timeline.events)} events? "


def _whole_timeline(terminal: Terminal, timeline: Timeline) -> tuple[float, float]:
    """When 5 was pressed, and how long until the whole timeline stood."""
    terminal.press("5")
    pressed_s = time.perf_counter()
    return pressed_s, terminal.seconds_until_still(_events_counted(timeline), _DRAWN)


def _indexing(terminal: Terminal, timeline: Timeline, figures: Figures) -> None:
    before_s = terminal.processor_seconds()
    terminal.press("5")
    figures[FIRST_LANES].append(terminal.seconds_until(_DRAWN))
    indexed_s = terminal.seconds_until_still(_events_counted(timeline), _DRAWN)
    figures[INDEXED].append(indexed_s)
    figures[INDEX_SPEED].append(timeline.bytes / indexed_s)
    figures[INDEX_PROCESSOR].append(terminal.processor_seconds() - before_s)
    terminal.seconds_until_idle()
    figures[PEAK_RESIDENT].append(terminal.peak_resident())
    figures[PEAK_ANONYMOUS].append(terminal.peak_anonymous)
    figures[SETTLED].append(terminal.anonymous())


def _keys_while_indexing(terminal: Terminal, timeline: Timeline, gaps: Path, figures: Figures) -> None:
    """Zooming in and out from the first lanes until the whole timeline stands."""
    pressed_s = time.perf_counter()
    terminal.press("5")
    terminal.seconds_until(_DRAWN)
    waits_s: list[float] = []
    while not waits_s or not terminal.drawn(_events_counted(timeline)):
        terminal.wait_until(_KEY_EVERY_S)
        if terminal.drawn(_events_counted(timeline)):
            break
        terminal.press("ws"[len(waits_s) % 2])
        waits_s.append(terminal.seconds_until(_DRAWN))
    terminal.wait_quiet(_QUIET_S)
    if waits_s:
        figures[KEY_WAIT].append(max(waits_s))
    figures[LOOP_GAP].append(longest_gap(gaps, pressed_s, time.perf_counter()))


# Looking


def _iterations(terminal: Terminal, figures: Figures) -> None:
    """The iterations of the first rows of the step trace; the whole timeline in the end."""
    terminal.press("2")
    terminal.seconds_until_still(_ROWS)
    shown = re.findall(_ROWS, terminal.text())
    iterations = min(_ITERATIONS, int(shown[-1]))
    for number in range(iterations):
        if number:
            _press_and_settle(terminal, _DOWN)
        terminal.press(_ENTER)
        drawn_s = terminal.seconds_until_still(r"lanes from (?!op_summary)", _DRAWN)
        figures[ITERATION if number else FIRST_ITERATION].append(drawn_s)
        terminal.seconds_until_idle()
        if number == iterations - 1:
            _press_and_settle(terminal, _TAB)
            _moves(terminal, OF_ITERATION, figures)
        _press_and_settle(terminal, _ESCAPE)
    terminal.press("05")
    terminal.seconds_until_idle()


def _moves(terminal: Terminal, place: str, figures: Figures) -> None:
    """Keys of each kind, from the home view; panning needs a closer one."""
    for kind, keys in _MOVES.items():
        if kind == PAN:
            _press_and_settle(terminal, "ww")
        figures[moves(kind, place)] += _frames(terminal, keys, _MOVED if kind == WALK else _DRAWN)
        _press_and_settle(terminal, "Z")


def _frames(terminal: Terminal, keys: Sequence[str], drawn: str) -> list[float]:
    taken_s = []
    for key in keys:
        terminal.press(key)
        taken_s.append(terminal.seconds_until(drawn))
        terminal.wait_quiet(_KEY_EVERY_S)
    return taken_s


def _finds(terminal: Terminal, timeline: Timeline, figures: Figures) -> None:
    for figure, name in zip((FIND_MANY, FIND_FEW), timeline.names(), strict=True):
        _press_and_settle(terminal, "/")
        _press_and_settle(terminal, name)
        terminal.press(_ENTER)
        figures[figure].append(terminal.seconds_until(r"(events?|event [\d,]+ of [\d,]+) with"))
        terminal.wait_quiet(_QUIET_S)
    terminal.press("L")
    figures[LONGEST].append(terminal.seconds_until_still(_ROWS))
    _press_and_settle(terminal, _ESCAPE)


def _press_and_settle(terminal: Terminal, keys: str) -> None:
    terminal.press(keys)
    terminal.seconds_until_output()
    terminal.wait_quiet(_QUIET_S)
