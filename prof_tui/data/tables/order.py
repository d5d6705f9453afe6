"""The order of a column's values: what sorting a table goes by."""

from __future__ import annotations

import polars as pl

from prof_tui.data.tables.typed_columns import TextColumn, Values


def sorted_rows(values: Values, descending: bool) -> pl.Series:
    """Row numbers (UInt32) in the order of ``values``: stable, nulls last in both directions."""
    keys = values.ranks() if isinstance(values, TextColumn) else values
    frame = keys.alias("key").to_frame().with_row_index("row")
    return frame.sort("key", descending=descending, nulls_last=True, maintain_order=True)["row"]
