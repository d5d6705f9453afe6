"""Sortable tables made from a timeline, each with what its rows stand for beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.frame_store import FrameStore
from prof_tui.data.tables.stores import TableSource
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline import columns
from prof_tui.data.timeline.events import MOST_EVENTS, RangeStats
from prof_tui.data.timeline.gaps import MOST_GAPS
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.words import _, count

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
        columns.NAME: "name",
        columns.DURATION: "duration_ns",
        columns.KIND: "kind",
        columns.LAYER: "layer",
        columns.THREAD: "thread",
        columns.DEVICE: "device",
        columns.START: "start_ns",
        columns.CONNECTION: "connection_id",
    }
    said = _only_some(len(events), MOST_EVENTS, _("Only the {n} longest events are listed."))
    return EventTable(_table(index, "longest", _events(index, events), content, said), events.to_list())


def ops_table(index: TraceIndex, events: pl.Series) -> EventTable:
    """Tasks and communication ops (UInt32) under op_summary's headers, in the order given."""
    content: Content = {
        columns.DEVICE: "device",
        columns.OP_NAME: "name",
        columns.TASK_DURATION: "duration_ns",
        columns.TASK_TYPE: "kind",
        columns.TASK_START: "start_ns",
        columns.STREAM: "stream",
        columns.CONNECTION: "connection_id",
    }
    return EventTable(_table(index, "timeline_ops", _events(index, events), content), events.to_list())


def gaps_table(index: TraceIndex, gaps: pl.DataFrame, iterations: pl.DataFrame | None = None) -> EventTable:
    """Gaps from ``largest_gaps``; ``iterations``: model and iteration of each begin (``place_times``).

    A row goes to the op after the gap, of the last one to the op before it.
    """
    placed: Content = (
        {}
        if iterations is None
        else {columns.ITERATION: iterations["iteration"], columns.MODEL: iterations["model"]}
    )
    content: Content = {
        columns.GAP: "duration_ns",
        columns.START: "begin_ns",
        columns.OP_BEFORE: _name(index, gaps["before"]),
        columns.OP_AFTER: _name(index, gaps["after"]),
        columns.HOST_CALL: _name(index, gaps["host_call"]),
        columns.HOST_CALLS: "host_calls",
        columns.HOST_UNION: "host_union_ns",
        columns.HOST_SUM: "host_sum_ns",
        **placed,
    }
    spans = list(gaps.select("begin_ns", "end_ns").iter_rows())
    events = pl.Series(gaps["after"]).fill_null(gaps["before"]).to_list()
    said = _only_some(len(gaps), MOST_GAPS, _("Only the {n} largest gaps are listed."))
    return EventTable(_table(index, "gaps", gaps, content, said), events, spans)


def range_lanes_table(index: TraceIndex, stats: RangeStats) -> EventTable:
    """A marked range, one row per lane that has anything in it."""
    rows = stats.lanes.join(lane_facts(index), on="lane", how="left", maintain_order="left")
    content: Content = {columns.LAYER: "layer", columns.THREAD: "thread", columns.DEVICE: "device"}
    table = _table(index, "range_lanes", rows, content | _sums(stats))
    return EventTable(table, lanes=rows["lane"].to_list())


def range_names_table(index: TraceIndex, stats: RangeStats) -> EventTable:
    """A marked range, one row per name and kind over all lanes, largest sum first."""
    content: Content = {columns.NAME: "name", columns.KIND: _kinds(index).gather(stats.names["kind"])}
    return EventTable(_table(index, "range_names", stats.names, content | _sums(stats)))


def _sums(stats: RangeStats) -> Content:
    return {
        columns.EVENTS: "events",
        columns.SUM: "sum_ns",
        columns.UNION: "union_ns",
        columns.SHARE: pl.col("union_ns") * 100 / max(1, stats.span[1] - stats.span[0]),
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
