from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from prof_tui.widgets.timeline.columns import LaneColumns, Track, borders
from prof_tui.widgets.timeline.index import MOST_KEPT, LaneIndex
from prof_tui.widgets.timeline.model import Lane, LaneSet
from prof_tui.widgets.timeline.zoom import TimeGrid, TimeWindow
from tests.helpers.lane_frames import KINDS, Op, lane_set, with_samples

small_op = st.builds(
    Op,
    start_ns=st.integers(0, 30),
    duration_ns=st.integers(-3, 12),
    key=st.just(0),
    kind=st.integers(0, 2),
    name=st.just("op"),
)
some_ops = st.lists(small_op, max_size=12)


def of(*spans: tuple[int, int]) -> list[Op]:
    return [Op(start, duration, key=key) for key, (start, duration) in enumerate(spans, start=1)]


def index_of(*lanes: list[Op], begin_ns: int = 0, end_ns: int = 100) -> LaneIndex:
    named = {f"stream {number}": lane for number, lane in enumerate(lanes)}
    return LaneIndex(lane_set(begin_ns, end_ns, named, keyed=False))


def moments(ops: Iterable[Op]) -> set[int]:
    return {at for op in ops for at in range(op.start_ns, op.end_ns)}


def spans_of(index: LaneIndex, numbers: Iterable[int | None]) -> list[tuple[int, int] | None]:
    """Lane and start of intervals."""
    return [
        None if number is None else (index.lane_of(number), index.interval(number).start_ns)
        for number in numbers
    ]


def tracks(index: LaneIndex) -> list[Track]:
    return [index.columns.track(row) for row in range(len(index.rows))]


@settings(max_examples=60, deadline=None)
@given(some_ops, st.integers(0, 40), st.integers(1, 12))
def test_a_track_finds_what_takes_room_or_starts_in_a_span(ops: list[Op], begin: int, length: int) -> None:
    index = index_of(ops)
    end = begin + length
    for track in tracks(index):
        intervals = {number: index.interval(number) for number in range(track.first, track.stop)}
        assert set(track.within(begin, end)) == {
            number
            for number, each in intervals.items()
            if begin <= each.start_ns < end or each.start_ns < begin < each.end_ns
        }


@settings(max_examples=60, deadline=None)
@given(some_ops, st.integers(-5, 20), st.integers(1, 7), st.integers(1, 12))
def test_the_busy_shares_of_cells_sum_to_the_busy_time(
    ops: list[Op], begin_ns: int, cell_ns: int, columns: int
) -> None:
    grid = TimeGrid(begin_ns, cell_ns, columns)
    index = index_of(ops)
    found = 0
    for track in tracks(index):
        busy = borders([track], grid.bounds_ns())[0].busy_ns
        assert all(0 <= after - before <= cell_ns for before, after in pairwise(busy))
        found += busy[-1] - busy[0]
    assert found == sum(len(moments([op]) & set(range(grid.begin_ns, grid.end_ns))) for op in ops)


def test_many_in_sight_are_asked_for_with_the_same_answer() -> None:
    ops = [Op(10 * number + number % 3, number % 7) for number in range(3_000)]
    (track,) = tracks(index_of(ops))
    bounds = range(-5, 31_000, 97)
    (whole,) = borders([track], bounds)
    for cell in range(len(bounds) - 1):
        (one,) = borders([track], bounds[cell : cell + 2])
        assert one.started.to_list() == whole.started[cell : cell + 2].to_list()
        assert one.carried_ns.to_list() == whole.carried_ns[cell : cell + 2].to_list()
        assert one.busy_ns[1] - one.busy_ns[0] == whole.busy_ns[cell + 1] - whole.busy_ns[cell]


@settings(max_examples=60, deadline=None)
@given(some_ops, some_ops)
def test_a_cover_is_the_union_and_overlaps_nowhere(some: list[Op], others: list[Op]) -> None:
    cover = index_of(some, others).columns.cover([0, 1])
    spans = [(cover.starts[number], cover.end_ns(number)) for number in range(cover.first, cover.stop)]
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert {at for span in spans for at in range(*span)} == moments([*some, *others])
    ends = {op.start_ns for op in (*some, *others)}
    assert all(any(begin <= at <= end for begin, end in spans) for at in ends)


@settings(max_examples=60, deadline=None)
@given(st.lists(some_ops, max_size=3), st.integers(0, 20), st.integers(0, 30))
def test_gaps_are_when_nothing_is_busy(lanes: list[list[Op]], begin: int, length: int) -> None:
    index = index_of(*lanes, begin_ns=begin, end_ns=begin + length)
    gaps = sorted(index.longest_gaps)
    idle = {at for gap in gaps for at in range(*gap)}
    ops = [op for lane in lanes for op in lane]
    window = range(begin, begin + length)
    inside = [at for at in window if at in moments(ops)]
    first = begin if any(op.end_ns <= begin for op in ops) else min(inside, default=begin + length)
    last = begin + length if any(op.start_ns >= window.stop for op in ops) else max(inside, default=begin)
    assert idle == {at for at in window if first <= at < last} - moments(ops)
    assert all(before[1] < after[0] for before, after in pairwise(gaps))
    lengths = [stop - start for start, stop in index.longest_gaps]
    assert lengths == sorted(lengths, reverse=True)


