"""What makes one table pane differ from another, and what it knows about itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.widgets import Static

from prof_tui.data.query.query import Condition, Query, Scope
from prof_tui.data.tables.shown_columns import default_columns
from prof_tui.panes.pane import CapturePane, Told
from prof_tui.panes.table.questions import (
    Answer,
    Layout,
    Opening,
    Place,
    Question,
    chosen_columns,
    left_out,
    shown_by,
)
from prof_tui.widgets.table.table import ColumnView, FrameTable, Row

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.tables.columns import Column
    from prof_tui.data.tables.table import Table


class TableHooks(CapturePane):
    """A pane overrides the methods of the first part; its question, layout and answer stand here."""

    DEFAULT_CSS = """
    TableHooks { height: 1fr; }
    TableHooks > Static { text-wrap: nowrap; text-overflow: ellipsis; }
    TableHooks > .table--chips { height: 1; display: none; }
    TableHooks > .table--message { height: 1fr; padding: 1 2; display: none; text-wrap: wrap; }
    TableHooks > .table--status { height: 1; color: $text-muted; }
    TableHooks > .table--notices { height: 1; color: $text-warning; display: none; }
    TableHooks FrameTable { height: 1fr; scrollbar-size: 1 1; }
    """

    def __init__(self, capture: OpenCapture, *, scope: Scope = Scope(), pane_id: str | None = None) -> None:
        super().__init__(capture, scope=scope, pane_id=pane_id)
        self.question = Question()
        """What is asked last; the view answers it once the worker is through."""
        self.pane_layout = Layout()
        self.opening: Opening | None = None
        self.answer: Answer | None = None
        self.trouble = ""
        """A sentence on what went wrong since the last question."""
        self.first_filters: tuple[Condition, ...] = ()
        """Filters that the table opens with, instead of the pane's own."""
        self.first_shown: Query | None = None
        """Filters and sort that the table opens with, instead of the pane's own; None for those."""
        self.column_to_show: str | None = None
        """Header of the column that the cursor goes to with the next answer."""

    # What a pane of one table says

    def source(self, scope: Scope) -> Opening:
        """In a worker: the table to show.  ProfTuiError with the sentence to show instead."""
        table = self.capture.table(self.table_name)
        return Opening(table, Question(self.first_query(table, scope)))

    def first_query(self, table: Table, scope: Scope) -> Query:
        """What is shown at first."""
        return Query(self.own_scope(scope))

    def opened_question(self, opening: Opening, wanted: Question | None) -> Question:
        """What is asked of a table just opened: what is ``wanted``, or the opening's own question."""
        question = opening.question
        if wanted is not None:
            return replace(wanted, query=replace(wanted.query, scope=question.query.scope))
        if self.first_shown is not None:
            shown, self.first_shown = self.first_shown, None
            query = self.fitted(opening.table, shown, question.query.scope)
            self.column_to_show = None if query.sort is None else query.sort.column
            return replace(question, query=query)
        if self.first_filters:
            wanted_query = replace(question.query, filters=self.first_filters)
            query = self.fitted(opening.table, wanted_query, question.query.scope)
            self.first_filters = query.filters
            return replace(question, query=query)
        return question

    def fitted(self, table: Table, query: Query, scope: Scope) -> Query:
        """The query in the table's own spelling, within ``scope``; says which parts the table lacks."""
        said = left_out(table, query)
        if said:
            self.post_message(Told(self, said, failed=True))
        return shown_by(table, query, scope)

    def own_scope(self, scope: Scope) -> Scope:
        """The part of the scope that this table's rows are chosen by."""
        return scope

    def own_columns(self, table: Table) -> tuple[Column, ...]:
        """The columns that are drawn while the user chose none."""
        return default_columns(table, several_devices=self.several_devices)

    def tone(self, cells: Sequence[str | None]) -> str:
        """The tone of a row."""
        return ""

    def with_drawn_views(self, views: list[ColumnView]) -> list[ColumnView]:
        """Columns together with drawn ones, which aren't columns of the table."""
        return views

    def with_drawn_cells(self, rows: list[Row], cells: Sequence[Sequence[str | None]]) -> list[Row]:
        """Rows with the cells of the drawn columns; runs in a worker."""
        return rows

    def more_status(self) -> str:
        """What else the status line says of the rows."""
        return ""

    def after_answer(self) -> None:
        """What follows another view."""

    # Widgets

    def compose(self) -> ComposeResult:
        yield Static(classes="table--chips")
        yield FrameTable()
        yield Static(classes="table--message", markup=False)
        yield Static(classes="table--status", markup=False)
        yield Static(classes="table--notices", markup=False)

    @property
    def frame(self) -> FrameTable:
        return self.query_one(FrameTable)

    @property
    def table(self) -> Table | None:
        return None if self.opening is None else self.opening.table

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are drawn, without the extra ones."""
        if self.table is None:
            return ()
        return chosen_columns(self.table, self.pane_layout) or self.own_columns(self.table)

    @property
    def several_devices(self) -> bool:
        return len(self.capture.export.devices) > 1

    @property
    def row(self) -> int | None:
        """The row number under the cursor."""
        if self.answer is None or not self.answer.view.matched:
            return None
        return int(self.answer.view.rows[self.frame.cursor_row])

    def place(self) -> Place:
        """Where the cursor is, to keep it there."""
        view = None if self.answer is None else self.answer.view
        return Place(self.row, view, self.frame.cursor_row)

    @property
    def title(self) -> str:
        return "" if self.opening is None else self.opening.title

    @property
    def file_names(self) -> tuple[str, ...]:
        return () if self.table is None else tuple(self.table.file_names)

    @property
    def notices(self) -> list[str]:
        """All that is to be said of the rows."""
        said = [self.trouble] if self.trouble else []
        if self.opening is not None:
            said += [*self.opening.notices, *self.opening.table.notices]
        return said
