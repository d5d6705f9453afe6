import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App

from prof_tui import words
from prof_tui.widgets.lane_cells import Look, RowText, axis_text, marks_text, round_step_ns
from prof_tui.widgets.lane_index import LaneIndex, Row
from prof_tui.widgets.lane_model import Interval, Kind, Lane, LaneSet, Mark, stack_rows
from prof_tui.widgets.lane_view import LaneView
from prof_tui.widgets.time_window import TimeGrid, TimeWindow

KINDS = (Kind("AI_CORE", "C", "blue"), Kind("AI_CPU", "P", "ansi_red"), Kind("HCCL", "H", "yellow"))


@pytest.fixture(autouse=True)
def unicode_terminal():
    words.use_ascii(False)
    yield
    words.use_ascii(not words.terminal_speaks_unicode())


def op(start_ns, duration_ns, key=0, kind=0, name="MatMul"):
    return Interval(start_ns, duration_ns, key, kind, name)


def row_pieces(intervals, columns=10, cell_ns=10, selected=None, overlay=()):
    row = Row(0, range(len(intervals)), intervals)
    grid = TimeGrid(0, cell_ns, columns)
    return list(RowText(row, intervals, KINDS, grid, dict(overlay)).pieces(selected))


def row_text(*args, **kwargs):
    return "".join(piece.text for piece in row_pieces(*args, **kwargs))


def test_a_wide_op_says_letter_and_name_on_a_line_to_its_end():
    assert row_text([op(10, 80)]) == " C─MatMul "
    assert row_text([op(0, 100)]) == "C─MatMul──"
    assert row_text([op(0, 50)]) == "C─Ma…     "


def test_an_op_cut_by_the_left_edge_keeps_its_label():
    assert row_text([op(-500, 560)]) == "C─MatM" + " " * 4 or row_text([op(-500, 560)]) == "C─Mat…    "


def test_a_narrow_op_is_its_letter_and_is_filled_only_where_it_covers_the_cell():
    pieces = row_pieces([op(0, 10), op(23, 4, kind=1)])
    assert [(piece.text, piece.look, piece.kind) for piece in pieces] == [
        ("C", Look.BAR, 0),
        (" ", Look.IDLE, 0),
        ("P", Look.NARROW, 1),
        (" " * 7, Look.IDLE, 0),
    ]


def test_zero_length_and_invalid_ops_are_never_blank():
    assert row_text([op(5, 0), op(30, -7), op(99, 0, kind=2)]) == "C  ‼     H"


def test_a_shared_cell_is_as_high_as_it_is_busy_and_full_only_without_a_gap():
    assert row_text([op(0, 2), op(3, 3), op(10, 5), op(15, 5), op(20, 5), op(25, 4)]) == "▄█▇       "
    assert row_text([op(1, 0), op(2, 0)]) == "▁         "


def test_a_shared_cell_has_the_colour_of_the_kind_with_the_most_busy_time():
    pieces = row_pieces([op(0, 1, kind=2), op(1, 1, kind=2), op(2, 6, kind=1), op(10, 2, kind=1), op(12, 40)])
    assert [(piece.text, piece.kind) for piece in pieces[:3]] == [("▆", 1), ("█", 0), ("C──", 0)]


def test_the_busy_time_of_a_shared_border_cell_is_clipped_to_it():
    assert row_text([op(0, 14), op(16, 34)]) == "C▆C──     "


def test_the_selected_op_is_drawn_over_its_whole_extent():
    intervals = [op(0, 5), op(5, 30, kind=1), op(35, 3)]
    pieces = row_pieces(intervals, selected=1)
    assert [(piece.text, piece.look) for piece in pieces] == [("P─M…", Look.SELECTED), (" " * 6, Look.IDLE)]


def test_marks_are_drawn_through_idle_cells_only():
    assert row_text([op(0, 20)], overlay={0: "│", 4: "│"}) == "C─  │     "


