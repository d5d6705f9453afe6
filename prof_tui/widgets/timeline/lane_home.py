"""What stands out in a window of time: its longest intervals, and when nothing was busy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.columns import LaneColumns
from prof_tui.widgets.timeline.lane_track import between, joined

if TYPE_CHECKING:
    import polars as pl

MOST_KEPT = 1_000
"""Of the longest intervals and of the longest gaps."""


def longest_intervals(columns: LaneColumns, rows: Sequence[int], window: Span) -> list[int]:
    """Interval numbers of the longest that overlap the window, of equal ones the earlier first.

    Invalid ones come last; ``MOST_KEPT`` at most.
    """
    found = [columns.track(row).within(*window) for row in rows]
    if not any(found):
        return []
    import polars as pl

    numbers = pl.concat([pl.int_range(each.start, each.stop, eager=True) for each in found])
    slices = [columns.durations.slice(each.start, len(each)) for each in found]
    durations = pl.concat(slices, rechunk=True)
    frame = pl.DataFrame({"number": numbers, "ns": durations})
    least = durations.top_k(MOST_KEPT).min()
    frame = frame.filter(pl.col("ns") >= least)
    frame = frame.with_columns(start=columns.starts.gather(frame["number"]))
    order, downwards = ["ns", "start", "number"], [True, False, False]
    kept = frame.top_k(MOST_KEPT, by=order, reverse=[not down for down in downwards])
    return kept.sort(order, descending=downwards)["number"].to_list()


def longest_gaps(columns: LaneColumns, rows: Sequence[int], window: Span) -> tuple[list[Span], int]:
    """When none of the rows has a valid interval, longest first, of equal ones the earlier first.

    ``MOST_KEPT`` of them at most, and how many there are.
    """
    if window[0] >= window[1]:
        return [], 0
    import polars as pl

    gaps = _idle(columns, rows, window).filter(pl.col("begin") < pl.col("end"))
    gaps = gaps.with_columns(ns=pl.col("end") - pl.col("begin"))
    order, downwards = ["ns", "begin"], [True, False]
    kept = gaps.top_k(MOST_KEPT, by=order, reverse=[False, True]).sort(order, descending=downwards)
    return list(kept.select("begin", "end").iter_rows()), len(gaps)


def _idle(columns: LaneColumns, rows: Sequence[int], window: Span) -> pl.DataFrame:
    """From each end to the next begin within the window: begin and end, which may be the same."""
    import polars as pl

    tracks = []
    for row in rows:
        found = columns.track(row).within(*window)
        tracks.append(columns.track(row)._replace(first=found.start, stop=found.stop))
    busy = joined(tracks)
    ends = busy.starts + between(busy.busy_ns)
    spans = pl.DataFrame({"begin": busy.starts, "end": ends}).filter(pl.col("begin") < pl.col("end"))
    begin_ns, end_ns = window
    edge = pl.DataFrame({"begin": [begin_ns, end_ns], "end": [begin_ns, end_ns]})
    around = pl.concat([edge.head(1), spans.select(pl.all().clip(begin_ns, end_ns)), edge.tail(1)])
    return around.select(begin=pl.col("end").shift(1), end="begin").slice(1)
