"""A table of the capture on the screen: its lines, its keys, and what they ask its reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.widgets import Static
from textual.worker import Worker

from prof_tui.data.query.query import (
    Condition,
    OneOf,
    Query,
    Scope,
    Sort,
    Where,
    first_descending,
    parse_where,
)
from prof_tui.panes.pane import CapturePane, Changed, CopyWanted, FromPane, NotFound
from prof_tui.panes.table import status
from prof_tui.panes.table.keys import TABLE_PANE_BINDINGS
from prof_tui.panes.table.kind import TableKind
from prof_tui.panes.table.questions import FIRST_ROW, Answer, Place, Question, row_lines
from prof_tui.panes.table.reader import Page, TableReader, WorkerDone, unchanged
from prof_tui.widgets.table.table import FrameTable
from prof_tui.words import NOT_AVAILABLE, _, glyphs, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.tables.columns import Column
    from prof_tui.data.tables.table import Table


@dataclass
class Entered(FromPane):
    """The user goes into a row; ``row`` is its row number."""

    pane: TablePane
    row: int


@dataclass(frozen=True)
class Standing:
    """What a table pane shows and where its cursor is; equal where these show the same row."""

    question: Question
    row: int | None
    place: Place = field(compare=False)
    column: str | None = field(compare=False)


class TablePane(CapturePane):
    """Rows of one kind of table; what is asked of them is asked of the reader."""

    DEFAULT_CSS = """
    TablePane { height: 1fr; }
    TablePane > Static { text-wrap: nowrap; text-overflow: ellipsis; }
    TablePane > .table--chips { height: 1; display: none; }
    TablePane > .table--message { height: 1fr; padding: 1 2; display: none; text-wrap: wrap; }
    TablePane > .table--status { height: 1; color: $text-muted; }
    TablePane > .table--notices { height: 1; color: $text-warning; display: none; }
    TablePane FrameTable { height: 1fr; scrollbar-size: 1 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = TABLE_PANE_BINDINGS
    BINDING_GROUP_TITLE = _("Table pane")

    def __init__(
        self, capture: OpenCapture, kind: TableKind, *, scope: Scope = Scope(), pane_id: str | None = None
    ) -> None:
        chips, frame = Static(classes="table--chips"), FrameTable()
        below = (Static(classes=f"table--{name}", markup=False) for name in ("message", "status", "notices"))
        super().__init__(capture, chips, frame, *below, scope=scope, pane_id=pane_id)
        self.kind, self.frame = kind, frame
        self.table_name = kind.name
        self.reader = TableReader(capture, kind, self)
        self.row_before_sort: int | None = None
        self.stated_count: int | None = None
        """How many rows the query that was shown last leaves by another table; None where none says."""
        self.stated_filters: tuple[Condition, ...] | None = None
        """The filters of that query once it was answered."""
        self._column_to_show: str | None = None
        """Header of the column that the cursor goes to with the next answer."""
        self._show_sorted = False
        """Whether it goes to the column sorted by."""

    def on_mount(self) -> None:
        if self.children:  # else it was taken away again before it was mounted
            self.reader.open()

    # What is shown

    @property
    def question(self) -> Question:
        """What is asked last."""
        return self.reader.question

    @property
    def answer(self) -> Answer | None:
        """What is shown."""
        return self.reader.answer

    @property
    def table(self) -> Table | None:
        return self.reader.table

    @property
    def columns(self) -> tuple[Column, ...]:
        """The table's columns that are shown."""
        return self.reader.columns

    @property
    def notices(self) -> list[str]:
        """All that is to be said of the rows."""
        return self.reader.notices

    @property
    def row(self) -> int | None:
        """The row number under the cursor."""
        if self.answer is None or not self.answer.view.matched:
            return None
        return int(self.answer.view.rows[self.frame.cursor_row])

    @property
    def cursor_column(self) -> Column | None:
        """The table's column under the cursor; None on a drawn one."""
        header = self.frame.cursor_column_id
        return next((column for column in self.columns if column.header == header), None)

    def place(self) -> Place:
        """Where the cursor is, to keep it there."""
        return Place(self.row, None if self.answer is None else self.answer.view, self.frame.cursor_row)

    @property
    def file_names(self) -> tuple[str, ...]:
        return () if self.table is None else tuple(self.table.file_names)

    # What the screen asks

    def set_scope(self, scope: Scope) -> None:
        """Show the rows of another scope; the cursor stays on its row where that is in it."""
        self.scope = scope
        if self.kind.opens_anew:
            self.reader.open_again(FIRST_ROW)
        else:
            self.reader.change(unchanged, kept=None)

    def standing(self) -> Standing:
        return Standing(self.question, self.row, self.place(), self.frame.cursor_column_id)

    def go_back_to(self, standing: object) -> None:
        if self.table is not None and isinstance(standing, Standing):
            self._column_to_show = standing.column
            self.reader.change(lambda asked: standing.question, standing.place)

    def show_query(self, query: Query, *, keep_sort: bool = False, stated_count: int | None = None) -> None:
        """Ask for the filters and sort of a query, instead of what is shown; also before the table is open.

        Columns are named by their ids or by any spelling; what the table lacks is left out, and said.
        The cursor goes to the first row, and to the column sorted by: it tells what the rows are shown
        for.  The scope stays the screen's.  ``stated_count`` is how many rows there are by the table
        that the query comes from.
        """
        self.stated_count, self.stated_filters = stated_count, None
        self._show_sorted = not keep_sort
        sort = {} if keep_sort else {"sort": query.sort}
        self.reader.change(lambda asked: asked.but(filters=query.filters, find=query.find, **sort))

    def show_own(self, standing: object) -> None:
        """What it showed before something from elsewhere; None for what it shows at first."""
        self.stated_count = None
        if standing is None:
            self.reader.open()
        else:
            self.go_back_to(standing)

    def open(self, question: Question, place: Place) -> None:
        """Open the table with this question, the cursor on the row that was at this place."""
        self.reader.open(lambda first: question, place)

    def reload(self) -> None:
        self.reader.reload()

    def take_timeline(self) -> None:
        if self.reader.lacks_timeline():
            self.reader.open_again()

    def cancel(self) -> bool:
        return self.reader.cancel()

    def take_focus(self) -> None:
        self.screen.set_focus(self.frame)

    # What the reader found

    @on(WorkerDone)
    @on(Worker.StateChanged)
    def _hear_worker(self, message: WorkerDone | Worker.StateChanged) -> None:
        self.reader.hear(message)

    def tell(self, message: Callable[[CapturePane], FromPane]) -> None:
        self.post_message(message(self))

    def show_opening(self, head: Page) -> None:
        opening, refusal = self.reader.opening, self.reader.refusal
        self.title = "" if opening is None else opening.title
        message = self.query_one(".table--message", Static)
        message.update("\n".join(printable(line) for line in refusal.split("\n")))
        message.display = bool(refusal)
        self.frame.display = not refusal
        if not refusal and self.is_on_screen and self.screen.focused is None:
            self.frame.focus()
        if views := self.reader.columns_to_draw(head.cells):
            self.frame.set_columns(views)
        if head.rows:
            self.frame.set_view(len(head.rows), generation=self.reader.generation)
            self.frame.supply(self.reader.generation, 0, head.rows)
        self.say_status()

    def show_answer(self, page: Page, cursor: int) -> None:
        found = self.reader.answer
        if found is None:
            return
        if views := self.reader.columns_to_draw(page.cells):
            self.frame.set_columns(views)
        query = found.question.query
        sorted_by = None if query.sort is None else query.sort.column
        self.frame.set_sort(sorted_by, query.sort is not None and query.sort.descending)
        supplied = page.first, page.rows
        generation = self.reader.generation
        self.frame.set_view(found.view.matched, cursor_row=cursor, generation=generation, supplied=supplied)
        self.frame.move_cursor(column_id=sorted_by if self._show_sorted else self._column_to_show)
        self._show_sorted, self._column_to_show = False, None
        if self.stated_filters is None:
            self.stated_filters = query.filters

    def show_page(self, generation: int, page: Page) -> None:
        self.frame.supply(generation, page.first, page.rows)

    def say_status(self) -> None:
        if not self.children:
            return
        chips = status.chips(self.question.query)
        chip_line = self.query_one(".table--chips", Static)
        chip_line.update(chips)
        chip_line.display = bool(chips.plain)
        texts = f" {glyphs().separator} ".join(text for text in _status_texts(self) if text)
        self.query_one(".table--status", Static).update(texts)
        notice_line = self.query_one(".table--notices", Static)
        notice_line.update(status.notices(self.notices))
        notice_line.display = bool(self.notices)

    # What the table tells

    @on(FrameTable.RowsWanted)
    def _read_rows(self, message: FrameTable.RowsWanted) -> None:
        message.stop()
        self.reader.read_rows(message.generation, message.first, message.count)

    @on(FrameTable.CursorMoved)
    def _follow_cursor(self, message: FrameTable.CursorMoved) -> None:
        message.stop()
        self.say_status()
        self.post_message(Changed(self))

    @on(FrameTable.HeightChanged)
    def _follow_height(self, message: FrameTable.HeightChanged) -> None:
        message.stop()
        self.say_status()

    @on(FrameTable.RowEntered)
    def _enter(self, message: FrameTable.RowEntered) -> None:
        message.stop()
        if self.row is not None:
            self.post_message(Entered(self, self.row))

    @on(FrameTable.HeaderClicked)
    def _sort_clicked(self, message: FrameTable.HeaderClicked) -> None:
        message.stop()
        column = next((column for column in self.columns if column.header == message.column_id), None)
        if column is not None:
            sort_next(self, column)

    # Keys

    def action_table(self, name: str) -> None:
        """Do what a key of a table pane does, by its name."""
        _ACTIONS[name](self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if parameters == ("other_source",):
            tables = self.kind.other_needs
            return self.kind.other_read is not None and all(map(self.capture.export.has_table, tables))
        return super().check_action(action, parameters)


def _status_texts(pane: TablePane) -> list[str]:
    found, reader = pane.answer, pane.reader
    if found is None:
        return [reader.progress]
    view = found.view
    first, shown = pane.frame.visible_range
    stated = pane.stated_count
    if view.query.filters != pane.stated_filters or pane.scope.iteration is not None:
        stated = None
    matches = status.matches(reader.found, pane.frame.cursor_row, reader.find_text)
    return [
        status.hidden_by_filter(view),
        status.counts(first, shown, view.matched, view.total),
        ", ".join(text for text in (status.stated(stated), matches) if text),
        status.sorted_by(view.query.sort),
        "" if found.table.judged else _("checking rows {mark}").format(mark=glyphs().ellipsis),
        reader.progress,
    ]


# What the keys and dialogs of a table pane do


def sort_next(pane: TablePane, column: Column) -> None:
    """Sort by a column: best first, pressed again the other way, then file order."""
    best_first = first_descending(column.kind)
    sort = pane.question.query.sort
    if sort is None or sort.column != column.header:
        sort_by(pane, Sort(column.header, best_first))
    elif sort.descending == best_first:
        sort_by(pane, Sort(column.header, not best_first))
    else:
        sort_by(pane, None)


def sort_by(pane: TablePane, sort: Sort | None) -> None:
    """Sort and go to the first row."""
    pane.row_before_sort = pane.row
    pane.reader.change(lambda asked: asked.but(sort=sort))


def _sort_column(pane: TablePane) -> None:
    if pane.cursor_column is not None:
        sort_next(pane, pane.cursor_column)


def _go_to_row_before_sort(pane: TablePane) -> None:
    if pane.row_before_sort is not None:
        pane.reader.change(unchanged, Place(pane.row_before_sort))


def filter_by(pane: TablePane, condition: Where | OneOf) -> None:
    """One more condition."""
    pane.reader.change(lambda asked: replace(asked, query=asked.query.filtered(condition)), kept=None)


def filter_by_text(pane: TablePane, text: str) -> None:
    """A condition as typed; UsageError when it can't be meant."""
    from prof_tui.data.query.conditions import check

    where = parse_where(text)
    if pane.table is not None:
        check(pane.table, where)
    filter_by(pane, where)


def choose_values(pane: TablePane, column: Column, values: tuple[str, ...]) -> None:
    """Only rows with one of these values in a column; without values all rows."""

    def choose(asked: Question) -> Question:
        filters = asked.query.filters
        kept = tuple(f for f in filters if not (isinstance(f, OneOf) and f.column == column.header))
        return asked.but(filters=(*kept, OneOf(column.header, values)) if values else kept)

    pane.reader.change(choose, kept=None)


def _take_filters_off(pane: TablePane, kept: slice) -> None:
    if pane.question.query.filters:
        pane.reader.change(lambda asked: asked.but(filters=asked.query.filters[kept]), kept=None)


def _filter_by_cell(pane: TablePane) -> None:
    _read_cell(pane, lambda column, cell: filter_by(pane, Where(column.header, "=", cell)))


def find(pane: TablePane, text: str) -> None:
    """Mark the rows with ``text`` in any text column; go to the first from the cursor on."""

    def go_to_first() -> None:
        found, row = pane.reader.found, pane.frame.cursor_row
        if found is not None and len(found):
            pane.frame.move_cursor(row=int(found[int(found.search_sorted(row)) % len(found)]))
        elif found is not None:
            why = _("No row shown has {text!r} in a text column.").format(text=printable(text))
            pane.post_message(NotFound(pane, why, asked="find", text=text))

    pane.frame.highlight = text
    pane.reader.find(text, go_to_first)
    pane.say_status()


def _go_to_match(pane: TablePane, direction: int) -> None:
    found, row = pane.reader.found, pane.frame.cursor_row
    if found is None or not len(found):
        return
    at = int(found.search_sorted(row, side="right")) if direction > 0 else int(found.search_sorted(row)) - 1
    pane.frame.move_cursor(row=int(found[at % len(found)]))


def choose_columns(pane: TablePane, headers: tuple[str, ...]) -> None:
    """Show these columns in this order; none for the pane's own choice."""
    pane.reader.headers = headers
    pane.reader.change(unchanged, kept=None)


def _show_relative_times(pane: TablePane) -> None:
    pane.reader.change(lambda asked: replace(asked, relative=not asked.relative), kept=None)


def _show_other_table(pane: TablePane) -> None:
    pane.reader.shows_other = not pane.reader.shows_other
    pane.reader.open_again(FIRST_ROW)


def _copy_cell(pane: TablePane) -> None:
    _read_cell(pane, lambda column, cell: _copy(pane, cell))


def _copy_row(pane: TablePane) -> None:
    table, row = pane.table, pane.row
    if table is not None and row is not None:
        pane.reader.read_row(
            row, lambda cells: _copy(pane, row_lines(zip(table.columns, cells, strict=True)))
        )


def _copy(pane: TablePane, text: str) -> None:
    pane.post_message(CopyWanted(pane, text))


def _read_cell(pane: TablePane, then: Callable[[Column, str], None]) -> None:
    """Call ``then`` with the cursor's column and its cell as the file has it, read by a worker."""
    column, table, row = pane.cursor_column, pane.table, pane.row
    if column is None or table is None or row is None:
        return
    place = table.columns.index(column)

    def take(cells: Sequence[str | None]) -> None:
        cell = cells[place]
        then(column, NOT_AVAILABLE if cell is None else cell)

    pane.reader.read_row(row, take)


_ACTIONS: dict[str, Callable[[TablePane], None]] = {
    "sort_column": _sort_column,
    "row_before_sort": _go_to_row_before_sort,
    "equals_cell": _filter_by_cell,
    "last_filter_off": lambda pane: _take_filters_off(pane, slice(-1)),
    "all_filters_off": lambda pane: _take_filters_off(pane, slice(0)),
    "next_match": lambda pane: _go_to_match(pane, 1),
    "previous_match": lambda pane: _go_to_match(pane, -1),
    "relative_times": _show_relative_times,
    "copy_cell": _copy_cell,
    "copy_row": _copy_row,
    "other_source": _show_other_table,
}
"""What the keys of a table pane do, by the name in their action."""
