"""A condition on a column as a mask over all row numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation

import polars as pl

from prof_tui.data.iterations.placement import Placement
from prof_tui.data.query.query import Iterations, OneOf, Query, Where
from prof_tui.data.tables.cells import MISSING
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.typed_columns import TextColumn
from prof_tui.errors import UsageError
from prof_tui.words import NOT_AVAILABLE, _, microseconds


def check(table: Table, where: Where) -> None:
    """UsageError where ``mask_of`` would raise one, before any row is read."""
    column = table.column(where.column)
    if column.kind == "text":
        if where.operator not in ("=", "!=", "~", "!~"):
            raise _no_order(column, where)
    elif where.operator not in ("~", "!~") and where.value not in MISSING:
        _number(column, where.value)


def mask_of(table: Table, condition: Where | OneOf) -> pl.Series:
    """Boolean per row number; UsageError for an unknown column or a value that can't be compared with it."""
    column = table.column(condition.column)
    if isinstance(condition, OneOf):
        return _one_of(table, column, condition.values)
    values = table.keys(column)
    if isinstance(values, TextColumn):
        return _text_mask(values, column, condition)
    return _number_mask(values, column, condition)


def near_sentences(table: Table, query: Query) -> tuple[str, ...]:
    """For each ``=`` of a query that no row of the table fulfils what it may mean."""
    text = _("No row has {condition}; near: {values}.")
    return tuple(
        text.format(condition=condition, values=", ".join(near))
        for condition in query.filters
        if isinstance(condition, Where)
        and condition.operator == "="
        and not mask_of(table, condition).any()
        and (near := _near_values(table, condition))
    )


_MOST_NEAR = 3
_TRAILING = re.compile(r"[\s_\d]+$")


def _near_values(table: Table, where: Where) -> list[str]:
    """Values of the column that a ``=`` which holds for no row may mean; of numbers the nearest one.

    Those that differ in case, blanks or the digits at the end alone, three at most, in text order.
    """
    column = table.column(where.column)
    if where.value in MISSING:
        return []
    values = table.keys(column)
    if not isinstance(values, TextColumn):
        return _nearest_number(values, column, where.value)
    known = [text for text in values.values.unique().to_list() if text]
    for same in (_like, _without_digits):
        near = sorted(text for text in known if same(text) == same(where.value))
        if near:
            return near[:_MOST_NEAR]
    return []


def _like(text: str) -> str:
    return "".join(text.casefold().split())


def _without_digits(text: str) -> str:
    return _like(_TRAILING.sub("", text))


def _nearest_number(values: pl.Series, column: Column, text: str) -> list[str]:
    wanted, known = _number(column, text), values.drop_nulls().unique()
    if known.is_empty():
        return []
    place = (known - (float(wanted) if known.dtype == pl.Float64 else int(wanted))).abs().arg_min()
    near = known[place or 0]
    return [microseconds(near) if column.kind in ("time", "duration") and column.unit == "us" else str(near)]


def iterations_mask(device: pl.Series, placement: Placement, condition: Iterations) -> pl.Series:
    """Boolean per row number; ``device`` is that of each row, a device or model None that of rows without."""
    mask = pl.Series([False]).new_from_index(0, len(device))
    for own in condition.firsts:
        of_model = _same(device, own.device) & _same(placement.model, own.model)
        counts = placement.iteration >= own.first
        if own.last is not None:
            counts = counts & (placement.iteration <= own.last)
        if own.without:
            counts = counts & ~placement.iteration.is_in(list(own.without))
        mask = mask | (of_model & counts.fill_null(False))
    return mask


def _same(numbers: pl.Series, wanted: int | None) -> pl.Series:
    return numbers.is_null() if wanted is None else (numbers == wanted).fill_null(False)


def contains(values: TextColumn, text: str) -> pl.Series:
    """Boolean per row: whether its text contains ``text``, case ignored."""
    return values.matching(containing(values.values, text))


def containing(texts: pl.Series, text: str) -> pl.Series:
    """Boolean per text: whether it contains ``text``, case ignored."""
    return texts.str.to_lowercase().str.contains(text.lower(), literal=True)


def same_values(table: Table, column: Column, words: Sequence[str]) -> tuple[str, ...]:
    """The values of a text column that words mean, case ignored; a word that no row has as it is."""
    values = table.keys(column)
    if not isinstance(values, TextColumn):
        return tuple(words)
    known: dict[str, list[str]] = {}
    for text in dict.fromkeys([*values.values.drop_nulls().to_list(), NOT_AVAILABLE]):
        known.setdefault(text.casefold(), []).append(text)
    return tuple(dict.fromkeys(text for word in words for text in known.get(word.casefold(), [word])))


