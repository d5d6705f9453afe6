"""What belongs to an event: what launched it, what it launched, and its row of op_summary.

Launches are known by flow events and by connection_id.  A flow event belongs to the slice of its lane that
begins at its moment, else to the innermost that encloses it, else to the one that ends there (formats.md
section 4: ``bp:"e"``).  Within one flow a ``t`` or ``f`` goes with the latest ``s`` before it, and with the
first where none is before.  Not every end has its start in the file.

A row and its event are of the same device and start at the same ns, as both come from the same timestamps:
on real files of 2026 all 2,800 rows have an event with exactly their start.  The search is among the tasks
of the streams and the communication ops.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.data.timeline.events import ENDS_NS, op_lanes, rows_of_lane, select_events
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.words import _, duration

Means = Literal["flow", "connection_id"]


@dataclass(frozen=True)
class Link:
    """The other end of a launch."""

    event: int
    means: tuple[Means, ...]
    """What says so: flow events, the same connection_id, or both."""


@dataclass(frozen=True)
class Links:
    """Both in time order, each event once."""

    launched_by: tuple[Link, ...]
    launched: tuple[Link, ...]
    ends_without_start: int = 0
    """Flow events that end at this event and begin nowhere in the file."""
    starts_without_end: int = 0
    """Flow events that begin at this event and end nowhere in the file."""


def links_of(index: TraceIndex, event: int) -> Links:
    """What launched ``event`` and what it launched."""
    chains = _chains(index, _flows_at(index, event))
    own = (pl.col("event") == event).fill_null(False)
    starts, ends = pl.col("phase") == "s", pl.col("phase") != "s"
    mine = chains.filter(own)
    started, ended = (mine.filter(which).select("flow", "chain").unique() for which in (starts, ends))
    far_ends = chains.filter(ends).join(started, on=["flow", "chain"], how="semi")
    far_starts = chains.filter(starts).join(ended, on=["flow", "chain"], how="semi")
    connected = _find_connected(index, event)
    is_host = index.lanes[index.events["lane"][event]].is_host
    return Links(
        _merge(index, event, far_starts, () if is_host else connected),
        _merge(index, event, far_ends, connected if is_host else ()),
        len(mine.filter(ends)) - len(mine.filter(ends).join(far_starts, on=["flow", "chain"], how="semi")),
        len(started) - len(started.join(far_ends, on=["flow", "chain"], how="semi")),
    )


def slices_at(index: TraceIndex, points: pl.DataFrame) -> pl.Series:
    """The event (UInt32) that each flow event (lane, at_ns) belongs to; null where none is."""
    asked = points.select("lane", "at_ns").with_row_index("point")
    parts = [
        _of_row(index, own, first, last)
        for (lane,), own in asked.group_by("lane", maintain_order=True)
        if isinstance(lane, int)
        for first, last in rows_of_lane(index, lane)
    ]
    if not parts:
        return pl.Series([None], dtype=pl.UInt32).new_from_index(0, len(points))
    best = (
        pl.concat(parts)
        .filter(pl.col("fit") > 0)
        .sort("point", "fit", "event")
        .unique("point", keep="last", maintain_order=True)
    )
    return asked.select("point").join(best, on="point", how="left", maintain_order="left")["event"]


def _of_row(index: TraceIndex, points: pl.DataFrame, first: int, last: int) -> pl.DataFrame:
    """point, event and how well it fits, of the last event of a row that began by then; deeper rows later."""
    starts = index.events["start_ns"][first:last]
    place = starts.search_sorted(points["at_ns"], side="right").cast(pl.Int64) - 1
    at = (place.clip(0) + first).cast(pl.UInt32)
    events = index.events.select("start_ns", "duration_ns")[at].with_columns(ENDS_NS)
    known = pl.DataFrame([points["point"], points["at_ns"], at.alias("event"), place.alias("place")])
    begins = (pl.col("start_ns") == pl.col("at_ns")).cast(pl.Int8)
    takes_time = (pl.col("duration_ns") > 0).cast(pl.Int8)
    fit = (
        pl.when((pl.col("place") < 0) | (pl.col("duration_ns") < 0) | (pl.col("end_ns") < pl.col("at_ns")))
        .then(0)
        .when(pl.col("end_ns") == pl.col("at_ns"))
        .then(1 + 2 * begins)
        .otherwise(2 + 2 * begins * takes_time)
    )
    return pl.concat([known, events], how="horizontal").select("point", "event", fit=fit.cast(pl.Int8))


def _flows_at(index: TraceIndex, event: int) -> pl.Series:
    """Flows that have an event of theirs within this one's time on its lane."""
    lane, start_ns, end_ns = index.events[event].select("lane", "start_ns", ENDS_NS).row(0)
    near = index.flows.filter((pl.col("lane") == lane) & pl.col("at_ns").is_between(start_ns, end_ns))
    mine = slices_at(index, near) == event
    return near["flow"].filter(mine.fill_null(False)).unique()


def _chains(index: TraceIndex, flows: pl.Series) -> pl.DataFrame:
    """All events of these flows: flow, phase, event (the slice it belongs to), chain (which start of it)."""
    known = index.flows["flow"]
    bounds = [known.search_sorted(flows, side=side) for side in ("left", "right")]
    rows = pl.select(pl.int_ranges(*bounds, dtype=pl.UInt32).alias("row"))["row"].explode().drop_nulls()
    points = index.flows.select("flow", "phase", "lane", "at_ns")[rows]
    starts = pl.col("phase") == "s"
    return (
        points.with_columns(slices_at(index, points).alias("event"))
        .sort("flow", "at_ns", ~starts, maintain_order=True)
        .with_columns(chain=starts.cum_sum().over("flow").clip(1))
    )


def _find_connected(index: TraceIndex, event: int) -> list[int]:
    """Events with the same connection_id on the other side: of a host call the device's, and vice versa."""
    connection = index.events["connection_id"][event]
    if connection is None:
        return []
    found = (index.events["connection_id"] == connection).arg_true()
    host = [number for number, lane in enumerate(index.lanes) if lane.is_host]
    on_host = index.events["lane"].gather(found).is_in(host)
    other_side = ~on_host if index.events["lane"][event] in host else on_host
    return [int(other) for other in found.filter(other_side)]


def _merge(index: TraceIndex, event: int, chains: pl.DataFrame, connected: Iterable[int]) -> tuple[Link, ...]:
    means: dict[int, list[Means]] = {}
    for other in chains["event"].drop_nulls().unique().sort():
        means.setdefault(other, []).append("flow")
    for other in connected:
        means.setdefault(other, []).append("connection_id")
    means.pop(event, None)
    rows = pl.Series(list(means), dtype=pl.UInt32)
    starts = dict(zip(means, index.events["start_ns"].gather(rows), strict=True))
    return tuple(Link(other, tuple(means[other])) for other in sorted(means, key=lambda o: (starts[o], o)))


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
    there = select_events(index, ("start_ns", "duration_ns", "name"), lanes).filter(
        pl.col("start_ns") == start_ns
    )
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
    """The best of each key among pairs (key, number, name, other_name, ns, other_ns) of ops and events.

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
