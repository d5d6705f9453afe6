"""Columns of a whole table: each file's values behind each other, and orders over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.column_values import Distinct, TextColumn, Values
from prof_tui.data.columns import Column
from prof_tui.errors import CancelledError
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.table import Progress, Table, TableSource

_DTYPES: dict[str, type[pl.DataType]] = {"text": pl.UInt32, "decimal": pl.Float64}
"""Type of a column's values in a file that lacks it; Int64 for the others."""


def load_columns(table: Table, columns: Sequence[Column], progress: Progress) -> dict[str, Values]:
    """Typed values by header, over all row numbers of the table."""
    texts = {column.header: Distinct() for column in columns if column.kind == "text"}
    categories = {header: distinct.categories for header, distinct in texts.items()}
    parts: dict[str, list[pl.Series]] = {column.header: [] for column in columns}
    for done, source in enumerate(table.sources):
        if not progress(done, len(table.sources)):
            raise CancelledError(_("Cancelled."))
        for header, series in _of_source(source, columns, categories).items():
            parts[header].append(series)
    progress(len(table.sources), len(table.sources))
    result: dict[str, Values] = {}
    for column in columns:
        whole = pl.concat(parts[column.header]).rechunk()
        own = texts.get(column.header)
        result[column.header] = whole if own is None else own.encoded(whole)
    return result


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


def kept_rows(table: Table) -> pl.Series | None:
    """Boolean per row number: False for damaged rows; None when there are none."""
    left_out: list[int] = []
    base = 0
    for source in table.sources:
        left_out += [base + row for row in source.store.left_out]
        base += source.store.row_count
    if not left_out:
        return None
    return pl.Series([True]).new_from_index(0, base).scatter(left_out, False)


def per_source(table: Table, attribute: str) -> pl.Series:
    """What the files' names say (``device``, ``model`` or ``iteration``), Int64 per row number, else null."""
    parts = [
        pl.Series([getattr(source, attribute)], dtype=pl.Int64).new_from_index(0, source.store.row_count)
        for source in table.sources
    ]
    return pl.concat(parts) if parts else pl.Series([], dtype=pl.Int64)
