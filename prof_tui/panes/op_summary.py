"""Pane 4: one row per task, longest first; usable while a large file is still being read."""

from __future__ import annotations

from collections.abc import Sequence

from prof_tui.data.query import OneOf, Query, Scope, Sort
from prof_tui.data.table import Table
from prof_tui.panes.table_pane import TablePane
from prof_tui.words import _, count


class OpSummaryPane(TablePane):
    """Which operator takes the time."""

    table_name = "op_summary"
    stated_count: tuple[tuple[OneOf, ...], int] | None = None
    """The Count of the op_statistic row that the filters came from."""

    def first_query(self, table: Table, scope: Scope) -> Query:
        duration = table.get("task_duration")
        return Query(self.own_scope(scope), sort=Sort(duration.header, True) if duration else None)

    def show_op_type(self, conditions: Sequence[OneOf], stated: int | None) -> None:
        """Only the ops of one op_statistic row; ``stated`` is its Count, which their number may miss."""
        there = None if self.table is None else {column.header for column in self.table.columns}
        wanted = tuple(each for each in conditions if there is None or each.column in there)
        self.stated_count = None if stated is None else (wanted, stated)
        self.filter_to(wanted)

    def more_status(self) -> str:
        said = super().more_status()
        if self.stated_count is None or self.question.query.filters != self.stated_count[0]:
            return said
        stated = _("Count in op_statistic {n}").format(n=count(self.stated_count[1]))
        return f"{stated}, {said}" if said else stated
