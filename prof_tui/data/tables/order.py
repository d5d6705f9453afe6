"""The order of a column's values: what sorting a table goes by."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from prof_tui.data.tables.cells import LARGEST
from prof_tui.data.tables.typed_columns import TextColumn, Values


def with_largest(values: Values, rows: Sequence[int]) -> Values:
    """``values`` with the largest that there is in these rows."""
    if isinstance(values, TextColumn):
        return values
    wide = values if values.dtype == pl.Float64 else values.cast(pl.Int64)
    largest = math.inf if wide.dtype == pl.Float64 else LARGEST
    return wide.clone().scatter(pl.Series(rows, dtype=pl.UInt32), largest)  # scatter writes in place


def sorted_rows(values: Values, descending: bool) -> pl.Series:
    """Row numbers (UInt32) in the order of ``values``: stable, nulls last in both directions."""
    keys = values.ranks() if isinstance(values, TextColumn) else values
    frame = keys.alias("key").to_frame().with_row_index("row")
    return frame.sort("key", descending=descending, nulls_last=True, maintain_order=True)["row"]
