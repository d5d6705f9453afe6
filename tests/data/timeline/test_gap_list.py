"""The largest gaps, and what the host did meanwhile."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.spans.span import complement, length, union
from prof_tui.data.timeline.gaps import GAPS, largest_gaps
from tests.helpers.traces import Slice, host, names_of, stream, trace_index


def test_a_gap_lies_between_the_op_that_ended_last_and_the_next() -> None:
    index = trace_index(
        {stream(2): [(0, 30, "long"), (10, 5, "short"), (50, 5, "next")], stream(3): [(33, 2, "other")]}
    )
    device = largest_gaps(index, [0, 1], (0, 55))
    assert device.select("begin_ns", "end_ns", "duration_ns").rows() == [(35, 50, 15), (30, 33, 3)]
    assert names_of(index, device["before"].to_list()) == ["other", "long"]
    assert names_of(index, device["after"].to_list()) == ["next", "other"]
    one = largest_gaps(index, [0], (0, 55))
    assert one.select("begin_ns", "duration_ns").rows() == [(30, 20)]


def test_a_window_clips_gaps_and_still_names_the_ops_around_it() -> None:
    index = trace_index({stream(2): [(0, 10, "first"), (40, 10, "last")]})
    inside = largest_gaps(index, [0], (15, 30))
    assert inside.select("begin_ns", "end_ns", "before", "after").rows() == [(15, 30, 0, 1)]
    around = largest_gaps(index, [0], (-5, 60))
    assert around.select("begin_ns", "end_ns", "before", "after").rows() == [(10, 40, 0, 1)]


def test_what_takes_no_time_and_what_is_broken_does_not_end_a_gap() -> None:
    index = trace_index({stream(2): [(0, 10, "a"), (12, 0, "moment"), (14, -5, "broken"), (20, 5, "b")]})
    assert largest_gaps(index, [0], (0, 25)).select("begin_ns", "end_ns").rows() == [(10, 20)]


def test_what_is_no_op_neither_ends_a_gap_nor_borders_one() -> None:
    events: list[Slice] = [(0, 3, "on", "PROFILING_ENABLE"), (13, 10, "wait", "EVENT_WAIT")]
    ops: list[Slice] = [(10, 3, "op"), (30, 5, "op"), (90, 1, "off", "PROFILING_DISABLE")]
    found = largest_gaps(trace_index({stream(2): events + ops}), [0], (0, 95))
    assert found.select("begin_ns", "end_ns").rows() == [(13, 30)]
    alone = largest_gaps(trace_index({stream(2): events}), [0], (0, 95))
    assert alone.select("begin_ns", "end_ns").rows() == [(3, 13)]


def test_no_more_than_asked_for_the_largest_first() -> None:
    index = trace_index({stream(2): [(0, 1, "a"), (3, 1, "b"), (9, 1, "c"), (12, 1, "d")]})
    assert largest_gaps(index, [0], (0, 13), most=2).select("begin_ns", "duration_ns").rows() == [
        (4, 5),
        (1, 2),
    ]


def test_host_calls_during_a_gap() -> None:
    index = trace_index(
        {
            stream(2): [(0, 10, "op"), (50, 10, "op")],
            host(1): [
                (5, 40, "sync"),
                (12, 8, "inner"),
                (13, 2, "innermost"),
                (49, 30, "tail"),
                (10, 0, "moment"),
                (55, 2, "later"),
            ],
            host(2): [(20, 10, "other"), (0, 10, "earlier")],
        }
    )
    [gap] = largest_gaps(index, [0], (0, 60)).to_dicts()
    assert gap["host_calls"] == 5
    assert names_of(index, [gap["host_call"]]) == ["sync"]
    assert (gap["host_sum_ns"], gap["host_union_ns"]) == (35 + 8 + 2 + 1 + 10, 36)


def test_of_calls_that_overlap_alike_the_outermost_is_named() -> None:
    index = trace_index(
        {stream(2): [(0, 10, "op"), (50, 10, "op")], host(1): [(0, 60, "outer"), (1, 58, "inner")]}
    )
    assert names_of(index, largest_gaps(index, [0], (0, 60))["host_call"].to_list()) == ["outer"]


def test_a_gap_without_host_calls_has_none() -> None:
    index = trace_index({stream(2): [(0, 10, "op"), (20, 10, "op")], host(1): []})
    [gap] = largest_gaps(index, [0], (0, 30)).to_dicts()
    assert (gap["host_calls"], gap["host_call"], gap["host_sum_ns"], gap["host_union_ns"]) == (0, None, 0, 0)


@pytest.mark.parametrize("lanes", [[], [0]])
def test_lanes_without_events_have_no_gap(lanes: list[int]) -> None:
    found = largest_gaps(trace_index({stream(2): []}), lanes, (0, 30))
    assert found.schema == GAPS
    assert found.is_empty()


slices = st.lists(st.tuples(st.integers(0, 60), st.integers(-2, 15), st.just("op")))


@given(slices, slices, slices, st.tuples(st.integers(0, 40), st.integers(41, 90)))
def test_gaps_are_the_complement_and_host_sums_add_up(
    one: list[Slice], other: list[Slice], calls: list[Slice], window: tuple[int, int]
) -> None:
    index = trace_index({stream(2): one, stream(3): other, host(1): calls})
    found = largest_gaps(index, [0, 1], window)
    busy = union([(at, at + ns) for at, ns, *_rest in [*one, *other]], *window)
    lasting = [(at, at + ns) for at, ns, *_rest in [*one, *other] if ns > 0]
    first, last = min(lasting, default=(99, 99))[0], max((end for _begin, end in lasting), default=99)
    gaps = [gap for gap in complement(busy, *window) if first < gap[1] and gap[0] < last]
    gaps = [gap for gap in gaps if first <= gap[0] and gap[1] <= last]
    assert sorted(found.select("begin_ns", "end_ns").rows()) == gaps
    assert found["duration_ns"].to_list() == sorted((end - begin for begin, end in gaps), reverse=True)
    host_spans = [(at, at + ns) for at, ns, *_rest in calls]
    expected = [
        (
            sum(max(0, min(end, last) - max(begin, first)) for begin, end in host_spans if begin < end),
            length(union(host_spans, first, last)),
        )
        for first, last in found.select("begin_ns", "end_ns").rows()
    ]
    assert found.select("host_sum_ns", "host_union_ns").rows() == expected
    assert found.filter(pl.col("host_call").is_null())["host_calls"].sum() == 0
