"""What a pane's workers compute: plain functions from a table and a question to a frozen answer.

They may take long and read files; nothing here touches a widget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.query.query import Query
from prof_tui.data.tables.cells import to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.table_source import Progress
from prof_tui.widgets.table.table import Row
from prof_tui.words import NOT_AVAILABLE, microseconds

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.query.view import View

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
    from prof_tui.data.query.cursor_row import nearest_place

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
