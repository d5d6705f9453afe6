"""The longest events of a timeline."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import in_window, numbered
from prof_tui.data.timeline.model import TraceIndex

MOST_EVENTS = 10_000
"""Events that are listed."""


def longest_events(
    index: TraceIndex,
    *,
    lanes: Sequence[int] | None = None,
    window: Span | None = None,
    most: int = MOST_EVENTS,
) -> pl.Series:
    """Event numbers (UInt32) of the ``most`` longest: longest first, of the same length in time order.

    Of some lanes (None: all), and of those that overlap a window; the length is the whole one.
    """
    events = numbered(index, ("start_ns", "duration_ns"), lanes)
    if window is not None:
        events = events.filter(in_window(window))
    if len(events) > most:
        shortest = events["duration_ns"].top_k(most).min()
        events = events.filter(pl.col("duration_ns") >= shortest)
    ordered = events.sort("duration_ns", "start_ns", "event", descending=[True, False, False])
    return ordered["event"].head(most)
