"""What a timeline is made of, and the arithmetic of busy and idle time on it.

Times are absolute int nanoseconds, intervals half open: one that ends where another starts only touches it.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prof_tui.data.intervals import Span, complement, union


class Interval(NamedTuple):
    """One op or event; ``key`` is the caller's row number, ``kind`` an index into ``LaneSet.kinds``."""

    start_ns: int
    duration_ns: int
    """Negative in a broken record: such an interval is shown at its start and is never busy time."""
    key: int
    kind: int
    name: str

    @property
    def end_ns(self) -> int:
        """Where it stops taking up room: its start when it has no valid length."""
        return self.start_ns + max(0, self.duration_ns)


@dataclass(frozen=True)
class Lane:
    """A stream or thread: ``intervals`` sorted by (start, -duration); they may overlap."""

    id: str
    title: str
    intervals: Sequence[Interval]


@dataclass(frozen=True)
class Mark:
    """A point in time with a title: FP Start, BP End, Iteration End."""

    at_ns: int
    title: str


@dataclass(frozen=True)
class Kind:
    """What intervals are told apart by: ``colour`` is one of the 16 (``blue`` or ``ansi_blue``),
    ``letter`` one cell wide and enough where there is no colour."""

    title: str
    letter: str
    colour: str


@dataclass(frozen=True)
class LaneSet:
    """Everything that a timeline shows, for the window from ``begin_ns`` to ``end_ns``."""

    begin_ns: int
    end_ns: int
    lanes: Sequence[Lane]
    marks: Sequence[Mark]
    kinds: Sequence[Kind]


def stack_rows(intervals: Iterable[Interval]) -> list[int]:
    """The row of each interval, in order: the topmost one where it overlaps nothing.

    ``intervals`` are sorted by (start, -duration), so what is nested lies below what holds it.
    """
    rows: list[int] = []
    occupied: list[tuple[int, int]] = []
    free: list[int] = []
    for interval in intervals:
        while occupied and occupied[0][0] <= interval.start_ns:
            heapq.heappush(free, heapq.heappop(occupied)[1])
        row = heapq.heappop(free) if free else len(occupied)
        heapq.heappush(occupied, (interval.end_ns, row))
        rows.append(row)
    return rows


def busy_spans(intervals: Iterable[Interval], begin_ns: int, end_ns: int) -> list[Span]:
    """The union of the valid intervals within the window, in time order."""
    valid = ((each.start_ns, each.end_ns) for each in intervals if each.duration_ns > 0)
    return union(valid, begin_ns, end_ns)


def gaps(lanes: Iterable[Lane], begin_ns: int, end_ns: int) -> list[Span]:
    """Where no lane is busy within the window, in time order."""
    busy = busy_spans((interval for lane in lanes for interval in lane.intervals), begin_ns, end_ns)
    return complement(busy, begin_ns, end_ns)
