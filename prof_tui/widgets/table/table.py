"""A table of any number of rows, of which only the visible ones are drawn and only their pages held."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from prof_tui.widgets.keys import key
from prof_tui.widgets.table.canvas import HEADER_LINES, TableCanvas, cell_text
from prof_tui.widgets.table.layout import ColumnView
from prof_tui.widgets.table.pages import Row
from prof_tui.words import _, printable

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


class FrameTable(TableCanvas, can_focus=True):
    """Rows come from outside, in pages.

    Every ``RowsWanted`` is to be answered with ``supply``, with no rows if the answer was given up.
    A row that isn't there yet is drawn as a placeholder.
    """

    BINDINGS: ClassVar[list[BindingType]] = TABLE_BINDINGS
    BINDING_GROUP_TITLE = _("Table")

    @dataclass
    class FromTable(Message):
        """Whatever a table tells; ``table`` is which."""

        table: "FrameTable"

        @property
        def control(self) -> "FrameTable":
            return self.table

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
    class RowEntered(FromTable):
        """Enter or a double click on a row."""

        row: int
        column_id: str | None

    @dataclass
    class HeaderClicked(FromTable):
        """A click on the title of a column."""

        column_id: str

    def __init__(
        self,
        *,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
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

    def row_at_cursor(self) -> Row | None:
        """The whole row; None if its page isn't there yet."""
        return self._pages.row(self._cursor_row)

    def cell_at_cursor(self) -> str | None:
        """The whole text of the cell as it came; None if its page isn't there yet."""
        row, slot = self.row_at_cursor(), self._slot_at_cursor()
        return cell_text(row, slot) if row and slot else None

    def move_cursor(self, row: int | None = None, column_id: str | None = None) -> None:
        """Go to a row (the nearest there is) and a column (ignored if it isn't shown)."""
        ids = self._ids_from_left()
        slot = ids.index(column_id) if column_id in ids else self._cursor_slot
        self._put_cursor(self._cursor_row if row is None else row, slot)

    def widen(self, delta: int) -> None:
        """Give the cursor's column ``delta`` terminal cells more, or fewer down to one."""
        column_id = self.cursor_column_id
        for column in self._columns:
            if column.id == column_id:
                self._user_widths[column_id] = max(1, column.width + delta)
        self.set_columns(self._columns)

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
        self.widen(delta)

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
