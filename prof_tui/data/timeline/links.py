"""What belongs to an event: what launched it, and what it launched.

Launches are known by flow events and by connection_id.  A flow event belongs to the slice of its lane that
begins at its moment, else to the innermost that encloses it, else to the one that ends there (formats.md
section 4: ``bp:"e"``).  Within one flow a ``t`` or ``f`` goes with the latest ``s`` before it, and with the
first where none is before.  Not every end has its start in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from prof_tui.data.timeline.events import ENDS_NS, rows_of_lane
from prof_tui.data.timeline.model import TraceIndex

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
