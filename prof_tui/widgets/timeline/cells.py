"""The text of a row: what each of its terminal cells says.

No cell with an interval in it is blank, and a full block stands only where nothing is idle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from prof_tui import words
from prof_tui.widgets.timeline.columns import (
    Borders,
    KindColumns,
    LaneColumns,
    Track,
    between,
    borders,
    places_of,
)
from prof_tui.widgets.timeline.model import Interval, Kind
from prof_tui.widgets.timeline.zoom import TimeGrid
from prof_tui.words import cut

if TYPE_CHECKING:
    import polars as pl


NOTHING_BUSY = -1
"""Stands for a cell without busy time where others have a kind."""


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
    wanted = {row: each.started.to_list() for row, each in rows.items()}
    busiest = {}
    for row, each in rows.items():
        kinds_ahead = _kinds_ahead(columns, each)
        shares = {
            kind: _share(_whole_ns(ways[row, kind], wanted[row]), each, kinds_ahead == kind)
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


SHORTEST_NAMED_BAR = 4
"""Cells that an interval needs before its name is worth beginning: letter, line, one character, ellipsis."""
_IDLE = -1
"""Stands for a cell with nothing in it where others have a kind; a lower number is one interval's cell."""


class Look(Enum):
    """How a piece of a row is drawn."""

    IDLE = auto()
    SHARED = auto()
    """A block per cell, as high as the cell is busy."""
    NARROW = auto()
    """One interval that doesn't fill its cell."""
    BAR = auto()
    """One interval, over one whole cell or more."""
    SELECTED = auto()
    PLAIN = auto()
    """A block per cell that stands for intervals of many kinds, or for a value."""


class Piece(NamedTuple):
    """A stretch of a row in one look; ``kind`` means nothing where it is idle or plain."""

    text: str
    look: Look
    kind: int


def short_name(name: str) -> str:
    """The last part of a name that is a path in the graph; a lane has no room for more."""
    return name.rstrip("/").rsplit("/", 1)[-1] or name


def bar(letter: str, name: str, width: int) -> str:
    """One interval over ``width`` cells: letter, then its name on a line that goes on to its end."""
    line = words.glyphs().horizontal
    if width < SHORTEST_NAMED_BAR:
        return letter + line * (width - 1)
    shown = cut(short_name(name), width - 2)
    return letter + line + shown + line * (width - 2 - cell_len(shown))


def letter(kind: Kind, duration_ns: int) -> str:
    """What an interval begins with."""
    return kind.letter if duration_ns >= 0 else words.glyphs().invalid


