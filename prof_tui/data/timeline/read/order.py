"""B and E events made slices: each end closes the begin that was opened last on its lane."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.span import Span


@dataclass(frozen=True)
class Paired:
    """Slices of paired events, and what found no partner."""

    slices: pl.DataFrame
    """The columns of the begins, with start_ns and duration_ns; one without an end has no length."""
    ends: pl.DataFrame
    """file UInt16, offset Int64 (of the begin), end_offset Int64, end_length Int32, end_file UInt16."""
    unclosed: int
    unopened: int


_ENDS = {
    "file": pl.UInt16(),
    "offset": pl.Int64(),
    "end_offset": pl.Int64(),
    "end_length": pl.Int32(),
    "end_file": pl.UInt16(),
}


def pair(events: pl.DataFrame) -> Paired:
    """``events``: lane, at_ns, begins and more, in file order; paired by time, then by that order."""
    ordered = events.sort("lane", "at_ns", maintain_order=True)
    begins: list[int] = []
    ends: list[int] = []
    stack: list[int] = []
    unclosed: list[int] = []
    lane_before, unopened = None, 0
    for row, (lane, is_begin) in enumerate(ordered.select("lane", "begins").iter_rows()):
        if lane != lane_before:
            unclosed += stack
            lane_before, stack = lane, []
        if is_begin:
            stack.append(row)
        elif stack:
            begins.append(stack.pop())
            ends.append(row)
        else:
            unopened += 1
    unclosed += stack
    return Paired(
        _slices(ordered, begins, ends, unclosed), _ends(ordered, begins, ends), len(unclosed), unopened
    )


def _slices(ordered: pl.DataFrame, begins: list[int], ends: list[int], unclosed: list[int]) -> pl.DataFrame:
    opened, closed = ordered[begins], ordered[ends]
    whole = opened.with_columns(duration_ns=closed["at_ns"] - opened["at_ns"])
    endless = ordered[unclosed].with_columns(duration_ns=pl.lit(0, pl.Int64))
    return pl.concat([whole, endless]).rename({"at_ns": "start_ns"}).drop("begins")


def _ends(ordered: pl.DataFrame, begins: list[int], ends: list[int]) -> pl.DataFrame:
    opened, closed = ordered[begins], ordered[ends]
    columns = [opened["file"], opened["offset"], closed["offset"], closed["length"], closed["file"]]
    return pl.DataFrame(dict(zip(_ENDS, columns, strict=True)), schema=_ENDS)


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
