"""Which event a stretch of time is about: what fills it, or what ends the gap that it is."""

from __future__ import annotations

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import ENDS_NS, numbered
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.op_lanes import op_lanes


def event_of_place(index: TraceIndex, span: Span) -> int | None:
    """The task or communication op that takes most of ``span``, half of it at least; else the next to start.

    Of events that start together the longest; None where neither is there.
    """
    begin_ns, end_ns = span
    ops = numbered(index, ("start_ns", "duration_ns"), op_lanes(index, None)).with_columns(ENDS_NS)
    inside = pl.min_horizontal("end_ns", pl.lit(end_ns)) - pl.max_horizontal("start_ns", pl.lit(begin_ns))
    most = ops.filter(2 * inside >= end_ns - begin_ns).sort(inside, "event", descending=[True, False]).head(1)
    if most.is_empty():
        later = ops.filter(pl.col("start_ns") >= end_ns)
        first = pl.col("start_ns") == pl.col("start_ns").min()
        most = later.filter(first).sort("duration_ns", "event", descending=[True, False]).head(1)
    return None if most.is_empty() else int(most["event"][0])
