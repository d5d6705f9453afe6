"""The largest gaps of a stream, or of a device over all its streams, and what the host did meanwhile.

A gap is time in which no op runs (union of the valid ones that take time); it lies between the op whose end
was the latest and the next to start, so that before the first op and after the last there is none.  Where
lanes have no op, it is time without any event of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.spans.frames import NO_SPANS, spans_of, union_lengths
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import ENDS_NS, rows_of_lane, select_events
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.overlap import op_kinds
from prof_tui.words import _, counted, duration, printable

MOST_GAPS = 1000
"""Gaps that are listed: each is looked up on every host lane."""

GAPS = pl.Schema(
    {
        "begin_ns": pl.Int64,
        "end_ns": pl.Int64,
        "duration_ns": pl.Int64,
        "before": pl.UInt32,
        "after": pl.UInt32,
        "host_calls": pl.UInt32,
        "host_call": pl.UInt32,
        "host_sum_ns": pl.Int64,
        "host_union_ns": pl.Int64,
    }
)


def largest_gaps(
    index: TraceIndex,
    lanes: Sequence[int],
    window: Span,
    *,
    most: int = MOST_GAPS,
) -> pl.DataFrame:
    """The ``most`` largest gaps of these lanes together within a window, largest first, then in time order.

    begin_ns, end_ns, duration_ns (clipped to the window) | before, after: event numbers | host_calls: events
    of host lanes that overlap the gap, host_call: the outermost of those that overlap it longest (event
    number, null for none), host_sum_ns and host_union_ns: their time within the gap, added up and as a union.
    """
    gaps = gaps_of(index, lanes, window)
    largest = gaps.sort("duration_ns", "begin_ns", descending=[True, False]).head(most)
    return largest.hstack(host_calls_in(index, largest)).select(
        pl.col(name).cast(dtype) for name, dtype in GAPS.items()
    )


def gaps_of(index: TraceIndex, lanes: Sequence[int], window: Span) -> pl.DataFrame:
    """begin_ns, end_ns, duration_ns, before, after of all gaps in a window, in time order."""
    begin_ns, end_ns = window
    events = select_events(index, ("start_ns", "duration_ns", "kind"), lanes)
    lasting = events.filter(pl.col("duration_ns") > 0)
    ops = lasting.filter(pl.col("kind").is_in(op_kinds(index)))
    busy = lasting if ops.is_empty() else ops
    busy = busy.select("event", "start_ns", ENDS_NS).sort("start_ns", "event")
    latest = busy["end_ns"].cum_max()
    own_latest = pl.when(busy["end_ns"] == latest).then(busy["event"])
    edges = busy.select(
        begin_ns=latest.shift(1),
        end_ns="start_ns",
        before=own_latest.forward_fill().shift(1),
        after="event",
    ).slice(1)
    inside = edges.with_columns(pl.col("begin_ns").clip(begin_ns), pl.col("end_ns").clip(None, end_ns))
    long = inside.with_columns(duration_ns=pl.col("end_ns") - pl.col("begin_ns"))
    return long.filter(pl.col("duration_ns") > 0)


def host_sentence(index: TraceIndex, span: Span) -> str:
    """What the host did in a stretch of time, or that no record tells."""
    if not any(lane.is_host for lane in index.lanes):
        return _("What the host did then is not recorded: the timeline has no lane of it.")
    asked = pl.DataFrame([span], schema=NO_SPANS.schema, orient="row")
    calls, call, _sum_ns, union_ns = host_calls_in(index, asked).row(0)
    if not calls:
        return _("Nothing is recorded of the host in this time.")
    name = printable(str(index.events["name"][call]))
    text = _("host: {calls} over {union} of it, longest in {name}")
    return text.format(calls=counted("{n} call", "{n} calls", calls), union=duration(union_ns), name=name)


def host_calls_in(index: TraceIndex, gaps: pl.DataFrame) -> pl.DataFrame:
    """host_calls, host_call, host_sum_ns, host_union_ns per gap; gaps are disjoint."""
    asked = gaps.select(gap_begin="begin_ns", gap_end="end_ns").with_row_index("gap")
    hosts = [number for number, lane in enumerate(index.lanes) if lane.is_host]
    parts = [
        pairs
        for lane in hosts
        for first, last in rows_of_lane(index, lane)
        if len(pairs := _overlapping(index, asked, first, last))
    ]
    pairs = pl.concat(parts) if parts else _overlapping(index, asked, 0, 0)
    own = pl.col("end_ns") - pl.col("begin_ns")
    summed = (
        pairs.with_columns(own_ns=own)
        .sort("gap", "own_ns", "row", "duration_ns", "event", descending=[False, True, False, True, False])
        .group_by("gap", maintain_order=True)
        .agg(
            pl.len().alias("host_calls"),
            pl.col("event").first().alias("host_call"),
            pl.col("own_ns").sum().alias("host_sum_ns"),
        )
    )
    union = union_lengths(pairs["gap"], spans_of(pairs["begin_ns"], pairs["end_ns"]))
    joined = asked.select("gap").join(summed, on="gap", how="left", maintain_order="left")
    joined = joined.join(
        union.rename({"key": "gap", "union_ns": "host_union_ns"}), on="gap", how="left", maintain_order="left"
    )
    counts = pl.col("host_calls", "host_sum_ns", "host_union_ns").fill_null(0)
    return joined.with_columns(counts).drop("gap")


def _overlapping(index: TraceIndex, gaps: pl.DataFrame, first: int, last: int) -> pl.DataFrame:
    """Pairs of a gap and an event of one row of a lane that overlaps it, with the overlap clipped to it."""
    events = index.events.select("row", "start_ns", "duration_ns")[first:last]
    begun = events["start_ns"].search_sorted(gaps["gap_begin"], side="right").cast(pl.Int64)
    end = events["start_ns"].search_sorted(gaps["gap_end"], side="left")
    pairs = gaps.with_columns(place=pl.int_ranges((begun - 1).clip(0), end, dtype=pl.UInt32))
    pairs = pairs.explode("place").drop_nulls("place")
    return (
        pairs.with_columns(event=(pl.col("place") + first).cast(pl.UInt32))
        .hstack(events[pairs["place"]].with_columns(ENDS_NS))
        .filter((pl.col("duration_ns") > 0) & (pl.col("end_ns") > pl.col("gap_begin")))
        .select(
            "gap",
            "event",
            "row",
            "duration_ns",
            begin_ns=pl.max_horizontal("start_ns", "gap_begin"),
            end_ns=pl.min_horizontal("end_ns", "gap_end"),
        )
    )
