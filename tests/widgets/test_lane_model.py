from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data import intervals as spans
from prof_tui.widgets.lane_index import LaneIndex, Place, Row
from prof_tui.widgets.lane_model import Interval, Lane, LaneSet, busy_spans, gaps, stack_rows
from prof_tui.widgets.time_window import TimeGrid, TimeWindow

small_interval = st.builds(
    Interval,
    start_ns=st.integers(0, 30),
    duration_ns=st.integers(-3, 12),
    key=st.just(0),
    kind=st.integers(0, 2),
    name=st.just("op"),
)
sorted_intervals = st.lists(small_interval, max_size=12).map(
    lambda found: sorted(found, key=lambda interval: (interval.start_ns, -interval.duration_ns))
)


def of(*spans: tuple[int, int]) -> list[Interval]:
    return [
        Interval(start, duration, key, 0, f"op{key}") for key, (start, duration) in enumerate(spans, start=1)
    ]


def lane_set(*lanes: list[Interval]) -> LaneSet:
    titled = [Lane(str(number), f"stream {number}", lane) for number, lane in enumerate(lanes)]
    return LaneSet(0, 100, titled, (), ())


def moments(intervals: Iterable[Interval]) -> set[int]:
    return {at for interval in intervals for at in range(interval.start_ns, interval.end_ns)}


def test_touching_intervals_share_a_row() -> None:
    assert stack_rows(of((0, 10), (10, 5), (15, 1))) == [0, 0, 0]


def test_nested_and_overlapping_intervals_get_rows_of_their_own() -> None:
    assert stack_rows(of((0, 10), (2, 4), (3, 1), (8, 6), (14, 1))) == [0, 1, 2, 1, 0]


def test_zero_and_negative_lengths_inside_another_do_not_share_its_row() -> None:
    assert stack_rows(of((0, 10), (0, 0), (4, -3), (10, 0))) == [0, 1, 1, 0]


@given(sorted_intervals)
def test_no_two_intervals_of_a_row_overlap(intervals: list[Interval]) -> None:
    rows = stack_rows(intervals)
    for row in set(rows):
        members = [interval for interval, its_row in zip(intervals, rows, strict=True) if its_row == row]
        for before, after in pairwise(members):
            assert before.end_ns <= after.start_ns


@given(sorted_intervals)
def test_no_more_rows_than_overlap_at_once(intervals: list[Interval]) -> None:
    deepest = max(
        (
            sum(
                other.start_ns <= interval.start_ns < other.end_ns or other is interval for other in intervals
            )
            for interval in intervals
        ),
        default=0,
    )
    assert len(set(stack_rows(intervals))) <= deepest


def test_busy_is_the_clipped_union_without_invalid_lengths() -> None:
    assert spans.length(busy_spans(of((0, 10), (5, 10), (20, -5), (90, 30)), 2, 100)) == 13 + 10


@given(st.lists(small_interval, max_size=12), st.integers(0, 40), st.integers(0, 40))
def test_busy_counts_each_moment_of_the_window_once(intervals: list[Interval], begin: int, end: int) -> None:
    assert spans.length(busy_spans(intervals, begin, end)) == len(moments(intervals) & set(range(begin, end)))


@given(st.lists(sorted_intervals, max_size=3), st.integers(0, 20), st.integers(0, 30))
def test_gaps_and_busy_time_make_up_the_window(lanes: list[list[Interval]], begin: int, length: int) -> None:
    end = begin + length
    found = gaps(lane_set(*lanes).lanes, begin, end)
    idle = {at for gap in found for at in range(*gap)}
    everything = [interval for lane in lanes for interval in lane]
    assert idle == set(range(begin, end)) - moments(everything)
    assert (
        sum(stop - start for start, stop in found) + spans.length(busy_spans(everything, begin, end))
        == length
    )
    assert found == sorted(found)


def test_a_lane_without_ops_is_one_gap() -> None:
    assert gaps(lane_set([]).lanes, 3, 9) == [(3, 9)]


@given(sorted_intervals, st.integers(0, 40), st.integers(1, 12))
def test_a_row_finds_what_takes_room_or_starts_in_a_span(
    intervals: list[Interval], begin: int, length: int
) -> None:
    end = begin + length
    in_row = [position for position, row in enumerate(stack_rows(intervals)) if row == 0]
    found = {in_row[number] for number in Row(0, in_row, intervals).within(begin, end)}
    assert found == {
        position
        for position in in_row
        if begin <= intervals[position].start_ns < end
        or intervals[position].start_ns < begin < intervals[position].end_ns
    }


def test_walking_along_a_lane_is_in_start_order_over_all_its_rows() -> None:
    index = LaneIndex(lane_set(of((0, 10), (2, 4), (2, 0), (12, 1))))
    assert index.along(Place(0, 0), 1) == Place(0, 1)
    assert index.along(Place(0, 2), 1) == Place(0, 3)
    assert index.along(Place(0, 3), 1) is None
    assert index.along(Place(0, 0), -1) is None


def test_walking_across_skips_empty_lanes_and_takes_the_nearest() -> None:
    index = LaneIndex(lane_set(of((50, 5)), [], of((0, 10), (30, 15), (58, 9))))
    assert index.across(Place(0, 0), 1) == Place(2, 1)
    assert index.across(Place(2, 2), -1) == Place(0, 0)
    assert index.across(Place(2, 2), 1) is None


def test_longest_come_first_and_equal_ones_in_time_order() -> None:
    index = LaneIndex(lane_set(of((0, 5), (9, 7)), [Interval(5, 7, 9, 0, "x"), Interval(20, -1, 8, 0, "y")]))
    assert index.longest == [Place(1, 0), Place(0, 1), Place(0, 0), Place(1, 1)]


def test_a_gap_knows_what_ran_before_and_after() -> None:
    index = LaneIndex(lane_set(of((0, 10), (60, 5)), of((5, 20), (40, 1))))
    assert index.longest_gaps == [(65, 100), (41, 60), (25, 40)]
    assert index.last_ended(41) == Place(1, 1)
    assert index.next_started(25) == Place(1, 1)
    assert index.next_started(66) is None
    assert index.last_ended(3) is None


def test_everything_that_exists_is_in_reach() -> None:
    assert LaneIndex(lane_set(of((-5, 10), (90, 40)))).reach == (-5, 130)


@given(st.integers(0, 1000), st.integers(1, 500), st.integers(1, 60))
def test_a_grid_holds_its_window_in_whole_nanoseconds(begin: int, span: int, columns: int) -> None:
    grid = TimeGrid.over(TimeWindow(begin, span), columns)
    assert grid.cell_ns >= 1
    assert (grid.cell_ns - 1) * columns < span <= grid.cell_ns * columns


def test_a_zoom_leaves_the_anchor_where_it_is() -> None:
    assert TimeWindow(100, 200).zoomed(100, 150) == TimeWindow(125, 100)
    assert TimeWindow(100, 200).zoomed(400, 300) == TimeWindow(-100, 400)


def test_a_window_moves_no_further_than_needed() -> None:
    window = TimeWindow(100, 50)
    assert window.showing(110, 120) == window
    assert window.showing(140, 160) == TimeWindow(110, 50)
    assert window.showing(90, 95) == TimeWindow(90, 50)
    assert window.showing(150, 150) == TimeWindow(101, 50)
    assert window.showing(90, 300) == window
    assert window.showing(200, 300) == TimeWindow(200, 50)
