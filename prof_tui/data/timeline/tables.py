"""Sortable tables made from a timeline, each with what its rows stand for beside it.

Where op_summary has the same column, it is spelled as there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.tables.columns import Column, ColumnSpec, Kind, unit_of
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import FrameStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline.events import MOST_EVENTS, RangeStats
from prof_tui.data.timeline.gaps import MOST_GAPS
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.words import _, count


def _own(id_: str, kind: Kind, header: str, meaning: str) -> Column:
    default = "us" if kind in ("time", "duration") else ""
    return Column(header, ColumnSpec(id_, kind, (header,), meaning, "other"), unit_of(header) or default)


DEVICE = column_for("Device_id")
MODEL = column_for("Model ID")
ITERATION = column_for("Iteration ID")
OP_NAME = column_for("Op Name")
TASK_TYPE = column_for("Task Type")
TASK_START = column_for("Task Start Time(us)")
TASK_DURATION = column_for("Task Duration(us)")
STREAM = column_for("Stream ID")

CONNECTION = _own(
    "connection_id",
    "int",
    "connection_id",
    _("What a task has in common with the host call that launched it; N/A for none."),
)
NAME = _own("event_name", "text", "Name", _("The event's name in the timeline."))
LAYER = _own(
    "layer", "text", "Layer", _("The process that the event's lane belongs to: CANN, Ascend Hardware, …")
)
THREAD = _own(
    "thread", "text", "Thread", _("The event's lane within its layer: a stream, a host thread, a plane.")
)
KIND = _own("event_kind", "text", "Kind", _("The Task Type of a task on a stream, else the event's layer."))
START = _own("event_start", "time", "Start Time(us)", _("When it began, by the timeline's clock."))
DURATION = _own(
    "event_duration", "duration", "Duration(us)", _("How long it took; negative in a broken record.")
)
GAP = _own("gap", "duration", "Gap(us)", _("How long none of these lanes was busy."))
OP_BEFORE = _own("op_before", "text", "Op Before", _("The op that ended last before the gap."))
OP_AFTER = _own("op_after", "text", "Op After", _("The op that ended the gap."))
HOST_CALL = _own(
    "host_call",
    "text",
    "Host Call",
    _("The host call that overlaps the gap longest, the outermost of nested ones."),
)
HOST_CALLS = _own("host_calls", "int", "Host Calls", _("How many events of host lanes overlap the gap."))
HOST_SUM = _own(
    "host_sum",
    "duration",
    "Host Sum(us)",
    _("Their time within the gap, added up: nested and parallel calls count each time."),
)
HOST_UNION = _own(
    "host_union", "duration", "Host Union(us)", _("How much of the gap any host call was running.")
)
EVENTS = _own("events", "int", "Events", _("How many events overlap the range."))
SUM = _own(
    "sum",
    "duration",
    "Sum(us)",
    _("Their durations within the range, added up: what overlaps counts each time."),
)
UNION = _own(
    "union",
    "duration",
    "Union(us)",
    _("How much of the range any of them was running: what overlaps counts once."),
)
SHARE = _own("range_share", "decimal", "Union(%)", _("The union's share of the range."))


Content = dict[Column, str | pl.Expr | pl.Series]
"""The columns of a table in order, each with its values: a column of a frame by name, or worked out."""

_STREAM_ID = re.compile(r"Stream (\d+)")


@dataclass(frozen=True)
class EventTable:
    """A table and, by its row numbers, what to go to from a row."""

    table: Table
    events: Sequence[int | None] = ()
    """The event that a row is about; empty where rows are about none."""
    spans: Sequence[Span] = ()
    """The stretch of time that a row is about; empty where an event is."""
    lanes: Sequence[int] = ()
    """The lane that a row is about; empty where rows are about none."""


def longest_table(index: TraceIndex, events: pl.Series) -> EventTable:
    """Events (UInt32, from ``longest_events``) of any lane."""
    content: Content = {
        NAME: "name",
        DURATION: "duration_ns",
        KIND: "kind",
        LAYER: "layer",
        THREAD: "thread",
        DEVICE: "device",
        START: "start_ns",
        CONNECTION: "connection_id",
    }
    said = _only_some(len(events), MOST_EVENTS, _("Only the {n} longest events are listed."))
    return EventTable(_table(index, "longest", _events(index, events), content, said), events.to_list())


def ops_table(index: TraceIndex, events: pl.Series) -> EventTable:
    """Tasks and communication ops (UInt32) under op_summary's headers, in the order given."""
    content: Content = {
        DEVICE: "device",
        OP_NAME: "name",
        TASK_DURATION: "duration_ns",
        TASK_TYPE: "kind",
        TASK_START: "start_ns",
        STREAM: "stream",
        CONNECTION: "connection_id",
    }
    return EventTable(_table(index, "timeline_ops", _events(index, events), content), events.to_list())


