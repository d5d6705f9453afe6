"""Columns of a whole table: each file's values behind each other, and orders over them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.column_values import Distinct, TextColumn, Values
from prof_tui.data.columns import Column
from prof_tui.data.table_source import Progress, TableSource, step

_DTYPES: dict[str, type[pl.DataType]] = {"text": pl.UInt32, "decimal": pl.Float64}
"""Type of a column's values in a file that lacks it; Int64 for the others."""


def load_columns(
    sources: Sequence[TableSource], columns: Sequence[Column], progress: Progress
) -> dict[str, Values]:
    """Typed values by header, over all row numbers of the files; CancelledError when ``progress`` says so."""
    texts = {column.header: Distinct() for column in columns if column.kind == "text"}
    categories = {header: distinct.categories for header, distinct in texts.items()}
    parts: dict[str, list[pl.Series]] = {column.header: [] for column in columns}
    for done, source in enumerate(sources):
        step(progress, done, len(sources))
        for header, series in _of_source(source, columns, categories).items():
            parts[header].append(series)
    result: dict[str, Values] = {}
    for column in columns:
        whole = pl.concat(parts[column.header]).rechunk()
        if column.kind == "int":  # ids and counts are small: a quarter of the memory at most
            whole = whole.shrink_dtype()
        own = texts.get(column.header)
        result[column.header] = whole if own is None else own.encoded(whole)
    return result


def peeked_column(sources: Sequence[TableSource], column: Column, progress: Progress) -> pl.Series | None:
    """One column's values by ``RowStore.peek`` of each file; None where one of them can't."""
    parts = []
    for done, source in enumerate(sources):
        step(progress, done, len(sources))
        if all(own.header != column.header for own in source.store.columns):
            return None
        values = source.store.peek(column)
        if values is None:
            return None
        parts.append(values)
    return pl.concat(parts).rechunk() if parts else None


def _of_source(
    source: TableSource, columns: Sequence[Column], categories: dict[str, pl.Categories]
) -> dict[str, pl.Series]:
    own = {column.header: column for column in source.store.columns}
    here = [own[column.header].read_as(column.kind) for column in columns if column.header in own]
    unused = pl.Categories()
    loaded = source.store.load([(column, categories.get(column.header, unused)) for column in here])
    found = {column.header: series for column, series in zip(here, loaded, strict=True)}
    source.store.prepare()
    rows = source.store.row_count
    for column in columns:
        if column.header not in found:
            found[column.header] = _constant(source, column, rows)
    return {column.header: found[column.header] for column in columns}


def _constant(source: TableSource, column: Column, rows: int) -> pl.Series:
    value = getattr(source, column.header) if column.derived else None
    return pl.Series([value], dtype=_DTYPES.get(column.kind, pl.Int64)).new_from_index(0, rows)


def sorted_rows(values: Values, descending: bool) -> pl.Series:
    """Row numbers (UInt32) in the order of ``values``: stable, nulls last in both directions."""
    keys = values.ranks() if isinstance(values, TextColumn) else values
    frame = keys.alias("key").to_frame().with_row_index("row")
    return frame.sort("key", descending=descending, nulls_last=True, maintain_order=True)["row"]
