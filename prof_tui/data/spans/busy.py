"""How long ops kept a device busy, as a union of intervals, asked for many windows at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class BusyTimes:
    """A set of ops; all columns Int64 ns, in the order of their starts."""

    starts: pl.Series
    reach: pl.Series
    """The latest end of all ops up to this one."""
    covered: pl.Series
    """The length of the union of all ops up to this one."""

    def until(self, moments: pl.Series) -> pl.Series:
        """The length of the union before each moment.

        Ops that began before a moment and go on behind it cover it without a hole, so what they cover
        behind it is from the moment to their latest end.
        """
        begun = self.begun(moments)
        if not len(self.starts):
            return begun
        place = (begun - 1).clip(0)
        behind = (self.reach.gather(place) - moments).clip(0)
        return (self.covered.gather(place) - behind) * (begun > 0).cast(pl.Int64)

    def begun(self, moments: pl.Series) -> pl.Series:
        """How many ops began before each moment."""
        return self.starts.search_sorted(moments, side="left").cast(pl.Int64)

    def within(self, begins: pl.Series, ends: pl.Series) -> pl.Series:
        """The length of the union in each window [begin, end)."""
        return self.until(ends) - self.until(begins)


def busy_times(ops: pl.DataFrame, selections: Sequence[pl.Expr]) -> list[BusyTimes]:
    """Of each selection (Boolean) of ops with ``start`` and ``ns``, worked out beside each other.

    The ops are in the order of their starts; no ``ns`` is negative.
    """
    before = pl.col("reach").shift(1, fill_value=pl.col("start").first())
    new = pl.col("reach") - pl.max_horizontal("start", before)
    plans = [
        ops.lazy()
        .filter(selection)
        .select("start", reach=(pl.col("start") + pl.col("ns")).cum_max())
        .with_columns(covered=new.clip(0).cum_sum())
        for selection in selections
    ]
    return [BusyTimes(*frame.get_columns()) for frame in pl.collect_all(plans)]
