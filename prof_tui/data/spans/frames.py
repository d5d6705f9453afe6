"""Arithmetic of time spans in columns: what ``prof_tui.data.spans.span`` does, for millions of them.

Spans are frames with begin_ns and end_ns (Int64), half open; spans that only touch don't overlap.  A
*union* is sorted and disjoint, its spans don't touch.  Where only the length of a union is wanted, it is
looked up in ``Coverage``, or added up slice by slice in ``GrowingUnion``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.span import Span

NO_SPANS = pl.DataFrame(schema={"begin_ns": pl.Int64, "end_ns": pl.Int64})
_WIDEST = 1 << 62
"""What keys and times together may take of an Int64."""


def spans_of(begins: pl.Series, ends: pl.Series) -> pl.DataFrame:
    """Two columns as spans, the empty ones too."""
    return pl.DataFrame({"begin_ns": begins, "end_ns": ends}, schema=NO_SPANS.schema)


def union_of(spans: pl.DataFrame) -> pl.DataFrame:
    """The union of any spans; touching ones joined, empty ones left out."""
    ordered = spans.filter(pl.col("begin_ns") < pl.col("end_ns")).sort("begin_ns")
    latest = ordered["end_ns"].cum_max()
    first = (ordered["begin_ns"] > latest.shift(1)).fill_null(True)
    return spans_of(ordered["begin_ns"].filter(first), latest.filter(first.shift(-1, fill_value=True)))


def clipped(spans: pl.DataFrame, window: Span) -> pl.DataFrame:
    """What of a union lies in a window."""
    begin_ns, end_ns = window
    touched = (pl.col("end_ns") > begin_ns) & (pl.col("begin_ns") < end_ns)
    inside = spans.filter(touched & pl.lit(begin_ns < end_ns))
    return inside.with_columns(pl.col("begin_ns").clip(begin_ns), pl.col("end_ns").clip(None, end_ns))


def lie_within(spans: pl.DataFrame, others: pl.DataFrame) -> pl.Series:
    """Boolean per span: whether one of the others holds all of it; a span with a null bound lies in none."""
    ordered = others.drop_nulls().sort("begin_ns")
    if ordered.is_empty():
        return pl.Series([False]).new_from_index(0, len(spans))
    place = ordered["begin_ns"].search_sorted(spans["begin_ns"], side="right").cast(pl.Int64) - 1
    reach = ordered["end_ns"].cum_max().gather(place.clip(0))
    return ((place >= 0) & (reach >= spans["end_ns"])).fill_null(False)


def subtracted(spans: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """What of a union another union leaves, as a union."""
    edges = pl.concat(
        [
            _edges(spans["begin_ns"], own=1),
            _edges(spans["end_ns"], own=-1),
            _edges(others["begin_ns"], other=1),
            _edges(others["end_ns"], other=-1),
        ]
    ).sort("at")
    left = (edges["own"].cum_sum() > 0) & (edges["other"].cum_sum() == 0)
    pieces = spans_of(edges["at"], edges["at"].shift(-1)).filter(left)
    return union_of(pieces)


@dataclass(frozen=True)
class Coverage:
    """How long spans cover the time up to any moment; all columns Int64 ns, in the order of the begins."""

    begins: pl.Series
    reach: pl.Series
    """The latest end of all spans up to this one."""
    covered: pl.Series
    """The length of the union of all spans up to this one."""

    def until(self, moments: pl.Series) -> pl.Series:
        """The length of the union before each moment.

        Spans that began before a moment and go on behind it cover it without a hole, so what they cover
        behind it is from the moment to their latest end.
        """
        begun = self.begun(moments)
        if not len(self.begins):
            return begun
        place = (begun - 1).clip(0)
        behind = (self.reach.gather(place) - moments).clip(0)
        return (self.covered.gather(place) - behind) * (begun > 0).cast(pl.Int64)

    def begun(self, moments: pl.Series) -> pl.Series:
        """How many spans began before each moment."""
        return self.begins.search_sorted(moments, side="left").cast(pl.Int64)

    def begun_within(self, begins: pl.Series, ends: pl.Series) -> pl.Series:
        """How many spans began in each window [begin, end)."""
        return self.begun(ends) - self.begun(begins)

    def within(self, begins: pl.Series, ends: pl.Series) -> pl.Series:
        """The length of the union in each window [begin, end)."""
        return self.until(ends) - self.until(begins)


def coverages(spans: pl.DataFrame, selections: Sequence[pl.Expr]) -> list[Coverage]:
    """The coverage of each selection (Boolean) of spans with ``start`` and ``ns``, worked out side by side.

    The spans are in the order of their starts; no ``ns`` is negative.
    """
    before = pl.col("reach").shift(1, fill_value=pl.col("start").first())
    new = pl.col("reach") - pl.max_horizontal("start", before)
    plans = [
        spans.lazy()
        .filter(selection)
        .select("start", reach=(pl.col("start") + pl.col("ns")).cum_max())
        .with_columns(covered=new.clip(0).cum_sum())
        for selection in selections
    ]
    return [Coverage(*frame.get_columns()) for frame in pl.collect_all(plans)]


def lengths_within(union: pl.DataFrame, windows: pl.DataFrame) -> pl.Series:
    """How much of each window a union takes, in ns (Int64, one per window); windows may overlap."""
    begins, ends = union["begin_ns"], union["end_ns"]
    coverage = Coverage(begins, ends, (ends - begins).cum_sum())
    return coverage.within(pl.Series(windows["begin_ns"]), pl.Series(windows["end_ns"]))


@dataclass
class GrowingUnion:
    """The length of the union of spans that come in slices, sorted by begin."""

    reached_ns: int
    """The latest end so far; before the first span, no later than its begin."""
    length_ns: int = 0

    def take(self, begins: pl.Series, ends: pl.Series) -> pl.Series:
        """Add a slice; the latest end before each of its spans."""
        if not len(begins):
            return begins
        reached = ends.cum_max().clip(self.reached_ns)
        before = reached.shift(1, fill_value=self.reached_ns)
        begin = pl.select(pl.max_horizontal(begins, before)).to_series()
        self.length_ns += int((reached - begin).sum())
        self.reached_ns = int(reached[-1])
        return before


def union_lengths(keys: pl.Series, spans: pl.DataFrame) -> pl.DataFrame:
    """Length of the union of the spans of each key: key UInt32, union_ns Int64; a key of none is left out.

    ``keys`` are small whole numbers from 0, one per span.
    """
    kept = spans.with_columns(keys.cast(pl.Int64).alias("key")).filter(pl.col("begin_ns") < pl.col("end_ns"))
    if kept.is_empty():
        return pl.DataFrame(schema={"key": pl.UInt32, "union_ns": pl.Int64})
    base, last, lowest, highest = kept.select(
        pl.col("begin_ns").min(),
        pl.col("end_ns").max(),
        pl.col("key").min().alias("lowest"),
        pl.col("key").max().alias("highest"),
    ).row(0)
    width = last - base + 1
    if (highest - lowest + 1) * width >= _WIDEST and lowest < highest:
        upper = kept["key"] > (lowest + highest) // 2
        halves = (kept.filter(~upper), kept.filter(upper))
        return pl.concat([union_lengths(half["key"], half.select("begin_ns", "end_ns")) for half in halves])
    moved = (pl.col("key") - lowest) * width - base
    joined = union_of(kept.select(pl.col("begin_ns") + moved, pl.col("end_ns") + moved))
    own = (pl.col("begin_ns") // width + lowest).cast(pl.UInt32).alias("key")
    length = (pl.col("end_ns") - pl.col("begin_ns")).sum().alias("union_ns")
    return joined.group_by(own).agg(length).sort("key")


def _edges(times: pl.Series, own: int = 0, other: int = 0) -> pl.DataFrame:
    return pl.select(
        times.alias("at"),
        pl.lit(own, dtype=pl.Int64).alias("own"),
        pl.lit(other, dtype=pl.Int64).alias("other"),
    )
