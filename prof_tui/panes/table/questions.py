"""What a pane's workers compute: plain functions from a table and a question to a frozen answer.

They may take long and read files; nothing here touches a widget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len

from prof_tui.data.query.query import PLACED, Condition, Iterations, OneOf, Query, Scope, Sort, Where
from prof_tui.data.tables.cells import to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.shown_columns import naming_columns
from prof_tui.data.tables.stores import Progress
from prof_tui.data.tables.table import Table
from prof_tui.errors import UsageError
from prof_tui.widgets.table.table import ColumnView, Row
from prof_tui.words import NOT_AVAILABLE, _, microseconds, printable

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.query.query import View


Tone = Callable[[Sequence[str | None]], str]
"""The tone of a row from its cells, one per table column."""


@dataclass(frozen=True)
class Question:
    """What a pane shows: a query, and how absolute times are shown."""

    query: Query = Query()
    relative: bool = False
    """Whether absolute times count from ``zero_ns``."""
    zero_ns: int | None = None
    """None for the table's first time."""


@dataclass(frozen=True)
class Opening:
    """A table to show, with what a pane says of it."""

    table: Table
    question: Question
    title: str = ""
    """What the rows are, where it isn't msprof's own file."""
    notices: tuple[str, ...] = ()
    longest_ns: int = 0
    """What a full bar stands for."""


@dataclass(frozen=True)
class Answer:
    """The rows of a question, and where the cursor goes."""

    question: Question
    table: Table
    view: View
    cursor: int
    base_ns: int | None
    """Absolute times are shown from here on; None to show them as the file has them."""


@dataclass(frozen=True)
class Place:
    """Where the cursor was: a row number, and its place in a view."""

    row: int | None = None
    view: View | None = None
    place: int = 0


def answer(capture: OpenCapture, table: Table, question: Question, kept: Place, progress: Progress) -> Answer:
    """The view that answers a question, with the cursor on the kept row or the nearest that is left."""
    from prof_tui.data.query.query import nearest_place

    view = capture.view(table, question.query, progress, soon=True)
    base_ns = None
    if question.relative:
        base_ns = _first_time_ns(table) if question.zero_ns is None else question.zero_ns
    return Answer(question, table, view, nearest_place(view, kept.row, kept.view, kept.place), base_ns)


def _first_time_ns(table: Table) -> int | None:
    column = next((column for column in table.columns if column.kind == "time"), None)
    earliest = None if column is None else table.numbers(column).min()
    return earliest if isinstance(earliest, int) else None


def found_places(table: Table, view: View, text: str) -> pl.Series:
    """Places in a view (UInt32, ascending) of the rows with ``text`` in any text column."""
    from prof_tui.data.query.view import found_mask

    return found_mask(table, text).gather(view.rows).arg_true()


def row_lines(cells: Iterable[tuple[Column, str | None]]) -> str:
    """A row as it is copied: a column a line."""
    return "\n".join(f"{column.header}: {NOT_AVAILABLE if cell is None else cell}" for column, cell in cells)


def shown_rows(
    columns: Sequence[Column],
    table: Table,
    cells: Sequence[Sequence[str | None]],
    base_ns: int | None,
    tone: Tone,
) -> list[Row]:
    """Cells of the table's columns as rows of the shown ``columns``."""
    place = {column.header: i for i, column in enumerate(table.columns)}
    wanted = [(column, place[column.header]) for column in columns]
    return [Row(tuple(_shown(column, row[at], base_ns) for column, at in wanted), tone(row)) for row in cells]


def _shown(column: Column, cell: str | None, base_ns: int | None) -> str:
    if cell is None:
        return NOT_AVAILABLE
    if column.kind == "time" and base_ns is not None:
        ns = to_ns(cell, column.ns_per_unit)
        return cell if ns is None else microseconds(ns - base_ns)
    return cell


Named = TypeVar("Named", bound=Where | OneOf | Sort)


def shown_by(table: Table, query: Query, scope: Scope) -> Query:
    """The query with the table's own spelling of each column, within ``scope``; without what it lacks."""
    filters = tuple(own for each in query.filters if (own := _condition(table, each)) is not None)
    sort = None if query.sort is None else _named(table, query.sort)
    return replace(query, scope=scope, filters=filters, sort=sort)


def left_out(table: Table, query: Query) -> str:
    """The sentence on the conditions and the sort that ``shown_by`` leaves out; empty for none."""
    text = _("{table} has no column for {part}, which is left out.")
    parts = [str(each) for each in query.filters if _condition(table, each) is None]
    if query.sort is not None and _named(table, query.sort) is None:
        parts.append(_("the sort by {column}").format(column=query.sort.column))
    return " ".join(text.format(table=table.name, part=printable(part)) for part in parts)


def _condition(table: Table, condition: Condition) -> Condition | None:
    if isinstance(condition, Iterations):
        return condition if table.name in PLACED else None
    return _named(table, condition)


def _named(table: Table, part: Named) -> Named | None:
    try:
        column = table.column(part.column)
    except UsageError:
        return None
    return replace(part, column=column.header)


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
