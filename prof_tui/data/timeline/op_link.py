"""From a row of op_summary to its event on a timeline, and back: same device and same start, to the ns.

Both come from the same timestamps: on real files of 2026 all 2,800 rows have an event with exactly their
start.  The search is among the tasks of the streams and the communication ops.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from prof_tui.data.tables.rows import device_numbers
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline.events import numbered, op_lanes
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.words import _, duration


@dataclass(frozen=True)
class Match:
    """The other side of a pair."""

    number: int | None
    """Event or row number; None where there is none."""
    why: str = ""
    """A sentence where there is none."""


def event_of_op(index: TraceIndex, table: Table, row: int) -> Match:
    """The event of a row of op_summary; reads columns of it that weren't read yet."""
    start, length = table.get("task_start"), table.get("task_duration")
    start_ns = None if start is None else table.numbers(start)[row]
    if start_ns is None:
        return Match(None, _("The op has no Task Start Time: its event can't be found."))
    lanes = op_lanes(index, device_numbers(table)[row])
    if not lanes:
        return Match(None, _("The timeline has no stream of the op's device."))
    columns = ("start_ns", "duration_ns", "name")
    there = numbered(index, columns, lanes).filter(pl.col("start_ns") == start_ns)
    duration_ns = table.numbers(length)[row] if length else None
    candidates = there.select("event", pl.col("name").cast(pl.String), "duration_ns")
    found = _best(candidates, _op_name(table, row), duration_ns)
    if found is None:
        return Match(None, _("No event of the op's device starts when the op does."))
    return Match(found)


def op_of_event(index: TraceIndex, table: Table, event: int) -> Match:
    """The row of op_summary of an event; reads columns of it that weren't read yet."""
    lane, start_ns, duration_ns = index.events.select("lane", "start_ns", "duration_ns").row(event)
    device = index.lanes[lane].device
    if lane not in op_lanes(index, device):
        return Match(None, _("Only tasks of streams and communication ops are in op_summary."))
    start, length = table.get("task_start"), table.get("task_duration")
    if start is None:
        return Match(None, _("op_summary has no Task Start Time: its rows can't be found by event."))
    same = table.numbers(start) == start_ns
    if device is not None:
        same = same & (device_numbers(table) == device)
    rows = same.fill_null(False).arg_true()
    if rows.is_empty():
        text = _("op_summary has no row that starts then: tasks without an operator are not in it.")
        return Match(None, text)
    names = [_op_name(table, row) for row in rows]
    lengths = table.numbers(length).gather(rows) if length else pl.Series([None] * len(rows), dtype=pl.Int64)
    candidates = pl.DataFrame(
        {"event": rows, "name": pl.Series(names, dtype=pl.String), "duration_ns": lengths}
    )
    found = _best(candidates, str(index.events["name"][event]), duration_ns)
    if found is None:
        text = _("The rows of op_summary that start then have other names, and take other times than {own}.")
        return Match(None, text.format(own=duration(duration_ns)))
    return Match(found)


def _best(candidates: pl.DataFrame, name: str | None, duration_ns: int | None) -> int | None:
    """The candidate (event, name, duration_ns) of this name; else of a name that contains it or is
    contained; else of nearly this length; else the only one."""
    if len(candidates) < 2:
        return next(iter(candidates["event"]), None)
    own = name or ""
    ranked = sorted(
        (
            (
                other != own,
                not (other and own and (other in own or own in other)),
                abs((long or 0) - (duration_ns or 0)),
                number,
            )
            for number, other, long in candidates.iter_rows()
        )
    )
    _other, unlike, off_ns, number = ranked[0]
    return None if unlike and off_ns > _SAME_LENGTH_NS else int(number)


_SAME_LENGTH_NS = 1
"""op_summary rounds durations where timelines cut them off (quirk 35)."""


def _op_name(table: Table, row: int) -> str | None:
    column = table.get("op_name")
    if column is None:
        return None
    texts = table.texts(column)
    code = texts.codes[row]
    return None if code is None else str(texts.values[code])
