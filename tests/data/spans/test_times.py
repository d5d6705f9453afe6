import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.spans.times import count_faults, judge_times, run_bounds

HOUR = 3_600 * 10**9
NOW = 1_790_000_000 * 10**9


def series(*moments: int | None) -> pl.Series:
    return pl.Series(moments, dtype=pl.Int64)


def told(*moments: int | None, rounded: pl.Series | None = None) -> tuple[list[int | None], dict[str, int]]:
    """The moments that are times of the run, null for the others, and how many are not for each reason."""
    found = judge_times(series(*moments), rounded)
    return found.ns.to_list(), {why: number for number, why in count_faults(found.fault)}


def test_times_near_each_other_are_all_of_the_run() -> None:
    moments = [NOW + 5, NOW, NOW + HOUR // 2]
    assert told(*moments) == (moments, {})
    assert told(*moments, None) == ([*moments, None], {"N/A or no number": 1})


@pytest.mark.parametrize(
    ("moment", "why"),
    [
        (0, "0.000"),
        (-5, "negative"),
        (-(1 << 62), "negative"),
        (NOW - 3 * HOUR, "more than an hour from all others"),
        (NOW + 5 * HOUR, "more than an hour from all others"),
        (7, "more than an hour from all others"),
    ],
)
def test_one_moment_that_is_no_time(moment: int, why: str) -> None:
    assert told(NOW, moment, NOW + 10, NOW + 20) == ([NOW, None, NOW + 10, NOW + 20], {why: 1})


def test_a_clock_that_begins_near_0_has_a_first_moment_at_0() -> None:
    assert told(0, 10, 20) == ([0, 10, 20], {})
    assert told(0, HOUR // 2) == ([0, HOUR // 2], {})


def test_starts_that_are_all_0_are_none() -> None:
    assert told(0, 0, 0) == ([None, None, None], {"0.000": 3})
    assert told(0) == ([0], {})


def test_many_zeros_stay_no_times() -> None:
    assert told(*[0] * 50, NOW, NOW + 10) == ([None] * 50 + [NOW, NOW + 10], {"0.000": 50})


def test_a_run_with_a_long_pause_is_one_run() -> None:
    moments = [NOW + i for i in range(20)] + [NOW + 4 * HOUR + i for i in range(20)]
    assert told(*moments) == (moments, {})


def test_rounded_moments_are_none_whatever_the_others_are() -> None:
    rounded = pl.Series([True, False, False])
    assert told(NOW, NOW + 10, NOW, rounded=rounded) == (
        [None, NOW + 10, NOW],
        {"rounded by a spreadsheet": 1},
    )


def test_bounds_of_nothing_are_empty() -> None:
    assert run_bounds([series(), series(None)]) == (0, 0)
    assert told(-1, -2) == ([None, None], {"negative": 2})
    assert told() == ([], {})


@given(st.lists(st.one_of(st.none(), st.integers(-(1 << 63), (1 << 63) - 1)), max_size=12))
def test_every_moment_is_kept_as_it_is_or_counted(moments: list[int | None]) -> None:
    kept, faults = told(*moments)
    assert all(now in (None, before) for now, before in zip(kept, moments, strict=True))
    assert sum(faults.values()) == kept.count(None)
