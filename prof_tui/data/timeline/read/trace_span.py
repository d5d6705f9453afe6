"""From the first to the last moment of a trace, whatever a few records with a wild time say."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from prof_tui.data.spans.span import Span

_HOUR_NS = 3_600 * 10**9
_LARGEST = (1 << 63) - 1
_RARE = 100
"""A moment far off is stray when so many times more lie elsewhere."""
_FEW = 3
"""So few moments are stray as soon as more of them lie elsewhere."""


def trace_span(moments: Iterable[pl.Series]) -> tuple[Span, int]:
    """The span of moments (Int64 ns), and how many lie more than an hour off and are left out of it."""
    series = [each for each in moments if len(each)]
    if not series:
        return (0, 0), 0
    hours = pl.concat(
        [(each // _HOUR_NS).value_counts(name="moments").rename({each.name: "hour"}) for each in series]
    )
    hours = hours.group_by("hour").agg(pl.col("moments").sum()).sort("hour")
    hours = hours.with_columns(group=(pl.col("hour").diff() > 1).fill_null(False).cum_sum())
    groups = hours.group_by("group").agg(
        pl.col("hour").min().alias("first"), pl.col("hour").max().alias("last"), pl.col("moments").sum()
    )
    most = groups.select(pl.col("moments").max()).item()
    total = groups.select(pl.col("moments").sum()).item()
    rare = (pl.col("moments") * _RARE <= total) | ((pl.col("moments") <= _FEW) & (pl.col("moments") < most))
    kept = groups.filter(~rare)
    kept = kept if len(kept) else groups
    first, last = kept.select(pl.col("first").min(), pl.col("last").max()).row(0)
    inside = [
        each.filter(each.is_between(first * _HOUR_NS, last * _HOUR_NS + _HOUR_NS - 1)) for each in series
    ]
    begins = [each.min() for each in inside if len(each)]
    ends = [each.max() for each in inside if len(each)]
    stray = groups.filter(rare)["moments"].sum() if len(kept) < len(groups) else 0
    return (min(begins), max(ends)), int(stray)  # type: ignore[type-var, return-value]


def ends_of(slices: pl.DataFrame) -> pl.Series:
    """Where slices end; one with a broken duration at its start, one beyond all times at the last of them."""
    length = pl.col("duration_ns").clip(0)
    return slices.select(
        end_ns=pl.col("start_ns") + pl.min_horizontal(length, _LARGEST - pl.col("start_ns"))
    ).to_series()