def test_lanes_that_are_no_work_leave_gaps_and_are_not_among_the_longest() -> None:
    lanes = {"stream": of((0, 10), (50, 5)), Lane("host", "host", is_busy=False): of((0, 100))}
    index = LaneIndex(lane_set(0, 100, lanes))
    assert index.longest_gaps == [(10, 50)]
    assert spans_of(index, index.longest) == [(0, 0), (0, 50)]


def test_without_any_work_the_longest_are_of_all_lanes() -> None:
    index = LaneIndex(lane_set(0, 100, {Lane("host", "host", is_busy=False): of((0, 1), (5, 9))}))
    assert spans_of(index, index.longest) == [(0, 5), (0, 0)]


def test_bookkeeping_is_no_work_and_comes_last_among_the_longest() -> None:
    stream = [Op(0, 90, kind=1), Op(10, 5), Op(20, 60, kind=1), Op(85, 4), Op(95, 40, kind=1)]
    events = replace(KINDS[1], is_work=False)
    lanes = replace(lane_set(0, 200, {"stream": stream}), kinds=(KINDS[0], events))
    index = LaneIndex(lanes)
    assert index.longest_gaps == [(15, 85)]
    assert [index.interval(number).start_ns for number in index.longest] == [10, 85, 0, 20, 95]
    assert spans_of(index, [index.last_ended(84), index.next_started(16)]) == [(0, 10), (0, 85)]
    assert (index.last_ended(9), index.next_started(86)) == (None, None)


def test_where_nothing_is_work_all_of_it_is() -> None:
    lanes = lane_set(0, 100, {"stream": of((0, 10), (50, 5))})
    index = LaneIndex(replace(lanes, kinds=[replace(kind, is_work=False) for kind in KINDS]))
    assert index.longest_gaps == [(10, 50)]


def test_before_the_first_op_and_after_the_last_is_no_gap_but_between_windows_there_is() -> None:
    assert index_of([], begin_ns=3, end_ns=9).longest_gaps == []
    lanes = {"stream": of((10, 10), (50, 10), (90, 5))}
    assert LaneIndex(lane_set(0, 100, lanes)).longest_gaps == [(20, 50), (60, 90)]
    assert LaneIndex(lane_set(30, 70, lanes)).longest_gaps == [(30, 50), (60, 70)]
    assert LaneIndex(lane_set(25, 45, lanes)).longest_gaps == [(25, 45)]


def test_longest_come_first_and_equal_ones_in_time_order() -> None:
    index = index_of(of((0, 5), (9, 7)), [Op(5, 7), Op(20, -1)])
    assert spans_of(index, index.longest) == [(1, 5), (0, 9), (0, 0), (1, 20)]


def test_only_what_overlaps_the_home_window_is_among_the_longest() -> None:
    index = index_of(of((0, 30), (35, 5), (95, 50)), begin_ns=20, end_ns=40)
    assert spans_of(index, index.longest) == [(0, 0), (0, 35)]


def test_of_very_many_the_longest_are_kept_and_all_are_counted() -> None:
    ops = [Op(10 * number, 5) for number in range(3 * MOST_KEPT)]
    index = index_of(ops, end_ns=30 * MOST_KEPT)
    assert spans_of(index, index.longest) == [(0, 10 * number) for number in range(MOST_KEPT)]
    assert (len(index.longest_gaps), index.gap_count) == (MOST_KEPT, 3 * MOST_KEPT - 1)


@settings(max_examples=60, deadline=None)
@given(st.lists(some_ops, min_size=1, max_size=3))
def test_walking_along_reaches_every_interval_once_in_start_order(lanes: list[list[Op]]) -> None:
    index = index_of(*lanes)
    for lane in range(len(lanes)):
        rows = index.columns.rows_of(lane)
        members = {number for row in rows for number in range(index.rows[row].first, index.rows[row].stop)}
        now = min(members, key=lambda number: (index.interval(number).start_ns, number), default=None)
        walked: list[int] = []
        while now is not None:
            walked.append(now)
            now = index.along(now, 1)
        assert sorted(walked) == sorted(members)
        starts = [index.interval(number).start_ns for number in walked]
        assert starts == sorted(starts)
        assert [index.along(number, -1) for number in walked[1:]] == walked[:-1]
        assert not walked or index.along(walked[0], -1) is None


def test_nearest_is_by_distance_from_begin_or_end() -> None:
    index = index_of(of((0, 10), (30, 15), (58, 9)))
    assert [index.nearest([0], at) for at in (-9, 9, 15, 21, 52, 99)] == [0, 0, 0, 1, 2, 2]
    assert index.nearest([], 5) is None


