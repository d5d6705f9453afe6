"""Middle and spread of times, in whole nanoseconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prof_tui.data.findings.devices import median_of


@dataclass(frozen=True)
class Spread:
    """Of some values: the middle one, and between which eight of ten lie."""

    count: int
    median_ns: int
    low_ns: int
    """The 10th percentile: a value that occurs (nearest rank)."""
    high_ns: int
    """The 90th percentile, in the same way."""


def spread(values: Iterable[int | None]) -> Spread | None:
    """Of the values that are there; None where none is."""
    known = sorted(value for value in values if value is not None)
    middle = median_of(known)
    return None if middle is None else Spread(len(known), middle, _at(known, 10), _at(known, 90))


def _at(ordered: list[int], per_cent: int) -> int:
    return ordered[max(0, -(-len(ordered) * per_cent // 100) - 1)]
