"""One picture of a timeline: what is looked at, how large, and where everything is in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property

from rich.style import Style

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.arrangement import Arrangement, Choices, Line, LineKind, arrange
from prof_tui.widgets.timeline.cursor import Cursor, On, lane_of, line_of, on_line, span_of
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.labels import title_width
from prof_tui.widgets.timeline.zoom import TimeGrid, TimeWindow

NO_STYLE = Style.null()


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


@dataclass(frozen=True)
class Scene:
    """Everything that the picture depends on; ``width`` and ``height`` in cells."""

    index: LaneIndex
    window: TimeWindow
    choices: Choices = Choices()  # noqa: RUF009
    arrangement: Arrangement = Arrangement()  # noqa: RUF009
    """The lines that ``index`` and ``choices`` give."""
    cursor: Cursor | None = None
    wanted_ns: int | None = None
    """The time that a walk over the lines keeps to."""
    gap: Span | None = None
    """The gap, or other stretch of time, that is shaded; the status line tells of it, not of the cursor."""
    gap_rank: int | None = None
    """Which of ``index.longest_gaps`` it is; None for a stretch that was found otherwise."""
    marked: Span | None = None
    """The range that the user marked."""
    marked_from: Span | None = None
    """What the range began with, while it follows the cursor."""
    top_line: int = 0
    """The topmost line in sight of those that scroll, counted from the first of them."""
    width: int = 0
    height: int = 0
    base: Style = NO_STYLE
    """What all styles are laid over."""

    @cached_property
    def parts(self) -> list[Part]:
        """What each line shows."""
        return frame(self.height, bool(self.index.marks))

    @cached_property
    def title_width(self) -> int:
        """Cells of the lane titles and the blank after them."""
        return title_width(self.index, self.width)

    @property
    def columns(self) -> int:
        """Cells of the time."""
        return self.width - self.title_width

    @cached_property
    def grid(self) -> TimeGrid:
        """The times of the cells."""
        return TimeGrid.over(self.window, self.columns)

    @property
    def zoom_anchor_ns(self) -> int:
        """What a zoom by key leaves in its place: the chosen gap or op when in sight, else the centre."""
        begin_ns, end_ns = self.window.begin_ns, self.window.end_ns
        if self.chosen and self.window.holds(sum(self.chosen) // 2):
            begin_ns, end_ns = self.chosen
        return (begin_ns + end_ns) // 2

    # What is chosen

    @property
    def chosen(self) -> Span | None:
        """When the chosen gap is, or else the interval or sample under the cursor."""
        if self.gap or self.cursor is None:
            return self.gap
        return span_of(self.index, self.cursor)

    def with_range_extended(self) -> Scene:
        """With the range that is being marked from its beginning to what is chosen."""
        if self.marked_from is None or self.chosen is None:
            return self
        begin_ns = min(self.marked_from[0], self.chosen[0])
        return replace(self, marked=(begin_ns, max(self.marked_from[1], self.chosen[1])))

    @property
    def time_ns(self) -> int:
        """The moment that a walk over the lines keeps to."""
        if self.wanted_ns is not None:
            return self.wanted_ns
        span = self.cursor and span_of(self.index, self.cursor)
        return span[0] if span else self.window.begin_ns + self.window.span_ns // 2

    # Lines

    @cached_property
    def cursor_line(self) -> int | None:
        """The line that the cursor is on."""
        return None if self.cursor is None else line_of(self.arrangement, self.index, self.cursor)

    @property
    def line_under_cursor(self) -> Line | None:
        return None if self.cursor_line is None else self.arrangement.lines[self.cursor_line]

    def group_of(self, line: Line) -> int | None:
        """The group of a line: its own, or its lane's; None where the lane is in no group."""
        if line.lane < 0:
            return line.group
        groups = [group.id for group in self.index.lane_set.groups]
        id_ = self.index.lane_set.lanes[line.lane].group
        return groups.index(id_) if id_ in groups else None

    def arranged(self, choices: Choices, cursor: Cursor | None = None) -> Scene:
        """With other choices and the cursor where it is told; else on what it was on, or where that was."""
        arrangement = arrange(self.index, choices)
        cursor = cursor or self.cursor
        if cursor is None or line_of(arrangement, self.index, cursor) is None:
            cursor = self._cursor_near(arrangement)
        return replace(self, choices=choices, arrangement=arrangement, cursor=cursor).with_cursor_shown()

    def _cursor_near(self, arrangement: Arrangement) -> Cursor | None:
        lines = arrangement.lines
        lane = self.cursor and lane_of(self.index, self.cursor)
        place = self.cursor_line if lane is None else self.arrangement.of_lane(lane)
        return on_line(self.index, lines[min(place or 0, len(lines) - 1)], self.time_ns) if lines else None

    @property
    def row_lines(self) -> int:
        """How many lines of lanes there is room for."""
        return self.parts.count(Part.ROWS)

    @property
    def pinned_lines(self) -> int:
        """How many of them are for pinned lanes: at most half, unless nothing else is shown."""
        pinned = self.arrangement.pinned
        return 0 if pinned == len(self.arrangement.lines) else min(pinned, self.row_lines // 2)

    @property
    def scrolled(self) -> range:
        """The lines that scroll."""
        return range(self.arrangement.pinned if self.pinned_lines else 0, len(self.arrangement.lines))

    @cached_property
    def first_pinned(self) -> int:
        """The topmost pinned line in sight."""
        if self.cursor_line is None or self.cursor_line >= self.arrangement.pinned:
            return 0
        return max(0, self.cursor_line - self.pinned_lines + 1)

    def with_cursor_shown(self) -> Scene:
        """Scrolled no further than needed for the cursor's line to be in sight, and past no end."""
        room, scrolled = self.row_lines - self.pinned_lines, self.scrolled
        if room <= 0:
            return self
        top = max(0, min(self.top_line, len(scrolled) - room))
        if self.cursor_line is not None and self.cursor_line in scrolled:
            place = self.cursor_line - scrolled.start
            top = min(place, max(top, place - room + 1))
        return replace(self, top_line=top)

    def line_number(self, y: int) -> int | None:
        """Which of the arrangement's lines is in a line of the widget."""
        if not 0 <= y < len(self.parts) or self.parts[y] is not Part.ROWS:
            return None
        place = y - self.parts.index(Part.ROWS)
        if place < self.pinned_lines:
            return self.first_pinned + place
        number = self.scrolled.start + self.top_line + place - self.pinned_lines
        return number if number < len(self.arrangement.lines) else None

    @property
    def lines_in_sight(self) -> list[Line]:
        """The lines of lanes on the screen, from top to bottom."""
        numbers = map(self.line_number, range(len(self.parts)))
        return [self.arrangement.lines[number] for number in numbers if number is not None]

    def changed_lines(self, before: Scene) -> list[int] | None:
        """The lines that a move of the cursor from ``before`` alters; None when more than that is new."""
        same = replace(before, cursor=self.cursor, wanted_ns=self.wanted_ns) == self
        if not same or before.first_pinned != self.first_pinned:
            return None
        moved = {before.cursor_line, self.cursor_line} - {None}
        return [
            y
            for y, part in enumerate(self.parts)
            if part is Part.STATUS or (part is Part.ROWS and self.line_number(y) in moved)
        ]

    # What is under the mouse

    def cursor_at(self, x: int, y: int) -> Cursor | None:
        """The interval in a cell, the longest when there are several; the nearest sample; or the line."""
        number = self.line_number(y)
        if number is None:
            return None
        line = self.arrangement.lines[number]
        column = x - self.title_width
        if line.kind not in (LineKind.ROW, LineKind.FOLDED, LineKind.PLOT):
            return Cursor(On.LINE, line=line)
        if not 0 <= column < self.columns:
            return None
        if line.kind is LineKind.PLOT:
            return on_line(self.index, line, self.grid.time_ns(column) + self.grid.cell_ns // 2)
        return self._interval_in(line, self.grid.time_ns(column))

    def _interval_in(self, line: Line, begin_ns: int) -> Cursor | None:
        columns = self.index.columns
        rows = [line.row] if line.kind is LineKind.ROW else columns.rows_of(line.lane)
        hits = (columns.track(row).within(begin_ns, begin_ns + self.grid.cell_ns) for row in rows)
        longest = max((columns.longest_of(hit) for hit in hits if hit), default=None)
        return None if longest is None else Cursor(On.INTERVAL, -longest[1])
