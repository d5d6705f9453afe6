"""The events of some lanes or of a window by their numbers: the longest, those found, sums."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.query.conditions import containing
from prof_tui.data.spans.frames import union_lengths
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.model import TraceIndex

ENDS_NS = (pl.col("start_ns") + pl.col("duration_ns").clip(0)).alias("end_ns")
"""When an event ended; an invalid one took no time."""


def select_events(
    index: TraceIndex, columns: Sequence[str], lanes: Sequence[int] | None = None
) -> pl.DataFrame:
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


_PLANE = re.compile(r"Plane \d+")


def communication_op_lanes(index: TraceIndex, device: int | None) -> list[int]:
    """Lanes with a device's communication ops, without the planes that hold their tasks."""
    return [
        number
        for number, lane in enumerate(index.lanes)
        if lane.is_communication
        and not lane.is_counter
        and lane.device == device
        and not _PLANE.match(lane.thread)
    ]


def op_lanes(index: TraceIndex, device: int | None) -> list[int]:
    """Streams and communication ops of a device, and of lanes that don't say which; None: of all."""
    devices = {lane.device for lane in index.lanes} if device is None else {device, None}
    lanes = [number for number, lane in enumerate(index.lanes) if lane.is_stream and lane.device in devices]
    for own in devices:
        lanes += communication_op_lanes(index, own)
    return sorted(lanes)


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
    events = select_events(index, ("start_ns", "duration_ns"), lanes)
    if window is not None:
        events = events.filter(in_window(window))
    if len(events) > most:
        shortest = events["duration_ns"].top_k(most).min()
        events = events.filter(pl.col("duration_ns") >= shortest)
    ordered = events.sort("duration_ns", "start_ns", "event", descending=[True, False, False])
    return ordered["event"].head(most)


@dataclass(frozen=True)
class FoundEvents:
    """The events whose name contains a text, by start; those of the same start by number (lane, then row)."""

    text: str
    events: pl.Series
    """Event numbers, UInt32."""
    starts_ns: pl.Series

    @property
    def count(self) -> int:
        return len(self.events)

    def place(self, event: int, start_ns: int) -> int | None:
        """Which of them an event is, from 0; None for one that is not among them."""
        at = self._first_not_before(event, start_ns)
        return at if at < self.count and self.events[at] == event else None

    def step(self, event: int, start_ns: int, direction: int) -> int | None:
        """The next (1) or the previous (-1) one seen from an event, which need not be among them."""
        at = self._first_not_before(event, start_ns)
        if direction < 0:
            return self._event(at - 1)
        return self._event(at + 1 if at < self.count and self.events[at] == event else at)

    def _event(self, at: int) -> int | None:
        return int(self.events[at]) if 0 <= at < self.count else None

    def _first_not_before(self, event: int, start_ns: int) -> int:
        begin, end = (int(self.starts_ns.search_sorted(start_ns, side=side)) for side in ("left", "right"))
        return begin + int(self.events[begin:end].search_sorted(event, side="left"))


def find_events(index: TraceIndex, text: str, lanes: Sequence[int] | None = None) -> FoundEvents:
    """Events of some lanes (None: of all) whose name contains ``text``, case ignored; none for no text."""
    names = names_dictionary(index)
    wanted = containing(names, text) if text else pl.Series([False]).new_from_index(0, len(names))
    codes = pl.Series(wanted.arg_true(), dtype=pl.UInt32)
    events = select_events(index, ("start_ns", "name"), lanes)
    matching = events.filter(pl.col("name").to_physical().is_in(codes.implode())).drop("name")
    ordered = matching.sort("start_ns", "event")
    return FoundEvents(text, ordered["event"], ordered["start_ns"])


def event_of_place(index: TraceIndex, span: Span) -> int | None:
    """The task or communication op that takes most of ``span``, half of it at least; else the next to start.

    Of events that start together the longest; None where neither is there.
    """
    begin_ns, end_ns = span
    ops = select_events(index, ("start_ns", "duration_ns"), op_lanes(index, None)).with_columns(ENDS_NS)
    inside = pl.min_horizontal("end_ns", pl.lit(end_ns)) - pl.max_horizontal("start_ns", pl.lit(begin_ns))
    most = ops.filter(2 * inside >= end_ns - begin_ns).sort(inside, "event", descending=[True, False]).head(1)
    if most.is_empty():
        later = ops.filter(pl.col("start_ns") >= end_ns)
        first = pl.col("start_ns") == pl.col("start_ns").min()
        most = later.filter(first).sort("duration_ns", "event", descending=[True, False]).head(1)
    return None if most.is_empty() else int(most["event"][0])


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
    inside = select_events(index, columns, lanes).filter(in_window(span))
    codes = pl.col("name").to_physical().cast(pl.Int64) * len(index.kinds) + pl.col("kind")
    events = inside.select("lane", "name", "kind", *clip_to(span), named=codes)
    own = (pl.col("end_ns") - pl.col("begin_ns")).sum().alias("sum_ns")
    by_lane = events.group_by(key=pl.col("lane").cast(pl.Int64)).agg(
        pl.col("lane").first(), pl.len().alias("events"), own
    )
    by_name = events.group_by(key="named").agg(pl.col("name", "kind").first(), pl.len().alias("events"), own)
    spans = events.select("begin_ns", "end_ns")
    lanes_found = _add_unions(by_lane, events["lane"], spans).sort("lane")
    names_found = _add_unions(by_name, events["named"], spans).with_columns(pl.col("name").cast(pl.String))
    whole = union_lengths(pl.repeat(0, len(events), dtype=pl.UInt32, eager=True), spans)
    return RangeStats(
        span,
        len(events),
        int(lanes_found["sum_ns"].sum()),
        int(whole["union_ns"].sum()),
        lanes_found,
        names_found.sort("sum_ns", "events", "name", "kind", descending=[True, True, False, False]),
    )


def _add_unions(grouped: pl.DataFrame, keys: pl.Series, spans: pl.DataFrame) -> pl.DataFrame:
    unions = union_lengths(keys, spans).with_columns(pl.col("key").cast(pl.Int64))
    joined = grouped.join(unions, on="key", how="left")
    return joined.drop("key").with_columns(pl.col("union_ns").fill_null(0))
