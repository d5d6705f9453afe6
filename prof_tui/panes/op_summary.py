"""Pane 4: one row per task, longest first; usable while a large file is still being read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prof_tui.data.query.query import Query, Sort
from prof_tui.data.tables.cells import MISSING, is_number, plain
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table
from prof_tui.panes.table.kind import Cells, DrawRow, Opening, TableKind, column_place, exported
from prof_tui.widgets.table.table import Row
from prof_tui.words import glyphs


def _sort_by_duration(table: Table) -> Query:
    duration = table.get("task_duration")
    return Query(sort=Sort(duration.header, True) if duration else None)


def mark_invalid(opening: Opening, columns: Sequence[Column]) -> DrawRow:
    """A duration that is negative or no number stands as it is, with a mark: it is no busy time."""
    place, shown_at = (column_place(each, "task_duration") for each in (opening.table.columns, columns))

    def draw(row: Row, cells: Cells) -> Row:
        if place is None or not _is_invalid(cells[place] or ""):
            return row
        if shown_at is None:
            return replace(row, tone="warning")
        marked = f"{glyphs().invalid} {row.cells[shown_at]}"
        return Row((*row.cells[:shown_at], marked, *row.cells[shown_at + 1 :]), "warning")

    return draw


def _is_invalid(cell: str) -> bool:
    return cell not in MISSING and (cell.startswith("-") or not is_number(plain(cell)))


OP_SUMMARY = TableKind("op_summary", exported("op_summary", _sort_by_duration), draw_rows=mark_invalid)