@given(
    st.lists(st.tuples(st.integers(-20, 130), st.integers(-4, 40), st.integers(0, 2)), max_size=30),
    st.integers(1, 30),
    st.integers(1, 12),
    st.integers(-15, 60),
)
def test_a_cell_is_blank_exactly_where_no_op_is(spans, columns, cell_ns, begin_ns):
    ordered = sorted((op(start, length, kind=kind, name="算子") for start, length, kind in spans))
    ordered.sort(key=lambda interval: (interval.start_ns, -interval.duration_ns))
    top = [interval for interval, row in zip(ordered, stack_rows(ordered), strict=True) if row == 0]
    grid = TimeGrid(begin_ns, cell_ns, columns)
    text = "".join(piece.text for piece in RowText(Row(0, range(len(top)), top), top, KINDS, grid, {}).pieces())
    assert cell_len(text) == columns
    occupied = {column for each in top for column in grid.extent(each.start_ns, each.end_ns)}
    cells = "".join(character * cell_len(character) for character in text)
    assert {column for column, character in enumerate(cells) if character != " "} == occupied


def test_steps_are_one_two_or_five():
    assert [round_step_ns(at_least) for at_least in (1, 2, 3, 6, 19, 21, 501)] == [1, 2, 5, 10, 20, 50, 1000]


def test_the_axis_has_round_ticks_from_the_begin_of_the_window():
    assert axis_text(TimeGrid(1000, 100, 30), 1000) == "┬0.000    ┬1.000    ┬2.000    "
    assert axis_text(TimeGrid(900, 100, 25), 1000) == " ┬0.000    ┬1.000    ┬2.0"[:21] + "┬   "


def test_titles_of_marks_give_way_but_their_ticks_stay():
    grid = TimeGrid(0, 10, 30)
    assert marks_text([Mark(0, "FP Start"), Mark(300, "Iteration End")], grid) == (
        "┬FP Start        Iteration End┬"[:9] + "       Iteration End┬"
    )
    assert marks_text([Mark(20, "FP Start"), Mark(50, "BP End")], grid) == "  ┬F…┬BP End" + " " * 18
    assert marks_text([Mark(20, "FP Start"), Mark(30, "BP End")], grid) == "  ┬┬BP End" + " " * 20
    assert marks_text([Mark(21, "A"), Mark(22, "B")], grid) == "  ┬A · B" + " " * 22
    assert marks_text([Mark(-1, "A"), Mark(301, "B")], grid) == " " * 30


LANES = LaneSet(
    1_000_000,
    1_100_000,
    [
        Lane(
            "7",
            "stream 7",
            [
                op(1_000_000, 30_000, key=10, name="MatMul"),
                op(1_005_000, 5_000, key=11, kind=1, name="Cast[/x]"),
                op(1_030_000, 0, key=12, name="Nop"),
                op(1_080_000, 10_000, key=13, name="Add\x1b"),
            ],
        ),
        Lane("9", "stream 9", [op(1_050_000, 10_000, key=20, kind=2, name="AllReduce")]),
    ],
    [Mark(1_000_000, "FP Start"), Mark(1_100_000, "Iteration End")],
    KINDS,
)


class LaneApp(App[None]):
    def __init__(self, lanes=LANES):
        super().__init__()
        self.lanes = lanes
        self.events = []

    def compose(self):
        yield LaneView()

    def on_mount(self):
        self.view.set_lanes(self.lanes)
        self.view.focus()

    @property
    def view(self):
        return self.query_one(LaneView)

    def lines(self):
        return [self.view.render_line(y).text.rstrip() for y in range(self.view.size.height)]

    def on_lane_view_cursor_moved(self, message):
        self.events.append(message.key)

    def on_lane_view_entered(self, message):
        self.events.append(f"entered {message.key}")