def test_a_gap_knows_what_ran_before_and_after() -> None:
    index = index_of(of((0, 10), (60, 5)), of((5, 20), (40, 1)))
    assert index.longest_gaps == [(41, 60), (25, 40)]
    assert spans_of(index, [index.last_ended(41), index.next_started(25)]) == [(1, 40), (1, 40)]
    assert index.next_started(66) is None
    assert index.last_ended(3) is None


def test_everything_that_exists_is_in_reach() -> None:
    lanes = lane_set(0, 100, {"a": of((-5, 10), (90, 40)), Lane("f", "freq", is_plot=True): []})
    assert LaneIndex(lanes).reach == (-5, 130)
    assert LaneIndex(with_samples(lanes, [(1, -70, 1.0), (1, 200, 2.0)])).reach == (-70, 200)


def test_an_interval_is_found_by_key_or_by_its_number() -> None:
    ops = [Op(0, 1, key=70), Op(5, 1, key=80)]
    keyed = LaneIndex(lane_set(0, 10, {"a": ops}))
    assert [keyed.find(key) for key in (80, 5, -1)] == [1, None, None]
    assert keyed.key_of(0) == 70
    plain = LaneIndex(lane_set(0, 10, {"a": ops}, keyed=False))
    assert [plain.find(key) for key in (1, 2, -1)] == [1, None, None]


def test_windows_of_the_same_intervals_share_their_columns() -> None:
    lanes = lane_set(0, 100, {"a": of((0, 10), (60, 5))})
    columns = LaneColumns(lanes.intervals)
    assert LaneIndex(lanes, columns).columns is LaneIndex(lanes, columns).columns


def test_nothing_at_all_has_an_index() -> None:
    index = LaneIndex(LaneSet(0, 0))
    assert (index.rows, index.longest, index.longest_gaps, index.reach) == ([], [], [], (0, 0))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 500), st.integers(1, 60))
def test_a_grid_holds_its_window_in_whole_nanoseconds(begin: int, span: int, columns: int) -> None:
    grid = TimeGrid.over(TimeWindow(begin, span), columns)
    assert grid.cell_ns >= 1
    assert (grid.cell_ns - 1) * columns < span <= grid.cell_ns * columns


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 50), st.integers(1, 60))
def test_the_cells_partition_the_grid(begin: int, cell_ns: int, columns: int) -> None:
    grid = TimeGrid(begin, cell_ns, columns)
    bounds = grid.bounds_ns()
    assert (bounds[0], bounds[-1], len(bounds)) == (begin, grid.end_ns, columns + 1)
    assert [grid.column(at) for at in range(begin, grid.end_ns)] == [
        column for column in range(columns) for _ in range(cell_ns)
    ]


def test_a_zoom_leaves_the_anchor_where_it_is() -> None:
    window, reach = TimeWindow(100, 200), (-1_000, 1_000)
    assert window.zoomed_in(150, columns=10) == TimeWindow(125, 100)
    assert window.zoomed_out(300, home=(0, 1), reach=reach) == TimeWindow(-100, 400)


def test_a_zoom_ends_at_a_nanosecond_per_cell_and_at_all_there_is() -> None:
    assert TimeWindow(100, 200).zoomed_in(100, columns=150) == TimeWindow(100, 150)
    assert TimeWindow(100, 200).zoomed_in(100, columns=200) == TimeWindow(100, 200)
    assert TimeWindow(100, 200).zoomed_out(100, home=(0, 1), reach=(50, 450)) == TimeWindow(50, 400)


def test_zooming_out_stops_at_the_home_window() -> None:
    reach = (-1_000, 1_000)
    assert TimeWindow(100, 200).zoomed_out(100, home=(0, 350), reach=reach) == TimeWindow(0, 350)
    assert TimeWindow(100, 200).zoomed_out(100, home=(150, 500), reach=reach) == TimeWindow(100, 400)
    assert TimeWindow(0, 350).zoomed_out(0, home=(0, 350), reach=reach) == TimeWindow(0, 700)


def test_a_window_over_a_short_span_has_it_in_its_middle() -> None:
    assert TimeWindow.over((100, 300), columns=80) == TimeWindow(100, 200)
    assert TimeWindow.over((100, 110), columns=30) == TimeWindow(90, 30)
    assert TimeWindow.over((100, 90)) == TimeWindow(100, 1)


def test_a_pan_is_a_quarter_and_at_least_a_nanosecond() -> None:
    assert TimeWindow(100, 200).panned(-1) == TimeWindow(50, 200)
    assert TimeWindow(100, 3).panned(1) == TimeWindow(101, 3)


def test_a_window_moves_no_further_than_needed() -> None:
    window = TimeWindow(100, 50)
    assert window.showing(110, 120) == window
    assert window.showing(140, 160) == TimeWindow(110, 50)
    assert window.showing(90, 95) == TimeWindow(90, 50)
    assert window.showing(150, 150) == TimeWindow(101, 50)
    assert window.showing(90, 300) == window
    assert window.showing(200, 300) == TimeWindow(200, 50)
