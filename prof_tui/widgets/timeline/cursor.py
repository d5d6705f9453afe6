"""Where the cursor of a timeline is, and where it can go from there."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.arrangement import OF_GROUP, Arrangement, Line, LineKind
from prof_tui.widgets.timeline.index import LaneIndex


class On(Enum):
    """What the cursor is on."""

    INTERVAL = auto()
    SAMPLE = auto()
    LINE = auto()
    """A line that has neither."""


class Cursor(NamedTuple):
    """One place of an index; ``number`` is of an interval or sample, ``line`` is for a line without."""

    on: On
    number: int = -1
    line: Line | None = None


def line_of(arrangement: Arrangement, index: LaneIndex, cursor: Cursor) -> int | None:
    """The number of the line that the cursor is on; None when that isn't shown."""
    if cursor.on is On.INTERVAL:
        row = index.columns.row_of(cursor.number)
        return arrangement.of_row(index.rows[row].lane, row)
    if cursor.on is On.SAMPLE:
        return arrangement.of_lane(index.samples.lane_of(cursor.number))
    line = cursor.line
    if line is None:
        return None
    if line.kind in OF_GROUP:
        return arrangement.find(line.kind, line.group)
    return arrangement.of_lane(line.lane)


def lane_of(index: LaneIndex, cursor: Cursor) -> int | None:
    """The lane that the cursor is on; None on the line of a group."""
    if cursor.on is On.INTERVAL:
        return index.lane_of(cursor.number)
    if cursor.on is On.SAMPLE:
        return index.samples.lane_of(cursor.number)
    return cursor.line.lane if cursor.line and cursor.line.lane >= 0 else None


def span_of(index: LaneIndex, cursor: Cursor) -> Span | None:
    """When the interval or sample under the cursor is."""
    if cursor.on is On.INTERVAL:
        return index.columns.starts[cursor.number], index.columns.end_ns(cursor.number)
    if cursor.on is On.SAMPLE:
        at_ns = index.samples.sample(cursor.number).at_ns
        return at_ns, at_ns
    return None


def is_at_home(index: LaneIndex, cursor: Cursor) -> bool:
    """Whether what is under the cursor has a part in the home window; a line without anything has."""
    span = span_of(index, cursor)
    if span is None:
        return True
    begin_ns, end_ns = index.home
    return span[0] < end_ns and (span[1] > begin_ns or span[0] >= begin_ns)


def on_line(index: LaneIndex, line: Line, at_ns: int) -> Cursor:
    """The cursor on a line, at what is nearest to a moment."""
    number = None
    if line.kind in (LineKind.ROW, LineKind.FOLDED):
        rows = [line.row] if line.kind is LineKind.ROW else index.columns.rows_of(line.lane)
        number = index.nearest(rows, at_ns)
    elif line.kind is LineKind.PLOT:
        number = index.samples.nearest(line.lane, at_ns)
    if number is None:
        return Cursor(On.LINE, line=line)
    return Cursor(On.SAMPLE if line.kind is LineKind.PLOT else On.INTERVAL, number)


def along(index: LaneIndex, cursor: Cursor | None, step: int) -> Cursor | None:
    """What is before (``step`` -1) or behind (1) in the same lane; None beyond its ends."""
    if cursor is None or cursor.on is On.LINE:
        return None
    ways = index.along if cursor.on is On.INTERVAL else index.samples.along
    number = ways(cursor.number, step)
    return None if number is None else Cursor(cursor.on, number)


def first(arrangement: Arrangement, index: LaneIndex) -> Cursor | None:
    """On the topmost line with anything in the home window the first that starts there; else that line.

    What goes on from before is second to what starts in the window.
    """
    for line in arrangement.lines:
        rows = [line.row] if line.row >= 0 else index.columns.rows_of(line.lane)
        found = [number for row in rows if (number := _first_at_home(index, row)) is not None]
        if found:
            return Cursor(On.INTERVAL, min(found))
    return on_line(index, arrangement.lines[0], index.home[0]) if arrangement.lines else None


def _first_at_home(index: LaneIndex, row: int) -> int | None:
    found = index.columns.track(row).within(*index.home)
    if not found:
        return None
    goes_on = index.columns.starts[found.start] < index.home[0]
    return found.start + (goes_on and len(found) > 1)


def same_in(index: LaneIndex, before: LaneIndex, cursor: Cursor) -> Cursor | None:
    """The same place in another index; None when that has it no more.

    An interval is found by its key.  Row numbers as keys say nothing of other intervals: then it is the
    one of the same lane, start, duration and name.
    """
    if cursor.on is On.INTERVAL:
        number = _same_interval(index, before, cursor.number)
        return None if number is None else Cursor(On.INTERVAL, number)
    lane = lane_of(before, cursor)
    if lane is not None:
        return _on_same_lane(index, before.lane_set.lanes[lane].id, cursor, before)
    line = cursor.line
    groups = [group.id for group in index.lane_set.groups]
    if line is None or before.lane_set.groups[line.group].id not in groups:
        return None
    group = groups.index(before.lane_set.groups[line.group].id)
    return Cursor(On.LINE, line=line._replace(group=group))


def _on_same_lane(index: LaneIndex, lane_id: str, cursor: Cursor, before: LaneIndex) -> Cursor | None:
    lane = _lane_called(index, lane_id)
    if lane is None:
        return None
    if cursor.on is On.LINE:
        return Cursor(On.LINE, line=Line(LineKind.EMPTY, lane=lane))
    number = index.samples.nearest(lane, before.samples.sample(cursor.number).at_ns)
    return None if number is None else Cursor(On.SAMPLE, number)


def _same_interval(index: LaneIndex, before: LaneIndex, number: int) -> int | None:
    if before.lane_set.keys is not None or index.lane_set.intervals is before.lane_set.intervals:
        return index.find(before.key_of(number))
    lane = _lane_called(index, before.lane_set.lanes[before.lane_of(number)].id)
    if lane is None:
        return None
    interval, columns = before.interval(number), index.columns
    for row in columns.rows_of(lane):
        track = columns.track(row)
        for other in range(track.started(interval.start_ns), track.started(interval.start_ns + 1)):
            same = columns.interval(other)
            if (same.duration_ns, same.name) == (interval.duration_ns, interval.name):
                return other
    return None


def _lane_called(index: LaneIndex, lane_id: str) -> int | None:
    lanes = index.lane_set.lanes
    return next((number for number, lane in enumerate(lanes) if lane.id == lane_id), None)
