"""One picture of a timeline: what is looked at, how large, and the styled text of each line."""

from dataclasses import dataclass, replace
from functools import cached_property

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from prof_tui import words
from prof_tui.data.intervals import Span
from prof_tui.widgets.cell_text import fit
from prof_tui.widgets.lane_cells import RowText, axis_text, marks_text
from prof_tui.widgets.lane_frame import (
    Part,
    frame,
    gap_status,
    interval_status,
    rows_status,
    window_status,
)
from prof_tui.widgets.lane_index import LaneIndex, Place
from prof_tui.widgets.lane_styles import LaneStyles
from prof_tui.widgets.time_window import TimeGrid, TimeWindow
from prof_tui.words import _

WIDEST_TITLE = 24
"""Cells; longer lane titles are cut."""
NARROWEST_WITH_TITLES = 20
"""Cells; below it all of the width goes to the time."""

NO_STYLE = Style.null()


@dataclass(frozen=True)
class Scene:
    """Everything that the picture depends on; ``width`` and ``height`` in cells."""

    index: LaneIndex
    window: TimeWindow
    cursor: Place | None = None
    gap_rank: int | None = None
    """Which of ``index.longest_gaps`` is chosen; the status line then tells of it, not of the cursor."""
    top_row: int = 0
    width: int = 0
    height: int = 0
    base: Style = NO_STYLE
    """What all styles are laid over."""

    @cached_property
    def parts(self) -> list[Part]:
        """What each line shows."""
        return frame(self.height, bool(self.index.lane_set.marks))

    @cached_property
    def title_width(self) -> int:
        """Cells of the lane titles and the blank after them."""
        if self.width < NARROWEST_WITH_TITLES:
            return 0
        titles = (words.printable(lane.title) for lane in self.index.lane_set.lanes)
        return min(max(map(cell_len, titles), default=0), WIDEST_TITLE, self.width // 4) + 1

    @property
    def columns(self) -> int:
        """Cells of the time."""
        return self.width - self.title_width

    @cached_property
    def grid(self) -> TimeGrid:
        """The times of the cells."""
        return TimeGrid.over(self.window, self.columns)

    @property
    def gap(self) -> Span | None:
        """The chosen gap."""
        return None if self.gap_rank is None else self.index.longest_gaps[self.gap_rank]

    @property
    def chosen(self) -> Span | None:
        """When the chosen gap is, or else the interval under the cursor."""
        if self.gap or self.cursor is None:
            return self.gap
        interval = self.index.interval(self.cursor)
        return interval.start_ns, interval.end_ns

    @property
    def row_lines(self) -> int:
        """How many rows of lanes there is room for."""
        return self.parts.count(Part.ROWS)

    def with_row_shown(self) -> "Scene":
        """Scrolled no further than needed for the cursor's row to be in sight, and past no end."""
        top_row = max(0, min(self.top_row, len(self.index.rows) - self.row_lines))
        if self.cursor:
            row_number = self.index.row_number(self.cursor)
            top_row = min(row_number, max(top_row, row_number - self.row_lines + 1))
        return replace(self, top_row=top_row)

    def place_at(self, x: int, y: int) -> Place | None:
        """The interval in a cell, the longest when there are several."""
        row_number = self._row_number(y)
        column = x - self.title_width
        if row_number is None or not 0 <= column < self.columns:
            return None
        row = self.index.rows[row_number]
        begin_ns = self.grid.time_ns(column)
        hit = row.within(begin_ns, begin_ns + self.grid.cell_ns)
        longest = max(hit, key=lambda number: row.ends[number + 1] - row.starts[number], default=None)
        return None if longest is None else Place(row.lane, row.members[longest])

    def line(self, y: int) -> list[Segment]:
        """One line in segments; not padded to the width."""
        if y >= len(self.parts):
            return []
        part = self.parts[y]
        if part is Part.ROWS:
            return self._row_line(y)
        if part is Part.AXIS:
            return self._axis_line()
        if part is Part.MARKS:
            marks = marks_text(self.index.lane_set.marks, self.grid)
            return [Segment(" " * self.title_width + marks, self.base)]
        return [
            Segment(
                fit(self._status() if part is Part.STATUS else self._view_status(), self.width), self.base
            )
        ]

    def changed_lines(self, before: "Scene") -> list[int] | None:
        """The lines that a move of the cursor from ``before`` alters; None when more than that is new."""
        if replace(before, cursor=self.cursor) != self:
            return None
        rows = [self.index.row_number(scene.cursor) for scene in (before, self) if scene.cursor]
        return [
            y
            for y, part in enumerate(self.parts)
            if part is Part.STATUS or (part is Part.ROWS and self._row_number(y) in rows)
        ]

    def _row_number(self, y: int) -> int | None:
        if not 0 <= y < len(self.parts) or self.parts[y] is not Part.ROWS:
            return None
        row_number = self.top_row + y - self.parts.index(Part.ROWS)
        return row_number if row_number < len(self.index.rows) else None

    def _row_line(self, y: int) -> list[Segment]:
        row_number = self._row_number(y)
        if row_number is None:
            return []
        row, lane_set = self.index.rows[row_number], self.index.lane_set
        text = RowText(row, lane_set.lanes[row.lane].intervals, lane_set.kinds, self.grid, self._overlay)
        selected = None
        if self.cursor and self.index.row_number(self.cursor) == row_number:
            selected = self.index.index_in_row(self.cursor)
        style_of = self._styles.style
        segments = [Segment(piece.text, style_of(piece)) for piece in text.pieces(selected)]
        return [Segment(self._row_title(row_number), self.base), *segments]

    def _row_title(self, row_number: int) -> str:
        """The lane's title beside its topmost row in sight."""
        if not self.title_width:
            return ""
        lane = self.index.rows[row_number].lane
        continues = row_number > self.top_row and self.index.rows[row_number - 1].lane == lane
        title = "" if continues else self.index.lane_set.lanes[lane].title
        return fit(title, self.title_width - 1) + " "

    @cached_property
    def _styles(self) -> LaneStyles:
        return LaneStyles(self.index.lane_set.kinds, self.base)

    @cached_property
    def _overlay(self) -> dict[int, str]:
        """What is drawn through idle cells: the chosen gap, and the marks."""
        gap_columns = self.grid.extent(*self.gap) if self.gap else ()
        mark_columns = (self.grid.column(mark.at_ns) for mark in self.index.lane_set.marks)
        overlay = dict.fromkeys(gap_columns, words.glyphs().bar_rest)
        overlay |= {column: words.glyphs().vertical for column in mark_columns if column is not None}
        return overlay

    def _axis_line(self) -> list[Segment]:
        text = axis_text(self.grid, self.index.lane_set.begin_ns)
        title = Segment(fit(_("us"), self.title_width), self.base)
        gap = self.grid.extent(*self.gap) if self.gap else None
        if not gap:
            return [title, Segment(text, self.base)]
        return [
            title,
            Segment(text[: gap.start], self.base),
            Segment(text[gap.start : gap.stop], self._styles.chosen),
            Segment(text[gap.stop :], self.base),
        ]

    def _status(self) -> str:
        if self.gap_rank is not None:
            return gap_status(self.index, self.gap_rank, self.width)
        if self.cursor is None:
            return _("no ops here")
        return interval_status(self.index, self.cursor, self.width)

    def _view_status(self) -> str:
        zero_ns = self.index.lane_set.begin_ns
        rows = rows_status(self.top_row, self.row_lines, len(self.index.rows))
        return "  ".join(filter(None, (window_status(self.window, self.grid, zero_ns), rows)))
