"""Columns of one store, typed in one pass over a lazy frame of raw texts."""

from collections.abc import Sequence

import polars as pl

from prof_tui.data.column_values import expression, oddity
from prof_tui.data.columns import Column
from prof_tui.data.tally import Tally

Wanted = tuple[Column, str, pl.Categories]
"""A column, the name of its texts in the frame, and the categories of its values."""


def typed_columns(
    frame: pl.LazyFrame, wanted: Sequence[Wanted], tally: Tally, uncounted: Sequence[int] = ()
) -> list[pl.Series]:
    """One Series per wanted column; text columns come as UInt32 codes of their categories.

    ``tally`` takes up wrapped and rounded numbers, but for those of the rows ``uncounted``.
    """
    columns = [
        expression(column, pl.col(name), own).alias(f"column {i}")
        for i, (column, name, own) in enumerate(wanted)
    ]
    oddities = {
        i: odd.alias(f"odd {i}")
        for i, (column, name, _own) in enumerate(wanted)
        if (odd := oddity(column, pl.col(name))) is not None
    }
    result = frame.select(*columns, *oddities.values()).collect(engine="streaming")
    for i in oddities:
        found = result[f"odd {i}"]
        tally.count_odd(wanted[i][0].kind, int(found.sum()) - int(found.gather(list(uncounted)).sum()))
    typed = [result[f"column {i}"] for i in range(len(wanted))]
    return [series.to_physical() if isinstance(series.dtype, pl.Categorical) else series for series in typed]


def replaced(
    values: pl.Series, item: Wanted, rows: Sequence[int], texts: list[str], tally: Tally
) -> pl.Series:
    """``values`` of a column with those of ``rows`` replaced by what ``texts`` say."""
    if not rows:
        return values
    frame = pl.DataFrame({item[1]: pl.Series(texts, dtype=pl.String)}).lazy()
    [fixed] = typed_columns(frame, [item], tally)
    return values.scatter(pl.Series(rows, dtype=pl.UInt32), fixed)
