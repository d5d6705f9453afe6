"""How a timeline is drawn: the styled text of each line, and the legend of the kinds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from prof_tui import words
from prof_tui.widgets.cell_text import cut_middle, fit, ink_on
from prof_tui.widgets.timeline.arrangement import OF_GROUP, Line, LineKind
from prof_tui.widgets.timeline.cells import Cells, CellText, Look, Piece, cover_cells, plot_pieces, row_cells
from prof_tui.widgets.timeline.cursor import On
from prof_tui.widgets.timeline.labels import (
    gap_status,
    group_status,
    group_title,
    hidden_status,
    interval_status,
    quiet_title,
    range_status,
    rows_status,
    sample_status,
    window_status,
)
from prof_tui.widgets.timeline.model import Interval, Kind, Mark
from prof_tui.widgets.timeline.scene import Part, Scene
from prof_tui.widgets.timeline.zoom import TimeGrid
from prof_tui.words import _, cut


def round_step_ns(at_least_ns: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … nanoseconds that is ``at_least_ns`` or more."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= at_least_ns:
                return digit * power
        power *= 10


def axis_text(grid: TimeGrid, zero_ns: int) -> str:
    """Ticks at round distances from ``zero_ns``, each with its microseconds where they fit."""
    begin_ns = grid.begin_ns - zero_ns
    widest = max(
        len(words.microseconds(at_ns)) for at_ns in (begin_ns, begin_ns + grid.columns * grid.cell_ns)
    )
    step_ns = round_step_ns(grid.cell_ns * (widest + 3))
    cells = [" "] * grid.columns
    first_tick_ns = -(-begin_ns // step_ns) * step_ns
    for tick_ns in range(first_tick_ns, begin_ns + grid.columns * grid.cell_ns, step_ns):
        column = (tick_ns - begin_ns) // grid.cell_ns
        label = words.glyphs().tick + words.microseconds(tick_ns)
        shown = label if column + len(label) <= grid.columns else label[0]
        cells[column : column + len(shown)] = shown
    return "".join(cells)


def marks_text(marks: Sequence[Mark], grid: TimeGrid) -> str:
    """A tick for every mark, its title right of it, or left of it where there is more room, or cut.

    Marks that fall into one cell share its tick, their titles are joined.
    """
    titles: dict[int, str] = {}
    for mark in sorted(marks, key=lambda mark: mark.at_ns):
        column = grid.column(mark.at_ns)
        if column is not None:
            joined = [titles[column], mark.title] if column in titles else [mark.title]
            titles[column] = f" {words.glyphs().separator} ".join(joined)
    text, columns = "", [*titles, grid.columns]
    for number, (column, title) in enumerate(titles.items()):
        left_room = max(0, column - cell_len(text.rstrip()) - (text.strip() != ""))
        right_room = columns[number + 1] - column - 1
        text += " " * (column - cell_len(text))
        width = cell_len(words.printable(title))
        if right_room < width and left_room > right_room:
            shown = cut(title, left_room)
            text = set_cell_size(text, column - cell_len(shown)) + shown + words.glyphs().tick
        else:
            text += words.glyphs().tick + cut(title, right_room)
    return set_cell_size(text, grid.columns)


CHOSEN = Style(reverse=True, bold=True)
"""The op or gap under the cursor: told by reversal, not by colour."""


class LaneStyles:
    """What each look of each kind is drawn with, over ``base``."""

    def __init__(self, kinds: Sequence[Kind], base: Style) -> None:
        colours = [kind.colour.removeprefix("ansi_") for kind in kinds]
        self.base = base
        self.chosen = base + CHOSEN
        self.marked = base + Style(reverse=True)
        self.idle = base + Style(dim=True)
        self._kinds = kinds
        self._foreground = [base + Style(color=colour) for colour in colours]
        self._filled = [base + Style(color=ink_on(colour), bgcolor=colour) for colour in colours]

    def style(self, piece: Piece) -> Style:
        """The style of a piece of a row."""
        if piece.look is Look.SHARED:
            return self._foreground[piece.kind]
        if piece.look is Look.IDLE:
            return self.idle
        if piece.look is Look.SELECTED:
            return self.chosen
        if piece.look is Look.PLAIN:
            return self.base
        return self._filled[piece.kind] if piece.look is Look.BAR else self._foreground[piece.kind]

    def title(self, is_chosen: bool, is_header: bool) -> Style:
        """The style of a line's title; ``is_chosen`` when the cursor is on the line and on nothing in it."""
        if is_chosen:
            return self.chosen
        return self.base + Style(bold=True) if is_header else self.base

    def legend(self, kinds_present: Iterable[int]) -> Text:
        """``M AI_CORE  V AI_VECTOR_CORE`` with each letter as it is drawn in a lane."""
        entries = (
            Text.assemble(
                (self._kinds[number].letter, self._filled[number]),
                " ",
                words.printable(self._kinds[number].title),
            )
            for number in kinds_present
        )
        return Text("  ").join(entries)


