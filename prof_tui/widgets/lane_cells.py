"""The text of a timeline: what each terminal cell of a row, of the axis and of the marks says.

No cell with an interval in it is blank, and a full block stands only where nothing is idle.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import repeat
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from prof_tui import words
from prof_tui.widgets.cell_text import cut
from prof_tui.widgets.lane_index import Row
from prof_tui.widgets.lane_model import Interval, Kind, Mark
from prof_tui.widgets.time_window import TimeGrid

SHORTEST_NAMED_BAR = 4
"""Cells that an interval needs before its name is worth beginning: letter, line, one character, ellipsis."""


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


class Piece(NamedTuple):
    """A stretch of a row in one look; ``kind`` means nothing where it is idle."""

    text: str
    look: Look
    kind: int


def bar(interval: Interval, kinds: Sequence[Kind], width: int) -> str:
    """One interval over ``width`` cells: letter, then its name on a line that goes on to its end."""
    line = words.glyphs().horizontal
    letter = kinds[interval.kind].letter if interval.duration_ns >= 0 else words.glyphs().invalid
    if width < SHORTEST_NAMED_BAR:
        return letter + line * (width - 1)
    name = cut(interval.name, width - 2)
    return letter + line + name + line * (width - 2 - cell_len(name))


def block(busy_ns: int, cell_ns: int, blocks: str) -> str:
    """The block for a busy share, rounded down to a height of ``blocks`` but never to nothing."""
    height = len(blocks) * busy_ns // cell_ns
    return blocks[height - 1] if height else blocks[0]


class RowText:
    """Cuts one row into pieces on a grid; ``overlay`` has what to draw in which column while it is idle."""

    def __init__(
        self,
        row: Row,
        intervals: Sequence[Interval],
        kinds: Sequence[Kind],
        grid: TimeGrid,
        overlay: Mapping[int, str],
    ) -> None:
        self._row = row
        self._intervals = intervals
        self._kinds = kinds
        self._grid = grid
        self._overlay = overlay
        self._bounds_ns = grid.bounds_ns()
        self._started = list(map(bisect_left, repeat(row.starts), self._bounds_ns))
        self._carried = [
            max(0, row.ends[count] - bound)
            for count, bound in zip(self._started, self._bounds_ns, strict=True)
        ]
        """For each border of cells: how much of the interval started before it is still to come."""
        self._busy_until: list[int] = []
        self._busy_until_by_kind: dict[int, list[int]] = {}

    def pieces(self, selected: int | None = None) -> Iterator[Piece]:
        """The whole row from left to right; ``selected`` is a number within the row, drawn in full."""
        if selected is None or not (extent := self._extent(selected)):
            yield from self._plain(0, self._grid.columns)
            return
        yield from self._plain(0, extent.start)
        yield self._drawn(selected, Look.SELECTED, len(extent))
        yield from self._plain(extent.stop, self._grid.columns)

    def _extent(self, index: int) -> range:
        return self._grid.extent(self._row.starts[index], self._row.ends[index + 1])

    def _plain(self, column: int, stop: int) -> Iterator[Piece]:
        while column < stop:
            first, end = self._occupants(column)
            if end == first:
                width = self._idle_width(column, stop)
                yield self._idle(column, width)
            elif end == first + 1:
                width = self._alone_width(first, column, stop)
                covers = width > 1 or self._busy_ns(column) == self._grid.cell_ns
                yield self._drawn(first, Look.BAR if covers else Look.NARROW, width)
            else:
                kind = self._shared_kind(column)
                width = self._shared_width(kind, column, stop)
                yield self._shared(kind, column, width)
            column += width

    def _occupants(self, column: int) -> tuple[int, int]:
        return self._started[column] - (self._carried[column] > 0), self._started[column + 1]

    def _idle_width(self, column: int, stop: int) -> int:
        next_start = self._started[column]
        if next_start == len(self._row.starts):
            return stop - column
        gap_cells = (self._row.starts[next_start] - self._grid.begin_ns) // self._grid.cell_ns - column
        return min(stop - column, gap_cells)

    def _alone_width(self, index: int, column: int, stop: int) -> int:
        last = self._extent(index).stop - 1
        if last > column and self._started[last + 1] > index + 1:
            last -= 1
        return min(last + 1, stop) - column

    def _idle(self, column: int, width: int) -> Piece:
        text = "".join(self._overlay.get(at, " ") for at in range(column, column + width))
        return Piece(text, Look.IDLE, 0)

    def _drawn(self, index: int, look: Look, width: int) -> Piece:
        interval = self._intervals[self._row.members[index]]
        return Piece(bar(interval, self._kinds, width), look, interval.kind)

    def _shared(self, kind: int, column: int, width: int) -> Piece:
        cell_ns, blocks = self._grid.cell_ns, words.glyphs().blocks
        shares = (self._busy_ns(at) for at in range(column, column + width))
        return Piece("".join(block(busy_ns, cell_ns, blocks) for busy_ns in shares), Look.SHARED, kind)

    def _shared_width(self, kind: int, column: int, stop: int) -> int:
        """How many cells from here on are shared and mostly of this kind."""
        at = column + 1
        while at < stop and self._is_shared(at) and self._shared_kind(at) == kind:
            at += 1
        return at - column

    def _is_shared(self, column: int) -> bool:
        first, end = self._occupants(column)
        return end - first > 1

    def _shared_kind(self, column: int) -> int:
        """The kind with the most busy time in a cell, the first interval's when nothing is busy."""
        if len(self._row.busy_ns_by_kind) == 1 or not self._busy_ns(column):
            return self._row.kinds[self._occupants(column)[0]]
        if not self._busy_until_by_kind:
            self._busy_until_by_kind = {kind: self._busy_until_of(kind) for kind in self._row.busy_ns_by_kind}
        until = self._busy_until_by_kind
        return max(until, key=lambda kind: until[kind][column + 1] - until[kind][column])

    def _busy_ns(self, column: int) -> int:
        if not self._busy_until:
            total = self._row.busy_ns
            self._busy_until = [
                total[count] - ahead for count, ahead in zip(self._started, self._carried, strict=True)
            ]
        return self._busy_until[column + 1] - self._busy_until[column]

    def _busy_until_of(self, kind: int) -> list[int]:
        total, kinds = self._row.busy_ns_by_kind[kind], self._row.kinds
        return [
            total[count] - (ahead if ahead and kinds[count - 1] == kind else 0)
            for count, ahead in zip(self._started, self._carried, strict=True)
        ]


