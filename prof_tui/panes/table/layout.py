"""How a pane shows a table: which columns in which order, and how wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.shown_columns import naming_columns
from prof_tui.data.tables.table import Table
from prof_tui.widgets.table.table import ColumnView

_WIDEST = {
    "op_name": 36,
    "kernel_name": 36,
    "api_name": 36,
    "input_shapes": 28,
    "output_shapes": 28,
    "file": 44,
    "why": 60,
    "holds": 60,
}
_PATHS = frozenset({"op_name", "file", "event_name", "op_before", "op_after"})
"""Columns whose end tells more than their start."""
_WIDEST_OTHER = 24
_NARROWEST = 4


@dataclass(frozen=True)
class Layout:
    """A pane's choice of columns; what the user changes of it besides the query."""

    headers: tuple[str, ...] = ()
    """Shown columns in order; empty for the pane's own choice."""


def chosen_columns(table: Table, layout: Layout) -> tuple[Column, ...]:
    """The columns that the user chose, in order; empty for the pane's own choice."""
    by_header = {column.header: column for column in table.columns}
    return tuple(by_header[header] for header in layout.headers if header in by_header)


def column_views(
    table: Table, columns: Sequence[Column], sample: Sequence[Sequence[str]], *, several_devices: bool
) -> list[ColumnView]:
    """Columns as the table widget wants them: widths from the title and a sample of cells per column."""
    pinned = {column.header for column in naming_columns(table, several_devices=several_devices)}
    views = []
    for place, column in enumerate(columns):
        widest = max(_WIDEST.get(column.id, _WIDEST_OTHER), min(cell_len(column.header), _WIDEST_OTHER))
        longest = max((cell_len(row[place][:widest]) for row in sample), default=0)
        width = max(_NARROWEST, min(widest, max(longest, cell_len(column.header))))
        views.append(
            ColumnView(
                id=column.header,
                title=column.header,
                width=width,
                right=column.kind != "text",
                pinned=column.header in pinned,
                keep_end=column.id in _PATHS,
            )
        )
    return views
