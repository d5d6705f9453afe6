"""Which kind of interval has the most busy time in a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from prof_tui.widgets.timeline.columns import KindColumns, LaneColumns
from prof_tui.widgets.timeline.lane_track import Borders, between, places_of

if TYPE_CHECKING:
    import polars as pl

NOTHING_BUSY = -1
"""Where another cell has a kind."""


def busiest_kinds(columns: LaneColumns, rows: Mapping[int, Borders]) -> dict[int, list[int]]:
    """For each cell of some rows of several kinds the one with the most busy time, of equal ones the first.

    ``rows``: number in ``columns.rows`` to the borders of its cells.
    """
    if not rows:
        return {}
    ways = {
        (row, kind): _way(columns.of_kind(kind), borders)
        for row, borders in rows.items()
        for kind in columns.rows[row].kinds
    }
    wanted = {row: borders.started.to_list() for row, borders in rows.items()}
    busiest = {}
    for row, borders in rows.items():
        kinds_ahead = _kinds_ahead(columns, borders)
        shares = {
            kind: _share(_whole_ns(ways[row, kind], wanted[row]), borders, kinds_ahead == kind)
            for kind in columns.rows[row].kinds
        }
        busiest[row] = _most(shares)
    return busiest


def _way(kind: KindColumns, borders: Borders) -> KindColumns:
    return kind.within(max(0, borders.started[0] - 1), borders.started[-1])


def _whole_ns(way: KindColumns, numbers: Sequence[int]) -> pl.Series:
    """The time of a kind in the intervals before each of some numbers."""
    return way.busy_ns[places_of(numbers, way.numbers)]


def _kinds_ahead(columns: LaneColumns, borders: Borders) -> pl.Series:
    """The kind of the last interval that starts before each border."""
    import polars as pl

    started = borders.started
    return columns.kinds[started - (started > 0).cast(pl.Int64)]


def _share(whole_ns: pl.Series, borders: Borders, is_ahead: pl.Series) -> list[int]:
    """The busy time of a kind in each cell.

    ``whole_ns``: its time up to each border, with all of the interval that is carried over the border;
    ``is_ahead``: whether that one is of this kind.
    """
    import polars as pl

    until = whole_ns - borders.carried_ns * is_ahead.cast(pl.Int64)
    shares: list[int] = between(until).to_list()
    return shares


def _most(shares: Mapping[int, list[int]]) -> list[int]:
    kinds = list(shares)
    return [
        kinds[cell.index(most)] if (most := max(cell)) else NOTHING_BUSY
        for cell in zip(*shares.values(), strict=True)
    ]
