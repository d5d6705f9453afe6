from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.events import MouseScrollDown, MouseScrollUp

from prof_tui import words
from prof_tui.widgets.timeline.cursor import Cursor, On
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import LaneSet, Mark
from prof_tui.widgets.timeline.view import LANE_BINDINGS, LANE_ONLY, LaneView, look_at_gap
from tests.helpers.lane_frames import Op, lane_set


@pytest.fixture(autouse=True)
def unicode_terminal() -> Iterator[None]:
    words.use_ascii(False)
    yield
    words.use_ascii(not words.terminal_speaks_unicode())


LANES = replace(
    lane_set(
        1_000_000,
        1_100_000,
        {
            "stream 7": [
                Op(1_000_000, 30_000, key=10, name="net/MatMul"),
                Op(1_005_000, 5_000, key=11, kind=1, name="Cast[x]"),
                Op(1_030_000, 0, key=12, name="Nop"),
                Op(1_080_000, 10_000, key=13, name="Add\x1b"),
            ],
            "stream 9": [Op(1_050_000, 10_000, key=20, kind=2, name="AllReduce")],
        },
    ),
    marks=[Mark(1_000_000, "FP Start"), Mark(1_100_000, "Iteration End")],
)


class LaneApp(App[None]):
    def __init__(self, lanes: LaneSet = LANES) -> None:
        super().__init__()
        self.lanes = lanes
        self.events: list[int | str] = []

    def compose(self) -> ComposeResult:
        yield LaneView()

    def on_mount(self) -> None:
        self.view.set_index(LaneIndex(self.lanes))
        self.view.focus()

    @property
    def view(self) -> LaneView:
        return self.query_one(LaneView)

    def lines(self) -> list[str]:
        return [self.view.render_line(y).text.rstrip() for y in range(self.view.size.height)]

    def on_lane_view_cursor_moved(self, message: LaneView.CursorMoved) -> None:
        self.events.append(message.key)

    def on_lane_view_entered(self, message: LaneView.Entered) -> None:
        self.events.append(f"entered {message.key}")


async def test_the_whole_picture() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)):
        assert app.lines() == [
            "us       ┬0.000    ┬20.000   ┬40.000   ┬60.000   ┬80.000   ┬",
            "         ┬FP Start                            Iteration End┬",
            "stream 7 C─MatMul────────                        C─Add…    │",
            "         │ P─C…                                            │",
            "stream 9 │                        H─All…                   │",
            "",
            "net/MatMul  start 0.000 us  duration 30.000 us  AI_CORE",
            "from 0.000 to 100.000 us (1.961 us per cell)",
        ]


async def test_without_unicode_it_is_drawn_in_ascii_with_the_gap_shaded() -> None:
    words.use_ascii(True)
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.press("B")
        assert app.lines() == [
            "us            +30.000   +35.000   +40.000   +45.000   +",
            "",
            "stream 7 C-Ma~C........................................",
            "              .........................................",
            "stream 9      ........................................H-All~",
            "",
            "gap 1 of 2: 20.000 us  start 30.000 us  after Nop  before A~",
            "from 27.500 to 52.500 us (0.491 us per cell)",
        ]


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 3), (7, 4), (19, 5), (20, 6), (200, 3)])
async def test_any_size_is_filled_exactly(size: tuple[int, int]) -> None:
    app = LaneApp()
    async with app.run_test(size=size) as pilot:
        await pilot.press("w", "d", "B", "s", "down", "a", "Z", "b")
        lines = [app.view.render_line(y) for y in range(size[1])]
        assert [cell_len(line.text) for line in lines] == [size[0]] * size[1]


async def test_arrows_walk_in_start_order_and_line_by_line_back_to_the_same_time() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 9)) as pilot:
        await pilot.press("right", "right", "right", "right", "down", "down", "down", "up", "up", "left")
        assert app.events == [11, 12, 13, 11, 20, 11, 13, 12]
        assert app.view.cursor_key == 12


async def test_enter_asks_for_the_op_under_the_cursor() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 9)) as pilot:
        await pilot.press("right", "enter")
        assert app.events == [11, "entered 11"]


async def test_select_moves_the_cursor_silently_and_brings_it_into_sight() -> None:
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


async def test_zoom_keeps_the_op_in_place_and_is_undone_step_by_step() -> None:
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


async def test_zoom_ends_at_a_nanosecond_per_cell_and_at_the_window() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.press(*["w"] * 30)
        assert app.lines()[-1].endswith("(0.001 us per cell)")
        await pilot.press(*["s"] * 30)
        assert app.lines()[-1] == "from 0.000 to 100.000 us (1.961 us per cell)"


async def test_b_goes_through_the_ops_by_duration_and_starts_anew_after_a_walk() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.press("down", "b", "b", "b", "b", "b", "b", "left", "right", "b", "b")
        assert app.events == [11, 10, 20, 13, 11, 12, 10, 11, 10, 20]


