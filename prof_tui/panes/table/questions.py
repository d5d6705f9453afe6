"""What is asked of a table pane and what answers it: frozen values, and functions that workers call.

The functions may take long and read files; nothing here touches a widget.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from prof_tui.data.query.query import PLACED, Condition, Iterations, OneOf, Query, Scope, Sort, Where
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import Progress
from prof_tui.data.tables.table import Table
from prof_tui.errors import UsageError
from prof_tui.words import NOT_AVAILABLE, _, printable

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.query.query import View


@dataclass(frozen=True)
class Question:
    """What a pane shows: a query, and how absolute times are shown."""

    query: Query = Query()
    relative: bool = False
    """Whether absolute times count from ``zero_ns``."""
    zero_ns: int | None = None
    """None for the table's first time."""

    def but(self, **changes: object) -> Question:
        """The question with these parts of its query changed."""
        return replace(self, query=replace(self.query, **changes))  # type: ignore[arg-type]


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


FIRST_ROW = Place()


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
    earliest = None if column is None else table.times(column).ns.min()
    return earliest if isinstance(earliest, int) else None


def found_places(table: Table, view: View, text: str) -> pl.Series:
    """Places in a view (UInt32, ascending) of the rows with ``text`` in any text column."""
    from prof_tui.data.query.view import found_mask

    return found_mask(table, text).gather(view.rows).arg_true()


def row_lines(cells: Iterable[tuple[Column, str | None]]) -> str:
    """A row as it is copied: a column a line."""
    return "\n".join(f"{column.header}: {NOT_AVAILABLE if cell is None else cell}" for column, cell in cells)


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
