"""A lane set made quick to draw and to walk.

Building it may take part of a second with millions of intervals: do it in a worker and hand over the index.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.columns import LaneColumns, LaneRow, Samples, Track
from prof_tui.widgets.timeline.model import Interval, LaneSet, Mark

if TYPE_CHECKING:
    import polars as pl


MOST_KEPT = 1_000
"""So many of the longest intervals, and of the longest gaps, are kept."""


def longest_intervals(
    columns: LaneColumns, rows: Sequence[int], window: Span, kinds: frozenset[int]
) -> list[int]:
    """Interval numbers of the longest of some kinds that overlap the window, of equal ones the earlier first.

    Invalid ones come last; ``MOST_KEPT`` at most.
    """
    found = [columns.track(row).within(*window) for row in rows]
    if not any(found):
        return []
    import polars as pl

    numbers = pl.concat([pl.int_range(each.start, each.stop, eager=True) for each in found])
    slices = [columns.durations.slice(each.start, len(each)) for each in found]
    durations = pl.concat(slices, rechunk=True)
    frame = pl.DataFrame({"number": numbers, "ns": durations})
    if any(not kinds.issuperset(columns.rows[row].kinds) for row in rows):
        frame = frame.filter(columns.kinds.gather(numbers).is_in(list(kinds)))
    least = frame["ns"].top_k(MOST_KEPT).min()
    frame = frame.filter(pl.col("ns") >= least)
    frame = frame.with_columns(start=columns.starts.gather(frame["number"]))
    order, downwards = ["ns", "start", "number"], [True, False, False]
    kept = frame.top_k(MOST_KEPT, by=order, reverse=[not down for down in downwards])
    return kept.sort(order, descending=downwards)["number"].to_list()


class LaneIndex:
    """What a lane set holds, and the ways from one interval to another.

    An interval is told by its number: its row number in ``lane_set.intervals``.
    """

    def __init__(self, lane_set: LaneSet, columns: LaneColumns | None = None) -> None:
        """``columns`` of the same intervals, when another index has made them already."""
        self.lane_set = lane_set
        self.columns = columns or LaneColumns(lane_set.intervals)
        self.samples = Samples(lane_set.samples)
        self._lanes_of: dict[str, list[int]] = {}
        for number, lane in enumerate(lane_set.lanes):
            self._lanes_of.setdefault(lane.group, []).append(number)
        self._event_counts = [len(self.samples.of_lane(lane)) for lane in range(len(lane_set.lanes))]
        for row in self.columns.rows:
            self._event_counts[row.lane] += row.stop - row.first
        self.home: Span = lane_set.begin_ns, lane_set.end_ns
        self.marks = sorted(lane_set.marks, key=lambda mark: mark.at_ns)
        self.occupied = [self._is_occupied(lane) for lane in range(len(lane_set.lanes))]
        """Whether a lane has anything in the home window."""
        self.reach = self._reach()
        """From the earliest to the latest moment that can be looked at."""
        busy_rows = [row for row, told in enumerate(self.rows) if lane_set.lanes[told.lane].is_busy]
        self._work = self._kinds_of_work(busy_rows)
        self._busy_rows = [row for row in busy_rows if self._work.intersection(self.rows[row].kinds)]
        self.longest = self._longest(busy_rows)
        """Interval numbers of the longest in the home window, those that are work before all others.

        Of the lanes that count as work, if any has something.
        """
        self.longest_gaps, self.gap_count = self._longest_gaps()
        """When nothing works in the home window between two intervals that do, longest first, of equal ones
        the earlier first.  ``gap_count`` counts also those that are too many to be kept."""
        for group in lane_set.groups:
            self.columns.cover(self.lanes_of(group.id))

    @property
    def rows(self) -> list[LaneRow]:
        """The rows of all lanes with intervals, by lane and row."""
        return self.columns.rows

    def _is_occupied(self, lane: int) -> bool:
        rows = self.columns.rows_of(lane)
        return any(self.columns.track(row).within(*self.home) for row in rows) or bool(
            self.samples.within(lane, *self.home)
        )

    def _reach(self) -> Span:
        spans = [self.home, self.samples.reach or self.home]
        spans += [
            (self.columns.starts[row.first], self.columns.end_ns(row.stop - 1)) for row in self.columns.rows
        ]
        return min(begin for begin, _ in spans), max(end for _, end in spans)

    def _kinds_of_work(self, busy_rows: Sequence[int]) -> frozenset[int]:
        """The kinds in the lanes that count as work that are work; all of them where none is."""
        present = frozenset(kind for row in busy_rows for kind in self.rows[row].kinds)
        told = self.lane_set.kinds
        work = frozenset(kind for kind in present if kind >= len(told) or told[kind].is_work)
        return work or present

    def _longest(self, busy_rows: Sequence[int]) -> list[int]:
        others = frozenset(kind for row in busy_rows for kind in self.rows[row].kinds) - self._work
        found = longest_intervals(self.columns, self._busy_rows, self.home, self._work)
        if others:
            rows = [row for row in busy_rows if others.intersection(self.rows[row].kinds)]
            found = (found + longest_intervals(self.columns, rows, self.home, others))[:MOST_KEPT]
        if found:
            return found
        idle_rows = [row for row in range(len(self.rows)) if row not in set(busy_rows)]
        return longest_intervals(self.columns, idle_rows, self.home, frozenset(self.kinds_present))

    def _longest_gaps(self) -> tuple[list[Span], int]:
        if self.home[0] >= self.home[1] or not self._busy_rows:
            return [], 0
        import polars as pl

        gaps = self._idle().filter(pl.col("begin") < pl.col("end"))
        gaps = gaps.with_columns(ns=pl.col("end") - pl.col("begin"))
        order, downwards = ["ns", "begin"], [True, False]
        kept = gaps.top_k(MOST_KEPT, by=order, reverse=[False, True]).sort(order, descending=downwards)
        return list(kept.select("begin", "end").iter_rows()), len(gaps)

    def _idle(self) -> pl.DataFrame:
        """From each end of work to the next begin in the home window; some may be empty.

        Before the first and after the last of all nothing is idle.
        """
        import polars as pl

        from prof_tui.data.spans.frames import clipped, union_of

        begin_ns, end_ns = self.home
        spans = [self.columns.spans(row, self.home, self._work) for row in self._busy_rows]
        busy = [clipped(union_of(pl.concat(spans)), self.home)]
        edges = pl.DataFrame({"begin_ns": [begin_ns, end_ns], "end_ns": [begin_ns, end_ns]})
        if self.last_ended(begin_ns) is not None:
            busy.insert(0, edges.head(1))
        if self.next_started(end_ns) is not None:
            busy.append(edges.tail(1))
        around = pl.concat(busy)
        return around.select(begin=pl.col("end_ns").shift(1), end="begin_ns").slice(1)

    @property
    def kinds_present(self) -> list[int]:
        """The kinds that some interval has, in the legend's order."""
        return sorted({kind for row in self.rows for kind in row.kinds})

    def lanes_of(self, group: str) -> list[int]:
        """The lanes of a group, in order."""
        return self._lanes_of.get(group, [])

    def event_count(self, lanes: Iterable[int]) -> int:
        """How many intervals and samples some lanes have."""
        return sum(self._event_counts[lane] for lane in lanes)

    def marks_within(self, begin_ns: int, end_ns: int) -> Sequence[Mark]:
        """The marks from one moment to another, it included, in time order."""
        first = bisect_left(self.marks, begin_ns, key=lambda mark: mark.at_ns)
        return self.marks[first : bisect_right(self.marks, end_ns, key=lambda mark: mark.at_ns)]

    # Intervals

    def find(self, key: int) -> int | None:
        """The interval with the caller's ``key``; None when no lane has it."""
        keys = self.lane_set.keys
        if keys is not None:
            return keys.index_of(key)
        return key if self.rows and 0 <= key < self.rows[-1].stop else None

    def key_of(self, number: int) -> int:
        """The caller's key of an interval."""
        keys = self.lane_set.keys
        return number if keys is None else int(keys[number])

    def interval(self, number: int) -> Interval:
        return self.columns.interval(number)

    def lane_of(self, number: int) -> int:
        """The lane of an interval."""
        return self.rows[self.columns.row_of(number)].lane

    def along(self, number: int, step: int) -> int | None:
        """The interval before (``step`` -1) or behind (1) in the same lane, in order of start and row."""
        own = self.columns.row_of(number)
        start_ns = self.columns.starts[number]
        candidates = []
        for row in self.columns.rows_of(self.rows[own].lane):
            track = self.columns.track(row)
            if row == own:
                other = number + step
            elif step > 0:
                other = track.started(start_ns if row > own else start_ns + 1)
            else:
                other = track.started(start_ns + 1 if row < own else start_ns) - 1
            if track.first <= other < track.stop:
                candidates.append((self.columns.starts[other], row, other))
        if not candidates:
            return None
        found: int = (min(candidates) if step > 0 else max(candidates))[2]
        return found

    def nearest(self, rows: Iterable[int], at_ns: int) -> int | None:
        """The interval of some rows nearest to a moment, of equally near ones the topmost."""
        candidates = []
        for row in rows:
            track = self.columns.track(row)
            after = track.started(at_ns + 1)
            for number in range(max(track.first, after - 1), min(after + 1, track.stop)):
                distance_ns = max(0, track.starts[number] - at_ns, at_ns - track.end_ns(number))
                candidates.append((distance_ns, row, number))
        return min(candidates)[2] if candidates else None

    def at_or_after(self, rows: Iterable[int], at_ns: int) -> int | None:
        """The interval of some rows at a moment, the topmost; else the one that begins first after it."""
        candidates = []
        for row in rows:
            track = self.columns.track(row)
            begun = track.started(at_ns + 1) - 1
            number = begun if begun >= track.first and self._holds(begun, at_ns) else begun + 1
            if number < track.stop:
                candidates.append((max(at_ns, track.starts[number]), row, number))
        return min(candidates)[2] if candidates else None

    def _holds(self, number: int, at_ns: int) -> bool:
        """Whether an interval, which has begun, takes up a moment, or begins at it."""
        return bool(self.columns.end_ns(number) > at_ns or self.columns.starts[number] == at_ns)

    def last_ended(self, at_ns: int) -> int | None:
        """The interval of work that ended last, no later than a moment."""
        ended = []
        for row in self._busy_rows:
            last = _last_ended(self.columns.track(row), at_ns)
            number = self.columns.of_kinds(row, self._work, last, -1)
            if number is not None:
                ended.append((self.columns.end_ns(number), -number))
        return -max(ended)[1] if ended else None

    def next_started(self, at_ns: int) -> int | None:
        """The interval of work that starts first, no earlier than a moment."""
        starting = []
        for row in self._busy_rows:
            number = self.columns.of_kinds(row, self._work, self.columns.track(row).started(at_ns), 1)
            if number is not None:
                starting.append((self.columns.starts[number], number))
        return min(starting)[1] if starting else None


def _last_ended(track: Track, at_ns: int) -> int:
    """The last interval that ended by a moment; the one before ``track.first`` when none did."""
    number = track.started(at_ns + 1) - 1
    return number - 1 if number >= track.first and track.end_ns(number) > at_ns else number
