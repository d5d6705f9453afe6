"""Columns of a large file in one pass, without finding its rows: for sums that are wanted soon.

Half the time of the exact reading: each column is read by the one spelling that msprof writes, and a
file with any other cell, N/A among them, is left to the exact reading.  So is one with a cell too many
before a number: a word stands in its place then.  Other damaged rows count as they stand until rows
are judged.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.cell_values import PADDING
from prof_tui.data.column_loading import Wanted
from prof_tui.data.column_values import clean_text, durations_of, expression
from prof_tui.data.columns import Column


def skim(frame: pl.LazyFrame, wanted: Sequence[Wanted]) -> list[pl.Series] | None:
    """Values as ``column_loading.scan`` gives them; None where the quick reading may be wrong."""
    read = [_quick(column, pl.col(name), own) for column, name, own in wanted]
    result = frame.select(each.alias(f"column {i}") for i, each in enumerate(read)).collect(
        engine="streaming"
    )
    found = [_sure(column, result[f"column {i}"], own) for i, (column, _name, own) in enumerate(wanted)]
    sure = [values for values in found if values is not None]
    return sure if len(sure) == len(found) else None


def _quick(column: Column, raw: pl.Expr, categories: pl.Categories) -> pl.Expr:
    """The values of cells that are spelled as usual; null, or an unclean text, for others."""
    if column.kind == "text":
        return raw.fill_null("").cast(pl.Categorical(categories))
    text = raw.str.strip_chars(PADDING)
    if column.kind == "duration":
        return text.cast(pl.Float64, strict=False)
    digits = len(str(column.ns_per_unit)) - 1
    if column.kind != "time" or not digits:
        return expression(column, raw, categories)
    whole = text.str.head(-(digits + 1)).cast(pl.Int64, strict=False)
    behind = text.str.tail(digits).cast(pl.UInt32, strict=False)
    is_plain = text.str.slice(-(digits + 1), 1) == "."
    return pl.when(is_plain & (whole >= 0)).then(whole * column.ns_per_unit + behind)


def _sure(column: Column, values: pl.Series, categories: pl.Categories) -> pl.Series | None:
    """The values as they are kept; None where a cell may have said something else."""
    if column.kind == "text":
        texts = categories.to_series()
        is_clean = texts.to_frame("text").select(clean_text(pl.col("text")) == pl.col("text")).to_series()
        return values.to_physical() if is_clean.all() else None
    if values.null_count():
        return None
    return durations_of(values, column) if column.kind == "duration" else values
