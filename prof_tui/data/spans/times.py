"""Which moments are times of this run: one judgement for span, busy and idle time, windows and neighbours.

No time of the run is a moment that is negative (a wrapped unsigned number is), 0 where the run's clock does
not begin near it (counters that were not read leave it, quirk 16), more than an hour from all others, or
rounded by a spreadsheet (quirk 41).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.words import _

_HOUR_NS = 3_600 * 10**9
_LARGEST = (1 << 63) - 1
"""The largest Int64."""
_RARE = 100
"""A group of moments is none of the run if all of them are this many times more."""
_FEW = 3
"""A group this small is none of the run if any other is larger."""


_SOUND, _MISSING, _ZERO, _NEGATIVE, _FAR, _ROUNDED = range(6)
_WHY = {
    _MISSING: _("N/A or no number"),
    _ZERO: "0.000",
    _NEGATIVE: _("negative"),
    _FAR: _("more than an hour from all others"),
    _ROUNDED: _("rounded by a spreadsheet"),
}


@dataclass(frozen=True)
class RunTimes:
    """Moments as far as they are times of the run, one per row."""

    ns: pl.Series
    """Int64; null where it is no time of the run."""
    fault: pl.Series
    """UInt8: 0 for a time of the run, else a number that ``count_faults`` explains."""


def count_faults(fault: pl.Series) -> tuple[tuple[int, str], ...]:
    """How many are no times of the run for each reason, and the reason in a few words."""
    counts = dict(fault.value_counts().iter_rows())
    return tuple((int(counts[number]), why) for number, why in _WHY.items() if number in counts)


def judge_times(moments: pl.Series, rounded: pl.Series | None = None) -> RunTimes:
    """``moments`` (Int64 ns) judged among each other; ``rounded``: Boolean per moment, None where none is."""
    exact = moments if rounded is None else moments.set(rounded, None)
    begin, end = run_bounds([exact])
    sound = pl.Series([_SOUND], dtype=pl.UInt8).new_from_index(0, len(exact))
    if not exact.null_count() and _lie_within(exact, begin, end):
        return RunTimes(exact, sound)
    is_rounded = pl.lit(value=False) if rounded is None else rounded
    fault = (
        pl.when(is_rounded)
        .then(_ROUNDED)
        .when(exact.is_null())
        .then(_MISSING)
        .when(exact < 0)
        .then(_NEGATIVE)
        .when((exact >= begin) & (exact < end))
        .then(_SOUND)
        .when(exact == 0)
        .then(_ZERO)
        .otherwise(_FAR)
    )
    found = sound.to_frame("fault").select(fault.cast(pl.UInt8).alias("fault"))["fault"]
    return RunTimes(exact.set(found != _SOUND, None), found)


def _lie_within(moments: pl.Series, begin: int, end: int) -> bool:
    first, last = moments.min(), moments.max()
    return first is None or (begin <= first and last < end)  # type: ignore[operator]


def run_bounds(moments: Iterable[pl.Series]) -> Span:
    """What holds the moments (Int64 ns) that are times of the run, without those that are not.

    Moments an hour and more apart fall into groups, by the hour; small groups are left out.  (0, 0) where no
    moment is a time.
    """
    series = [each for each in moments if len(each) > each.null_count()]
    if not series:
        return 0, 0
    first, last = min(each.min() for each in series), max(each.max() for each in series)  # type: ignore[type-var]
    if first > 0 and last - first < _HOUR_NS:  # type: ignore[operator]
        return first, last + 1  # type: ignore[operator, return-value]
    hours = pl.concat([_hours(each.filter(each > 0)) for each in series])
    if hours.is_empty():
        zeros = sum(int((each == 0).sum()) for each in series)
        return (0, 1) if zeros == 1 else (0, 0)
    low, high = _usual_hours(hours.group_by("hour").agg(pl.col("moments").sum()).sort("hour"))
    return (0 if low <= 1 else low * _HOUR_NS), min((high + 1) * _HOUR_NS, _LARGEST)


def _hours(moments: pl.Series) -> pl.DataFrame:
    counts = (moments // _HOUR_NS).value_counts(name="moments")
    return counts.rename({moments.name: "hour"})


def _usual_hours(hours: pl.DataFrame) -> Span:
    """The first and the last hour (hour, moments; sorted) of the groups that are not small."""
    grouped = hours.with_columns(group=(pl.col("hour").diff() > 1).fill_null(False).cum_sum())
    groups = grouped.group_by("group").agg(
        pl.col("hour").min().alias("first"), pl.col("hour").max().alias("last"), pl.col("moments").sum()
    )
    most, total = groups.select(most=pl.col("moments").max(), total=pl.col("moments").sum()).row(0)
    rare = (pl.col("moments") * _RARE <= total) | ((pl.col("moments") <= _FEW) & (pl.col("moments") < most))
    kept = groups.filter(~rare)
    first, last = (kept if len(kept) else groups).select(pl.col("first").min(), pl.col("last").max()).row(0)
    return first, last
