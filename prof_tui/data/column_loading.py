"""Columns of one store, typed in one pass over a lazy frame of raw texts."""

from collections.abc import Sequence

import polars as pl

from prof_tui.data.cell_values import PADDING, is_wrapped
from prof_tui.data.column_values import exact_durations, expression, needs_exact
from prof_tui.data.columns import Column
from prof_tui.data.csv_text import Tally

_SAFE_DIGITS = 15
"""Decimal texts up to this length go through Float64 unharmed."""

Wanted = tuple[Column, str, pl.Categories]
"""A column, the name of its texts in the frame, and the categories of its values."""


def typed_columns(
    frame: pl.LazyFrame, wanted: Sequence[Wanted], tally: Tally, extra: Sequence[pl.Expr] = ()
) -> list[pl.Series]:
    """One Series per wanted column, then one per ``extra`` expression.

    Text columns come as UInt32 codes of their categories; ``tally`` takes up wrapped numbers.
    """
    columns = [
        expression(column, pl.col(name), own).alias(str(i)) for i, (column, name, own) in enumerate(wanted)
    ]
    tail = [expr.alias(f"extra {i}") for i, expr in enumerate(extra)]
    result = frame.select(*columns, *tail).collect(engine="streaming").get_columns()
    typed = [
        _finished(frame, item, series, tally)
        for item, series in zip(wanted, result[: len(wanted)], strict=True)
    ]
    return typed + result[len(wanted) :]


def _finished(frame: pl.LazyFrame, item: Wanted, values: pl.Series, tally: Tally) -> pl.Series:
    column, name, _own = item
    if column.kind == "text":
        return values.to_physical()
    if not needs_exact(column, values):
        return values
    odd = frame.with_row_index("row").filter(pl.col(name).str.len_bytes() > _SAFE_DIGITS).select("row", name)
    found = odd.collect(engine="streaming")
    tally.wrapped += sum(is_wrapped(text.strip(PADDING)) for text in found[name])
    return values.scatter(found["row"], exact_durations(column, found[name]))


def scatter_texts(
    column: Column, own: pl.Categories, values: pl.Series, rows: Sequence[int], texts: list[str]
) -> pl.Series:
    """``values`` with those of ``rows`` replaced by what ``texts`` say."""
    if not rows:
        return values
    [fixed] = typed_columns(
        pl.DataFrame({"t": pl.Series(texts, dtype=pl.String)}).lazy(), [(column, "t", own)], Tally()
    )
    return values.scatter(pl.Series(rows, dtype=pl.UInt32), fixed)
