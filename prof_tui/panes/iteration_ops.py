"""The table of an iteration's ops: from op summary, or from the trace where there is none."""

from __future__ import annotations

from dataclasses import replace

from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table
from prof_tui.errors import UnreadableError
from prof_tui.panes.op_summary import OpSummaryPane
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.questions import Opening, Question
from prof_tui.words import _


class TimedRowsPane(TablePane):
    """Rows of one iteration, by start."""

    _zero_ns: int | None = None

    def first_query(self, table: Table, scope: Scope) -> Query:
        start = table.get("task_start")
        return Query(self.own_scope(scope), sort=Sort(start.header, False) if start else None)

    def go_to(self, row: int) -> None:
        """Put the cursor on a row number, if the view has it."""
        if self.answer is None or self.row == row:
            return
        from prof_tui.data.query.query import place_of

        place = place_of(self.answer.view, row)
        if place is not None:
            self.frame.move_cursor(row=place)

    def opened_question(self, opening: Opening, wanted: Question | None) -> Question:
        question = super().opened_question(opening, wanted)
        return self._from_start(question) if wanted is None else question

    def count_from(self, zero_ns: int) -> None:
        """Show times from the iteration's start on; also before the table is open."""
        self._zero_ns = zero_ns
        self.ask(self._from_start(self.question), kept=self.place())

    def _from_start(self, question: Question) -> Question:
        if self._zero_ns is None:
            return question
        return replace(question, relative=True, zero_ns=self._zero_ns)


_FIRST = ("op_name", "task_start", "task_duration", "task_type", "stream_id")
"""Columns that belong to a timeline, before op summary's own choice."""


class IterationOpsPane(TimedRowsPane, OpSummaryPane):
    """Op summary of one iteration."""

    def own_columns(self, table: Table) -> tuple[Column, ...]:
        first = [column for id_ in _FIRST if (column := table.get(id_))]
        return (*first, *(column for column in super().own_columns(table) if column not in first))


class TraceOpsPane(TimedRowsPane):
    """The stream tasks of one iteration, as the trace has them."""

    table_name = "timeline_ops"

    def source(self, scope: Scope) -> Opening:
        from prof_tui.data.pages.iteration import tasks_of_window
        from prof_tui.data.timeline.tables import ops_table
        from prof_tui.data.timeline.windows import scope_window

        index = self.capture.traces.read_unasked()
        if index is None:
            raise UnreadableError(_("The timeline is not read yet: 5 reads it."))
        shown = scope_window(self.capture.steps, index, scope)
        table = ops_table(index, tasks_of_window(index, shown.window, scope.device)).table
        return Opening(table, Question(self.first_query(table, scope)))

    def own_scope(self, scope: Scope) -> Scope:
        """The table was made for the scope."""
        return Scope()

    def set_scope(self, scope: Scope) -> None:
        self.scope = scope
        self.open()
