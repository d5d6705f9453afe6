"""Columns of a whole table: each file's values behind each other, and orders over them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.tables.bound import WORDS, is_bound
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import Progress, TableSource, step
from prof_tui.data.tables.typed_columns import Distinct, TextColumn, Values

_DTYPES: dict[str, type[pl.DataType]] = {"text": pl.UInt32, "decimal": pl.Float64}
"""Type of a column's values in a file that lacks it; Int64 for the others."""

Parts = dict[str, list[pl.Series]]
"""By header, the values of each file."""


def load_columns(
    sources: Sequence[TableSource], columns: Sequence[Column], progress: Progress
) -> dict[str, Values]:
    """Typed values by header, over all row numbers of the files; CancelledError when ``progress`` says so."""
    stored = [column for column in columns if not is_bound(column)]
    worked_out = [column for column in columns if is_bound(column)]
    texts, categories = _distinct_texts(stored)
    parts: Parts = {column.header: [] for column in columns}
    for done, source in enumerate(sources):
        step(progress, done, len(sources))
        for header, series in _of_source(source, stored, categories).items():
            parts[header].append(series)
        for column in worked_out:
            parts[column.header].append(_bounds_of(source))
    return _joined(stored, parts, texts) | {
        column.header: TextColumn(pl.concat(parts[column.header]), pl.Series(WORDS)) for column in worked_out
    }


def _bounds_of(source: TableSource) -> pl.Series:
    from prof_tui.data.tables.bound_column import bound_codes

    return bound_codes(source.store)


def skimmed_columns(
    sources: Sequence[TableSource], columns: Sequence[Column], progress: Progress
) -> dict[str, Values] | None:
    """The same by ``RowStore.skim`` of each file; None where one of them can't, or lacks a column."""
    texts, categories = _distinct_texts(columns)
    parts: Parts = {column.header: [] for column in columns}
    for done, source in enumerate(sources):
        step(progress, done, len(sources))
        own = {column.header: column for column in source.store.columns}
        if any(column.header not in own for column in columns):
            return None
        here = [own[column.header].read_as(column.kind) for column in columns]
        unused = pl.Categories()
        skimmed = source.store.skim([(column, categories.get(column.header, unused)) for column in here])
        if skimmed is None:
            return None
        for column, series in zip(here, skimmed, strict=True):
            parts[column.header].append(series)
    return _joined(columns, parts, texts)


def _distinct_texts(columns: Sequence[Column]) -> tuple[dict[str, Distinct], dict[str, pl.Categories]]:
    texts = {column.header: Distinct() for column in columns if column.kind == "text"}
    return texts, {header: distinct.categories for header, distinct in texts.items()}


def _joined(columns: Sequence[Column], parts: Parts, texts: dict[str, Distinct]) -> dict[str, Values]:
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
    if not columns:
        return {}
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
