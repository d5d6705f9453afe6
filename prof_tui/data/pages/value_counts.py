"""How often each value of a text column occurs, and its share of time: what a choice of values shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prof_tui.data.query.query import OneOf, Query
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table
from prof_tui.words import NOT_AVAILABLE

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture

TASK_TYPE_COLUMNS = ("task_type", "core_type", "kernel_type")
"""Ids of the column that says on which kind of core an op ran, whichever a table has."""

CORE_COLUMNS = (*TASK_TYPE_COLUMNS, "event_kind", "level")
"""Columns by which a table is split first, whichever it has."""

DURATION_COLUMNS = ("task_duration", "event_duration", "total_time", "task_time", "time", "iteration_time")


@dataclass(frozen=True)
class ValueCount:
    """One value of a column within a query's rows."""

    value: str
    count: int
    duration_ns: int
    """Sum of the table's durations over its rows; negative (invalid) ones are left out."""


def core_column(table: Table) -> Column | None:
    """The column of Task Types or Core Types; None where the table has none."""
    return next((column for id_ in CORE_COLUMNS if (column := table.get(id_))), None)


def duration_column(table: Table) -> Column | None:
    """The column that says how long a row took; None where the table has none."""
    return next((column for id_ in DURATION_COLUMNS if (column := table.get(id_))), None)


def value_counts(capture: OpenCapture, table: Table, query: Query, column: Column) -> list[ValueCount]:
    """Values of ``column`` by time, then count, over the query's rows but for its choice of that column."""
    import polars as pl

    others = tuple(f for f in query.filters if not (isinstance(f, OneOf) and f.column == column.header))
    rows = capture.view(table, replace(query, filters=others, sort=None)).rows
    length = duration_column(table)
    values = table.texts(column)
    ns = table.numbers(length).gather(rows) if length else pl.Series([0]).new_from_index(0, len(rows))
    frame = pl.DataFrame({"code": values.codes.gather(rows), "ns": ns.fill_null(0).clip(0)})
    grouped = frame.group_by("code").agg(pl.len().alias("n"), pl.col("ns").sum())
    named = grouped.with_columns(
        values.values.gather(grouped["code"]).fill_null(NOT_AVAILABLE).alias("value")
    )
    merged = named.group_by("value").agg(pl.col("n").sum(), pl.col("ns").sum())
    ordered = merged.sort("ns", "n", "value", descending=[True, True, False])
    return [ValueCount(value, n, total) for value, n, total in ordered.select("value", "n", "ns").iter_rows()]
