"""A table of any number of rows, of which only the visible ones are drawn and only their pages held."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from prof_tui.widgets.keys import key
from prof_tui.widgets.table.drawing import (
    CellStyles,
    DrawSlot,
    Inks,
    cell_text,
    draw_cell,
    draw_title,
    line_strip,
)
from prof_tui.widgets.table.layout import ColumnsLayout, ColumnView, Slot, lay_out
from prof_tui.widgets.table.pages import Row, RowPages
from prof_tui.words import _, glyphs, printable

_key = partial(key, "table")

TABLE_BINDINGS: list[BindingType] = [
    _key("enter", "enter_row", _("Open"), _("Go into what this row stands for"), show=True),
    _key("up,k", "step_row(-1)", _("Up"), _("The row above"), name="up"),
    _key("down,j", "step_row(1)", _("Down"), _("The row below"), name="down"),
    _key("left,h", "step_column(-1)", _("Left"), _("The column on the left"), name="left"),
    _key("right,l", "step_column(1)", _("Right"), _("The column on the right"), name="right"),
    _key("pageup", "page(-1)", _("Page up"), _("One screen of rows up"), name="page-up"),
    _key("pagedown", "page(1)", _("Page down"), _("One screen of rows down"), name="page-down"),
    _key("g", "first_row", _("First row"), _("The first row of the table")),
    _key("G", "last_row", _("Last row"), _("The last row of the table")),
    _key("home", "first_column", _("First column"), _("The leftmost column")),
    _key("end", "last_column", _("Last column"), _("The rightmost column")),
    _key("less_than_sign", "widen(-4)", _("Narrower"), _("Make this column narrower"), name="narrower"),
    _key("greater_than_sign", "widen(4)", _("Wider"), _("Make this column wider"), name="wider"),
]


__all__ = ["ColumnView", "FrameTable", "Row"]

HEADER_LINES = 1
_STRIPS_KEPT = 512


class FrameTable(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines of a table, drawn one by one, the header first, which doesn't scroll; rows come from outside.

    Every ``RowsWanted`` is to be answered with ``supply``, with no rows if the answer was given up.
    A row that isn't there yet is drawn as a placeholder.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "frame-table--header",
        "frame-table--header-cursor",
        "frame-table--row",
        "frame-table--rule",
        "frame-table--cursor-row",
        "frame-table--cursor",
        "frame-table--muted",
        "frame-table--warning",
        "frame-table--missing",
        "frame-table--found",
    }
    DEFAULT_CSS = """
    FrameTable {
        background: $surface;
        color: $foreground;
        & > .frame-table--header { background: $panel; text-style: bold; }
        & > .frame-table--header-cursor { color: $text-accent; text-style: bold underline; }
        & > .frame-table--rule { color: $foreground 40%; }
        & > .frame-table--cursor-row { background: $foreground 12%; text-style: bold; }
        & > .frame-table--cursor {
            background: $block-cursor-blurred-background;
            text-style: bold underline;
        }
        &:focus > .frame-table--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: $block-cursor-text-style;
        }
        &:nocolor:focus > .frame-table--cursor { text-style: bold reverse; }
        & > .frame-table--muted { color: $foreground 60%; }
        & > .frame-table--warning { color: $text-warning; }
        & > .frame-table--missing { text-style: dim; }
        & > .frame-table--found { background: $warning; color: $background; text-style: bold underline; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = TABLE_BINDINGS
    BINDING_GROUP_TITLE = _("Table")

    @dataclass
    class FromTable(Message):
        """Whatever a table tells; ``table`` is which."""

        table: "FrameTable"

    @dataclass
    class RowsWanted(FromTable):
        """Rows ``first`` to ``first + count`` of this generation are to be supplied."""

        first: int
        count: int
        generation: int

    @dataclass
    class CursorMoved(FromTable):
        """The cursor stands on another cell; of several that wait only the last one counts."""

        row: int
        column_id: str | None

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, FrameTable.CursorMoved) and message.table is self.table

    @dataclass
    class HeightChanged(FromTable):
        """More or fewer rows are in sight than before."""

    @dataclass
    class RowEntered(FromTable):
        """Enter or a double click on a row."""

        row: int
        column_id: str | None

    @dataclass
    class HeaderClicked(FromTable):
        """A click on the title of a column."""

        column_id: str

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[ColumnView, ...] = ()
        self._places: ColumnsLayout = lay_out((), 0)
        self._pages = RowPages()
        self._row_count = 0
        self._cursor_row = 0
        self._cursor_slot = 0
        """Index into the slots of the layout, not into the columns: pinned ones come first."""
        self._sort: tuple[str | None, bool] = (None, False)
        self._needle: re.Pattern[str] | None = None
        self._row_strips: LRUCache[int, Strip] = LRUCache(_STRIPS_KEPT)
        """Lines of rows that are there and don't have the cursor, as drawn at this width and scroll."""
        self._inks = Inks(self)
        self._generation = 0
        self._highlight = ""
        self._user_widths: dict[str, int] = {}

    # What the table shows

    def set_columns(self, columns: Sequence[ColumnView]) -> None:
        """Show these columns; the cursor keeps its column by id, a width that the user chose is kept too.

        Rows have other cells then: unless the ids are the same, ``set_view`` is to follow.
        """
        column_id = self.cursor_column_id
        if [column.id for column in columns] != [column.id for column in self._columns]:
            self._pages.clear()
        widths = self._user_widths
        self._columns = tuple(
            replace(column, width=widths.get(column.id, column.width)) for column in columns
        )
        self._lay_out_columns()
        ids = self._ids_from_left()
        nearest = max(0, min(self._cursor_slot, len(ids) - 1))
        self._cursor_slot = ids.index(column_id) if column_id in ids else nearest
        self._reveal_cursor()
        if self.cursor_column_id != column_id:
            self._tell_cursor()

    def set_view(
        self,
        row_count: int,
        *,
        cursor_row: int = 0,
        generation: int,
        supplied: tuple[int, Sequence[Row]] = (0, ()),
    ) -> None:
        """Another order or choice of rows: all pages are dropped, the cursor goes to ``cursor_row``.

        ``supplied``: rows that are there already, with the place of the first one.
        """
        self._generation = generation
        self._pages.clear()
        self._pages.put(*supplied)
        self._row_count = row_count
        self._measure()
        self._put_cursor(cursor_row, self._cursor_slot)
        self._reveal_cursor()
        self._ask_for_rows()

    def grow(self, row_count: int) -> None:
        """More rows are known behind those of this view."""
        self._row_count = row_count
        self._measure()
        self._ask_for_rows()

    def supply(self, generation: int, first: int, rows: Sequence[Row]) -> None:
        """The answer to ``RowsWanted``; one to an older generation is dropped."""
        if generation != self._generation:
            return
        self._pages.put(first, rows)
        self._redraw_rows(first, len(rows))

    def set_sort(self, column_id: str | None, descending: bool) -> None:
        """Mark the column by which the rows are sorted; None for the order of the file."""
        self._sort = (column_id, descending)
        self._redraw()

    @property
    def highlight(self) -> str:
        """The text that is marked inside cells, case ignored; "" for none."""
        return self._highlight

    @highlight.setter
    def highlight(self, text: str) -> None:
        self._highlight = text
        self._needle = re.compile(re.escape(printable(text)), re.IGNORECASE) if text else None
        self._redraw()

    # Where the cursor is

    @property
    def cursor_row(self) -> int:
        return self._cursor_row

    @property
    def cursor_column_id(self) -> str | None:
        """None while there are no columns."""
        slot = self._slot_at_cursor()
        return slot.column.id if slot else None

    @property
    def visible_range(self) -> tuple[int, int]:
        """First visible row and how many are visible."""
        first = self.scroll_offset.y
        return first, max(0, min(self._rows_in_view, self._row_count - first))

    def move_cursor(self, row: int | None = None, column_id: str | None = None) -> None:
        """Go to a row (the nearest there is) and a column (ignored if it isn't shown)."""
        ids = self._ids_from_left()
        slot = ids.index(column_id) if column_id in ids else self._cursor_slot
        self._put_cursor(self._cursor_row if row is None else row, slot)

    # Keys and mouse

    def action_step_row(self, delta: int) -> None:
        self._put_cursor(self._cursor_row + delta, self._cursor_slot)

    def action_step_column(self, delta: int) -> None:
        self._put_cursor(self._cursor_row, self._cursor_slot + delta)

    def action_page(self, delta: int) -> None:
        rows = max(1, self._rows_in_view) * delta
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False, force=True)
        self._put_cursor(self._cursor_row + rows, self._cursor_slot)

    def action_first_row(self) -> None:
        self._put_cursor(0, self._cursor_slot)

    def action_last_row(self) -> None:
        self._put_cursor(self._row_count - 1, self._cursor_slot)

    def action_first_column(self) -> None:
        self._put_cursor(self._cursor_row, 0)

    def action_last_column(self) -> None:
        self._put_cursor(self._cursor_row, len(self._columns) - 1)

    def action_widen(self, delta: int) -> None:
        """Give the cursor's column ``delta`` terminal cells more, or fewer down to one."""
        column_id = self.cursor_column_id
        for column in self._columns:
            if column.id == column_id:
                self._user_widths[column_id] = max(1, column.width + delta)
        self.set_columns(self._columns)

    def action_enter_row(self) -> None:
        if self._row_count:
            self.post_message(self.RowEntered(self, self._cursor_row, self.cursor_column_id))

    def on_click(self, event: events.Click) -> None:
        slot = self._places.slot_at(event.x, self.scroll_offset.x)
        row = event.y - HEADER_LINES + self.scroll_offset.y
        if event.y < HEADER_LINES:
            if slot:
                self.post_message(self.HeaderClicked(self, slot.column.id))
        elif row < self._row_count:
            self.move_cursor(row, slot.column.id if slot else None)
            if event.chain == 2:
                self.action_enter_row()

    def on_resize(self) -> None:
        self._lay_out_columns()
        self._reveal_cursor()
        self._ask_for_rows()
        self.post_message(self.HeightChanged(self))

    def watch_show_horizontal_scrollbar(self) -> None:
        self.post_message(self.HeightChanged(self))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._ask_for_rows()

    def _ids_from_left(self) -> list[str]:
        return [slot.column.id for slot in self._places.slots]

    def _put_cursor(self, row: int, slot: int) -> None:
        """Move to the nearest row and column that there are, and draw the lines that differ."""
        row = max(0, min(row, self._row_count - 1))
        slot = max(0, min(slot, len(self._places.slots) - 1))
        row_before, slot_before = self._cursor_row, self._cursor_slot
        if (row, slot) == (row_before, slot_before):
            return
        self._cursor_row, self._cursor_slot = row, slot
        self._redraw_rows(row_before)
        self._redraw_rows(row)
        if slot != slot_before:
            self._redraw_header()
        self._reveal_cursor()
        self._tell_cursor()

    def _tell_cursor(self) -> None:
        self.post_message(self.CursorMoved(self, self._cursor_row, self.cursor_column_id))

    def _ask_for_rows(self) -> None:
        first, count = self.visible_range
        if count:
            for start, length in self._pages.to_ask_for(first, count, self._row_count):
                self.post_message(self.RowsWanted(self, start, length, self._generation))

    # Draw

    @property
    def _viewport(self) -> Size:
        return self.scrollable_content_region.size

    @property
    def _rows_in_view(self) -> int:
        return max(0, self._viewport.height - HEADER_LINES)

    def _slot_at_cursor(self) -> Slot | None:
        slots = self._places.slots
        return slots[self._cursor_slot] if slots else None

    def _is_at_cursor(self, slot: Slot) -> bool:
        at_cursor = self._slot_at_cursor()
        return at_cursor is not None and slot.cell_index == at_cursor.cell_index

    def _lay_out_columns(self) -> None:
        self._places = lay_out(self._columns, self._viewport.width)
        self._measure()

    def _measure(self) -> None:
        """Tell the scroll bars how large the table is, and draw it anew."""
        width = self._places.pinned_width + self._places.scrolled_width
        self.virtual_size = Size(width, self._row_count + HEADER_LINES)
        self._redraw()

    def _redraw(self) -> None:
        self._row_strips.clear()
        self.refresh()

    def _redraw_rows(self, first: int, count: int = 1) -> None:
        """Draw these rows anew, as far as they are in view."""
        for row in range(first, first + count):
            self._row_strips.discard(row)
        top = self.scroll_offset.y
        start, stop = max(first, top), min(first + count, top + self._rows_in_view)
        if start < stop:
            self.refresh(Region(0, start - top + HEADER_LINES, self._viewport.width, stop - start))

    def _redraw_header(self) -> None:
        self.refresh(Region(0, 0, self._viewport.width, HEADER_LINES))

    def _reveal_cursor(self) -> None:
        """Scroll as little as shows the cursor's row, and its column or the start of it."""
        slot, top = self._slot_at_cursor(), self.scroll_offset.y
        left = self.scroll_offset.x
        if slot:
            left = self._places.scroll_to_show(slot, left, self._viewport.width)
        lowest_top = self._cursor_row - max(1, self._rows_in_view) + 1
        top = min(max(top, lowest_top), self._cursor_row)
        if (left, top) != self.scroll_offset:
            self.scroll_to(left, top, animate=False, force=True)

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self._row_strips.clear()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._row_strips.clear()
        self._inks.clear()

    def render_line(self, y: int) -> Strip:
        """The line at ``y`` cells below the top of the widget."""
        if y < HEADER_LINES:
            return self._header_strip()
        row = y - HEADER_LINES + self.scroll_offset.y
        if row >= self._row_count:
            return Strip.blank(self._viewport.width, self.get_component_rich_style("frame-table--row"))
        if (strip := self._row_strips.get(row)) is None:
            strip = self._row_strip(row)
            if row != self._cursor_row and self._pages.row(row):
                self._row_strips[row] = strip
        return strip

    def _header_strip(self) -> Strip:
        plain = self.get_component_rich_style("frame-table--header")
        at_cursor = plain + self._inks.over("header-cursor")
        sorted_by, descending = self._sort
        arrow = glyphs().descending if descending else glyphs().ascending

        def draw(slot: Slot) -> Iterable[Segment]:
            mark = arrow if slot.column.id == sorted_by else ""
            return draw_title(slot, mark, at_cursor if self._is_at_cursor(slot) else plain, plain)

        return self._strip(" ", plain, draw)

    def _row_strip(self, index: int) -> Strip:
        row, has_cursor = self._pages.row(index), index == self._cursor_row
        style = self._inks.row(row, has_cursor)
        at_rest = CellStyles(style, self._inks.over("missing"), self._inks.over("found"))
        at_cursor = replace(at_rest, plain=style + self.get_component_rich_style("frame-table--cursor"))
        leftmost = self._places.slots[0].cell_index if self._places.slots else None

        def draw(slot: Slot) -> Iterable[Segment]:
            text = cell_text(row, slot) if row else glyphs().busy if slot.cell_index == leftmost else ""
            under_cursor = has_cursor and self._is_at_cursor(slot)
            return draw_cell(text, slot, at_cursor if under_cursor else at_rest, style, self._needle)

        return self._strip(glyphs().cursor if has_cursor else " ", style, draw)

    def _strip(self, gutter: str, style: Style, draw: DrawSlot) -> Strip:
        rule = style + self._inks.over("rule")
        width = self._viewport.width
        return line_strip(self._places, self.scroll_offset.x, width, Segment(gutter, style), rule, draw)
