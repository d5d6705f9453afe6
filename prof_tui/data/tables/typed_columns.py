"""A whole column as typed values: Int64 for times (ns), durations (ns) and ids, codes for texts.

The same readings as ``cells`` has for one cell, as polars expressions over a frame of texts.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from prof_tui.data.tables.cells import (
    LINE_BREAK,
    MISSING,
    PADDING,
    is_wrapped,
    to_float,
    to_id,
    to_int,
    to_ns,
)
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.repairs import OddCells, Tally
from prof_tui.words import NOT_AVAILABLE

_EXACT_NS = 1 << 50
"""Up to this many ns (13 days) a Float64 of microseconds still tells one ns from the next."""
_HALF = 1e-3
"""Float64 may round to the wrong side so close to half a ns."""


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


def parse_cells(column: Column, raw: pl.Expr) -> pl.Expr:
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
    if column.kind == "time":
        return scale(column, _unpadded(cells))
    if column.kind == "duration":
        return (cells * column.ns_per_unit).round().cast(pl.Int64, strict=False)
    return cells


def doubtful(column: Column, raw: pl.Expr, cells: pl.Expr, values: pl.Expr) -> pl.Expr | None:
    """Boolean per cell: ``values`` can't answer for it; None where they always can.

    ``raw``: the cell as it was read, ``cells`` as ``PARSED`` has it: one and the same where the CSV
    reader parsed it, and then there is no cell that it could not read.
    """
    if column.kind == "text" or (column.kind in ("int", "decimal") and raw is cells):
        return None
    if column.kind in ("int", "decimal"):
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


def scale(column: Column, texts: pl.Expr) -> pl.Expr:
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
    """Int64 or Float64 from unpadded cells by exact arithmetic, as ``cells`` reads one."""
    distinct = texts.unique()
    dtype = pl.Float64 if column.kind == "decimal" else pl.Int64
    exact = pl.Series([_exact(column, text) for text in distinct], dtype=dtype)
    return texts.replace_strict(distinct, exact, return_dtype=dtype)


def _exact(column: Column, text: str) -> float | None:
    if column.kind == "decimal":
        return to_float(text)
    if column.kind == "int":
        text = text.removeprefix("NPU:") if column.id == "device_id" else text
        return to_id(text) if column.spec.group == "identity" else to_int(text)
    ns, wrapped = to_ns(text, column.ns_per_unit), is_wrapped(text, column.ns_per_unit)
    if wrapped and column.kind == "time":  # nothing was subtracted from it
        return None
    return -ns if ns is not None and wrapped and column.id == "reduce_duration" else ns


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


Wanted = tuple[Column, str, pl.Categories]
"""A column, the name of its texts in the frame, and the categories of its values."""


@dataclass(frozen=True)
class Scanned:
    """What one pass over a frame gave."""

    values: list[pl.Series]
    """Per wanted column: Int64, Float64, or UInt32 codes of the categories; doubtful cells not yet right."""
    doubts: dict[int, pl.Series]
    """Row numbers (UInt32) of doubtful cells, by place of the column; none for most."""
    suspects: pl.Series
    """Row numbers for which ``suspect`` holds."""
    height: int


def scan(
    frame: pl.LazyFrame,
    wanted: Sequence[Wanted],
    suspect: pl.Expr | None = None,
    *,
    parsed_names: Collection[str] = (),
) -> Scanned:
    """Read the wanted columns by the quick way, and which cells and rows need another look.

    ``parsed_names``: the columns of the frame whose cells are as ``PARSED`` has them, not texts.
    """
    raw = [pl.col(name) for _column, name, _own in wanted]
    cells = [
        each if name in parsed_names else parse_cells(column, each)
        for (column, name, _own), each in zip(wanted, raw, strict=True)
    ]
    read = [expression(column, each, own) for (column, _name, own), each in zip(wanted, cells, strict=True)]
    doubts = {
        i: doubt
        for i, (column, _name, _own) in enumerate(wanted)
        if (doubt := doubtful(column, raw[i], cells[i], read[i])) is not None
    }
    flag = pl.lit(False) if suspect is None else suspect
    result = frame.select(
        *(each.alias(f"column {i}") for i, each in enumerate(read)),
        *(each.alias(f"doubt {i}") for i, each in doubts.items()),
        *([] if suspect is None and wanted else [flag.alias("suspect")]),
    ).collect(engine="streaming")
    found = {i: result[f"doubt {i}"].arg_true() for i in doubts}
    for i, (column, _name, _own) in enumerate(wanted):
        if column.kind == "decimal" and not _is_finite(numbers := result[f"column {i}"]):
            rows = (~numbers.is_finite()).arg_true()
            found[i] = pl.concat([found[i], rows]).sort() if i in found else rows
    return Scanned(
        [finish_values(result[f"column {i}"], own) for i, (_column, _name, own) in enumerate(wanted)],
        {i: rows for i, rows in found.items() if len(rows)},
        result["suspect"].arg_true() if suspect is not None else pl.Series([], dtype=pl.UInt32),
        result.height,
    )


def _is_finite(numbers: pl.Series) -> bool:
    """Whether all of them are; in an expression that takes several times as long."""
    return bool(numbers.is_finite().all())


def finish_values(values: pl.Series, categories: pl.Categories) -> pl.Series:
    """Values as ``Scanned`` has them: codes of clean texts, numbers as they are."""
    is_text = isinstance(values.dtype, pl.Categorical)
    return clean_codes(values.to_physical(), categories) if is_text else values


def settle(
    frame: pl.LazyFrame,
    wanted: Sequence[Wanted],
    scanned: Scanned,
    tally: Tally,
    uncounted: Collection[int] = (),
) -> list[pl.Series]:
    """The scanned values with doubtful cells read exactly; ``tally`` takes up what is odd about those.

    Those of the rows ``uncounted`` are not taken up.  A column that is read once more is counted anew.
    """
    values = list(scanned.values)
    for column, _name, _own in wanted:
        tally.odd_cells.pop(column.header, None)
    for i, rows in scanned.doubts.items():
        column, name, _own = wanted[i]
        numbered = frame.select(name).with_row_index("row")
        found = numbered.filter(pl.col("row").is_in(rows.implode())).collect(engine="streaming")
        texts = found[name].fill_null("").str.strip_chars(PADDING)
        exact = exact_values(column, texts)
        values[i] = values[i].scatter(found["row"], exact)
        odd = tally.odd_cells[column.header] = OddCells()
        for row, text, value in zip(found["row"], texts, exact, strict=True):
            if row not in uncounted:
                odd.take(column, row, text, value)
    return values


def typed_columns(frame: pl.LazyFrame, wanted: Sequence[Wanted], tally: Tally) -> list[pl.Series]:
    """One Series per wanted column; text columns come as UInt32 codes of their categories."""
    return settle(frame, wanted, scan(frame, wanted), tally)


def replace_rows(
    values: pl.Series, item: Wanted, rows: Sequence[int], texts: list[str], tally: Tally
) -> pl.Series:
    """``values`` of a column with those of ``rows`` replaced by what ``texts`` say."""
    if not rows:
        return values
    frame = pl.DataFrame({item[1]: pl.Series(texts, dtype=pl.String)}).lazy()
    own = Tally()
    [fixed] = typed_columns(frame, [item], own)
    for header, odd in own.odd_cells.items():
        tally.odd_cells.setdefault(header, OddCells()).add(odd, rows)
    return values.scatter(pl.Series(rows, dtype=pl.UInt32), fixed)


def skim(
    frame: pl.LazyFrame, wanted: Sequence[Wanted], parsed_names: Collection[str]
) -> list[pl.Series] | None:
    """Values as ``scan`` gives them; None where they may be wrong."""
    asked: list[pl.Expr] = []
    for i, item in enumerate(wanted):
        value, doubt = _quick(item, is_parsed=item[1] in parsed_names)
        asked.append(value.alias(f"column {i}"))
        if doubt is not None:
            asked.append(doubt.alias(f"doubt {i}"))
    result = frame.select(asked).collect(engine="streaming")
    for i, (column, _name, _own) in enumerate(wanted):
        values = result[f"column {i}"]
        unread = column.kind != "text" and values.null_count()
        if column.kind == "decimal" and not _is_finite(values):
            return None
        if unread or (f"doubt {i}" in result.columns and result[f"doubt {i}"].any()):
            return None
    return [finish_values(result[f"column {i}"], own) for i, (_column, _name, own) in enumerate(wanted)]


def _quick(item: Wanted, *, is_parsed: bool) -> tuple[pl.Expr, pl.Expr | None]:
    """The value of a cell, and whether that may be wrong; a time has all decimals, or is doubtful.

    Looking for more decimals in each text, as the exact reading does, takes a sixth of the time.
    """
    column, name, own = item
    raw, decimals = pl.col(name), decimals_of(column)
    if column.kind == "time" and decimals:
        text = raw.str.strip_chars_end(PADDING)
        return scale(column, text), text.str.slice(-decimals - 1, 1) != "."
    cells = raw if is_parsed else parse_cells(column, raw)
    value = expression(column, cells, own)
    return value, doubtful(column, raw, cells, value)
