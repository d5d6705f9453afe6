"""Rows of overlapping events: the rule itself, and columns of events against it one by one."""

import heapq

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.spans import stacking
from prof_tui.data.spans.stacking import stack_rows


def frame(*events: tuple[int, int, int]) -> pl.DataFrame:
    """Lane, start, duration of each."""
    schema = {"lane": pl.UInt16, "start_ns": pl.Int64, "duration_ns": pl.Int64}
    return pl.DataFrame(events, schema=schema, orient="row").with_row_index("event")


def plain_rows(events: list[tuple[int, int, int]]) -> list[int]:
    """Row of each event by the rule, one lane after the other."""
    rows = [0] * len(events)
    for lane in {event[0] for event in events}:
        own = [i for i, event in enumerate(events) if event[0] == lane]
        occupied: list[tuple[int, int]] = []
        free: list[int] = []
        for i in sorted(own, key=lambda i: (events[i][1], -events[i][2])):
            start, duration = events[i][1:]
            while occupied and occupied[0][0] <= start:
                heapq.heappush(free, heapq.heappop(occupied)[1])
            rows[i] = heapq.heappop(free) if free else len(occupied)
            heapq.heappush(occupied, (start + max(0, duration), rows[i]))
    return rows


def test_touching_events_share_a_row() -> None:
    assert stack_rows(frame((0, 0, 10), (0, 10, 5), (0, 15, 1)))["row"].to_list() == [0, 0, 0]


def test_nested_events_lie_below_what_holds_them() -> None:
    stacked = stack_rows(frame((0, 2, 3), (0, 0, 10), (0, 3, 1), (0, 6, 4)))
    assert stacked["row"].to_list() == [0, 1, 1, 2]
    assert stacked["event"].to_list() == [1, 0, 3, 2]


def test_partial_overlap_takes_the_topmost_free_row() -> None:
    stacked = stack_rows(frame((0, 0, 10), (0, 5, 10), (0, 10, 2)))
    assert dict(stacked.select("event", "row").iter_rows()) == {0: 0, 1: 1, 2: 0}


def test_zero_and_negative_durations_take_no_room() -> None:
    stacked = stack_rows(frame((0, 5, -3), (0, 5, 0), (0, 5, 4), (0, 5, 0), (0, 9, 1)))
    assert dict(stacked.select("event", "row").iter_rows()) == {0: 1, 1: 1, 2: 0, 3: 1, 4: 0}
    assert stacked["event"].to_list() == [2, 4, 0, 1, 3]


def test_other_columns_stay_and_lanes_may_have_other_names() -> None:
    events = frame((3, 4, 1), (1, 0, 1), (1, 0, 1)).rename({"lane": "stream"})
    stacked = stack_rows(events, ("stream",))
    assert stacked.columns == ["event", "stream", "start_ns", "duration_ns", "row"]
    assert stacked["event"].to_list() == [1, 2, 0]
    assert stacked["row"].dtype == pl.UInt16


def test_no_events() -> None:
    assert stack_rows(frame()).height == 0


events_of = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(-3, 12)), max_size=40)


@given(events_of)
def test_rows_are_those_of_the_rule(events: list[tuple[int, int, int]]) -> None:
    stacked = stack_rows(frame(*events))
    assert dict(stacked.select("event", "row").iter_rows()) == dict(enumerate(plain_rows(events)))
    order = stacked.select("lane", "row", "start_ns", "event").rows()
    assert order == sorted(order)


@given(events_of)
def test_rows_do_not_depend_on_pieces_and_levels(events: list[tuple[int, int, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stacking, "_AT_ONCE", 3)
        patch.setattr(stacking, "_MOST_LEVELS", 1)
        stacked = stack_rows(frame(*events))
    assert dict(stacked.select("event", "row").iter_rows()) == dict(enumerate(plain_rows(events)))
