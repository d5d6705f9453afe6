"""Tiny timelines for tests, straight from Python tuples."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import polars as pl

from prof_tui.data.pages.event import text_at
from prof_tui.data.spans.span import Span
from prof_tui.data.spans.stacking import stack_rows
from prof_tui.data.timeline.model import TraceFile, TraceIndex, TraceLane

Slice = (
    tuple[int, int, str]
    | tuple[int, int, str, str]
    | tuple[int, int, str, str, int | None]
    | tuple[int, int, str, str, int | None, int]
    | tuple[int, int, str, str, int | None, int, int | None]
)
"""start_ns, duration_ns, name[, kind[, connection_id[, file[, task_id]]]].

kind: AI_CORE on a stream, else the layer.
"""
Flow = tuple[int, str, int, int]
"""flow, phase (s, t, f), lane number, at_ns."""
Counter = tuple[int, int, float | None]
"""lane number, at_ns, value."""

EVENTS = {
    "lane": pl.UInt16,
    "row": pl.UInt16,
    "start_ns": pl.Int64,
    "duration_ns": pl.Int64,
    "name": pl.String,
    "kind": pl.UInt16,
    "connection_id": pl.Int64,
    "task_id": pl.UInt32,
    "file": pl.UInt16,
    "offset": pl.Int64,
    "length": pl.Int32,
}
PLACE = {"file": pl.UInt16, "offset": pl.Int64, "length": pl.Int32}
FLOWS = {"flow": pl.Int64, "phase": pl.String, "lane": pl.UInt16, "at_ns": pl.Int64} | PLACE
COUNTERS = {"lane": pl.UInt16, "at_ns": pl.Int64, "value": pl.Float64} | PLACE
ENDS = {
    "file": pl.UInt16,
    "offset": pl.Int64,
    "end_offset": pl.Int64,
    "end_length": pl.Int32,
    "end_file": pl.UInt16,
}


def stream(number: int, device: int | None = 0) -> TraceLane:
    return TraceLane(
        "Ascend Hardware", "NPU" if device is None else f"NPU {device}", device, f"Stream {number}"
    )


def host(number: int, layer: str = "CANN") -> TraceLane:
    return TraceLane(layer, "CPU", None, f"Thread {number}")


def communication(device: int = 0, thread: str = "Group 0 Communication") -> TraceLane:
    return TraceLane("Communication", f"NPU {device}", device, thread)


def overlap(thread: str, device: int = 0) -> TraceLane:
    """A lane of the file's own Overlap Analysis: Computing, Communication, Free, …"""
    return TraceLane("Overlap Analysis", f"NPU {device}", device, thread)


def counter(name: str, device: int = 0) -> TraceLane:
    return TraceLane(name, f"NPU {device}", device, name, is_counter=True)


def trace_index(
    slices: Mapping[TraceLane, Sequence[Slice]],
    *,
    flows: Sequence[Flow] = (),
    counters: Sequence[Counter] = (),
    files: Sequence[TraceFile] = (),
    rows: Sequence[int] | None = None,
    notices: tuple[str, ...] = (),
    name: str = "msprof",
) -> TraceIndex:
    """The index of these lanes, which are numbered in this order.

    ``rows``: one per slice in the order given, to set by hand what is else worked out.
    """
    lanes = tuple(slices)
    kinds: dict[str, int] = {}
    table = [_event(number, lane, one, kinds) for number, lane in enumerate(lanes) for one in slices[lane]]
    frame = pl.DataFrame(table, schema=EVENTS, orient="row").with_columns(
        offset=pl.int_range(pl.len(), dtype=pl.Int64) * 100
    )
    if rows is None:
        events = stack_rows(frame).select(list(EVENTS))
    else:
        given = frame.with_columns(pl.Series("row", rows, dtype=pl.UInt16))
        events = given.sort("lane", "row", "start_ns", maintain_order=True)
    names = pl.Categorical(pl.Categories(f"test-{uuid.uuid4().hex}"))
    counts = [int((events["lane"] == lane).sum()) for lane in range(len(lanes))]
    return TraceIndex(
        name=name,
        files=tuple(files) or (trace_file(),),
        lanes=lanes,
        kinds=tuple(kinds),
        events=events.with_columns(pl.col("name").cast(names)),
        flows=_placed([(*flow, 0, 0, 0) for flow in flows], FLOWS).sort("flow", "at_ns", maintain_order=True),
        counters=_placed([(*one, 0, 0, 0) for one in counters], COUNTERS).sort("lane", "at_ns"),
        ends=pl.DataFrame(schema=ENDS),
        metadata=(),
        phases={"X": len(events), "C": len(counters)},
        notices=notices,
        span=_span(events),
        lane_events=tuple(pairwise(accumulate(counts, initial=0))),
    )


def trace_file(
    path: str = "msprof.json",
    *,
    device: int | None = None,
    model: int | None = None,
    iteration: int | None = None,
) -> TraceFile:
    return TraceFile(Path(path), 0, 0, 0, device, model, iteration)


def event_named(index: TraceIndex, name: str) -> int:
    """The number of the only event of this name."""
    [event] = (index.events["name"].cast(pl.String) == name).arg_true().to_list()
    return int(event)


def names_of(index: TraceIndex, events: Sequence[int | None]) -> list[str | None]:
    """The names of some events, None for None."""
    return [None if event is None else str(index.events["name"][event]) for event in events]


def _event(number: int, lane: TraceLane, one: Slice, kinds: dict[str, int]) -> tuple[object, ...]:
    start_ns, duration_ns, name, *rest = one
    kind, connection_id, file, task_id = [*rest, None, None, None, None][:4]
    kind = str(kind or ("AI_CORE" if lane.is_stream else lane.layer))
    place = kinds.setdefault(kind, len(kinds))
    return (number, 0, start_ns, duration_ns, name, place, connection_id, task_id, file or 0, 0, 100)


def _placed(rows: Sequence[tuple[object, ...]], schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(schema), orient="row")


def _span(events: pl.DataFrame) -> Span:
    if events.is_empty():
        return 0, 0
    ends = events["start_ns"] + events["duration_ns"].clip(0)
    return int(events["start_ns"].min()), int(ends.max())  # type: ignore[arg-type]


def event_text(index: TraceIndex, event: int) -> str:
    """The JSON of an event as it stands in its file; of a pair of B and E, that of the B."""
    return text_at(index, *index.events.select("file", "offset", "length").row(event))
