"""What stands around the lanes: which line of the widget is which, and what the lanes are called."""

from __future__ import annotations

from enum import Enum, auto

from rich.cells import cell_len

from prof_tui import words
from prof_tui.widgets.timeline.arrangement import Choices
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.words import _, counted

WIDEST_TITLE = 24
"""Cells; longer lane titles are cut."""
WIDEST_WITH_GROUPS = 40
"""Cells, where headers say what is folded below them."""
NARROWEST_WITH_TITLES = 20
"""Cells of the widget; below it all of the width goes to the time."""


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


def title_width(index: LaneIndex, width: int) -> int:
    """Cells of the titles and the blank after them, the same whatever is folded or hidden."""
    if width < NARROWEST_WITH_TITLES:
        return 0
    lane_set = index.lane_set
    indent = 2 if lane_set.groups else 0
    wanted = [indent + cell_len(words.printable(lane.title)) for lane in lane_set.lanes]
    wanted += [cell_len(group_title(index, number, True)) for number in range(len(lane_set.groups))]
    widest = WIDEST_WITH_GROUPS if lane_set.groups else WIDEST_TITLE
    return min(max(wanted, default=0), widest, width // 4) + 1


def group_title(index: LaneIndex, number: int, folded: bool, width: int | None = None) -> str:
    """A header: fold mark, title, and of a folded one what is in it, where ``width`` has room for that."""
    group = index.lane_set.groups[number]
    mark = words.glyphs().cursor if folded else words.glyphs().descending
    title = f"{mark} {words.printable(group.title)}"
    if not folded:
        return title
    whole = f"{title}  {group_content(index, number)}"
    return whole if width is None or cell_len(whole) <= width else title


def group_content(index: LaneIndex, number: int) -> str:
    """How many lanes and events a group has."""
    lanes = index.lanes_of(index.lane_set.groups[number].id)
    events = index.event_count(lanes)
    return _("{lanes}, {events}").format(
        lanes=counted("{n} lane", "{n} lanes", len(lanes)),
        events=counted("{n} event", "{n} events", events),
    )


def quiet_title(index: LaneIndex, number: int, choices: Choices) -> str:
    """The line of the lanes of a group that have nothing in the home window."""
    unfolded = index.lane_set.groups[number].id in choices.unfolded_quiet
    mark = words.glyphs().descending if unfolded else words.glyphs().cursor
    return f"  {mark} {quiet_content(index, number, choices)}"


def quiet_content(index: LaneIndex, number: int, choices: Choices) -> str:
    """How many lanes of a group have nothing in the home window, those hidden or pinned left out."""
    apart = choices.hidden | {*choices.pinned}
    lanes = [
        lane
        for lane in index.lanes_of(index.lane_set.groups[number].id)
        if not index.occupied[lane] and index.lane_set.lanes[lane].id not in apart
    ]
    return counted(
        "{n} lane with nothing here", "{n} lanes with nothing here", len(lanes), n=words.count(len(lanes))
    )
