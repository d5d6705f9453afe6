"""What stands around the lanes: which line of the widget is which, and the sentences below."""

from enum import Enum, auto

from rich.cells import cell_len

from prof_tui import words
from prof_tui.widgets.cell_text import cut
from prof_tui.widgets.lane_index import LaneIndex, Place
from prof_tui.widgets.time_window import TimeGrid, TimeWindow
from prof_tui.words import _

NARROWEST_NAME = 8
"""Cells that a name keeps in the status line, whatever stands beside it."""


class Part(Enum):
    """What a line of the widget shows."""

    AXIS = auto()
    MARKS = auto()
    ROWS = auto()
    STATUS = auto()
    WINDOW = auto()


def frame(height: int, has_marks: bool) -> list[Part]:
    """The part of each line from top to bottom; with little height the lanes come first."""
    above = [Part.AXIS] * (height >= 3) + [Part.MARKS] * (height >= 4 and has_marks)
    below = [Part.STATUS] * (height >= 2) + [Part.WINDOW] * (height >= 6)
    return above + [Part.ROWS] * (height - len(above) - len(below)) + below


def interval_status(index: LaneIndex, place: Place, width: int) -> str:
    """Name, start from the window's begin, duration and kind; of these the name is cut first."""
    interval = index.interval(place)
    sentence = (
        _("{name}  start {start} us  duration {duration}  {kind}")
        if interval.duration_ns >= 0
        else _("{name}  start {start} us  invalid duration {duration}  {kind}")
    )
    values = {
        "start": words.microseconds(interval.start_ns - index.lane_set.begin_ns),
        "duration": words.duration(interval.duration_ns),
        "kind": words.printable(index.lane_set.kinds[interval.kind].title),
    }
    name_room = max(NARROWEST_NAME, width - cell_len(sentence.format(name="", **values)))
    return sentence.format(name=cut(interval.name, name_room), **values)


def gap_status(index: LaneIndex, rank: int, width: int) -> str:
    """How long no lane was busy, and between which two ops; ``rank`` counts ``longest_gaps`` from 0."""
    begin_ns, end_ns = index.longest_gaps[rank]
    before, after = index.last_ended(begin_ns), index.next_started(end_ns)
    sentence = _("gap {rank} of {total}: {duration}  start {start} us  after {before}  before {after}")
    values = {
        "rank": words.count(rank + 1),
        "total": words.count(len(index.longest_gaps)),
        "duration": words.duration(end_ns - begin_ns),
        "start": words.microseconds(begin_ns - index.lane_set.begin_ns),
    }
    room = width - cell_len(sentence.format(before="", after="", **values))
    name_room = max(NARROWEST_NAME, room // 2)
    return sentence.format(
        before=cut(index.interval(before).name, name_room) if before else _("nothing"),
        after=cut(index.interval(after).name, name_room) if after else _("nothing"),
        **values,
    )


def window_status(window: TimeWindow, grid: TimeGrid, zero_ns: int) -> str:
    """Which time is on the screen, and how much of it a cell stands for."""
    return _("from {begin} to {end} us ({cell} us per cell)").format(
        begin=words.microseconds(window.begin_ns - zero_ns),
        end=words.microseconds(window.end_ns - zero_ns),
        cell=words.microseconds(grid.cell_ns),
    )


def rows_status(first: int, shown: int, total: int) -> str:
    """Which rows of lanes are in sight, when not all are."""
    if shown >= total:
        return ""
    return _("rows {first} to {last} of {total}").format(
        first=words.count(first + 1), last=words.count(first + shown), total=words.count(total)
    )