def height_blocks(shares_ns: Sequence[int], cell_ns: int) -> str:
    """A block for each busy time, rounded down to a height of the blocks but never to nothing."""
    blocks = words.glyphs().blocks
    heights, steps = blocks[0] + blocks, len(blocks)
    return "".join([heights[steps * busy_ns // cell_ns] for busy_ns in shares_ns])


class Cells(NamedTuple):
    """What the cells of a row hold, before anything is drawn over it."""

    codes: list[int]
    """``_IDLE``, a number below that for one interval alone, else a kind."""
    busy_ns: list[int]


def row_cells(columns: LaneColumns, rows: Sequence[int], grid: TimeGrid) -> dict[int, Cells]:
    """The cells of some of ``columns.rows``."""
    found = borders([columns.track(row) for row in rows], grid.bounds_ns())
    by_row = dict(zip(rows, found, strict=True))
    parts = {row: _parts_in_cells(its) for row, its in by_row.items()}
    several = {
        row: its
        for row, its in by_row.items()
        if len(columns.rows[row].kinds) > 1 and max(parts[row].counts, default=0) > 1
    }
    busiest = busiest_kinds(columns, several)
    return {
        row: Cells(_codes(columns, row, parts[row], busiest.get(row)), between(its.busy_ns).to_list())
        for row, its in by_row.items()
    }


def cover_cells(tracks: Sequence[Track], grid: TimeGrid) -> list[Cells]:
    """The cells of lines that stand for many rows each."""
    return [
        Cells(
            [0 if count else _IDLE for count in _parts_in_cells(its).counts], between(its.busy_ns).to_list()
        )
        for its in borders(tracks, grid.bounds_ns())
    ]


class _Parts(NamedTuple):
    """The intervals that have a part in each cell."""

    first: list[int]
    counts: list[int]


def _parts_in_cells(its: Borders) -> _Parts:
    carries = (its.carried_ns > 0).cast(its.started.dtype)
    first = (its.started - carries).slice(0, len(carries) - 1)
    return _Parts(first.to_list(), (its.started.slice(1) - first).to_list())


def _codes(columns: LaneColumns, row: int, parts: _Parts, busiest: list[int] | None) -> list[int]:
    """``busiest``: the kind of each cell; None where all have the same, or none is shared."""
    own = columns.rows[row].kinds[0]
    kinds = busiest or [own] * len(parts.counts)
    return [
        (_IDLE - 1 - first if count == 1 else columns.kinds[first] if kind == NOTHING_BUSY else kind)
        if count
        else _IDLE
        for count, kind, first in zip(parts.counts, kinds, parts.first, strict=True)
    ]


class CellText:
    """Cuts the cells of a row into pieces; ``overlay`` is the text of a row in which nothing is."""

    def __init__(
        self, columns: LaneColumns, kinds: Sequence[Kind], cells: Cells, grid: TimeGrid, overlay: str
    ) -> None:
        self._columns = columns
        self._kinds = kinds
        self._codes, self._busy_ns = cells
        self._grid = grid
        self._overlay = overlay

    def pieces(self, selected: Interval | None = None, shared: Look = Look.SHARED) -> Iterator[Piece]:
        """The row from left to right: bars, blocks that look ``shared`` where several share a cell.

        The interval that is ``selected`` is drawn in full.
        """
        extent = self._grid.extent(selected.start_ns, selected.end_ns) if selected else range(0)
        if selected is None or not extent:
            yield from self._between(0, self._grid.columns, shared)
            return
        yield from self._between(0, extent.start, shared)
        begin = letter(self._kinds[selected.kind], selected.duration_ns)
        yield Piece(bar(begin, selected.name, len(extent)), Look.SELECTED, selected.kind)
        yield from self._between(extent.stop, self._grid.columns, shared)

    def _between(self, column: int, stop: int, shared: Look) -> Iterator[Piece]:
        codes, overlay = self._codes, self._overlay
        while column < stop:
            code, end = codes[column], column + 1
            while end < stop and codes[end] == code:
                end += 1
            if code == _IDLE:
                yield Piece(overlay[column:end], Look.IDLE, 0)
            elif code < 0:
                yield self._alone(_IDLE - 1 - code, column, end)
            else:
                yield Piece(self._blocks[column:end], shared, code)
            column = end

    def _alone(self, number: int, column: int, stop: int) -> Piece:
        """The only interval of some cells."""
        width = stop - column
        kind, begin = self._letters[number]
        name = self._columns.names[number] or "" if width >= SHORTEST_NAMED_BAR else ""
        covers = width > 1 or self._busy_ns[column] == self._grid.cell_ns
        return Piece(bar(begin, name, width), Look.BAR if covers else Look.NARROW, kind)

    @cached_property
    def _letters(self) -> dict[int, tuple[int, str]]:
        """Kind and letter of each interval that is alone in a cell, asked for at once."""
        import polars as pl

        numbers = list({_IDLE - 1 - code for code in self._codes if code < _IDLE})
        at = pl.Series(numbers, dtype=pl.UInt32)
        kinds, durations = self._columns.kinds[at].to_list(), self._columns.durations[at].to_list()
        return {
            number: (kind, letter(self._kinds[kind], duration_ns))
            for number, kind, duration_ns in zip(numbers, kinds, durations, strict=True)
        }

    @cached_property
    def _blocks(self) -> str:
        """For each cell the block that says how busy it is."""
        return height_blocks(self._busy_ns, self._grid.cell_ns)


def plot_pieces(
    levels: Sequence[tuple[float, float] | None], overlay: str, selected: int | None = None
) -> Iterator[Piece]:
    """A block per cell, as high as its highest value between the lowest and the highest in sight.

    A value that never changes is half high; where there is none the overlay shows.  ``selected`` is the
    column of the chosen sample.
    """
    heights = _heights(levels)
    blocks = words.glyphs().blocks
    for column, height in enumerate(heights):
        if column == selected:
            yield Piece(words.glyphs().bullet if height is None else blocks[height], Look.SELECTED, 0)
        elif height is None:
            yield Piece(overlay[column], Look.IDLE, 0)
        else:
            yield Piece(blocks[height], Look.PLAIN, 0)


def _heights(levels: Sequence[tuple[float, float] | None]) -> list[int | None]:
    known = [level for level in levels if level]
    if not known:
        return [None] * len(levels)
    lowest, highest = min(low for low, _ in known), max(high for _, high in known)
    steps = len(words.glyphs().blocks)
    span = highest - lowest
    if not 0 < span < float("inf"):
        return [steps // 2 if level else None for level in levels]
    return [min(steps - 1, int((level[1] - lowest) / span * steps)) if level else None for level in levels]


def value_text(value: float | None, unit: str) -> str:
    """A sample's value with its unit: whole numbers in full, others with six digits."""
    if value is None:
        return words.NOT_AVAILABLE
    text = f"{value:,.0f}" if value == value // 1 else f"{value:,.6g}"
    return f"{text} {words.printable(unit)}" if unit else text
