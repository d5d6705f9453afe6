"""What happened in a marked range, per lane and per name, without adding up what overlaps.

Durations are clipped to the range.  A sum counts overlapping and nested events each time; a union counts
a moment once and can't be longer than the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.frames import union_lengths
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import clip_to, in_window, numbered
from prof_tui.data.timeline.model import TraceIndex


@dataclass(frozen=True)
class RangeStats:
    """Events that overlap the range, those that take no time by their start; times in ns, clipped to it."""

    span: Span
    events: int
    sum_ns: int
    union_ns: int
    """Over all lanes asked for."""
    lanes: pl.DataFrame
    """lane UInt16, events UInt32, sum_ns, union_ns; lanes with events only, in lane order."""
    names: pl.DataFrame
    """name String, kind UInt16 (of TraceIndex.kinds), events UInt32, sum_ns, union_ns; largest sum first."""


def range_stats(index: TraceIndex, span: Span, lanes: Sequence[int] | None = None) -> RangeStats:
    """The events of some lanes (None: of all) in a range."""
    columns = ("lane", "start_ns", "duration_ns", "name", "kind")
    inside = numbered(index, columns, lanes).filter(in_window(span))
    codes = pl.col("name").to_physical().cast(pl.Int64) * len(index.kinds) + pl.col("kind")
    events = inside.select("lane", "name", "kind", *clip_to(span), named=codes)
    own = (pl.col("end_ns") - pl.col("begin_ns")).sum().alias("sum_ns")
    by_lane = events.group_by(key=pl.col("lane").cast(pl.Int64)).agg(
        pl.col("lane").first(), pl.len().alias("events"), own
    )
    by_name = events.group_by(key="named").agg(pl.col("name", "kind").first(), pl.len().alias("events"), own)
    spans = events.select("begin_ns", "end_ns")
    lanes_found = _with_unions(by_lane, events["lane"], spans).sort("lane")
    names_found = _with_unions(by_name, events["named"], spans).with_columns(pl.col("name").cast(pl.String))
    whole = union_lengths(pl.repeat(0, len(events), dtype=pl.UInt32, eager=True), spans)
    return RangeStats(
        span,
        len(events),
        int(lanes_found["sum_ns"].sum()),
        int(whole["union_ns"].sum()),
        lanes_found,
        names_found.sort("sum_ns", "events", "name", "kind", descending=[True, True, False, False]),
    )


def _with_unions(grouped: pl.DataFrame, keys: pl.Series, spans: pl.DataFrame) -> pl.DataFrame:
    unions = union_lengths(keys, spans).with_columns(pl.col("key").cast(pl.Int64))
    joined = grouped.join(unions, on="key", how="left")
    return joined.drop("key").with_columns(pl.col("union_ns").fill_null(0))
