"""A whole column as typed values: Int64 for times (ns), durations (ns) and ids, codes for texts.

The same readings as ``cell_values`` has for one cell, as polars expressions over a frame of texts.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import polars as pl

from prof_tui.data.cell_values import LINE_BREAK, MISSING, PADDING, to_ns
from prof_tui.data.columns import Column
from prof_tui.words import NOT_AVAILABLE

_EXACT_FLOAT = 1 << 50
"""Durations below this many ns (13 days) come out of Float64 microseconds exact to the ns."""
_LARGEST = 9.2e18
"""What an Int64 still holds: longer ones are wrapped unsigned numbers, read again from their texts."""


@dataclass(frozen=True)
class TextColumn:
    """A text column as codes into its distinct values; a null code: the file lacks the column."""

    codes: pl.Series
    """UInt8, UInt16 or UInt32, one per row."""
    values: pl.Series
    """Distinct texts, String."""

    def matching(self, wanted: pl.Series) -> pl.Series:
        """Boolean per row: whether ``wanted`` (Boolean per distinct value) holds for its value."""
        codes = pl.Series(wanted.arg_true(), dtype=self.codes.dtype)
        return self.codes.is_in(codes.implode()).fill_null(False)

    def ranks(self) -> pl.Series:
        """UInt32 per row in text order; null where the value is missing, so that it sorts last."""
        texts = self.values
        order = texts.rank("dense").cast(pl.UInt32)
        order = pl.select(
            pl.when(texts.is_in(list(MISSING))).then(None).otherwise(order).alias("rank")
        ).to_series()
        return order.gather(self.codes)

    def texts(self) -> pl.Series:
        """String per row; N/A where the file lacks the column."""
        return self.values.gather(self.codes).fill_null(NOT_AVAILABLE)


Values = pl.Series | TextColumn


def clean_text(raw: pl.Expr) -> pl.Expr:
    return raw.str.strip_chars(PADDING).str.replace_all(LINE_BREAK, "\n", literal=True)


def _exact_ns(text: pl.Expr, ns_per_unit: int) -> pl.Expr:
    """Decimal text to Int64 ns by integers alone; up to 19 digits before the point."""
    digits = len(str(ns_per_unit)) - 1
    parts = text.str.splitn(".", 2)
    whole = parts.struct.field("field_0").cast(pl.Int64, strict=False)
    rest = parts.struct.field("field_1").fill_null("")
    if not digits:
        return whole
    fraction = rest.str.pad_end(digits, "0").str.slice(0, digits).cast(pl.Int64, strict=False)
    signed = pl.when(text.str.starts_with("-")).then(-fraction).otherwise(fraction)
    return whole * ns_per_unit + signed


def expression(column: Column, raw: pl.Expr, categories: pl.Categories) -> pl.Expr:
    """The typed values of a column from its raw cells (String, null for an empty cell)."""
    if column.kind == "text":
        return clean_text(raw.fill_null("")).cast(pl.Categorical(categories))
    text = raw.str.strip_chars(PADDING)
    if column.kind == "int":
        return text.cast(pl.Int64, strict=False)
    if column.kind == "decimal":
        return text.cast(pl.Float64, strict=False)
    rough = (text.cast(pl.Float64, strict=False) * column.ns_per_unit).round().clip(-_LARGEST, _LARGEST)
    if column.kind == "time":
        return _exact_ns(text, column.ns_per_unit).fill_null(rough.cast(pl.Int64, strict=False))
    return rough.cast(pl.Int64, strict=False)


def needs_exact(column: Column, values: pl.Series) -> bool:
    """Whether durations are so long that Float64 may have lost a digit (or wrapped unsigned numbers)."""
    if column.kind != "duration" or values.is_empty():
        return False
    largest = values.abs().max()
    return isinstance(largest, int) and largest >= _EXACT_FLOAT


def exact_durations(column: Column, texts: pl.Series) -> pl.Series:
    """Int64 ns of the few rows whose durations Float64 can't carry, from their raw texts."""
    distinct = texts.unique()
    exact = [None if text is None else to_ns(text.strip(PADDING), column.ns_per_unit) for text in distinct]
    if column.id == "reduce_duration":
        exact = [None if ns is None else abs(ns) for ns in exact]
    return texts.replace_strict(distinct, pl.Series(exact, dtype=pl.Int64), return_dtype=pl.Int64)


def new_categories() -> pl.Categories:
    """Categories of one column of one table, so that its codes are dense."""
    return pl.Categories(f"prof-tui-{uuid.uuid4().hex}")


def encode(codes: pl.Series, categories: pl.Categories) -> TextColumn:
    """Physical codes (UInt32) of a Categorical with ``categories`` of its own, in the narrowest type."""
    values = categories.to_series()
    narrow = pl.UInt8 if len(values) < 1 << 8 else pl.UInt16 if len(values) < 1 << 16 else pl.UInt32
    return TextColumn(codes.cast(narrow), values)
