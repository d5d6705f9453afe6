"""A whole column as typed values: Int64 for times (ns), durations (ns) and ids, codes for texts.

The same readings as ``cell_values`` has for one cell, as polars expressions over a frame of texts.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import polars as pl

from prof_tui.data.cell_values import LARGEST, LINE_BREAK, MISSING, PADDING, WRAP
from prof_tui.data.columns import Column
from prof_tui.words import NOT_AVAILABLE

_NUMBER = pl.Decimal(38, 15)
"""Holds every cell that an Int64 of ns can hold, and 15 digits behind its point."""


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


def _whole_ns(column: Column, text: pl.Expr) -> pl.Expr:
    """Decimal text as whole ns (Decimal), halves rounded away from zero: no float comes near a time."""
    number = text.cast(_NUMBER, strict=False)
    bounded = pl.when(number.abs() < WRAP).then(number)
    return (bounded * column.ns_per_unit).round(0, mode="half_away_from_zero")


def _ns(column: Column, text: pl.Expr) -> pl.Expr:
    """Int64 ns; a wrapped unsigned number is the negative one that it stands for, as in ``to_ns``."""
    ns = _whole_ns(column, text)
    wrapped = ns > LARGEST
    unwrapped = pl.when(ns >= WRAP).then(None).when(wrapped).then(ns - WRAP).otherwise(ns)
    result = unwrapped.cast(pl.Int64, strict=False)
    return pl.when(wrapped).then(-result).otherwise(result) if column.id == "reduce_duration" else result


def expression(column: Column, raw: pl.Expr, categories: pl.Categories) -> pl.Expr:
    """The typed values of a column from its raw cells (String, null for an empty cell)."""
    if column.kind == "text":
        return clean_text(raw.fill_null("")).cast(pl.Categorical(categories))
    text = raw.str.strip_chars(PADDING)
    if column.kind == "decimal":
        return text.cast(pl.Float64, strict=False).fill_nan(None)
    if column.kind == "int":
        return _int(text.str.strip_prefix("NPU:") if column.id == "device_id" else text)
    return _ns(column, text)


def _int(text: pl.Expr) -> pl.Expr:
    """Int64; UINT64_MAX and its like (quirk 8) become the largest Int64, so that they sort as the largest."""
    number = text.cast(pl.Decimal(38, 0), strict=False)
    bounded = pl.when(number > LARGEST).then(pl.lit(LARGEST)).otherwise(number.cast(pl.Int64, strict=False))
    return pl.when(number.is_not_null()).then(bounded)


def oddity(column: Column, raw: pl.Expr) -> pl.Expr | None:
    """Boolean per cell to be counted and said: a wrapped duration, a time as a rounded power of ten."""
    if column.kind == "duration":
        ns = _whole_ns(column, raw.str.strip_chars(PADDING))
        return ((ns > LARGEST) & (ns < WRAP)).fill_null(False)
    if column.kind == "time":
        return raw.str.contains("E+", literal=True).fill_null(False)
    return None


class Distinct:
    """The distinct values of one text column of one table, so that its codes are dense."""

    def __init__(self) -> None:
        self.categories = pl.Categories(f"prof-tui-{uuid.uuid4().hex}")
        self._alive = pl.Series(dtype=pl.Categorical(self.categories))
        """polars forgets the values of categories together with the last Series of them."""

    def encoded(self, codes: pl.Series) -> TextColumn:
        """Physical codes (UInt32) of these categories, in the narrowest type."""
        values = self.categories.to_series()
        narrow = pl.UInt8 if len(values) < 1 << 8 else pl.UInt16 if len(values) < 1 << 16 else pl.UInt32
        return TextColumn(codes.cast(narrow), values)