async def test_the_whole_picture():
    app = LaneApp()
    async with app.run_test(size=(60, 8)):
        assert app.lines() == [
            "us       ┬0.000         ┬30.000",
            "         ┬FP Start                            Iteration End┬",
            "stream 7 C─MatMul───────C",
            "",
            "stream 9",
            "",
            "MatMul  start 0.000 us  duration 30.000 us  AI_CORE",
            "from 0.000 to 100.000 us (1.961 us per cell)",
        ]


async def test_without_unicode_every_character_is_ascii():
    words.use_ascii(True)
    app = LaneApp()
    async with app.run_test(size=(60, 8)):
        assert all(line.isascii() for line in app.lines())


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 3), (7, 4), (19, 5), (20, 6), (200, 3)])
async def test_any_size_is_filled_exactly(size):
    app = LaneApp()
    async with app.run_test(size=size) as pilot:
        await pilot.press("w", "d", "B", "s", "down", "a", "Z", "b")
        assert [app.view.render_line(y).cell_length for y in range(size[1])] == [size[0]] * size[1]


async def test_arrows_walk_in_start_order_and_to_the_nearest_in_other_lanes():
    app = LaneApp()
    async with app.run_test(size=(60, 9)) as pilot:
        await pilot.press("right", "right", "right", "right", "down", "down", "up", "left")
        assert app.events == [11, 12, 13, 20, 12, 11]
        assert app.view.cursor_key == 11


async def test_enter_asks_for_the_op_under_the_cursor():
    app = LaneApp()
    async with app.run_test(size=(60, 9)) as pilot:
        await pilot.press("right", "enter")
        assert app.events == [11, "entered 11"]


async def test_select_moves_the_cursor_silently_and_brings_it_into_sight():
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.press("w", "w")
        assert app.view.select(13)
        await pilot.pause()
        assert app.lines()[-2] == "Add\\x1b  start 80.000 us  duration 10.000 us  AI_CORE"
        assert app.lines()[-1] == "from 65.000 to 90.000 us (0.491 us per cell)"
        assert not app.view.select(99)
        assert app.view.cursor_key == 13
        assert app.events == []


async def test_zoom_keeps_the_op_in_place_and_is_undone_step_by_step():
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.select(20)
        seen = []
        for key in ("w", "w", "d", "z", "z", "z", "w", "Z", "Z", "z"):
            await pilot.press(key)
            seen.append(app.lines()[-1].split(" us ")[0])
        assert seen == [
            "from 27.500 to 77.500",
            "from 41.250 to 66.250",
            "from 47.500 to 72.500",
            "from 27.500 to 77.500",
            "from 0.000 to 100.000",
            "from 0.000 to 100.000",
            "from 27.500 to 77.500",
            "from 0.000 to 100.000",
            "from 0.000 to 100.000",
            "from 27.500 to 77.500",
        ]


async def test_zoom_ends_at_a_nanosecond_per_cell_and_at_the_window():
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.press(*["w"] * 30)
        assert app.lines()[-1].endswith("(0.001 us per cell)")
        await pilot.press(*["s"] * 30)
        assert app.lines()[-1] == "from 0.000 to 100.000 us (1.961 us per cell)"


async def test_b_goes_through_the_ops_by_duration_and_starts_anew_after_a_walk():
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.press("down", "b", "b", "b", "b", "b", "b", "left", "right", "b", "b")
        assert app.events == [20, 10, 20, 13, 11, 12, 10, 11, 10, 20]


async def test_gaps_come_longest_first_with_the_ops_around_them():
    app = LaneApp()
    async with app.run_test(size=(100, 8)) as pilot:
        await pilot.press("B")
        assert app.lines()[-2] == (
            "gap 1 of 3: 20.000 us  start 30.000 us  after Nop  before AllReduce"
        )
        assert app.lines()[3][40:60].strip("░") != app.lines()[3][40:60]
        await pilot.press("B")
        assert app.lines()[-2] == (
            "gap 2 of 3: 20.000 us  start 60.000 us  after AllReduce  before Add\\x1b"
        )
        await pilot.press("B")
        assert app.lines()[-2] == "gap 3 of 3: 10.000 us  start 90.000 us  after Add\\x1b  before nothing"
        await pilot.press("B")
        assert app.lines()[-2].startswith("gap 1 of 3")
        assert app.events == [12, 20, 13, 12]


