"""The timeline widget with groups, counters, pins and ranges."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from textual.app import App, ComposeResult
from textual.message import Message

from prof_tui import words
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import Lane, LaneGroup, LaneSet
from prof_tui.widgets.timeline.view import LaneView
from tests.helpers.lane_frames import Op, lane_set, with_samples


@pytest.fixture(autouse=True)
def unicode_terminal() -> Iterator[None]:
    words.use_ascii(False)
    yield
    words.use_ascii(not words.terminal_speaks_unicode())


def trace(begin_ns: int = 0, end_ns: int = 100_000) -> LaneSet:
    """A thread with nested calls, one that is idle in the first window, a stream, and a counter."""
    lanes = {
        Lane("t1", "Thread 1", "host", is_busy=False): [
            Op(0, 50_000, name="aclrtSync"),
            Op(10_000, 20_000, name="inner"),
            Op(300_000, 10_000, name="later"),
        ],
        Lane("t2", "Thread 2", "host", is_busy=False): [Op(310_000, 9_000, name="elsewhere")],
        Lane("s1", "Stream 1", "dev"): [
            Op(20_000, 30_000, name="Add"),
            Op(60_000, 20_000, kind=1, name="Mul"),
        ],
        Lane("f", "Freq", "dev", is_plot=True, unit="MHz"): [],
    }
    groups = [LaneGroup("host", "CANN"), LaneGroup("dev", "Hardware (NPU 0)")]
    told = replace(lane_set(begin_ns, end_ns, lanes, keyed=False), groups=groups)
    return with_samples(told, [(3, 10_000, 1000.0), (3, 50_000, 1800.0), (3, 350_000, None)])


class TraceApp(App[None]):
    def __init__(self, lanes: LaneSet | None = None) -> None:
        super().__init__()
        self.lanes = lanes or trace()
        self.told: list[object] = []

    def compose(self) -> ComposeResult:
        yield LaneView()

    def on_mount(self) -> None:
        self.view.set_index(LaneIndex(self.lanes))
        self.view.focus()

    @property
    def view(self) -> LaneView:
        return self.query_one(LaneView)

    @property
    def lines(self) -> list[str]:
        return [self.view.render_line(y).text.rstrip() for y in range(self.view.size.height)]

    @property
    def status(self) -> str:
        return self.lines[-2]

    @property
    def titles(self) -> list[str]:
        return [line[:16].rstrip() for line in self.lines[1:-2]]

    def on_lane_view_cursor_moved(self, message: LaneView.CursorMoved) -> None:
        self.told.append(self.view._scene.index.interval(message.key).name)

    def on_lane_view_arranged(self, message: Message) -> None:
        self.told.append("arranged")


SIZE = (67, 12)


async def test_the_whole_picture() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE):
        assert app.lines == [
            "us               ┬0.000    ┬20.000   ┬40.000   ┬60.000   ┬80.000",
            "▼ CANN",
            "  Thread 1       C─aclrtSync──────────────",
            "                      C─inner───",
            "  ▶ 1 lane with nothing here",
            "▼ Hardware (NPU 0)",
            "  Stream 1                 C─Add──────────     P─Mul─────",
            "  Freq                ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█████████████████████████",
            "",
            "",
            "aclrtSync  start 0.000 us  duration 50.000 us  AI_CORE  Thread 1",
            "from 0.000 to 100.000 us (2.000 us per cell)",
        ]


async def test_without_unicode_it_is_drawn_in_ascii() -> None:
    words.use_ascii(True)
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("space", "m")
        await pilot.press("down", "down", "minus")
        assert [line[:60].rstrip() for line in app.lines[1:6]] == [
            "> CANN           #########################",
            "v Hardware (NPU 0)",
            "  Stream 1                 C-Add----------     P-Mul-----",
            "  Freq                ....................##################",
            "",
        ]


async def test_down_and_up_go_line_by_line_and_back_to_the_same_time() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        seen = []
        for key in (*["down"] * 7, *["up"] * 8):
            await pilot.press(key)
            seen.append(app.status.partition("  ")[0])
        assert seen == [
            "inner",
            "CANN: 1 lane with nothing here",
            "Hardware (NPU 0): 2 lanes, 5 events",
            "Add",
            "Hardware (NPU 0) · Freq: 1,000 MHz",
            "Hardware (NPU 0) · Freq: 1,000 MHz",
            "Hardware (NPU 0) · Freq: 1,000 MHz",
            "Add",
            "Hardware (NPU 0): 2 lanes, 5 events",
            "CANN: 1 lane with nothing here",
            "inner",
            "aclrtSync",
            "CANN: 2 lanes, 4 events",
            "CANN: 2 lanes, 4 events",
            "CANN: 2 lanes, 4 events",
        ]
        assert app.told == ["inner", "Add", "Add", "inner", "aclrtSync"]


async def test_left_and_right_walk_the_samples_of_a_counter() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["down"] * 5, "right", "right", "right")
        assert app.status == "Hardware (NPU 0) · Freq: N/A  at 350.000 us"
        await pilot.press("left")
        assert app.status == "Hardware (NPU 0) · Freq: 1,800 MHz  at 50.000 us"
        assert app.view._scene.chosen == (50_000, 50_000)
        assert app.view.cursor_lane_id == "f"
        assert app.view.cursor_key is None


async def test_space_and_enter_fold_a_group_and_its_header_says_what_is_in_it() -> None:
    app = TraceApp()
    async with app.run_test(size=(160, 10)) as pilot:
        await pilot.press("down", "space")
        assert app.lines[1].split("██")[0] == "▶ CANN  2 lanes, 4 events             "
        assert app.view.line_count == 4
        await pilot.press("enter")
        assert app.view.line_count == 7
        assert app.told == ["inner", "arranged", "arranged"]


async def test_lanes_with_nothing_here_are_unfolded_on_their_line() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down", "enter")
        assert app.titles[3:5] == ["  ▼ 1 lane with", "  Thread 2"]
        await pilot.press("down")
        assert app.told[-1] == "elsewhere"


async def test_the_rows_of_a_lane_in_one_line_keep_the_cursor_on_its_op() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "minus")
        assert app.lines[2] == "  Thread 1       █████C─inner───██████████"
        await pilot.press("left", "right", "minus")
        assert app.told == ["inner", "arranged", "aclrtSync", "inner", "arranged"]
        assert app.lines[3].strip() == "C─inner───"


async def test_a_hidden_lane_is_gone_and_counted_until_all_are_shown() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("i")
        assert app.titles[:2] == ["▼ CANN", "  ▶ 1 lane with"]
        assert app.lines[-1].endswith("1 lane hidden")
        assert app.view.cursor_lane_id is None
        await pilot.press("I")
        assert app.titles[:2] == ["▼ CANN", "  Thread 1"]


async def test_pinned_lanes_stay_in_sight_while_the_rest_scrolls() -> None:
    app = TraceApp()
    async with app.run_test(size=(70, 7)) as pilot:
        await pilot.press(*["down"] * 4, "p", *["down"] * 6)
        assert app.titles == ["• Stream 1", "  ▶ 1 lane with", "▼ Hardware (NPU", "  Freq"]
        await pilot.press(*["up"] * 6)
        assert app.view.cursor_lane_id == "s1"
        await pilot.press("p")
        assert "  Stream 1" in app.titles


async def test_a_range_holds_all_that_the_cursor_was_on_and_is_drawn_through_idle_cells() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["down"] * 4, "m", "right")
        assert app.view.range_ns == (20_000, 80_000)
        assert app.lines[-1].endswith("marking 60.000 us")
        await pilot.press("m", "left", "left")
        assert app.told[-1] == "Add"
        assert app.view.range_ns == (20_000, 80_000)
        assert app.lines[-1].endswith("range 60.000 us")
        assert app.lines[6] == "  Stream 1                 C─Add──────────·····P─Mul─────"
        reversed_cells = [s.text for s in app.view.render_line(0) if s.style and s.style.reverse]
        assert len("".join(reversed_cells)) == 30
        await pilot.press("M", "M")
        assert app.view.range_ns is None


async def test_f_fits_the_range_then_the_gap_then_the_op() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f")
        assert app.view.window == (0, 50_000)
        await pilot.press("B")
        assert app.view.window == (48_750, 61_250)
        await pilot.press("f")
        assert app.view.window == (50_000, 60_000)
        await pilot.press(*["down"] * 3, "m", "right", "m", "f")
        assert app.view.window == app.view.range_ns
        await pilot.press("z", "z", "z", "z")
        assert app.view.window == (0, 100_000)


async def test_everything_is_the_window_and_then_all_that_there_is() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        seen = []
        for key in ("Z", "Z", "w", "Z", "s", "s"):
            await pilot.press(key)
            seen.append(app.view.window)
        assert seen == [
            (0, 350_000),
            (0, 100_000),
            (12_500, 62_500),
            (0, 100_000),
            (0, 200_000),
            (0, 350_000),
        ]


async def test_what_select_finds_is_unfolded() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("space")
        assert app.view.select(3)
        await pilot.pause()
        assert app.titles[:5] == ["▼ CANN", "  Thread 1", "", "  ▼ 1 lane with", "  Thread 2"]
        assert app.status.startswith("elsewhere ")
        app.view.look_at(300_000, 330_000)
        assert app.view.window == (300_000, 330_000)


async def test_another_window_keeps_what_was_folded_but_not_a_cursor_outside_of_it() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["down"] * 4, "space", "up", "up", "up")
        app.view.set_index(LaneIndex(trace(290_000, 330_000)))
        assert app.view.window == (290_000, 330_000)
        assert [title for title in app.titles if title] == [
            "▼ CANN",
            "  Thread 1",
            "  Thread 2",
            "▶ Hardwa…(NPU 0)",
        ]
        assert app.status.startswith("later ")


async def test_a_growing_timeline_keeps_window_cursor_and_undo() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["down"] * 4, "right", "w", "d")
        window = app.view.window
        grown = trace()
        lanes = {
            lane: [Op(-5, 1), *([Op(60_000, 20_000, kind=1, name="Mul")] if lane.id == "s1" else [])]
            for lane in grown.lanes
            if not lane.is_plot
        }
        more = lane_set(0, 100_000, lanes, keyed=False)
        app.view.set_index(LaneIndex(replace(grown, intervals=more.intervals)), keep=True)
        assert app.view.window == window
        assert app.status.startswith("Mul  start 60.000 us")
        await pilot.press("z")
        assert app.view.window == (0, 100_000)


async def test_a_view_of_the_whole_of_a_growing_timeline_goes_on_to_show_the_whole() -> None:
    app = TraceApp(LaneSet(0, 0))
    async with app.run_test(size=SIZE):
        for end_ns in (50_000, 400_000):
            app.view.set_index(LaneIndex(trace(0, end_ns)), keep=True)
            assert app.view.window == (0, end_ns)


async def test_a_click_on_a_header_folds_it_and_on_a_plot_takes_the_nearest_sample() -> None:
    app = TraceApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click(LaneView, offset=(40, 7))
        assert app.status.endswith("1,800 MHz  at 50.000 us")
        await pilot.click(LaneView, offset=(3, 1))
        assert app.titles[:2] == ["▶ CANN", "▼ Hardware (NPU"]
