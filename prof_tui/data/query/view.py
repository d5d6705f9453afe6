"""The answer to a query: which rows, in which order, and how many there are."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from prof_tui.data.iterations.placement import Placement
from prof_tui.data.query.conditions import containing, iterations_mask, mask_of, near_sentences
from prof_tui.data.query.query import OUTSIDE, Condition, Iterations, Query, Scope, View
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table, device_numbers, kept_rows, model_numbers

Placed = Callable[[Table], Placement]
"""Which iteration each row of a table is in; called only when a query asks for one."""


def answer_query(
    table: Table, query: Query, placed: Placed, progress: Progress = go_on, *, soon: bool = False
) -> View:
    """Rows of ``table`` that match; UsageError for unknown columns and values that don't fit.

    CancelledError when ``progress``, called before each file, says so.  ``soon``: an answer before
    damaged rows are judged will do, where that is quicker (``Table.judged`` tells).
    """
    sort = query.sort if soon and _only_sorted(query) else None
    if sort is None or not table.peek(table.column(sort.column), progress):
        table.load(_needed(table, query), progress)
        table.prepare(progress)
    first = _and(kept_rows(table), _device_mask(table, query.scope.device))
    total = int(first.sum()) if first is not None else table.row_count
    mask = _and(first, scope_mask(table, query.scope, placed))
    in_scope = int(mask.sum()) if mask is not None else table.row_count
    for condition in query.filters:
        mask = _and(mask, _condition_mask(table, condition, placed))
    if query.find:
        mask = _and(mask, found_mask(table, query.find))
    rows = _ordered(table, query, mask)
    return View(query, rows, total, in_scope, () if len(rows) else near_sentences(table, query))


def _condition_mask(table: Table, condition: Condition, placed: Placed) -> pl.Series:
    if isinstance(condition, Iterations):
        return iterations_mask(device_numbers(table), placed(table), condition)
    return mask_of(table, condition)


def _only_sorted(query: Query) -> bool:
    return query.sort is not None and not query.filters and not query.find and query.scope == Scope()


def _needed(table: Table, query: Query) -> list[Column]:
    """The columns that a query asks for, read together in one pass."""
    words = [each.column for each in query.filters if not isinstance(each, Iterations)]
    words += [query.sort.column] if query.sort else []
    return list(dict.fromkeys(table.column(word) for word in words))


def _ordered(table: Table, query: Query, mask: pl.Series | None) -> pl.Series:
    if query.sort is None:
        return every_row(table) if mask is None else mask.arg_true()
    order = table.order(table.column(query.sort.column), query.sort.descending)
    return order if mask is None else order.filter(mask.gather(order))


def every_row(table: Table) -> pl.Series:
    return pl.int_range(table.row_count, dtype=pl.UInt32, eager=True)


def _and(left: pl.Series | None, right: pl.Series | None) -> pl.Series | None:
    if left is None or right is None:
        return left if right is None else right
    return left & right


def _device_mask(table: Table, device: int | None) -> pl.Series | None:
    if device is None:
        return None
    return (device_numbers(table) == device).fill_null(False)


def scope_mask(table: Table, scope: Scope, placed: Placed) -> pl.Series | None:
    """Rows of the scope's model and iteration; None for all."""
    if scope.iteration is None:
        return None if scope.model is None else (model_numbers(table) == scope.model).fill_null(False)
    placement = placed(table)
    if scope.iteration == OUTSIDE:
        mask = placement.iteration.is_null()
        return mask if scope.model is None else mask & (model_numbers(table) == scope.model).fill_null(False)
    mask = (placement.iteration == scope.iteration).fill_null(False)
    return mask if scope.model is None else mask & (placement.model == scope.model).fill_null(False)


def found_mask(table: Table, text: str) -> pl.Series:
    """Rows with ``text`` in any text column of the files, case ignored."""
    columns = table.text_columns
    table.load(columns)
    mask = pl.Series([False]).new_from_index(0, table.row_count)
    for column in columns:
        values = table.texts(column)
        held = containing(values.values, text)
        if held.any():
            mask = mask | values.matching(held)
    return mask
