"""A whole column as typed values: Int64 for times (ns), durations (ns) and ids, codes for texts.

The same readings as ``cell_values`` has for one cell, as polars expressions over a frame of texts.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import polars as pl

from prof_tui.data.cell_values import LINE_BREAK, MISSING, PADDING, is_wrapped, to_int, to_ns
from prof_tui.data.columns import Column
from prof_tui.words import NOT_AVAILABLE

_EXACT_NS = 1 << 50
"""Up to this many ns (13 days) a Float64 of microseconds still tells one ns from the next."""
_HALF = 1e-3
"""So close to half a ns Float64 may round to the wrong side."""


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


def expression(column: Column, raw: pl.Expr, categories: pl.Categories) -> pl.Expr:
    """The typed values of a column from its raw cells (String, null for an empty cell).

    The quick reading: right for every cell that ``doubtful`` doesn't name.
    """
    if column.kind == "text":
        return clean_text(raw.fill_null("")).cast(pl.Categorical(categories))
    text = raw.str.strip_chars(PADDING)
    if column.kind == "decimal":
        return text.cast(pl.Float64, strict=False).fill_nan(None)
    if column.kind == "int":
        return text.cast(pl.Int64, strict=False)
    if column.kind == "time":
        return _integer_ns(text, column.ns_per_unit)
    return _float_ns(text, column.ns_per_unit).round().cast(pl.Int64, strict=False)


def _float_ns(text: pl.Expr, ns_per_unit: int) -> pl.Expr:
    return text.cast(pl.Float64, strict=False) * ns_per_unit


def _integer_ns(text: pl.Expr, ns_per_unit: int) -> pl.Expr:
    """Digits before and behind the point as integers, so that no float comes near a time; else null."""
    digits = len(str(ns_per_unit)) - 1
    parts = text.str.splitn(".", 2)
    whole, behind = parts.struct.field("field_0"), parts.struct.field("field_1").fill_null("")
    plain = (whole.str.len_bytes() <= _PLAIN_DIGITS) & (behind.str.len_bytes() <= digits)
    if not digits:
        return pl.when(plain).then(whole.cast(pl.Int64, strict=False))
    rest = behind.str.pad_end(digits, "0").cast(pl.UInt32, strict=False).cast(pl.Int64)
    ns = whole.cast(pl.Int64, strict=False) * ns_per_unit + rest
    return pl.when(plain & ~whole.str.starts_with("-")).then(ns)


def durations_of(numbers: pl.Series, column: Column) -> pl.Series | None:
    """Int64 ns of durations in the column's unit (Float64); None where a float may be a ns off."""
    ns = numbers * column.ns_per_unit
    beside_half = ((ns - ns.floor()) - 0.5).abs() < _HALF
    if beside_half.any() or not (ns.abs() < _EXACT_NS).all():
        return None
    return ns.round().cast(pl.Int64)


def _says_something(raw: pl.Expr) -> pl.Expr:
    return (raw != NOT_AVAILABLE) & (raw != "")


_PLAIN_DIGITS = 16
"""Digits before the point that stay within an Int64 of ns in any unit up to microseconds."""


def doubtful(column: Column, raw: pl.Expr, values: pl.Expr) -> pl.Expr | None:
    """Boolean per cell: the quick reading (``values``) can't answer for it; None where it always can."""
    if column.kind in ("text", "decimal"):
        return None
    unread = values.is_null() & _says_something(raw)
    if column.kind != "duration":
        return unread.fill_null(False)
    ns = _float_ns(raw.str.strip_chars(PADDING), column.ns_per_unit)
    beside_half = ((ns - ns.floor()) - 0.5).abs() < _HALF
    return (unread | beside_half | ~(ns.abs() < _EXACT_NS)).fill_null(False)


def exact_values(column: Column, texts: pl.Series) -> pl.Series:
    """Int64 from raw cells by exact arithmetic, as ``cell_values`` reads one."""
    distinct = texts.unique()
    exact = [_exact(column, (text or "").strip(PADDING)) for text in distinct]
    return texts.replace_strict(distinct, pl.Series(exact, dtype=pl.Int64), return_dtype=pl.Int64)


def _exact(column: Column, text: str) -> int | None:
    if column.kind == "int":
        return to_int(text.removeprefix("NPU:") if column.id == "device_id" else text)
    ns = to_ns(text, column.ns_per_unit)
    turned = column.id == "reduce_duration" and is_wrapped(text, column.ns_per_unit)
    return -ns if ns is not None and turned else ns


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
