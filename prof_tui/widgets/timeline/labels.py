"""What is said around the lanes: their titles, what is under the cursor, which time is in sight."""

from __future__ import annotations

from rich.cells import cell_len

from prof_tui import words
from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.arrangement import Choices, Line, LineKind
from prof_tui.widgets.timeline.cells import short_name, value_text
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.zoom import TimeGrid, TimeWindow
from prof_tui.words import _, counted, cut

WIDEST_TITLE = 24
"""Cells; longer lane titles are cut."""
WIDEST_WITH_GROUPS = 40
"""Cells, where headers say what is folded below them."""
NARROWEST_WITH_TITLES = 20
"""Cells of the widget; below it all of the width goes to the time."""
NARROWEST_NAME = 8
"""Cells that a name keeps in the status line, whatever stands beside it."""


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


def interval_status(index: LaneIndex, number: int, width: int) -> str:
    """Name, start from the window's begin, duration, kind and lane.

    With too little room the lane's group goes first, then the beginning of a path or the lane, then the
    end of the name.
    """
    interval = index.interval(number)
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
    room = width - cell_len(sentence.format(name="", **values))
    lane = index.lane_of(number)
    whole, own = f"  {lane_title(index, lane)}", f"  {words.printable(index.lane_set.lanes[lane].title)}"
    name, short = words.printable(interval.name), words.printable(short_name(interval.name))
    for shown, beside in ((name, whole), (name, own), (short, own), (name, ""), (short, "")):
        if cell_len(shown) + cell_len(beside) <= room:
            return sentence.format(name=shown, **values) + beside
    return sentence.format(name=cut(short_name(interval.name), max(NARROWEST_NAME, room)), **values)


def lane_title(index: LaneIndex, number: int) -> str:
    """A lane's title behind that of its group."""
    lane = index.lane_set.lanes[number]
    titles = [group.title for group in index.lane_set.groups if group.id == lane.group]
    return f" {words.glyphs().separator} ".join(words.printable(title) for title in [*titles, lane.title])


def sample_status(index: LaneIndex, number: int) -> str:
    """A counter's lane, value and time."""
    lane = index.samples.lane_of(number)
    sample = index.samples.sample(number)
    return _("{lane}: {value}  at {at} us").format(
        lane=lane_title(index, lane),
        value=value_text(sample.value, index.lane_set.lanes[lane].unit),
        at=words.microseconds(sample.at_ns - index.lane_set.begin_ns),
    )


def group_status(index: LaneIndex, line: Line, choices: Choices) -> str:
    """What a line without intervals stands for."""
    if line.kind is LineKind.EMPTY:
        return _("{lane}: nothing here").format(lane=lane_title(index, line.lane))
    title = words.printable(index.lane_set.groups[line.group].title)
    said = (
        group_content(index, line.group)
        if line.kind is LineKind.GROUP
        else quiet_content(index, line.group, choices)
    )
    return f"{title}: {said}"


def gap_status(index: LaneIndex, gap: Span, rank: int | None, width: int) -> str:
    """How long no lane was busy, and between which two ops; ``rank`` counts ``longest_gaps`` from 0.

    Without a rank the stretch of time may be another than a gap.
    """
    begin_ns, end_ns = gap
    before, after = index.last_ended(begin_ns), index.next_started(end_ns)
    sentence = (
        _("shaded: {duration}  start {start} us  after {before}  before {after}")
        if rank is None
        else _("gap {rank} of {total}: {duration}  start {start} us  after {before}  before {after}")
    )
    values = {
        "rank": words.count(0 if rank is None else rank + 1),
        "total": words.count(index.gap_count),
        "duration": words.duration(end_ns - begin_ns),
        "start": words.microseconds(begin_ns - index.lane_set.begin_ns),
    }
    room = width - cell_len(sentence.format(before="", after="", **values))
    name_room = max(NARROWEST_NAME, room // 2)

    def named(number: int | None) -> str:
        return _("nothing") if number is None else cut(short_name(index.interval(number).name), name_room)

    return sentence.format(before=named(before), after=named(after), **values)


def window_status(window: TimeWindow, grid: TimeGrid, zero_ns: int) -> str:
    """Which time is on the screen, and how much of it a cell stands for."""
    return _("from {begin} to {end} us ({cell} us per cell)").format(
        begin=words.microseconds(window.begin_ns - zero_ns),
        end=words.microseconds(window.end_ns - zero_ns),
        cell=words.microseconds(grid.cell_ns),
    )


def range_status(marked: Span | None, is_open: bool) -> str:
    """How long the marked range is; ``is_open`` while it follows the cursor."""
    if marked is None:
        return ""
    sentence = _("marking {duration}") if is_open else _("range {duration}")
    return sentence.format(duration=words.duration(marked[1] - marked[0]))


def rows_status(first: int, shown: int, total: int) -> str:
    """Which rows of lanes are in sight, when not all are."""
    if shown >= total:
        return ""
    return _("rows {first} to {last} of {total}").format(
        first=words.count(first + 1), last=words.count(first + shown), total=words.count(total)
    )


def hidden_status(lanes: int) -> str:
    """How many lanes the user hid."""
    if not lanes:
        return ""
    return counted("{n} lane hidden", "{n} lanes hidden", lanes)
