"""The intervals and samples of a timeline as columns that are quick to draw: sums, looked up by bisection.

Building this touches every interval; with millions of them it takes part of a second, so do it in a worker,
and share it between the lane sets that show the same intervals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.model import Interval
from prof_tui.widgets.timeline.zoom import TimeGrid

if TYPE_CHECKING:
    import polars as pl


_FEW = 1_000
"""Up to so many values are looked up more quickly in a list than in a column."""


class Borders(NamedTuple):
    """What is known at each border of cells, one more than there are cells: columns of Int64."""

    started: pl.Series
    """The number of the first interval that does not start before the border."""
    carried_ns: pl.Series
    """How much of the interval before that is still to come."""
    busy_ns: pl.Series
    """Busy time up to the border, from a moment that is the same for all."""


class Track(NamedTuple):
    """The intervals numbered ``first`` to before ``stop`` of two columns; none overlaps the next.

    ``busy_ns`` has one element more than ``starts``: element *i* is the busy time of the first *i*.
    """

    starts: pl.Series
    busy_ns: pl.Series
    first: int
    stop: int

    def end_ns(self, number: int) -> int:
        """Where an interval stops taking up room."""
        end_ns: int = self.starts[number] + self.busy_ns[number + 1] - self.busy_ns[number]
        return end_ns

    def started(self, at_ns: int) -> int:
        """The number of the first interval that does not start before a moment."""
        return bisect_left(self.starts, at_ns, self.first, self.stop)

    def within(self, begin_ns: int, end_ns: int) -> range:
        """The intervals that take up room in, or start in, the span."""
        first = self.started(begin_ns)
        overhangs = first > self.first and self.end_ns(first - 1) > begin_ns
        return range(first - overhangs, self.started(end_ns))


class _Sight(NamedTuple):
    """What of a track is between the outer borders, and the interval before that, whose number is ``low``."""

    low: int
    starts: pl.Series
    busy_ns: pl.Series


def borders(tracks: Sequence[Track], bounds_ns: range) -> list[Borders]:
    """What is known of each track at ascending borders of cells: 1 ms for any number of intervals."""
    import polars as pl

    bounds = pl.Series(bounds_ns, dtype=pl.Int64)
    sights = [_sight(track, bounds_ns) for track in tracks]
    return [_borders(sight, places_of(bounds_ns, sight.starts), bounds) for sight in sights]


def places_of(wanted: Sequence[int], values: pl.Series) -> pl.Series:
    """How many of the ascending values are below each wanted one, as Int64.

    By bisection in Python: a question to polars waits until its threads are free, hundreds of milliseconds
    while a file is being read.
    """
    import polars as pl

    known = values.to_list() if len(values) <= _FEW else values
    return pl.Series(list(map(bisect_left, repeat(known), wanted)), dtype=pl.Int64)


def _sight(track: Track, bounds_ns: range) -> _Sight:
    low = max(track.first, track.started(bounds_ns[0]) - 1)
    count = track.started(bounds_ns[-1]) - low
    return _Sight(low, track.starts.slice(low, count), track.busy_ns.slice(low, count + 1))


def _borders(sight: _Sight, numbers: pl.Series, bounds: pl.Series) -> Borders:
    import polars as pl

    busy = sight.busy_ns[numbers]
    if not len(sight.starts):
        return Borders(numbers + sight.low, numbers, busy)
    anything = (numbers > 0).cast(pl.Int64)
    before = numbers - anything
    ahead = sight.starts[before] + busy - sight.busy_ns[before] - bounds
    carried = ahead * (ahead > 0).cast(pl.Int64) * anything
    return Borders(numbers + sight.low, carried, busy - carried)


def between(at_borders: pl.Series) -> pl.Series:
    """The difference of each value to the one before, one less than there are."""
    return at_borders.slice(1) - at_borders.slice(0, len(at_borders) - 1)


def running_total(durations_ns: pl.Series) -> pl.Series:
    """The sums of the first 0, 1, 2 … durations; what is negative counts as nothing."""
    import polars as pl

    total = pl.Series([0], dtype=pl.Int64)
    return total.append(durations_ns.clip(lower_bound=0).cum_sum()).rechunk()


def join(tracks: Iterable[Track]) -> Track:
    """The union of tracks; what has no length stays on its own where nothing else is."""
    import polars as pl

    from prof_tui.data.spans.frames import NO_SPANS, spans_of, union_of

    parts = [_spans(track) for track in tracks]
    spans = pl.concat([NO_SPANS, *parts])
    union = union_of(spans)
    moments = spans.filter(pl.col("begin_ns") == pl.col("end_ns"))["begin_ns"]
    place = union["begin_ns"].search_sorted(moments, side="right").cast(pl.Int64) - 1
    alone = (
        moments.filter((place < 0) | (union["end_ns"].gather(place.clip(0)) <= moments))
        if len(union)
        else moments
    )
    whole = union.vstack(spans_of(alone, alone)).sort("begin_ns", maintain_order=True)
    return Track(whole["begin_ns"], running_total(whole["end_ns"] - whole["begin_ns"]), 0, len(whole))


def _spans(track: Track) -> pl.DataFrame:
    from prof_tui.data.spans.frames import spans_of

    begins = track.starts.slice(track.first, track.stop - track.first)
    return spans_of(begins, begins + between(track.busy_ns.slice(track.first, track.stop - track.first + 1)))


class LaneRow(NamedTuple):
    """One row of a lane: the intervals numbered from ``first`` to before ``stop``."""

    lane: int
    row: int
    first: int
    stop: int
    kinds: tuple[int, ...]
    """The kinds that occur, in ascending order."""


class KindColumns(NamedTuple):
    """The intervals of one kind, over all lanes."""

    numbers: pl.Series
    """Ascending interval numbers, UInt32."""
    busy_ns: pl.Series
    """The summed durations of the first 0, 1, 2 … of them."""

    def within(self, begin: int, end: int) -> KindColumns:
        """The intervals with a number from ``begin`` to before ``end``, the sums as they are."""
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

    def spans(self, row: int, window: Span, kinds: frozenset[int]) -> pl.DataFrame:
        """begin_ns and end_ns of a row's intervals of some kinds that take up room in a window."""
        from prof_tui.data.spans.frames import spans_of

        found = self.track(row).within(*window)
        begins = self.starts.slice(found.start, len(found))
        ends = begins + between(self.busy_ns.slice(found.start, len(found) + 1))
        spans = spans_of(begins, ends)
        if kinds.issuperset(self.rows[row].kinds):
            return spans
        return spans.filter(self.kinds.slice(found.start, len(found)).is_in(list(kinds)))

    def of_kinds(self, row: int, kinds: frozenset[int], number: int, step: int) -> int | None:
        """The first interval of some kinds from ``number`` on, in a row backwards (-1) or forwards (1)."""
        own = self.rows[row]
        if kinds.issuperset(own.kinds):
            return number if own.first <= number < own.stop else None
        found = []
        for kind in kinds.intersection(own.kinds):
            numbers = self._kinds[kind].numbers
            place = bisect_left(numbers, number) if step > 0 else bisect_right(numbers, number) - 1
            if 0 <= place < len(numbers) and own.first <= numbers[place] < own.stop:
                found.append(int(numbers[place]))
        return (min if step > 0 else max)(found, default=None)

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
            return join([self.cover([lane]) for lane in lanes])
        tracks = [self.track(row) for row in self.rows_of(lanes[0])] if lanes else []
        return tracks[0] if len(tracks) == 1 else join(tracks)


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
        """When the first sample of each cell is, and the lowest, the highest and the last value."""
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