def gaps_table(index: TraceIndex, gaps: pl.DataFrame, iterations: pl.DataFrame | None = None) -> EventTable:
    """Gaps from ``largest_gaps``; ``iterations``: model and iteration of each begin (``place_times``).

    A row goes to the op after the gap.
    """
    placed: Content = (
        {} if iterations is None else {ITERATION: iterations["iteration"], MODEL: iterations["model"]}
    )
    content: Content = {
        GAP: "duration_ns",
        START: "begin_ns",
        OP_BEFORE: _name(index, gaps["before"]),
        OP_AFTER: _name(index, gaps["after"]),
        HOST_CALL: _name(index, gaps["host_call"]),
        HOST_CALLS: "host_calls",
        HOST_UNION: "host_union_ns",
        HOST_SUM: "host_sum_ns",
        **placed,
    }
    spans = list(gaps.select("begin_ns", "end_ns").iter_rows())
    said = _only_some(len(gaps), MOST_GAPS, _("Only the {n} largest gaps are listed."))
    return EventTable(_table(index, "gaps", gaps, content, said), gaps["after"].to_list(), spans)


def range_lanes_table(index: TraceIndex, stats: RangeStats) -> EventTable:
    """A marked range, one row per lane that has anything in it."""
    rows = stats.lanes.join(lane_facts(index), on="lane", how="left", maintain_order="left")
    content: Content = {LAYER: "layer", THREAD: "thread", DEVICE: "device"}
    table = _table(index, "range_lanes", rows, content | _sums(stats))
    return EventTable(table, lanes=rows["lane"].to_list())


def range_names_table(index: TraceIndex, stats: RangeStats) -> EventTable:
    """A marked range, one row per name and kind over all lanes, largest sum first."""
    content: Content = {NAME: "name", KIND: _kinds(index).gather(stats.names["kind"])}
    return EventTable(_table(index, "range_names", stats.names, content | _sums(stats)))


def _sums(stats: RangeStats) -> Content:
    return {
        EVENTS: "events",
        SUM: "sum_ns",
        UNION: "union_ns",
        SHARE: pl.col("union_ns") * 100 / max(1, stats.span[1] - stats.span[0]),
    }


def lane_facts(index: TraceIndex) -> pl.DataFrame:
    """lane UInt16, layer, thread, device Int64, stream Int64 (null where the lane is no stream) of each."""
    streams = [_STREAM_ID.match(lane.thread) if lane.is_stream else None for lane in index.lanes]
    return pl.DataFrame(
        {
            "lane": range(len(index.lanes)),
            "layer": [lane.layer for lane in index.lanes],
            "thread": [lane.thread for lane in index.lanes],
            "device": [lane.device for lane in index.lanes],
            "stream": [int(found.group(1)) if found else None for found in streams],
        },
        schema={
            "lane": pl.UInt16,
            "layer": pl.String,
            "thread": pl.String,
            "device": pl.Int64,
            "stream": pl.Int64,
        },
    )


def _events(index: TraceIndex, events: pl.Series) -> pl.DataFrame:
    rows = index.events.select("lane", "start_ns", "duration_ns", "name", "kind", "connection_id")[events]
    rows = rows.with_columns(pl.col("name").cast(pl.String), _kinds(index).gather(rows["kind"]).alias("kind"))
    return rows.join(lane_facts(index), on="lane", how="left", maintain_order="left")


def _kinds(index: TraceIndex) -> pl.Series:
    return pl.Series(list(index.kinds), dtype=pl.String)


def _name(index: TraceIndex, events: pl.Series) -> pl.Series:
    return index.events["name"].gather(events).cast(pl.String)


def _only_some(listed: int, most: int, sentence: str) -> tuple[str, ...]:
    """``sentence`` where as many are listed as at most can be: there may be more."""
    return (sentence.format(n=count(most)),) if listed >= most else ()


def _table(
    index: TraceIndex, name: str, rows: pl.DataFrame, content: Content, said: Sequence[str] = ()
) -> Table:
    frame = rows.select(
        (pl.col(own) if isinstance(own, str) else pl.lit(own) if isinstance(own, pl.Series) else own).alias(
            column.header
        )
        for column, own in content.items()
    )
    files = ", ".join(file.path.name for file in index.files[:_MOST_NAMED])
    if len(index.files) > _MOST_NAMED:
        files = _("{files}, …").format(files=files)
    return Table(name, [TableSource(files, FrameStore(tuple(content), frame))], said)


_MOST_NAMED = 2
"""Files that a table's source names."""
