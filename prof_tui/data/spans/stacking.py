"""Rows of events that overlap: nested ones under each other, and one row more wherever rows would collide.

The rule is that of the lanes on screen: in order of (start, -duration) each event takes the topmost row
of its lane that is free at its start.  Where events nest properly, that is the number of events open then,
which whole columns tell at once; only clusters with partial overlap are worked out one by one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

import polars as pl

_AT_ONCE = 20_000
"""Values made Python objects at a time, so that other threads run in between."""
_MOST_LEVELS = 64
"""Deeper nesting is worked out one by one."""
_MOST_ROWS = (1 << 16) - 1


def stack_rows(frame: pl.DataFrame, by: Sequence[str] = ("lane",)) -> pl.DataFrame:
    """``frame`` (start_ns, duration_ns and the columns ``by``) with ``row`` UInt16, 0 topmost.

    Sorted by ``by``, row, start_ns, then as before.  Zero and negative durations take no room; an event
    that ends where another starts only touches it.
    """
    keys = frame.select(
        *by, "start_ns", minus=-pl.col("duration_ns"), place=pl.int_range(pl.len(), dtype=pl.UInt32)
    ).sort(*by, "start_ns", "minus", maintain_order=True)
    lengths = keys.group_by(*by, maintain_order=True).len()["len"]
    end = pl.col("start_ns") - pl.min_horizontal("minus", pl.lit(0, pl.Int64))
    keys = keys.select("place", "start_ns", end_ns=end)
    parts, begin = [pl.Series(dtype=pl.UInt16)], 0
    for length in lengths:
        parts.append(
            _rows_of_lane(keys["start_ns"][begin : begin + length], keys["end_ns"][begin : begin + length])
        )
        begin += length
    rows = keys.select("place", row=pl.concat(parts)).sort("place")["row"]
    return frame.with_columns(rows).sort(*by, "row", "start_ns", maintain_order=True)


def _rows_of_lane(start: pl.Series, end: pl.Series) -> pl.Series:
    """``row`` of one lane's events, which are sorted by (start, -duration)."""
    lane = pl.DataFrame([start, end])
    overlaps = pl.col("start_ns") < pl.col("end_ns").cum_max().shift(1)
    lane = lane.with_columns(overlaps=overlaps.fill_null(False))
    if not lane["overlaps"].any():
        return pl.zeros(len(lane), dtype=pl.UInt16, eager=True)
    clustered = lane.with_columns(
        place=pl.int_range(pl.len(), dtype=pl.UInt32), cluster=(~pl.col("overlaps")).cum_sum()
    ).filter(pl.col("overlaps") | pl.col("overlaps").shift(-1, fill_value=False))
    clustered = _with_depth(clustered)
    collided = clustered.filter(pl.col("cluster").is_in(_colliding(clustered).implode()))
    rows = pl.zeros(len(lane), dtype=pl.UInt16, eager=True)
    rows = rows.scatter(clustered["place"], clustered["depth"].clip(0, _MOST_ROWS).cast(pl.UInt16))
    return rows.scatter(collided["place"], _one_by_one(collided)) if len(collided) else rows


def _with_depth(clustered: pl.DataFrame) -> pl.DataFrame:
    """With ``depth``: how many events are open at the start of each, and ``solid``: whether it takes room."""
    clustered = clustered.with_columns(solid=pl.col("end_ns") > pl.col("start_ns"))
    ends = clustered.filter("solid")["end_ns"].sort()
    closed = ends.search_sorted(clustered["start_ns"], side="right")
    opened = pl.col("solid").cum_sum().cast(pl.Int64) - pl.col("solid").cast(pl.Int64)
    return clustered.with_columns(depth=opened - closed.cast(pl.Int64))


def _colliding(clustered: pl.DataFrame) -> pl.Series:
    """The clusters in which an event outlasts the one above it, so that depth is no row."""
    found = [clustered.filter(pl.col("depth") > _MOST_LEVELS)["cluster"]]
    levels = clustered.select("cluster", "end_ns", "solid", "depth")
    deepest = min(levels.select(pl.col("depth").max()).item() or 0, _MOST_LEVELS)
    for level in range(1, deepest + 1):
        levels = levels.filter(pl.col("depth") >= level - 1)
        above = pl.when((pl.col("depth") == level - 1) & pl.col("solid")).then("end_ns").forward_fill()
        found.append(levels.filter((pl.col("depth") == level) & (above < pl.col("end_ns")))["cluster"])
    return pl.concat(found).unique()


def _one_by_one(events: pl.DataFrame) -> pl.Series:
    """``row`` by the rule itself."""
    parts: list[pl.Series] = []
    rows = _topmost_free(_pairs(events))
    for at in range(0, len(events), _AT_ONCE):
        some = [next(rows) for _ in range(min(_AT_ONCE, len(events) - at))]
        parts.append(pl.Series(some, dtype=pl.UInt16))
    return pl.concat(parts)


def _pairs(events: pl.DataFrame) -> Iterator[tuple[int, int]]:
    for at in range(0, len(events), _AT_ONCE):
        yield from events[at : at + _AT_ONCE].select("start_ns", "end_ns").iter_rows()


def _topmost_free(spans: Iterator[tuple[int, int]]) -> Iterator[int]:
    occupied: list[tuple[int, int]] = []
    free: list[int] = []
    for start, end in spans:
        while occupied and occupied[0][0] <= start:
            heapq.heappush(free, heapq.heappop(occupied)[1])
        row = heapq.heappop(free) if free else len(occupied)
        heapq.heappush(occupied, (end, row))
        yield min(row, _MOST_ROWS)
