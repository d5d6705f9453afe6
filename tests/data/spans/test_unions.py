"""Spans one by one, in columns and in slices: the same answers."""

from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.spans import frames as span_columns
from prof_tui.data.spans.frames import (
    Coverage,
    GrowingUnion,
    clipped,
    coverages,
    lengths_within,
    subtracted,
    union_lengths,
    union_of,
)
from prof_tui.data.spans.span import Span, complement, length, union

spans = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 12)).map(lambda pair: (pair[0], sum(pair))))
window = st.tuples(st.integers(-60, 60), st.integers(0, 60)).map(lambda pair: (pair[0], sum(pair)))


def frame(rows: list[Span]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"begin_ns": pl.Int64, "end_ns": pl.Int64}, orient="row")


def test_one_by_one() -> None:
    busy = union([(5, 9), (0, 3), (3, 4), (6, 7), (8, 8)])
    assert busy == [(0, 4), (5, 9)]
    assert union(busy, 1, 6) == [(1, 4), (5, 6)]
    assert complement(busy, -1, 12) == [(-1, 0), (4, 5), (9, 12)]
    assert complement([(5, 9)], 5, 9) == complement([], 3, 3) == []


@given(spans, st.lists(st.integers(0, 30)))
def test_all_unions_agree(rows: list[Span], cuts: list[int]) -> None:
    """One by one, as spans in columns, as coverage, slice by slice, and by keys."""
    expected, ordered = union(rows), frame(sorted(rows))
    assert union_of(ordered).rows() == expected
    [coverage] = coverages(covering(rows), [pl.lit(True)])
    assert (coverage.covered.to_list() or [0])[-1] == length(expected)
    growing = GrowingUnion(min((begin for begin, _end in rows), default=0))
    for first, last in pairwise(sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})):
        growing.take(ordered["begin_ns"][first:last], ordered["end_ns"][first:last])
    assert growing.length_ns == length(expected)
    same_key = pl.repeat(0, len(rows), dtype=pl.UInt32, eager=True)
    assert union_lengths(same_key, ordered)["union_ns"].sum() == length(expected)


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


# Coverage


def covering(rows: list[Span]) -> pl.DataFrame:
    """Spans as ``coverages`` takes them."""
    lengths = [(begin, end - begin) for begin, end in sorted(rows)]
    return pl.DataFrame(lengths, schema={"start": pl.Int64, "ns": pl.Int64}, orient="row")


def coverage(rows: list[Span]) -> Coverage:
    [found] = coverages(covering(rows), [pl.lit(True)])
    return found


def numbers(*values: int) -> pl.Series:
    return pl.Series(values, dtype=pl.Int64)


@given(spans, st.lists(window, min_size=1, max_size=4))
def test_what_is_covered_of_windows_is_the_length_of_the_clipped_union(
    rows: list[Span], windows: list[Span]
) -> None:
    begins, ends = numbers(*(begin for begin, _ in windows)), numbers(*(end for _, end in windows))
    wanted = [length(union(rows, *each)) for each in windows]
    assert coverage(rows).within(begins, ends).to_list() == wanted


@given(spans, window)
def test_begun_counts_the_spans_that_begin_before_a_moment_or_in_a_window(
    rows: list[Span], inside: Span
) -> None:
    begin, end = inside
    found = coverage(rows)
    assert found.begun(numbers(begin)).to_list() == [sum(own < begin for own, _end in rows)]
    in_window = sum(begin <= own < end for own, _end in rows)
    assert found.begun_within(numbers(begin), numbers(end)).to_list() == [in_window]


def test_no_spans_cover_nothing() -> None:
    assert coverage([]).within(numbers(0, 5), numbers(5, 9)).to_list() == [0, 0]


def test_what_is_covered_stays_exact_where_a_float_would_round() -> None:
    start = 1_790_000_000_000_000_001
    assert coverage([(start, start + 3)]).within(numbers(start - 1), numbers(start + 2)).to_list() == [2]


@given(spans)
def test_a_selection_is_what_those_spans_alone_are(rows: list[Span]) -> None:
    long = pl.col("ns") > 4
    found = coverages(covering(rows), [long, pl.lit(True), ~long])
    parts = ([row for row in rows if (row[1] - row[0] > 4) is wanted] for wanted in (True, False))
    longer, shorter = map(coverage, parts)
    for each, alone in zip(found, (longer, coverage(rows), shorter), strict=True):
        assert each.covered.to_list() == alone.covered.to_list()
        assert each.reach.to_list() == alone.reach.to_list()
