"""The tasks of one iteration on a timeline, and which row of op_summary each of them is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.pages.iteration import TimedOp
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import numbered
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.op_lanes import op_lanes


@dataclass(frozen=True)
class RowEvents:
    """Event numbers by row number of the table beside a timeline, and back."""

    event_of: Mapping[int, int]
    row_of: Mapping[int, int]

    @classmethod
    def in_order(cls, events: Sequence[int]) -> RowEvents:
        """Of a table that has these events as its rows."""
        return cls(dict(enumerate(events)), {event: row for row, event in enumerate(events)})


def events_of_ops(index: TraceIndex, ops: Sequence[TimedOp], device: int | None) -> RowEvents:
    """Each op's event: same device and start, of several the one of its name, else the one of its length."""
    rows = pl.DataFrame(
        {
            "row": [op.row for op in ops],
            "start_ns": [op.start_ns for op in ops],
            "op": [op.name for op in ops],
            "length": [op.duration_ns for op in ops],
        },
        schema={"row": pl.Int64, "start_ns": pl.Int64, "op": pl.String, "length": pl.Int64},
    )
    events = numbered(index, ("start_ns", "name", "duration_ns"), op_lanes(index, device))
    starts = rows["start_ns"].unique()
    there = events.filter(pl.col("start_ns").is_in(starts.implode()))
    pairs = rows.join(there, on="start_ns").select(
        "row",
        "event",
        other_name=pl.col("name").cast(pl.String) != pl.col("op"),
        other_length=(pl.col("duration_ns") - pl.col("length")).abs(),
    )
    best = pairs.sort("row", "other_name", "other_length", "event").unique("row", keep="first")
    event_of = dict(best.select("row", "event").iter_rows())
    return RowEvents(event_of, {event: row for row, event in event_of.items()})


def tasks_of_window(index: TraceIndex, window: Span, device: int | None) -> pl.Series:
    """Event numbers (UInt32) of a device's stream tasks that start within a window, in time order.

    ``device``: None for all devices.
    """
    lanes = [
        number
        for number, lane in enumerate(index.lanes)
        if lane.is_stream and (device is None or lane.device in (None, device))
    ]
    tasks = numbered(index, ("start_ns",), lanes)
    inside = tasks.filter(pl.col("start_ns").is_between(*window, closed="left"))
    return inside.sort("start_ns", "event")["event"]