_CELLS_PER_MARK = 3
"""Cells from one mark to the next, below which marks aren't drawn through the lanes."""


class Drawing:
    """Draws one scene; what its lines share is worked out once.

    What the cells hold is taken over from ``before``, a drawing of the same time.
    """

    def __init__(self, scene: Scene, before: Drawing | None = None) -> None:
        self.scene = scene
        self._index = scene.index
        self._rows: dict[int, Cells] = {}
        self._covers: dict[tuple[int, ...], Cells] = {}
        if before and before._index is scene.index and before.scene.grid == scene.grid:
            self._rows, self._covers = before._rows, before._covers

    def line(self, y: int) -> list[Segment]:
        """One line in segments, as wide as the scene."""
        scene = self.scene
        if y >= len(scene.parts):
            return self._blank
        part = scene.parts[y]
        if part is Part.ROWS:
            number = scene.line_number(y)
            return self._blank if number is None else self._lane_line(number, self._is_topmost(number, y))
        if part is Part.AXIS:
            return self._axis_line()
        if part is Part.MARKS:
            grid = scene.grid
            marks = marks_text(self._index.marks_within(grid.begin_ns, grid.end_ns), grid)
            return [Segment(" " * scene.title_width + marks, scene.base)]
        text = self._status() if part is Part.STATUS else self._view_status()
        return [Segment(fit(text, scene.width), scene.base)]

    @property
    def _blank(self) -> list[Segment]:
        return [Segment(" " * self.scene.width, self.scene.base)]

    # Lanes

    def _is_topmost(self, number: int, y: int) -> bool:
        """Whether the line above in sight is of another lane."""
        above = self.scene.line_number(y - 1)
        lines = self.scene.arrangement.lines
        return above is None or lines[above].lane != lines[number].lane or lines[number].lane < 0

    def _lane_line(self, number: int, is_topmost: bool) -> list[Segment]:
        scene = self.scene
        line = scene.arrangement.lines[number]
        is_chosen = number == scene.cursor_line
        style = self._styles.title(
            is_chosen and scene.cursor is not None and scene.cursor.on is On.LINE,
            line.kind is LineKind.GROUP,
        )
        if line.kind in OF_GROUP and not self._is_folded(line):
            return self._head_line(line, style)
        style_of = self._styles.style
        segments = [Segment(piece.text, style_of(piece)) for piece in self._pieces(line, is_chosen)]
        if not scene.title_width:
            return segments
        title = self._title(line, scene.title_width - 1) if is_topmost else ""
        width = scene.title_width - 1
        return [Segment(fit(cut_middle(title, width), width) + " ", style), *segments]

    def _head_line(self, line: Line, style: Style) -> list[Segment]:
        """A line without intervals: its title has all the room that it needs."""
        scene = self.scene
        title = self._title(line, scene.width)
        width = min(max(cell_len(title) + 1, scene.title_width), scene.width)
        overlay = (" " * scene.title_width + self._overlay)[width:]
        return [Segment(fit(title, width), style), Segment(overlay, self._styles.idle)]

    def _is_folded(self, line: Line) -> bool:
        groups = self._index.lane_set.groups
        return line.kind is LineKind.GROUP and self.scene.choices.is_folded(groups[line.group])

    def _pieces(self, line: Line, is_chosen: bool) -> Iterable[Piece]:
        scene = self.scene
        selected = self._chosen_interval if is_chosen else None
        if line.kind is LineKind.ROW:
            return self._text(self._row_cells(line.row)).pieces(selected)
        if line.kind is LineKind.FOLDED:
            return self._text(self._cover_cells([line.lane])).pieces(selected, Look.PLAIN)
        if line.kind is LineKind.PLOT:
            levels = self._index.samples.levels(line.lane, scene.grid)
            return plot_pieces(levels, self._overlay, self._chosen_column if is_chosen else None)
        if line.kind is LineKind.GROUP:
            cells = self._cover_cells(self._index.lanes_of(self._index.lane_set.groups[line.group].id))
            return self._text(cells).pieces(None, Look.PLAIN)
        return [Piece(self._overlay, Look.IDLE, 0)]

    def _text(self, cells: Cells) -> CellText:
        kinds = self._index.lane_set.kinds
        return CellText(self._index.columns, kinds, cells, self.scene.grid, self._overlay)

    def _row_cells(self, row: int) -> Cells:
        """The cells of a row; those of all rows in sight are worked out together."""
        if row not in self._rows:
            lines = self.scene.lines_in_sight
            rows = [line.row for line in lines if line.row >= 0 and line.row not in self._rows]
            self._rows |= row_cells(self._index.columns, rows, self.scene.grid)
        return self._rows[row]

    def _cover_cells(self, lanes: list[int]) -> Cells:
        key = tuple(lanes)
        if key not in self._covers:
            self._covers[key] = cover_cells([self._index.columns.cover(lanes)], self.scene.grid)[0]
        return self._covers[key]

    @property
    def _chosen_interval(self) -> Interval | None:
        cursor = self.scene.cursor
        return self._index.interval(cursor.number) if cursor and cursor.on is On.INTERVAL else None

    @property
    def _chosen_column(self) -> int | None:
        cursor = self.scene.cursor
        if cursor is None or cursor.on is not On.SAMPLE:
            return None
        return self.scene.grid.column(self._index.samples.sample(cursor.number).at_ns)

    def _title(self, line: Line, width: int) -> str:
        if line.kind is LineKind.GROUP:
            return group_title(self._index, line.group, self._is_folded(line), width)
        if line.kind is LineKind.QUIET:
            return quiet_title(self._index, line.group, self.scene.choices)
        lane = self._index.lane_set.lanes[line.lane]
        if lane.id in self.scene.choices.pinned:
            return f"{words.glyphs().bullet} {lane.title}"
        return f"  {lane.title}" if self._index.lane_set.groups else lane.title

    # What is drawn over all lanes

    @cached_property
    def _styles(self) -> LaneStyles:
        return LaneStyles(self._index.lane_set.kinds, self.scene.base)

    @cached_property
    def _overlay(self) -> str:
        """What is drawn through idle cells: the marked range, the chosen gap, and the marks."""
        scene = self.scene
        cells = [" "] * scene.columns
        for span, glyph in ((scene.marked, _range_glyph()), (scene.gap, words.glyphs().bar_rest)):
            for column in scene.grid.extent(*span) if span else ():
                cells[column] = glyph
        columns = self._mark_columns(scene.grid)
        if len(columns) * _CELLS_PER_MARK <= len(cells) or len(columns) <= 1:
            for column in columns:
                cells[column] = words.glyphs().vertical
        return "".join(cells)

    def _mark_columns(self, grid: TimeGrid) -> set[int]:
        marks = self._index.marks_within(grid.begin_ns, grid.end_ns)
        return {column for mark in marks if (column := grid.column(mark.at_ns)) is not None}

    def _axis_line(self) -> list[Segment]:
        scene, styles = self.scene, self._styles
        text = axis_text(scene.grid, self._index.lane_set.begin_ns)
        looks = [scene.base] * scene.columns
        for span, style in ((scene.marked, styles.marked), (scene.gap, styles.chosen)):
            for column in scene.grid.extent(*span) if span else ():
                looks[column] = style
        segments, column = [Segment(fit(_("us"), scene.title_width), scene.base)], 0
        for style, cells in groupby(looks):
            stop = column + len(list(cells))
            segments.append(Segment(text[column:stop], style))
            column = stop
        return segments

    # Sentences

    def _status(self) -> str:
        scene, cursor = self.scene, self.scene.cursor
        if scene.gap is not None:
            return gap_status(self._index, scene.gap, scene.gap_rank, scene.width)
        if cursor is None:
            return _("no ops here")
        if cursor.on is On.INTERVAL:
            return interval_status(self._index, cursor.number, scene.width)
        if cursor.on is On.SAMPLE:
            return sample_status(self._index, cursor.number)
        return "" if cursor.line is None else group_status(self._index, cursor.line, scene.choices)

    def _view_status(self) -> str:
        scene = self.scene
        texts = (
            window_status(scene.window, scene.grid, self._index.lane_set.begin_ns),
            range_status(scene.marked, scene.marked_from is not None),
            rows_status(scene.top_line, scene.row_lines - scene.pinned_lines, len(scene.scrolled)),
            hidden_status(scene.arrangement.hidden),
        )
        return "  ".join(filter(None, texts))


def _range_glyph() -> str:
    """What a marked range is drawn with where nothing is: told from a gap without colour."""
    return "'" if words.ascii_only() else "·"
