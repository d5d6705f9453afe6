"""A lane set made quick to draw and to walk: rows of sorted columns, looked up by bisection.

Building it touches every interval once; with many of them do it in a worker and hand over the index.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

from prof_tui.data.intervals import Span
from prof_tui.widgets.lane_model import Interval, LaneSet, gaps, stack_rows

BEFORE_ALL_TIME = -(2**63)


class Place(NamedTuple):
    """Which interval: the lane's number and the position among the lane's intervals."""

    lane: int
    position: int


class Row:
    """One line of a lane: intervals that do not overlap, as columns.

    ``ends`` and ``busy_ns`` have one element more than there are intervals: element *i* is the end of,
    and the busy time up to the end of, the first *i* intervals.
    """

    def __init__(self, lane: int, members: Sequence[int], intervals: Sequence[Interval]) -> None:
        mine = [intervals[position] for position in members]
        durations = [max(0, interval.duration_ns) for interval in mine]
        self.lane = lane
        self.members = array("q", members)
        self.starts = array("q", [interval.start_ns for interval in mine])
        self.ends = array("q", chain([BEFORE_ALL_TIME], (interval.end_ns for interval in mine)))
        self.kinds = array("q", [interval.kind for interval in mine])
        self.busy_ns = running_total(durations)
        self.busy_ns_by_kind = {
            kind: running_total(
                own if its_kind == kind else 0 for own, its_kind in zip(durations, self.kinds, strict=True)
            )
            for kind in sorted(set(self.kinds))
        }

    def within(self, begin_ns: int, end_ns: int) -> range:
        """The intervals of this row that take up room in, or start in, the span."""
        first = bisect_left(self.starts, begin_ns)
        return range(first - (self.ends[first] > begin_ns), bisect_left(self.starts, end_ns))


def running_total(durations_ns: Iterable[int]) -> "array[int]":
    """The sums of the first 0, 1, 2 … durations."""
    return array("q", accumulate(durations_ns, initial=0))


class LaneIndex:
    """The rows of a lane set, in drawing order, and the ways from one interval to another."""

    def __init__(self, lane_set: LaneSet) -> None:
        self.lane_set = lane_set
        self.rows: list[Row] = []
        self._first_rows: list[int] = []
        self._row_of_position: list[list[int]] = []
        self._place_of_key = {
            interval.key: Place(number, position)
            for number, lane in enumerate(lane_set.lanes)
            for position, interval in enumerate(lane.intervals)
        }
        for lane_number, lane in enumerate(lane_set.lanes):
            stacked = stack_rows(lane.intervals)
            members: list[list[int]] = [[] for _ in range(max(stacked, default=0) + 1)]
            for position, row in enumerate(stacked):
                members[row].append(position)
            self._first_rows.append(len(self.rows))
            self._row_of_position.append(stacked)
            self.rows += [Row(lane_number, in_row, lane.intervals) for in_row in members]

    @cached_property
    def longest(self) -> list[Place]:
        """All intervals, longest first, of equal ones the earlier first."""

        def length_then_start(place: Place) -> tuple[int, int]:
            interval = self.interval(place)
            return -interval.duration_ns, interval.start_ns

        return sorted(self._place_of_key.values(), key=length_then_start)

    @cached_property
    def longest_gaps(self) -> list[Span]:
        """The gaps of the window, longest first, of equal ones the earlier first."""
        in_time_order = gaps(self.lane_set.lanes, self.lane_set.begin_ns, self.lane_set.end_ns)
        return sorted(in_time_order, key=lambda gap: gap[0] - gap[1])

    @cached_property
    def reach(self) -> Span:
        """From the earliest to the latest moment that can be looked at: the window and every interval."""
        starts = [row.starts[0] for row in self.rows if row.starts]
        ends = [row.ends[-1] for row in self.rows if row.starts]
        return min([self.lane_set.begin_ns, *starts]), max([self.lane_set.end_ns, *ends])

    @cached_property
    def kinds_present(self) -> list[int]:
        """The kinds that some interval has, in the legend's order."""
        return sorted({kind for row in self.rows for kind in row.busy_ns_by_kind})

    def find(self, key: int) -> Place | None:
        """Where the interval with the caller's ``key`` is; None when no lane has it."""
        return self._place_of_key.get(key)

    def interval(self, place: Place) -> Interval:
        """The interval at a place."""
        return self.lane_set.lanes[place.lane].intervals[place.position]

    def row_number(self, place: Place) -> int:
        """Which of ``rows`` an interval is drawn in."""
        return self._first_rows[place.lane] + self._row_of_position[place.lane][place.position]

    def index_in_row(self, place: Place) -> int:
        """The interval's number within its row."""
        return bisect_left(self.rows[self.row_number(place)].members, place.position)

    def first(self) -> Place | None:
        """The first interval of the first lane that has any."""
        occupied = (number for number, lane in enumerate(self.lane_set.lanes) if lane.intervals)
        return next((Place(number, 0) for number in occupied), None)

    def along(self, place: Place, step: int) -> Place | None:
        """The interval ``step`` further in the same lane, in start order; None beyond its ends."""
        position = place.position + step
        in_lane = 0 <= position < len(self.lane_set.lanes[place.lane].intervals)
        return Place(place.lane, position) if in_lane else None

    def across(self, place: Place, step: int) -> Place | None:
        """The interval nearest in time in the next lane that has any: below for ``step`` 1, above for -1."""
        lanes = self.lane_set.lanes
        stop = len(lanes) if step > 0 else -1
        for number in range(place.lane + step, stop, step):
            if lanes[number].intervals:
                return self._nearest(number, self.interval(place).start_ns)
        return None

    def _nearest(self, lane: int, at_ns: int) -> Place:
        candidates: list[tuple[int, int, int]] = []
        for row_number, row in enumerate(self.rows):
            if row.lane != lane:
                continue
            after = bisect_right(row.starts, at_ns)
            for index in range(max(0, after - 1), min(after + 1, len(row.starts))):
                distance_ns = max(0, row.starts[index] - at_ns, at_ns - row.ends[index + 1])
                candidates.append((distance_ns, row_number, row.members[index]))
        return Place(lane, min(candidates)[2])

    def last_ended(self, at_ns: int) -> Place | None:
        """The interval that ended last, no later than ``at_ns``."""
        ended = [
            (row.ends[count], Place(row.lane, row.members[count - 1]))
            for row in self.rows
            if (count := bisect_right(row.ends, at_ns) - 1) > 0
        ]
        return max(ended, default=(0, None), key=lambda end_and_place: end_and_place[0])[1]

    def next_started(self, at_ns: int) -> Place | None:
        """The interval that starts first, no earlier than ``at_ns``."""
        starting = [
            (row.starts[index], Place(row.lane, row.members[index]))
            for row in self.rows
            if (index := bisect_left(row.starts, at_ns)) < len(row.starts)
        ]
        return min(starting, default=(0, None), key=lambda start_and_place: start_and_place[0])[1]
