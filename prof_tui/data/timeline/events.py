"""The events of some lanes or of a window, with their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.model import TraceIndex

ENDS_NS = (pl.col("start_ns") + pl.col("duration_ns").clip(0)).alias("end_ns")
"""When an event ended; an invalid one took no time."""


def numbered(index: TraceIndex, columns: Sequence[str], lanes: Sequence[int] | None = None) -> pl.DataFrame:
    """``columns`` of the events of some lanes (None: of all) by event number, with it as ``event`` UInt32."""
    events = index.events.select(columns)
    if lanes is None:
        return events.with_columns(event=pl.int_range(pl.len(), dtype=pl.UInt32))
    spans = [index.lane_events[lane] for lane in sorted(set(lanes))]
    parts = [
        events[begin:end].with_columns(event=pl.int_range(begin, end, dtype=pl.UInt32))
        for begin, end in spans
    ]
    return pl.concat(parts) if parts else events.clear().with_columns(event=pl.lit(None, pl.UInt32))


def in_window(window: Span) -> pl.Expr:
    """Whether an event overlaps a window; one that takes no time, or is invalid, by its start."""
    begin_ns, end_ns = window
    start, duration = pl.col("start_ns"), pl.col("duration_ns")
    return (start < end_ns) & ((start >= begin_ns) | (start + duration > begin_ns))


def clip_to(window: Span) -> tuple[pl.Expr, pl.Expr]:
    """begin_ns and end_ns of an event within a window that it overlaps; an invalid one takes no time."""
    begin = pl.col("start_ns").clip(window[0], window[1]).alias("begin_ns")
    return begin, (pl.col("start_ns") + pl.col("duration_ns").clip(0)).clip(window[0], window[1]).alias(
        "end_ns"
    )


def rows_of_lane(index: TraceIndex, lane: int) -> list[Span]:
    """First event number and the one behind the last, of each row of a lane from the topmost."""
    begin, end = index.lane_events[lane]
    rows = index.events["row"][begin:end]
    if begin == end:
        return []
    depth = int(rows[-1]) + 1
    starts = [begin + int(rows.search_sorted(row, side="left")) for row in range(depth)]
    return [span for span in zip(starts, [*starts[1:], end], strict=True) if span[0] < span[1]]


def names_dictionary(index: TraceIndex) -> pl.Series:
    """All names by their codes (``to_physical`` of the column name)."""
    dtype = index.events.schema["name"]
    assert isinstance(dtype, pl.Categorical)
    return dtype.categories.to_series()