async def test_echo_of_the_cursor_does_not_end_the_gap():
    app = LaneApp()
    async with app.run_test(size=(100, 8)) as pilot:
        await pilot.press("B")
        app.view.select(12)
        assert app.lines()[-2].startswith("gap 1 of 3")


async def test_selection_is_reversed_over_its_extent():
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.select(20)
        await pilot.pause()
        reversed_text = [s.text for s in app.view.render_line(4) if s.style and s.style.reverse]
        assert reversed_text == ["H─All…"]


async def test_a_click_selects_and_the_wheel_zooms_where_it_is():
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.click(LaneView, offset=(9 + 27, 4))
        assert app.events == [20]
        await pilot.click(LaneView, offset=(9 + 40, 3))
        assert app.events == [20]


async def test_lanes_scroll_to_the_cursor_and_say_what_is_hidden():
    lanes = [Lane(str(n), f"stream {n}", [op(n * 10, 10, key=n)]) for n in range(12)]
    app = LaneApp(LaneSet(0, 120, lanes, (), KINDS))
    async with app.run_test(size=(70, 8)) as pilot:
        assert [line[:9] for line in app.lines()[1:6]] == [f"stream {n} " for n in range(5)]
        await pilot.press(*["down"] * 6)
        assert [line[:8] for line in app.lines()[1:6]] == [f"stream {n}" for n in range(2, 7)]
        assert app.lines()[-1] == "from 0.000 to 0.120 us (0.002 us per cell)  rows 3 to 7 of 12"


async def test_other_lanes_keep_the_cursor_on_its_key():
    app = LaneApp()
    async with app.run_test(size=(60, 8)):
        app.view.select(13)
        app.view.set_index(LaneIndex(LANES))
        assert app.view.cursor_key == 13
        app.view.set_lanes(LaneSet(0, 10, [Lane("a", "a", [op(0, 3, key=5)])], (), KINDS))
        assert app.view.cursor_key == 5
        app.view.set_lanes(LaneSet(0, 0, (), (), ()))
        assert app.view.cursor_key is None


async def test_nothing_to_show_is_said_and_no_key_fails():
    app = LaneApp(LaneSet(0, 0, (), (), ()))
    async with app.run_test(size=(30, 6)) as pilot:
        await pilot.press(*"wsadzZbB", "left", "right", "up", "down", "enter")
        assert app.lines()[-2] == "no ops here"
        assert app.events == []


async def test_the_legend_names_the_kinds_that_occur():
    lanes = [Lane("a", "a", [op(0, 3, kind=2), op(4, 3, kind=0)])]
    app = LaneApp(LaneSet(0, 10, lanes, (), KINDS))
    async with app.run_test(size=(30, 6)):
        assert app.view.legend().plain == "C AI_CORE  H HCCL"


async def test_an_invalid_duration_is_said():
    app = LaneApp(LaneSet(0, 10, [Lane("a", "a", [op(2, -3)])], (), KINDS))
    async with app.run_test(size=(80, 6)):
        assert app.lines()[-2] == "MatMul  start 0.002 us  invalid duration -0.003 us  AI_CORE"


def test_every_binding_is_described():
    for binding in LaneView.BINDINGS:
        assert binding.id.startswith("timeline-")
        assert binding.description
        assert binding.tooltip


def test_a_window_is_part_of_a_grid():
    assert TimeGrid.over(TimeWindow(5, 100), 30) == TimeGrid(5, 4, 30)
