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
    there = numbered(index, ("start_ns", "duration_ns", "name"), lanes).filter(pl.col("start_ns") == start_ns)
    pairs = there.select(
        number="event",
        name=pl.lit(_op_name(table, row), pl.String),
        other_name=pl.col("name").cast(pl.String),
        ns=pl.lit(table.numbers(length)[row] if length else None, pl.Int64),
        other_ns="duration_ns",
    )
    found = _only(pairs)
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
    pairs = pl.DataFrame(
        {
            "number": rows,
            "name": str(index.events["name"][event]),
            "other_name": pl.Series([_op_name(table, row) for row in rows], dtype=pl.String),
            "ns": duration_ns,
            "other_ns": table.numbers(length).gather(rows) if length else pl.lit(None, pl.Int64),
        }
    )
    found = _only(pairs)
    if found is None:
        text = _("The rows of op_summary that start then have other names, and take other times than {own}.")
        return Match(None, text.format(own=duration(duration_ns)))
    return Match(found)


def best_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """Of the pairs (key, number, name, other_name, ns, other_ns) of ops and events the best of each key.

    That of the same name; else of a name that contains the other; else of nearly the same length; else the
    only one there is.
    """
    name, other = pl.col("name").fill_null(""), pl.col("other_name").fill_null("")
    within = name.str.contains(other, literal=True) | other.str.contains(name, literal=True)
    ranked = pairs.with_columns(
        renamed=name != other,
        alike=(name != "") & (other != "") & within,
        off_ns=(pl.col("ns").fill_null(0) - pl.col("other_ns").fill_null(0)).abs(),
        alone=pl.len().over("key") == 1,
    )
    near = pl.col("alike") | pl.col("alone") | (pl.col("off_ns") <= _SAME_LENGTH_NS)
    ordered = ranked.filter(near).sort("key", "renamed", ~pl.col("alike"), "off_ns", "number")
    return ordered.unique("key", keep="first", maintain_order=True).select("key", "number")


def _only(pairs: pl.DataFrame) -> int | None:
    """The number of the best pair where all are of one op or event."""
    return next(iter(best_pairs(pairs.with_columns(key=pl.lit(0)))["number"]), None)


_SAME_LENGTH_NS = 1
"""op_summary rounds durations where timelines cut them off (quirk 35)."""


def _op_name(table: Table, row: int) -> str | None:
    column = table.get("op_name")
    if column is None:
        return None
    texts = table.texts(column)
    code = texts.codes[row]
    return None if code is None else str(texts.values[code])
