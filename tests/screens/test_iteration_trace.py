from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.write import MERGED_DIRECTORY
from tests.helpers.driven_app import opened
from tests.helpers.traced_capture import TIMELINE, traced_capture


async def test_its_lanes_come_from_the_trace_and_it_says_so(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter")
        assert user.title.more.startswith(f"lanes from {TIMELINE}, ops placed")
        assert "Thread 1" in user.text
        assert "Group 0 Comm" in user.text
        assert "computing 26.2 %, communication 8.6 %, not overlapped 8.6 %, free 65.2 %" in user.text


async def test_without_a_trace_they_come_from_the_ops_and_it_says_so(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j", "enter")
        assert user.title.more.startswith("lanes from op_summary, ops placed")


async def test_one_cursor_for_events_and_rows(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter", "j")
        assert user.cursor["Op Name"] == "Cast_3"
        assert "Cast_3 " in user.lanes.render_line(user.lanes.size.height - 2).text
        await user.press("tab", "down")
        assert user.cursor["Op Name"] == "TopK_3"


async def test_enter_on_a_lane_is_the_event_and_on_a_row_the_op(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter", "enter")
        assert user.screen_name == "RowView"
        await user.press("backspace", "tab", "enter")
        assert (user.screen_name, user.title.parts) == ("EventView", ("MatMul_3",))


async def test_v_leads_to_the_timeline_of_everything(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter", "j", "v")
        assert (user.screen_name, user.pane_name, user.event_name) == ("CaptureScreen", "timeline", "Cast_3")
        await user.press("backspace")
        assert (user.screen_name, user.cursor["Op Name"]) == ("IterationScreen", "Cast_3")


async def test_without_op_summary_the_trace_gives_the_rows_too(tmp_path: Path) -> None:
    capture = traced_capture(tmp_path, tables=False)
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j", "enter")
        assert user.column("Op Name") == ["MatMul_3", "Cast_3", "TopK_3"]
        assert user.column("Task Start Time(us)") == ["0.000", "150.000", "300.000"]
        assert user.column("Task Type") == ["AI_CORE", "AI_VECTOR_CORE", "AI_CPU"]
        assert "computing 26.2 %" in user.text
        await user.press("right_square_bracket")
        assert user.column("Op Name") == ["MatMul_4", "Cast_4", "TopK_4"]
        await user.press("j", "enter")
        assert (user.screen_name, user.title.parts) == ("EventView", ("Cast_4",))


async def test_a_broken_trace_leaves_the_ops(traced: OpenCapture) -> None:
    (traced.path / MERGED_DIRECTORY / TIMELINE).write_text("no json")
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter")
        assert user.column("Op Name") == ["MatMul_3", "Cast_3", "TopK_3"]
        assert user.title.more.startswith("lanes from op_summary")