async def test_gaps_come_longest_first_with_the_ops_around_them() -> None:
    app = LaneApp()
    async with app.run_test(size=(100, 8)) as pilot:
        await pilot.press("B")
        assert app.lines()[-2] == ("gap 1 of 2: 20.000 us  start 30.000 us  after Nop  before AllReduce")
        await pilot.press("B")
        assert app.lines()[-2] == ("gap 2 of 2: 20.000 us  start 60.000 us  after AllReduce  before Add\\x1b")
        assert app.view.window == (1_057_500, 1_082_500)
        await pilot.press("B")
        assert app.lines()[-2].startswith("gap 1 of 2")
        assert app.view.window == (1_027_500, 1_052_500)
        await pilot.press("z", "z", "z")
        assert app.view.window == (1_000_000, 1_100_000)
        assert app.events == [12, 20, 12]


async def test_a_stretch_of_time_is_shaded_with_the_ops_around_it() -> None:
    app = LaneApp()
    async with app.run_test(size=(100, 8)) as pilot:
        look_at_gap(app.view, (1_065_000, 1_070_000))
        await pilot.pause()
        assert app.lines()[-2] == "shaded: 5.000 us  start 65.000 us  after AllReduce  before Add\\x1b"
        assert app.view.window == (1_057_500, 1_082_500)
        await pilot.press("up")
        assert app.lines()[-2].startswith("Cast[x]")


async def test_echo_of_the_cursor_does_not_end_the_gap() -> None:
    app = LaneApp()
    async with app.run_test(size=(100, 8)) as pilot:
        await pilot.press("B")
        app.view.select(12)
        assert app.lines()[-2].startswith("gap 1 of 2")


async def test_selection_is_reversed_over_its_extent() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.select(20)
        await pilot.pause()
        reversed_text = [s.text for s in app.view.render_line(4) if s.style and s.style.reverse]
        assert reversed_text == ["H─All…"]


async def test_a_click_selects_the_op_in_the_cell_and_nothing_elsewhere() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        for offset in ((9 + 27, 4), (9 + 40, 3), (3, 2), (9 + 2, 0), (9 + 2, 3)):
            await pilot.click(LaneView, offset=offset)
        assert app.events == [20, 11]


async def test_the_wheel_zooms_around_the_mouse() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.post_message(MouseScrollUp(app.view, 59, 3, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert app.lines()[-1].startswith("from 49.025 to 99.025 us")
        app.view.post_message(MouseScrollDown(app.view, 59, 3, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert app.lines()[-1].startswith("from 0.000 to 100.000 us")


async def test_a_cursor_move_redraws_its_rows_and_the_status_only() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)):
        before = app.view._scene
        moved = replace(before, cursor=Cursor(On.INTERVAL, 4))
        assert moved.changed_lines(before) == [2, 4, 6]
        assert replace(moved, top_line=1).changed_lines(before) is None


async def test_lanes_scroll_to_the_cursor_and_say_what_is_hidden() -> None:
    app = LaneApp(lane_set(0, 120, {f"stream {n}": [Op(n * 10, 10, key=n)] for n in range(12)}))
    async with app.run_test(size=(70, 8)) as pilot:
        assert [line[:9] for line in app.lines()[1:6]] == [f"stream {n} " for n in range(5)]
        await pilot.press(*["down"] * 6)
        assert [line[:8] for line in app.lines()[1:6]] == [f"stream {n}" for n in range(2, 7)]
        assert app.lines()[-1] == "from 0.000 to 0.120 us (0.002 us per cell)  rows 3 to 7 of 12"


async def test_other_lanes_keep_the_cursor_on_its_key() -> None:
    app = LaneApp()
    async with app.run_test(size=(60, 8)):
        app.view.select(13)
        app.view.set_index(LaneIndex(LANES))
        assert app.view.cursor_key == 13
        app.view.set_index(LaneIndex(lane_set(0, 10, {"a": [Op(0, 3, key=5)]})))
        assert app.view.cursor_key == 5
        app.view.set_index(LaneIndex(LaneSet(0, 0)))
        assert app.view.cursor_key is None


async def test_nothing_to_show_is_said_and_no_key_fails() -> None:
    app = LaneApp(LaneSet(0, 0))
    async with app.run_test(size=(30, 6)) as pilot:
        await pilot.press(*"wsadzZbB", "left", "right", "up", "down", "enter")
        assert app.lines()[-2] == "no ops here"
        assert app.events == []


async def test_the_legend_names_the_kinds_that_occur() -> None:
    app = LaneApp(lane_set(0, 10, {"a": [Op(0, 3, kind=2), Op(4, 3, kind=0)]}))
    async with app.run_test(size=(30, 6)):
        assert app.view.legend().plain == "C AI_CORE  H HCCL"


async def test_an_invalid_duration_is_said() -> None:
    app = LaneApp(lane_set(0, 10, {"a": [Op(2, -3)]}))
    async with app.run_test(size=(80, 6)):
        assert app.lines()[-2] == "MatMul  start 0.002 us  invalid duration -0.003 us  AI_CORE  a"


def test_what_works_beside_a_table_is_what_no_table_binds() -> None:
    assert {binding.key for binding in LANE_BINDINGS} - LANE_ONLY == set("wsadzZbB")


def test_every_binding_is_described() -> None:
    for binding in LANE_BINDINGS:
        assert (binding.id or "").startswith("timeline.")
        assert binding.description
        assert binding.tooltip
