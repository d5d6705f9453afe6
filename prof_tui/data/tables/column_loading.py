"""Columns of one store, typed in one pass over a lazy frame of raw texts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.tables.cells import PADDING, is_wrapped
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.repairs import Tally
from prof_tui.data.tables.typed_columns import clean_codes, doubtful, exact_values, expression, parsed

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
        each if name in parsed_names else parsed(column, each)
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
    return Scanned(
        [kept_values(result[f"column {i}"], own) for i, (_column, _name, own) in enumerate(wanted)],
        {i: rows for i, rows in found.items() if len(rows)},
        result["suspect"].arg_true() if suspect is not None else pl.Series([], dtype=pl.UInt32),
        result.height,
    )


def kept_values(values: pl.Series, categories: pl.Categories) -> pl.Series:
    """As ``Scanned`` has them."""
    is_text = isinstance(values.dtype, pl.Categorical)
    return clean_codes(values.to_physical(), categories) if is_text else values


def settled(
    frame: pl.LazyFrame,
    wanted: Sequence[Wanted],
    scanned: Scanned,
    tally: Tally,
    uncounted: Collection[int] = (),
) -> list[pl.Series]:
    """The scanned values with doubtful cells read exactly; ``tally`` takes up wrapped and rounded numbers.

    Those of the rows ``uncounted`` are not taken up.
    """
    values = list(scanned.values)
    for i, rows in scanned.doubts.items():
        column, name, _own = wanted[i]
        numbered = frame.select(name).with_row_index("row")
        found = numbered.filter(pl.col("row").is_in(rows.implode())).collect(engine="streaming")
        values[i] = values[i].scatter(found["row"], exact_values(column, found[name]))
        for row, text in found.iter_rows():
            if row not in uncounted:
                _count(column, (text or "").strip(PADDING), tally)
    return values


def _count(column: Column, text: str, tally: Tally) -> None:
    if column.kind == "duration" and is_wrapped(text, column.ns_per_unit):
        tally.wrapped += 1
    elif column.kind == "time" and "E+" in text.upper():
        tally.rounded += 1


def typed_columns(frame: pl.LazyFrame, wanted: Sequence[Wanted], tally: Tally) -> list[pl.Series]:
    """One Series per wanted column; text columns come as UInt32 codes of their categories."""
    return settled(frame, wanted, scan(frame, wanted), tally)


def replaced(
    values: pl.Series, item: Wanted, rows: Sequence[int], texts: list[str], tally: Tally
) -> pl.Series:
    """``values`` of a column with those of ``rows`` replaced by what ``texts`` say."""
    if not rows:
        return values
    frame = pl.DataFrame({item[1]: pl.Series(texts, dtype=pl.String)}).lazy()
    [fixed] = typed_columns(frame, [item], tally)
    return values.scatter(pl.Series(rows, dtype=pl.UInt32), fixed)
