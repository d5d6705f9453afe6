"""Spans in columns: the same answers as one by one."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.spans import frames as span_columns
from prof_tui.data.spans.frames import (
    clipped,
    lengths_within,
    subtracted,
    union_lengths,
    union_of,
)
from prof_tui.data.spans.span import Span, length, union

spans = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 12)).map(lambda pair: (pair[0], sum(pair))))
window = st.tuples(st.integers(-60, 60), st.integers(0, 60)).map(lambda pair: (pair[0], sum(pair)))


def frame(rows: list[Span]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"begin_ns": pl.Int64, "end_ns": pl.Int64}, orient="row")


@given(spans)
def test_a_union_is_that_of_the_spans_one_by_one(rows: list[Span]) -> None:
    assert union_of(frame(rows)).rows() == union(rows, -1000, 1000)


def test_spans_that_touch_are_joined_and_empty_ones_left_out() -> None:
    assert union_of(frame([(4, 6), (1, 2), (2, 4), (9, 9)])).rows() == [(1, 6)]


@given(spans, window)
def test_what_lies_in_a_window(rows: list[Span], inside: Span) -> None:
    expected = union(rows, *inside)
    assert clipped(union_of(frame(rows)), inside).rows() == expected


@given(spans, spans)
def test_what_is_subtracted_and_what_is_left_make_up_the_whole(rows: list[Span], others: list[Span]) -> None:
    whole, other = union_of(frame(rows)), union_of(frame(others))
    left = subtracted(whole, other)
    assert left.rows() == union(left.rows(), -1000, 1000)
    taken = subtracted(whole, left)
    assert length(left.rows()) + length(taken.rows()) == length(whole.rows())
    assert length(union([*left.rows(), *other.rows()], -1000, 1000)) == length(left.rows()) + length(
        other.rows()
    )


@given(spans, st.lists(window))
def test_lengths_within_many_windows(rows: list[Span], windows: list[Span]) -> None:
    expected = [length(union(rows, *inside)) for inside in windows]
    assert lengths_within(union_of(frame(rows)), frame(windows)).to_list() == expected


@pytest.mark.parametrize("widest", [1 << 62, 100])
@given(rows=st.lists(st.tuples(st.integers(0, 5), st.integers(-50, 50), st.integers(0, 12))))
def test_union_lengths_of_many_keys(widest: int, rows: list[tuple[int, int, int]]) -> None:
    expected = {
        key: length(union([(begin, begin + long) for own, begin, long in rows if own == key], -1000, 1000))
        for key in range(6)
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(span_columns, "_WIDEST", widest)
        found = union_lengths(
            pl.Series([key for key, _begin, _long in rows], dtype=pl.UInt32),
            frame([(begin, begin + long) for _key, begin, long in rows]),
        )
    assert dict(found.rows()) == {key: ns for key, ns in expected.items() if ns}


def test_times_of_this_century_and_many_keys_stay_exact() -> None:
    begin = 1_790_000_000_000_000_000
    rows = [(begin + i, begin + i + 10**15) for i in range(8)]
    found = union_lengths(pl.Series(range(8), dtype=pl.UInt32), frame(rows))
    assert found.rows() == [(key, 10**15) for key in range(8)]
