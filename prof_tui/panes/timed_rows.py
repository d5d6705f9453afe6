"""A table below a timeline: rows in time order, with a cursor that follows the timeline's."""

from __future__ import annotations

from dataclasses import replace

from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.data.tables.table import Table
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.questions import Opening, Question


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
        from prof_tui.data.query.cursor_row import place_of

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
