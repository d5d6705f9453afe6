"""Pane 2: one row per iteration, with a bar of its period; steady iterations told from warm-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prof_tui.data.pages.step_table import STEADY, WARM_UP, step_table
from prof_tui.data.query.query import OneOf, Query, Scope
from prof_tui.data.tables.cells import to_ns
from prof_tui.data.tables.table import Table
from prof_tui.errors import ProfTuiError, UnreadableError
from prof_tui.panes.pane import TimelineRead
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.questions import Opening, Question
from prof_tui.widgets.sparkline import bar
from prof_tui.widgets.table.table import ColumnView, Row
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.iterations.step_trace import StepTrace
    from prof_tui.data.timeline.overlap import Overlap

_BAR_CELLS = 10


class StepTracePane(TablePane):
    """The step trace of the main model; other models are a filter away."""

    table_name = "step_trace"
    _asked_for_timeline = False

    def source(self, scope: Scope) -> Opening:
        try:
            table = self.capture.table(self.table_name)
        except UnreadableError as error:
            raise UnreadableError(self._why_none(str(error))) from error
        trace = self.capture.steps
        shown = step_table(table, trace, self._overlaps(trace))
        steady = [step for key in trace.models() for step in trace.steady(key) if trace.is_main(step)]
        longest_ns = max((step.period_ns or 0 for step in steady or trace.steps), default=0)
        question = Question(self.first_query(shown, scope))
        notices = (*trace.notices, *self._about_timeline())
        return Opening(shown, question, notices=notices, longest_ns=longest_ns)

    def _about_timeline(self) -> list[str]:
        if not self.capture.traces.is_damaged:
            return []
        return [_("The timeline is damaged: computing, communication and free time are not taken from it.")]

    def _overlaps(self, trace: StepTrace) -> Sequence[Overlap | None]:
        """Of each step where a timeline was read; the pane doesn't wait for one."""
        index = self.capture.traces.first
        if index is None:
            return ()
        from prof_tui.data.timeline.windows import step_overlaps

        return step_overlaps(index, trace)

    def after_answer(self) -> None:
        """Once the rows stand, a small timeline is read for what it tells of each of them."""
        super().after_answer()
        if self._asked_for_timeline or self.table is None or self.table.get("free") is not None:
            return
        self._asked_for_timeline = True

        def work() -> None:
            try:
                index = self.capture.traces.read_unasked()
            except ProfTuiError:  # the timeline pane says why
                return
            if index is not None:
                self.post_message(TimelineRead(self))

        self.work("timeline", work)

    def take_timeline(self) -> None:
        if self.table is not None and self.table.get("free") is None:
            self.open(self.question, self.place())

    def reload(self) -> None:
        self._asked_for_timeline = False
        super().reload()

    def _why_none(self, error: str) -> str:
        files = self.capture.export.table(self.table_name)
        if files is not None and files.status != "missing":
            return error
        causes = _(
            "{missing}\n\nEither iteration traces were not collected (training_trace off), or there are no "
            "iterations: a single-operator or PyTorch run has no step_trace."
        ).format(missing=error)
        ops = self.capture.export.table("op_summary")
        if ops is None or ops.status == "missing":
            return causes
        return causes + "\n\n" + _("Op summary (4) shows the whole run.")

    def first_query(self, table: Table, scope: Scope) -> Query:
        query = Query(self.own_scope(scope))
        if table.get("phase") is None:
            return query
        return replace(query, filters=(OneOf("phase", (STEADY, WARM_UP)),))

    def own_scope(self, scope: Scope) -> Scope:
        """All iterations stay in sight, whichever is looked at."""
        return scope if scope.iteration is None else Scope()

    def tone(self, cells: Sequence[str | None]) -> str:
        table = self.table
        phase = None if table is None else table.get("phase")
        if table is None or phase is None:
            return ""
        return "" if cells[table.columns.index(phase)] == STEADY else "muted"

    def _bar_place(self) -> int | None:
        """Where the bar is drawn: right of the period; None while that isn't shown."""
        ids = [column.id for column in self.columns]
        return ids.index("period") + 1 if "period" in ids else None

    def with_drawn_views(self, views: list[ColumnView]) -> list[ColumnView]:
        at = self._bar_place()
        if at is None:
            return views
        bar_view = ColumnView(id="period-bar", title=_("of longest"), width=_BAR_CELLS, right=False)
        return [*views[:at], bar_view, *views[at:]]

    def with_drawn_cells(self, rows: list[Row], cells: Sequence[Sequence[str | None]]) -> list[Row]:
        table, opening, at = self.table, self.opening, self._bar_place()
        period = None if table is None else table.get("period")
        if table is None or opening is None or period is None or at is None:
            return rows
        place = table.columns.index(period)
        return [
            replace(row, cells=(*row.cells[:at], _bar(cell[place], opening.longest_ns), *row.cells[at:]))
            for row, cell in zip(rows, cells, strict=True)
        ]


def _bar(period: str | None, longest_ns: int) -> str:
    ns = to_ns(period or "", 1000)
    return "" if ns is None or ns < 0 else bar(min(ns, longest_ns), longest_ns, _BAR_CELLS)
