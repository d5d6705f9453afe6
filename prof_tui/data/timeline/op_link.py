"""A row of op_summary and its event: the same task, found by ``prof_tui.data.tables.same_tasks``.

The search is among the tasks of the streams and the communication ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.tables.same_tasks import TASKS, match_tasks, starting_near, tasks_of_table
from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.data.timeline.events import op_lanes, select_events
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.tables import lane_facts
from prof_tui.words import _


@dataclass(frozen=True)
class Match:
    """The other side of a pair."""

    number: int | None
    """Event or row number; None where there is none."""
    why: str = ""
    """A sentence where there is none."""
    apart_ns: int = 0
    """How much later the other side starts by its own file."""


def tasks_of_lanes(index: TraceIndex, lanes: Sequence[int], device: int | None = None) -> pl.DataFrame:
    """The events of some lanes as ``TASKS``, by event number.

    ``device``: that of lanes which don't say theirs.
    """
    columns = ("lane", "task_id", "start_ns", "duration_ns", "name")
    events = select_events(index, columns, lanes)
    return _as_tasks(index, events, device)


def _as_tasks(index: TraceIndex, events: pl.DataFrame, device: int | None) -> pl.DataFrame:
    facts = lane_facts(index).select("lane", "device", "stream")
    return (
        events.join(facts, on="lane", how="left", maintain_order="left")
        .select(
            number="event",
            device=pl.col("device").fill_null(pl.lit(device, pl.Int64)),
            stream="stream",
            task=pl.when(pl.col("stream").is_not_null()).then(pl.col("task_id")),
            start_ns="start_ns",
            ns="duration_ns",
            name="name",
        )
        .cast(dict(TASKS.items()))
    )


def events_of_rows(index: TraceIndex, table: Table, rows: pl.Series, device: int | None) -> pl.DataFrame:
    """Pairs (``SAME_TASKS``) of rows of op_summary (UInt32) and their events on a device."""
    tasks = tasks_of_table(table, rows)
    tasks = tasks.with_columns(pl.col("device").fill_null(pl.lit(device, pl.Int64)))
    return match_tasks(tasks, tasks_of_lanes(index, op_lanes(index, device), device))


def event_of_op(index: TraceIndex, table: Table, row: int) -> Match:
    """The event of a row of op_summary; reads columns of it that weren't read yet."""
    start = table.get("task_start")
    start_ns = None if start is None else table.times(start).ns[row]
    if start_ns is None:
        return Match(None, _("The op has no usable Task Start Time: its event can't be found."))
    device = device_numbers(table)[row]
    if not op_lanes(index, device):
        return Match(None, _("The timeline has no stream of the op's device."))
    pairs = _near(index, table, start_ns, device).filter(pl.col("number") == row)
    for event, apart_ns in pairs.select("other", "apart_ns").iter_rows():
        return Match(event, apart_ns=apart_ns)
    return Match(None, _("No event with the op's ids, or without ids its name, starts within 10 us of it."))


def op_of_event(index: TraceIndex, table: Table, event: int) -> Match:
    """The row of op_summary of an event; reads columns of it that weren't read yet."""
    lane, start_ns = index.events.select("lane", "start_ns").row(event)
    device = index.lanes[lane].device
    if lane not in op_lanes(index, device):
        return Match(None, _("Only tasks of streams and communication ops are in op_summary."))
    if table.get("task_start") is None:
        return Match(None, _("op_summary has no Task Start Time: its rows can't be found by event."))
    pairs = _near(index, table, start_ns, device).filter(pl.col("other") == event)
    for row, apart_ns in pairs.select("number", "apart_ns").iter_rows():
        return Match(row, apart_ns=-apart_ns)
    return Match(None, _NO_ROW)


_NO_ROW = _(
    "op_summary has none with its ids, or without ids its name, that starts within 10 us of it: tasks "
    "without an operator are not in it."
)


def _near(index: TraceIndex, table: Table, start_ns: int, device: int | None) -> pl.DataFrame:
    """Pairs (``SAME_TASKS``) of the rows and events of a device that start around a moment."""
    start = table.get("task_start")
    assert start is not None
    near = starting_near(table.times(start).ns, start_ns)
    if device is not None:
        near = near & (device_numbers(table) == device).fill_null(True)
    rows = tasks_of_table(table, near.arg_true())
    columns = ("lane", "task_id", "start_ns", "duration_ns", "name")
    events = select_events(index, columns, op_lanes(index, device))
    events = events.filter(starting_near(events["start_ns"], start_ns))
    fill = pl.col("device").fill_null(pl.lit(device, pl.Int64))
    return match_tasks(rows.with_columns(fill), _as_tasks(index, events, device))
