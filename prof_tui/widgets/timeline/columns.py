"""The intervals of a timeline as columns that are quick to draw: running sums, looked up by bisection.

Building this touches every interval; with millions of them it takes part of a second, so do it in a worker,
and share it between the lane sets that show the same intervals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from prof_tui.widgets.timeline.lane_track import Track, joined, running_total
from prof_tui.widgets.timeline.model import Interval

if TYPE_CHECKING:
    import polars as pl


class LaneRow(NamedTuple):
    """One row of a lane: the intervals numbered from ``first`` to before ``stop``."""

    lane: int
    row: int
    first: int
    stop: int
    kinds: tuple[int, ...]
    """Those that occur, in ascending order."""


class KindColumns(NamedTuple):
    """The intervals of one kind, over all lanes."""

    numbers: pl.Series
    """Ascending interval numbers, UInt32."""
    busy_ns: pl.Series
    """The summed durations of the first 0, 1, 2 … of them."""

    def within(self, begin: int, end: int) -> KindColumns:
        """Those with a number from ``begin`` to before ``end``, the sums as they are."""
        low = bisect_left(self.numbers, begin)
        count = bisect_left(self.numbers, end, low) - low
        return KindColumns(self.numbers.slice(low, count), self.busy_ns.slice(low, count + 1))


class LaneColumns:
    """What can be known of intervals without a window; see ``LaneSet.intervals`` for the frame.

    An interval is told by its number: its row number in the frame.
    """

    def __init__(self, intervals: pl.DataFrame | None) -> None:
        self._covers: dict[tuple[int, ...], Track] = {}
        self._kinds: dict[int, KindColumns] = {}
        self.rows: list[LaneRow] = []
        """By lane and row."""
        if intervals is None or not len(intervals):
            return
        self.starts = intervals["start_ns"]
        self.durations = intervals["duration_ns"]
        self.kinds = intervals["kind"]
        self.names = intervals["name"]
        self.busy_ns = running_total(self.durations)
        self.rows = _rows(intervals)
        self._firsts = [row.first for row in self.rows]
        self._lanes = [row.lane for row in self.rows]
        for kind in sorted({kind for row in self.rows if len(row.kinds) > 1 for kind in row.kinds}):
            self._kinds[kind] = self._columns_of(kind)

    def _columns_of(self, kind: int) -> KindColumns:
        numbers = (self.kinds == kind).arg_true()
        return KindColumns(numbers, running_total(self.durations.gather(numbers)))

    def interval(self, number: int) -> Interval:
        return Interval(
            self.starts[number], self.durations[number], self.kinds[number], self.names[number] or ""
        )

    def end_ns(self, number: int) -> int:
        """Where an interval stops taking up room."""
        end_ns: int = self.starts[number] + max(0, self.durations[number])
        return end_ns

    def longest_of(self, numbers: range) -> tuple[int, int]:
        """The duration of the longest of some intervals, and its number negated: the most is the answer."""
        longest = self.durations.slice(numbers.start, len(numbers)).arg_max() or 0
        number = numbers.start + longest
        return self.durations[number], -number

    def row_of(self, number: int) -> int:
        """Which of ``rows`` an interval is in."""
        return bisect_right(self._firsts, number) - 1

    def rows_of(self, lane: int) -> range:
        """Which of ``rows`` make up a lane."""
        if not self.rows:
            return range(0)
        return range(bisect_left(self._lanes, lane), bisect_right(self._lanes, lane))

    def track(self, row: int) -> Track:
        """The intervals of one row."""
        return Track(self.starts, self.busy_ns, self.rows[row].first, self.rows[row].stop)

    def of_kind(self, kind: int) -> KindColumns:
        """The intervals of a kind that shares a row with another."""
        return self._kinds[kind]

    def cover(self, lanes: Sequence[int]) -> Track:
        """Where some interval of these lanes is: their union, and what has no length outside of it."""
        key = tuple(lanes)
        if key not in self._covers:
            self._covers[key] = self._cover_of(key)
        return self._covers[key]

    def _cover_of(self, lanes: tuple[int, ...]) -> Track:
        if len(lanes) > 1:
            return joined([self.cover([lane]) for lane in lanes])
        tracks = [self.track(row) for row in self.rows_of(lanes[0])] if lanes else []
        return tracks[0] if len(tracks) == 1 else joined(tracks)


def _rows(intervals: pl.DataFrame) -> list[LaneRow]:
    import polars as pl

    counts = (
        intervals.group_by("lane", "row", "kind")
        .len()
        .group_by("lane", "row")
        .agg(pl.col("len").sum().cast(pl.Int64), pl.col("kind").sort())
        .sort("lane", "row")
        .with_columns(stop=pl.col("len").cum_sum())
    )
    return [
        LaneRow(lane, row, stop - length, stop, tuple(kinds))
        for lane, row, length, kinds, stop in counts.iter_rows()
    ]
