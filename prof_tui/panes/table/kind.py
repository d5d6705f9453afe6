"""What makes one table pane differ from another, as a value; and how its columns and rows are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from prof_tui.data.query.query import Query, Scope
from prof_tui.data.tables.cells import to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.shown_columns import default_columns, naming_columns
from prof_tui.data.tables.table import Table
from prof_tui.panes.table.questions import Question
from prof_tui.widgets.table.table import ColumnView, Row
from prof_tui.words import NOT_AVAILABLE, microseconds

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.tables import EventTable


Cells = Sequence[str | None]
"""A row as the file has it, one cell per column of the table."""
DrawRow = Callable[[Row, Cells], Row]
"""A row of the shown columns as it is drawn in the end: with a tone, a mark, another cell."""


@dataclass(frozen=True)
class Opening:
    """A table to show, with what a pane says of it."""

    table: Table
    question: Question
    """What is asked of it at first, within the part of the scope that its rows are chosen by."""
    title: str = ""
    """What the rows are, where it isn't msprof's own file."""
    notices: tuple[str, ...] = ()
    longest_ns: int = 0
    """What a full bar stands for."""
    made: EventTable | None = None
    """Where the rows are events of a timeline or stretches of it: which ones."""


Read = Callable[["OpenCapture", Scope], Opening]
"""Gives the table to show for a scope, in a worker; ProfTuiError with the sentence to show instead."""


def exported(name: str, first_query: Callable[[Table], Query] = lambda table: Query()) -> Read:
    """A table of the export as its files have it, with the filters and the sort to show it with at first."""

    def read(capture: OpenCapture, scope: Scope) -> Opening:
        table = capture.table(name)
        return Opening(table, Question(first_query(table)))

    return read


def _default_columns(table: Table, several_devices: bool) -> tuple[Column, ...]:
    return default_columns(table, several_devices=several_devices)


@dataclass(frozen=True)
class TableKind:
    """One kind of table pane."""

    name: str
    """The file type; also what its files are called when it is written."""
    read: Read
    other_read: Read | None = None
    """What a key shows in place of what ``read`` gives, and back; None where there is nothing else."""
    other_needs: tuple[str, ...] = ()
    """The tables without which the two are the same, or one is not there."""
    own_scope: Callable[[Scope], Scope] = lambda scope: scope
    """The part of a scope that the rows are chosen by."""
    opens_anew: bool = False
    """Whether another scope is another table: its opening says then what the rows are chosen by."""
    own_columns: Callable[[Table, bool], tuple[Column, ...]] = _default_columns
    """The columns that are shown while the user chose none, given whether there are several devices."""
    add_columns: Callable[[Sequence[Column], list[ColumnView]], list[ColumnView]] | None = None
    """The shown columns together with drawn ones, which aren't columns of the table."""
    draw_rows: Callable[[Opening, Sequence[Column]], DrawRow] | None = None
    """How rows of the shown columns are drawn, with the cells of the drawn ones."""
    lacks_timeline: Callable[[Table], bool] | None = None
    """Whether the rows will say more once a timeline is read; None where they never will."""


def column_place(columns: Sequence[Column], column_id: str) -> int | None:
    """The place of the first column with an id; None where there is none."""
    return next((place for place, column in enumerate(columns) if column.id == column_id), None)


def chosen_columns(table: Table, headers: Sequence[str]) -> tuple[Column, ...]:
    """The columns that the user chose, in order, without those that the table lacks."""
    by_header = {column.header: column for column in table.columns}
    return tuple(by_header[header] for header in headers if header in by_header)


def drawn_rows(
    kind: TableKind,
    opening: Opening,
    columns: Sequence[Column],
    cells: Sequence[Cells],
    base_ns: int | None,
) -> list[Row]:
    """Rows of a table as they are drawn in the shown ``columns``; also called in a worker."""
    places = {column.header: place for place, column in enumerate(opening.table.columns)}
    shown = [(column, places[column.header]) for column in columns]
    rows = [Row(tuple(_shown_cell(column, row[place], base_ns) for column, place in shown)) for row in cells]
    if kind.draw_rows is None:
        return rows
    draw = kind.draw_rows(opening, columns)
    return [draw(row, own) for row, own in zip(rows, cells, strict=True)]


def _shown_cell(column: Column, cell: str | None, base_ns: int | None) -> str:
    if cell is None:
        return NOT_AVAILABLE
    if column.kind == "time" and base_ns is not None:
        ns = to_ns(cell, column.ns_per_unit)
        return cell if ns is None or ns <= 0 else microseconds(ns - base_ns)
    return cell


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


def column_views(
    table: Table, columns: Sequence[Column], sample: Sequence[Cells], *, several_devices: bool
) -> list[ColumnView]:
    """Columns as the table widget wants them: as wide as their titles and the cells of a sample of rows."""
    pinned = {column.header for column in naming_columns(table, several_devices=several_devices)}
    places = {column.header: place for place, column in enumerate(table.columns)}
    views = []
    for column in columns:
        title = cell_len(column.header)
        widest = max(_WIDEST.get(column.id, _WIDEST_OTHER), min(title, _WIDEST_OTHER))
        longest = max((cell_len((row[places[column.header]] or "")[:widest]) for row in sample), default=0)
        views.append(
            ColumnView(
                id=column.header,
                title=column.header,
                width=max(_NARROWEST, min(widest, max(longest, title))),
                right=column.kind != "text",
                pinned=column.header in pinned,
                keep_end=column.id in _PATHS,
            )
        )
    return views