def round_step_ns(at_least_ns: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … nanoseconds that is ``at_least_ns`` or more."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= at_least_ns:
                return digit * power
        power *= 10


def axis_text(grid: TimeGrid, zero_ns: int) -> str:
    """Ticks at round distances from ``zero_ns``, each with its microseconds where they fit."""
    begin_ns = grid.begin_ns - zero_ns
    widest = max(
        len(words.microseconds(at_ns)) for at_ns in (begin_ns, begin_ns + grid.columns * grid.cell_ns)
    )
    step_ns = round_step_ns(grid.cell_ns * (widest + 3))
    cells = [" "] * grid.columns
    first_tick_ns = -(-begin_ns // step_ns) * step_ns
    for tick_ns in range(first_tick_ns, begin_ns + grid.columns * grid.cell_ns, step_ns):
        column = (tick_ns - begin_ns) // grid.cell_ns
        label = words.glyphs().tick + words.microseconds(tick_ns)
        shown = label if column + len(label) <= grid.columns else label[0]
        cells[column : column + len(shown)] = shown
    return "".join(cells)


def marks_text(marks: Sequence[Mark], grid: TimeGrid) -> str:
    """A tick for every mark, its title right of it, or left of it where there is more room, or cut.

    Marks that fall into one cell share its tick, their titles are joined.
    """
    titles: dict[int, str] = {}
    for mark in sorted(marks, key=lambda mark: mark.at_ns):
        column = grid.column(mark.at_ns)
        if column is not None:
            joined = [titles[column], mark.title] if column in titles else [mark.title]
            titles[column] = f" {words.glyphs().separator} ".join(joined)
    text, columns = "", [*titles, grid.columns]
    for number, (column, title) in enumerate(titles.items()):
        left_room = max(0, column - cell_len(text.rstrip()) - (text.strip() != ""))
        right_room = columns[number + 1] - column - 1
        text += " " * (column - cell_len(text))
        width = cell_len(words.printable(title))
        if right_room < width and left_room > right_room:
            shown = cut(title, left_room)
            text = set_cell_size(text, column - cell_len(shown)) + shown + words.glyphs().tick
        else:
            text += words.glyphs().tick + cut(title, right_room)
    return set_cell_size(text, grid.columns)
