"""Pane 4: one row per task, longest first; usable while a large file is still being read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.data.tables.table import Table
from prof_tui.panes.table.pane import TablePane
from prof_tui.widgets.table.table import Row
from prof_tui.words import glyphs


class OpSummaryPane(TablePane):
    """Which operator takes the time."""

    table_name = "op_summary"

    def tone(self, cells: Sequence[str | None]) -> str:
        return "warning" if self._is_invalid(cells) else ""

    def with_drawn_cells(self, rows: list[Row], cells: Sequence[Sequence[str | None]]) -> list[Row]:
        """A negative duration stands as it is, with a mark: it is no busy time."""
        ids = [column.id for column in self.columns]
        if "task_duration" not in ids:
            return rows
        at = ids.index("task_duration")
        return [
            replace(row, cells=(*row.cells[:at], f"{glyphs().invalid} {row.cells[at]}", *row.cells[at + 1 :]))
            if self._is_invalid(own)
            else row
            for row, own in zip(rows, cells, strict=True)
        ]

    def _is_invalid(self, cells: Sequence[str | None]) -> bool:
        duration = None if self.table is None else self.table.get("task_duration")
        if self.table is None or duration is None:
            return False
        return (cells[self.table.columns.index(duration)] or "").startswith("-")

    def first_query(self, table: Table, scope: Scope) -> Query:
        duration = table.get("task_duration")
        return Query(self.own_scope(scope), sort=Sort(duration.header, True) if duration else None)
