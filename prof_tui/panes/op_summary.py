"""Pane 4: one row per task, longest first; usable while a large file is still being read."""

from __future__ import annotations

from prof_tui.data.query import Query, Scope, Sort
from prof_tui.data.table import Table
from prof_tui.panes.table_pane import TablePane


class OpSummaryPane(TablePane):
    """Which operator takes the time."""

    table_name = "op_summary"

    def first_query(self, table: Table, scope: Scope) -> Query:
        duration = table.get("task_duration")
        return Query(self.own_scope(scope), sort=Sort(duration.header, True) if duration else None)
