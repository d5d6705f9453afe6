"""The samples of counters, and the curve that they make on a row of cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.window import TimeGrid

if TYPE_CHECKING:
    import polars as pl


class Sample(NamedTuple):
    """One value of a counter; None where it has none."""

    at_ns: int
    value: float | None


class Samples:
    """All samples of a lane set, told by their row numbers; see ``LaneSet.samples`` for the frame."""

    def __init__(self, frame: pl.DataFrame | None) -> None:
        self._of_lane: dict[int, range] = {}
        if frame is None or not len(frame):
            return
        self._times = frame["at_ns"]
        self._values = frame["value"].fill_nan(None)
        counts = frame.group_by("lane", maintain_order=True).len()
        begin = 0
        for lane, length in counts.iter_rows():
            self._of_lane[lane] = range(begin, begin + length)
            begin += length

    def of_lane(self, lane: int) -> range:
        """The sample numbers of a lane."""
        return self._of_lane.get(lane, range(0))

    def lane_of(self, number: int) -> int:
        return next(lane for lane, numbers in self._of_lane.items() if number in numbers)

    def sample(self, number: int) -> Sample:
        return Sample(self._times[number], self._values[number])

    @property
    def reach(self) -> Span | None:
        """The first and the last moment; None without samples."""
        ends = [(self._times[numbers[0]], self._times[numbers[-1]]) for numbers in self._of_lane.values()]
        return (min(first for first, _ in ends), max(last for _, last in ends)) if ends else None

    def within(self, lane: int, begin_ns: int, end_ns: int) -> range:
        """The samples of a lane from a moment to before another."""
        numbers = self.of_lane(lane)
        if not numbers:
            return numbers
        first = bisect_left(self._times, begin_ns, numbers.start, numbers.stop)
        return range(first, bisect_left(self._times, end_ns, first, numbers.stop))

    def nearest(self, lane: int, at_ns: int) -> int | None:
        """The sample of a lane nearest in time."""
        numbers = self.of_lane(lane)
        if not numbers:
            return None
        after = bisect_right(self._times, at_ns, numbers.start, numbers.stop)
        around = [number for number in (after - 1, after) if number in numbers]
        return min(around, key=lambda number: abs(self._times[number] - at_ns))

    def along(self, number: int, step: int) -> int | None:
        """The sample ``step`` further in the same lane; None beyond its ends."""
        return number + step if number + step in self.of_lane(self.lane_of(number)) else None

    def levels(self, lane: int, grid: TimeGrid) -> list[tuple[float, float] | None]:
        """The lowest and the highest value in each cell, what was before it and lasts included.

        None before the first sample and where there is no value.
        """
        shown = self.within(lane, grid.begin_ns, grid.end_ns)
        before = shown.start - 1
        level = self._values[before] if before in self.of_lane(lane) else None
        levels: list[tuple[float, float] | None] = []
        sampled = self._by_cell(shown, grid)
        for column in range(grid.columns):
            first_at_ns, low, high, last = sampled.get(column, (None, None, None, level))
            lasting = level if first_at_ns != grid.time_ns(column) else None
            values = [value for value in (lasting, low, high) if value is not None]
            levels.append((min(values), max(values)) if values else None)
            level = last
        return levels

    def _by_cell(
        self, shown: range, grid: TimeGrid
    ) -> dict[int, tuple[int, float | None, float | None, float | None]]:
        """Of each cell with samples: when the first is, the lowest, the highest and the last value."""
        if not shown:
            return {}
        import polars as pl

        at, value = pl.col("at"), pl.col("value")
        frame = pl.DataFrame(
            {
                "at": self._times.slice(shown.start, len(shown)),
                "value": self._values.slice(shown.start, len(shown)),
            }
        ).group_by((at - grid.begin_ns) // grid.cell_ns)
        cells = frame.agg(
            pl.col("at").min().alias("first"),
            value.min().alias("low"),
            value.max().alias("high"),
            value.last().alias("last"),
        )
        return {cell: (first, low, high, last) for cell, first, low, high, last in cells.iter_rows()}
