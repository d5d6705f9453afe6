"""A query from elsewhere as a table can answer it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from prof_tui.data.query.query import PLACED, Condition, Iterations, OneOf, Query, Scope, Sort, Where
from prof_tui.errors import UsageError

if TYPE_CHECKING:
    from prof_tui.data.tables.table import Table

Named = TypeVar("Named", bound=Where | OneOf | Sort)


def shown_by(table: Table, query: Query, scope: Scope) -> Query:
    """The query with the table's own spelling of each column, within ``scope``; without what it lacks."""
    filters = tuple(own for each in query.filters if (own := _condition(table, each)) is not None)
    sort = None if query.sort is None else _named(table, query.sort)
    return replace(query, scope=scope, filters=filters, sort=sort)


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
