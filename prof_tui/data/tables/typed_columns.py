"""A whole column as typed values: Int64 for times (ns), durations (ns) and ids, codes for texts.

The same readings as ``cell_values`` has for one cell, as polars expressions over a frame of texts.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from prof_tui.data.tables.cells import LINE_BREAK, MISSING, PADDING, is_wrapped, to_int, to_ns
from prof_tui.data.tables.columns import Column
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
Numbers = TypeVar("Numbers", pl.Series, pl.Expr)


PARSED: dict[str, type[pl.DataType]] = {"decimal": pl.Float64, "duration": pl.Float64, "int": pl.Int64}
"""By kind, the type as which the CSV reader itself may parse cells, in half the time; texts elsewhere."""


def parsed(column: Column, raw: pl.Expr) -> pl.Expr:
    """Raw cells (String) as ``PARSED`` has them, null for what is no such number; unchanged elsewhere."""
    dtype = PARSED.get(column.kind)
    return raw if dtype is None else raw.str.strip_chars(PADDING).cast(dtype, strict=False)


def expression(column: Column, cells: pl.Expr, categories: pl.Categories) -> pl.Expr:
    """The typed values of a column from cells as ``PARSED`` has them.

    The quick reading: right for every cell that ``doubtful`` doesn't name, and for texts once
    ``clean_codes`` has seen to them.
    """
    if column.kind == "text":
        return cells.cast(pl.Categorical(categories))
    if column.kind == "decimal":
        return cells.fill_nan(None)
    if column.kind == "time":
        return scaled(column, _unpadded(cells))
    if column.kind == "duration":
        return (cells * column.ns_per_unit).round().cast(pl.Int64, strict=False)
    return cells


def doubtful(column: Column, raw: pl.Expr, cells: pl.Expr, values: pl.Expr) -> pl.Expr | None:
    """Boolean per cell: ``values`` can't answer for it; None where they always can.

    ``raw``: the cell as it was read, ``cells`` as ``PARSED`` has it: one and the same where the CSV
    reader parsed it, and then there is no cell that it could not read.
    """
    if column.kind in ("text", "decimal") or (column.kind == "int" and raw is cells):
        return None
    if column.kind == "int":
        return _unread(raw, values)
    if column.kind == "time":
        odd = _unpadded(raw).str.contains(rf"[eE]|\.\d{{{decimals_of(column) + 1}}}")
        return (odd | _unread(raw, values)).fill_null(False)
    ns = cells * column.ns_per_unit
    off = _beside_half(ns) | ~(ns.abs() < _EXACT_NS)
    return (off if raw is cells else off | _unread(raw, values)).fill_null(False)


def _unread(raw: pl.Expr, values: pl.Expr) -> pl.Expr:
    """Boolean per raw cell: it says something that became no value."""
    return (values.is_null() & (raw != NOT_AVAILABLE) & (raw != "")).fill_null(False)


def _unpadded(raw: pl.Expr) -> pl.Expr:
    return raw.str.strip_chars(PADDING)


def scaled(column: Column, texts: pl.Expr) -> pl.Expr:
    """Int64 ns of unpadded numbers in the column's unit, without a float in between; else null."""
    exact = texts.cast(pl.Decimal(38, decimals_of(column)), strict=False)
    return exact.to_physical().cast(pl.Int64, strict=False)


def decimals_of(column: Column) -> int:
    """Digits behind the point that a whole number of ns may have."""
    return len(str(column.ns_per_unit)) - 1


def _beside_half(ns: Numbers) -> Numbers:
    return ((ns - ns.floor()) - 0.5).abs() < _HALF


def durations_of(numbers: pl.Series, column: Column) -> pl.Series | None:
    """Int64 ns of durations in the column's unit (Float64); None where a float may be a ns off."""
    ns = numbers * column.ns_per_unit
    if _beside_half(ns).any() or not (ns.abs() < _EXACT_NS).all():
        return None
    return ns.round().cast(pl.Int64)


def clean_codes(codes: pl.Series, categories: pl.Categories) -> pl.Series:
    """Codes (UInt32) of the texts without padding and with their line breaks; an empty one for null."""
    categorical = pl.Categorical(categories)
    if codes.null_count():
        [empty] = pl.Series([""], dtype=categorical).to_physical()
        codes = codes.fill_null(empty)
    texts = categories.to_series()
    clean = texts.str.strip_chars(PADDING).str.replace_all(LINE_BREAK, "\n", literal=True)
    return codes if (clean == texts).all() else clean.cast(categorical).to_physical().gather(codes)


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
