"""Middle and spread of times, in whole nanoseconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prof_tui.data.run.devices import median_of

_FEWEST = 10
"""Of fewer values the nearest ranks of the 10th and 90th percentile are the first and the last."""


@dataclass(frozen=True)
class Spread:
    """Of some values: the middle one, and between which eight of ten lie; all where they are few."""

    count: int
    median_ns: int
    low_ns: int
    """The 10th percentile: a value that occurs (nearest rank)."""
    high_ns: int
    """The 90th percentile, in the same way."""

    @property
    def is_of_all(self) -> bool:
        """Whether ``low_ns`` and ``high_ns`` are the least and the greatest of all."""
        return self.count < _FEWEST


def spread(values: Iterable[int | None]) -> Spread | None:
    """Of the values that are there; None where none is."""
    known = sorted(value for value in values if value is not None)
    middle = median_of(known)
    return None if middle is None else Spread(len(known), middle, _at(known, 10), _at(known, 90))


def _at(ordered: list[int], per_cent: int) -> int:
    return ordered[max(0, -(-len(ordered) * per_cent // 100) - 1)]