def _one_of(table: Table, column: Column, wanted: tuple[str, ...]) -> pl.Series:
    values = table.keys(column)
    if not isinstance(values, TextColumn):
        masks = [_number_mask(values, column, Where(column.header, "=", value)) for value in wanted]
        return _any(masks, len(values))
    mask = values.matching(values.values.is_in(list(wanted)))
    return mask | values.codes.is_null() if NOT_AVAILABLE in wanted else mask


def _any(masks: list[pl.Series], length: int) -> pl.Series:
    result = pl.Series([False]).new_from_index(0, length)
    for mask in masks:
        result = result | mask
    return result


def _text_mask(values: TextColumn, column: Column, where: Where) -> pl.Series:
    missing = values.matching(values.values == NOT_AVAILABLE) | values.codes.is_null()
    if where.operator in ("=", "!="):
        same = missing if where.value == NOT_AVAILABLE else values.matching(values.values == where.value)
        return same if where.operator == "=" else ~same
    if where.operator in ("~", "!~"):
        found = contains(values, where.value)
        return found if where.operator == "~" else ~(found | missing)
    raise _no_order(column, where)


def _no_order(column: Column, where: Where) -> UsageError:
    text = _("{column} is text: compare it with =, !=, ~ or !~, not {operator}.")
    return UsageError(text.format(column=column.header, operator=where.operator))


def _number_mask(values: pl.Series, column: Column, where: Where) -> pl.Series:
    missing = values.is_null()
    if where.operator in ("~", "!~"):
        found = containing(_as_texts(values, column), where.value).fill_null(False)
        return found if where.operator == "~" else ~(found | missing)
    if where.value in MISSING:
        if where.operator not in ("=", "!="):
            return pl.Series([False]).new_from_index(0, len(values))
        return missing if where.operator == "=" else ~missing
    compared = _compare(values, where.operator, _number(column, where.value)).fill_null(False)
    return compared | missing if where.operator == "!=" else compared


def _number(column: Column, text: str) -> Decimal:
    try:
        value = Decimal(text.replace(",", ""))
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite():
        raise UsageError(
            _("{value!r} is not a number: {column} holds numbers.").format(value=text, column=column.header)
        )
    return value * column.ns_per_unit if column.kind in ("time", "duration") else value


def _compare(values: pl.Series, operator: str, wanted: Decimal) -> pl.Series:
    """Exact for integers: a wanted value between two of them is rounded to the side that keeps the answer."""
    if values.dtype == pl.Float64:
        return _apply(values, operator, float(wanted))
    values = values.cast(pl.Int64)  # a narrower type refuses to be compared with what it can't hold
    if operator in ("=", "!=") and wanted != wanted.to_integral_value():
        return pl.Series([operator == "!="]).new_from_index(0, len(values))
    rounded = math.floor(wanted) if operator in (">", "<=") else math.ceil(wanted)
    return _apply(values, operator, max(-(1 << 63), min(rounded, (1 << 63) - 1)))


_COMPARE: dict[str, Callable[[pl.Series, float], pl.Series]] = {
    "=": lambda series, wanted: series == wanted,
    "!=": lambda series, wanted: series != wanted,
    "<": lambda series, wanted: series < wanted,
    "<=": lambda series, wanted: series <= wanted,
    ">": lambda series, wanted: series > wanted,
    ">=": lambda series, wanted: series >= wanted,
}


def _apply(values: pl.Series, operator: str, wanted: float) -> pl.Series:
    return _COMPARE[operator](values, wanted)


def _as_texts(values: pl.Series, column: Column) -> pl.Series:
    """Numbers as texts: times in microseconds with three decimals, those of a column in ns as whole ns."""
    if column.kind not in ("time", "duration") or column.unit == "ns":
        return values.cast(pl.String)
    ns = pl.col("ns")
    sign = pl.when(ns < 0).then(pl.lit("-")).otherwise(pl.lit(""))
    whole, rest = ns.abs() // 1000, ns.abs() % 1000
    text = sign + whole.cast(pl.String) + "." + rest.cast(pl.String).str.zfill(3)
    return values.alias("ns").to_frame().select(text.alias("text"))["text"]
