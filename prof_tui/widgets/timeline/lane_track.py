"""Intervals one after the other, as columns, and what of them falls between the borders of cells."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import polars as pl

_FEW = 1_000
"""So many values are looked up more quickly in a list of them."""


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
    """Of each track, for ascending borders of cells: less than 1 ms, however many intervals there are."""
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


def joined(tracks: Iterable[Track]) -> Track:
    """The union of tracks; what has no length stays on its own where nothing else is."""
    import polars as pl

    parts = [
        pl.DataFrame([track.starts.slice(track.first, track.stop - track.first).alias("start")]).with_columns(
            ns=_durations(track)
        )
        for track in tracks
    ]
    if not parts:
        empty = pl.Series(dtype=pl.Int64)
        return Track(empty, running_total(empty), 0, 0)
    return _without_overlaps(parts)


def _durations(track: Track) -> pl.Series:
    return between(track.busy_ns.slice(track.first, track.stop - track.first + 1))


def _without_overlaps(parts: Sequence[pl.DataFrame]) -> Track:
    import polars as pl

    start, end, until = pl.col("start"), pl.col("end"), pl.col("until")
    spans = (
        pl.concat(parts)
        .lazy()
        .select(start, end=start + pl.col("ns"))
        .sort("start")
        .with_columns(until=end.cum_max())
        .with_columns(before=until.shift(1))
        .with_columns(
            is_new=(start > pl.col("before"))
            | ((start == pl.col("before")) & (start == end))
            | pl.col("before").is_null()
        )
        .with_columns(until=pl.when(pl.col("is_new").shift(-1, fill_value=True)).then(until).backward_fill())
        .filter("is_new")
        .select(start, ns=until - start)
        .collect()
    )
    return Track(spans["start"], running_total(spans["ns"]), 0, len(spans))
