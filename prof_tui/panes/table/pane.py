"""The keys of a table pane: sort, filter, find, columns, copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType

from prof_tui.data.query.query import OneOf, Query, Scope, Sort, Where, first_descending, parse_where
from prof_tui.errors import ProfTuiError
from prof_tui.panes.pane import CopyWanted, Told
from prof_tui.panes.table import status
from prof_tui.panes.table.keys import TABLE_PANE_BINDINGS
from prof_tui.panes.table.messages import RowRead, TextFound
from prof_tui.panes.table.questions import Layout, Place, Question, found_places, row_lines
from prof_tui.panes.table.reading import TableCore
from prof_tui.widgets.table.table import FrameTable
from prof_tui.words import NOT_AVAILABLE, _, count

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.tables.columns import Column


class TablePane(TableCore):
    """A table pane with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = TABLE_PANE_BINDINGS
    BINDING_GROUP_TITLE = _("Table pane")

    def __init__(self, capture: OpenCapture, *, scope: Scope = Scope(), pane_id: str | None = None) -> None:
        super().__init__(capture, scope=scope, pane_id=pane_id)
        self.find_text = ""
        self.found: pl.Series | None = None
        """Places in the view of the rows with ``find_text``, ascending; None while they are looked for."""
        self.row_before_sort: int | None = None
        self.stated_count: int | None = None
        """How many rows ``first_filters`` leave by the table that they come from; None where none says."""

    # Scope

    def set_scope(self, scope: Scope) -> None:
        """Show the rows of another scope; the cursor stays on its row where that is in it."""
        self.scope = scope
        if self.opening is not None:
            query = replace(self.question.query, scope=self.own_scope(scope))
            self.ask(replace(self.question, query=query), kept=self.place())

    def standing(self) -> tuple[Question, Place, str | None]:
        return self.question, self.place(), self.frame.cursor_column_id

    def is_at(self, standing: object) -> bool:
        return isinstance(standing, tuple) and (standing[0], standing[1].row) == (self.question, self.row)

    def go_back_to(self, standing: object) -> None:
        if self.opening is None or not isinstance(standing, tuple):
            return
        question, place, self.column_to_show = standing
        query = replace(question.query, scope=self.own_scope(self.scope))
        self.ask(replace(question, query=query), kept=place)

    def take_focus(self) -> None:
        self.screen.set_focus(self.frame)

    def filter_to(self, conditions: Sequence[OneOf], *, stated_count: int | None = None) -> None:
        """Only rows with these values, instead of any filters; also before the table is open.

        Columns are named by their ids or by any spelling.  ``stated_count`` is how many rows there are
        by the table that the values come from.
        """
        self.first_filters, self.stated_count = tuple(conditions), stated_count
        if self.table is not None:
            query = replace(self.question.query, filters=self.first_filters)
            query = self.fitted(self.table, query, query.scope)
            self.first_filters = query.filters
            self.ask(replace(self.question, query=query))

    def show_query(self, query: Query) -> None:
        """Its filters and sort, instead of what is shown; also before the table is open.

        The cursor goes to the first row, and to the column sorted by: it tells what the rows are shown for.
        The scope stays the screen's.  Conditions on columns that the table lacks are left out, and said.
        """
        self.first_filters, self.stated_count = (), None
        if self.table is None:
            self.first_shown = query
        else:
            shown = self.fitted(self.table, query, self.question.query.scope)
            self.column_to_show = None if shown.sort is None else shown.sort.column
            self.ask(replace(self.question, query=shown))

    def show_own(self, standing: object) -> None:
        """What it showed before something from elsewhere; None for what it shows at first."""
        self.first_shown, self.first_filters, self.stated_count = None, (), None
        if standing is None:
            self.open()
        else:
            self.go_back_to(standing)

    def reload(self) -> None:
        """Open the table anew with the same question and row."""
        question = self.question if self.opening is not None else None
        self.open(question, self.place())

    # Sort

    def action_sort_column(self) -> None:
        column = self.cursor_column
        if column is not None:
            self.sort_next(column)

    def sort_next(self, column: Column) -> None:
        """Sort by a column: best first, pressed again the other way, then file order."""
        best_first = first_descending(column.kind)
        sort = self.question.query.sort
        if sort is None or sort.column != column.header:
            self.sort(Sort(column.header, best_first))
        elif sort.descending == best_first:
            self.sort(Sort(column.header, not best_first))
        else:
            self.sort(None)

    def sort(self, sort: Sort | None) -> None:
        """Sort and go to the first row."""
        self.row_before_sort = self.row
        self.ask(self._with(sort=sort))

    def action_row_before_sort(self) -> None:
        if self.row_before_sort is not None:
            self.ask(self.question, kept=Place(self.row_before_sort))

    def _with(self, **changes: object) -> Question:
        return replace(self.question, query=replace(self.question.query, **changes))  # type: ignore[arg-type]

    # Filters

    def filter(self, condition: Where | OneOf) -> None:
        """One more condition."""
        self.ask(replace(self.question, query=self.question.query.filtered(condition)), kept=self.place())

    def filter_text(self, text: str) -> None:
        """A condition as typed; UsageError when it can't be meant."""
        from prof_tui.data.query.conditions import check

        where = parse_where(text)
        if self.table is not None:
            check(self.table, where)
        self.filter(where)

    def choose_values(self, column: Column, values: tuple[str, ...]) -> None:
        """Only rows with one of these values in a column; without values all rows."""
        query = self.question.query
        kept = tuple(f for f in query.filters if not (isinstance(f, OneOf) and f.column == column.header))
        chosen = (*kept, OneOf(column.header, values)) if values else kept
        self.ask(self._with(filters=chosen), kept=self.place())

    def action_last_filter_off(self) -> None:
        if self.question.query.filters:
            self.ask(self._with(filters=self.question.query.filters[:-1]), kept=self.place())

    def action_all_filters_off(self) -> None:
        if self.question.query.filters:
            self.ask(self._with(filters=()), kept=self.place())

    def action_equals_cell(self) -> None:
        def only_equal(column: Column, cell: str | None) -> None:
            self.filter(Where(column.header, "=", NOT_AVAILABLE if cell is None else cell))

        self._with_cell(only_equal)

    # Find

    def find(self, text: str, *, move: bool = True) -> None:
        """Mark the rows with ``text`` in any text column; go to the first from the cursor on."""
        self.find_text, self.found = text, None
        self.frame.highlight = text
        table, answered = self.table, self.answer
        if text and table is not None and answered is not None:

            def work() -> None:
                places = found_places(table, answered.view, text)
                self.post_message(TextFound(self, text, answered.view, places, move))

            self.work("find", work)
        self.say_status()

    @on(TextFound)
    def _show_found(self, message: TextFound) -> None:
        if message.text != self.find_text or self.answer is None or message.view is not self.answer.view:
            return
        self.found = message.places
        if message.move and len(message.places):
            at = int(message.places.search_sorted(self.frame.cursor_row))
            self.frame.move_cursor(row=int(message.places[at % len(message.places)]))
        self.say_status()

    def after_answer(self) -> None:
        if self.column_to_show is not None:
            self.frame.move_cursor(column_id=self.column_to_show)
            self.column_to_show = None
        self.found = None
        if self.find_text:
            self.find(self.find_text, move=False)

    def action_next_match(self, direction: int) -> None:
        found = self.found
        if found is None or not len(found):
            return
        row = self.frame.cursor_row
        at = (
            int(found.search_sorted(row, side="right"))
            if direction > 0
            else int(found.search_sorted(row)) - 1
        )
        self.frame.move_cursor(row=int(found[at % len(found)]))

    def more_status(self) -> str:
        return ", ".join(said for said in (self._stated(), self._found_status()) if said)

    def _stated(self) -> str:
        same = self.question.query.filters == self.first_filters and self.scope.iteration is None
        if self.stated_count is None or not same:
            return ""
        return _("Count in op_statistic {n}").format(n=count(self.stated_count))

    def _found_status(self) -> str:
        if self.found is None:
            return ""
        at = int(self.found.search_sorted(self.frame.cursor_row)) if len(self.found) else 0
        on_match = at < len(self.found) and int(self.found[at]) == self.frame.cursor_row
        return status.matches(at if on_match else None, len(self.found), self.find_text)

    # Columns and times

    def set_columns(self, headers: tuple[str, ...]) -> None:
        """Show these columns in this order; none for the pane's own choice."""
        self.pane_layout = Layout(headers)
        self.ask(self.question, kept=self.place())

    def action_relative_times(self) -> None:
        self.ask(replace(self.question, relative=not self.question.relative), kept=self.place())

    @property
    def cursor_column(self) -> Column | None:
        """The table's column under the cursor; None on a drawn one."""
        header = self.frame.cursor_column_id
        return next((column for column in self.columns if column.header == header), None)

    @on(FrameTable.HeaderClicked)
    def _sort_clicked(self, message: FrameTable.HeaderClicked) -> None:
        message.stop()
        column = next((column for column in self.columns if column.header == message.column_id), None)
        if column is not None:
            self.sort_next(column)

    # Dialogs and copies

    def action_copy(self, what: str) -> None:
        if what == "row":
            self._with_row(self._copy_row)
        else:
            self._with_cell(lambda column, cell: self._copy(NOT_AVAILABLE if cell is None else cell))

    def _copy(self, text: str) -> None:
        self.post_message(CopyWanted(self, text))

    def _copy_row(self, cells: list[str | None]) -> None:
        columns = self.table.columns if self.table is not None else ()
        self._copy(row_lines(zip(columns, cells, strict=True)))

    def _with_cell(self, then: Callable[[Column, str | None], None]) -> None:
        """Call ``then`` with the cursor's column and its cell as the file has it, read by a worker."""
        column, table = self.cursor_column, self.table
        if column is not None and table is not None:
            place = table.columns.index(column)
            self._with_row(lambda cells: then(column, cells[place]))

    def _with_row(self, then: Callable[[list[str | None]], None]) -> None:
        table, row = self.table, self.row
        if table is None or row is None:
            return

        def work() -> None:
            try:
                [cells] = table.cells([row])
            except ProfTuiError as error:
                self.post_message(Told(self, str(error), failed=True))
            else:
                self.post_message(RowRead(self, then, cells))

        self.work("cell", work)

    @on(RowRead)
    def _use_row(self, message: RowRead) -> None:
        message.then(message.cells)
