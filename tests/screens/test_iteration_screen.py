from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.words import glyphs
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import Driven, opened
from tests.helpers.small_capture import OP_HEADER, at, op_lines, text


async def enter_iteration(user: Driven, number: int) -> None:
    await user.press(*["j"] * (number - 1), "enter")
    assert user.screen_name == "IterationScreen"


def lane_lines(user: Driven) -> list[str]:
    return [user.lanes.render_line(y).text for y in range(user.lanes.size.height)]


async def test_its_header_says_the_period_its_parts_busy_time_and_shares(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        assert "period 1,000.000 us = Data Aug 300.000 + FP to BP 500.000 + Refresh 200.000" in user.text
        assert "3 ops in 700.000 us: busy 26.2 %" in user.text
        for share in ("C AI_CORE 1 56.4 %", "V AI_VECTOR_CORE 1 27.2 %", "P AI_CPU 1 16.3 %"):
            assert share in user.words


async def test_lanes_are_streams_and_marks_stand_over_them(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        lines = lane_lines(user)
        assert [line.split("│")[0].strip()[:8] for line in lines if line.startswith("Stream")] == [
            "Stream 2",
            "Stream 3",
            "Stream 4",
        ]
        assert "FP Start" in lines[1]
        assert "BP End" in lines[1]


async def test_its_table_is_in_time_order_and_counts_from_its_start(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        assert user.column("Op Name") == ["MatMul_3", "Cast_3", "TopK_3"]
        assert user.column("Task Start Time(us)") == ["0.000", "150.000", "300.000"]


async def test_the_timeline_follows_the_table(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        assert user.pane.frame.has_focus
        await user.press("down")
        assert user.lanes.cursor_key == user.pane.row
        assert any(line.startswith("Cast_3 ") for line in lane_lines(user))


async def test_after_tab_the_table_follows_the_timeline(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        await user.press("tab")
        assert user.lanes.has_focus
        await user.press("down")
        assert user.cursor["Op Name"] == "Cast_3"
        await user.press("down")
        assert user.cursor["Op Name"] == "TopK_3"
        await user.press("tab", "up")
        assert user.pane.frame.has_focus
        assert user.lanes.cursor_key == user.pane.row


async def test_zoom_keys_work_while_the_table_has_the_focus(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        whole = lane_lines(user)
        await user.press("w")
        near = lane_lines(user)
        assert near != whole
        await user.press("d")
        assert lane_lines(user) != near
        await user.press("a", "s")
        assert lane_lines(user) == whole
        await user.press("w", "w", "Z")
        assert lane_lines(user) == whole


async def test_b_goes_to_the_longest_op_and_capital_b_to_the_longest_gap_in_both_halves(
    capture: OpenCapture,
) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        await user.press("j", "j", "b")
        assert user.cursor["Op Name"] == "MatMul_3"
        await user.press("b")
        assert user.cursor["Op Name"] == "Cast_3"
        await user.press("B")
        assert user.cursor["Op Name"] == "Cast_3"
        assert any("gap 1 of 2: 100.000 us" in line for line in lane_lines(user))


async def test_enter_in_the_timeline_opens_the_op_page(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        await user.press("tab", "down", "enter")
        assert (user.screen_name, user.title.parts) == ("RowView", ("Cast_3",))
        await user.press("escape")
        assert user.lanes.has_focus
        assert user.cursor["Op Name"] == "Cast_3"


async def test_from_an_ops_page_it_opens_at_that_op(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(row=7)
        assert user.cursor["Op Name"] == "Cast_3"
        await user.press("enter", "enter")
        assert user.screen_name == "IterationScreen"
        assert user.cursor["Op Name"] == "Cast_3"
        assert user.lanes.cursor_key == user.pane.row


async def test_an_iteration_without_ops_says_so(tmp_path: Path, capture: OpenCapture) -> None:
    csv_capture(tmp_path, op_summary=text(OP_HEADER, [line for line in op_lines() if "_3," not in line]))
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        assert "0 ops in 700.000 us: busy 0.0 %" in user.text
        await user.press("tab", "right", "w", "b", "B", "enter", "tab", "j")
        assert user.app.is_running


async def test_an_invalid_op_is_left_out_of_busy_time_and_still_listed(
    tmp_path: Path, capture: OpenCapture
) -> None:
    stale = f'0,11,9,2,Stale_3,Cast,AI_VECTOR_CORE,{at(3650)},-250.500,"8,8"'
    csv_capture(tmp_path, op_summary=text(OP_HEADER, [*op_lines(), stale]))
    async with opened(capture, pane="step_trace") as user:
        await enter_iteration(user, 3)
        assert "4 ops in 700.000 us: busy 26.2 %" in user.text
        assert user.column("Op Name")[-1] == "Stale_3"
        assert user.column("Task Duration(us)")[-1] == f"{glyphs().invalid} -250.500"


async def test_where_it_is_low_both_halves_keep_a_line(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace", size=(40, 10)) as user:
        await user.press("j", "j", "enter")
        assert user.screen_name == "IterationScreen"
        assert "rows 1 to 1 shown / 3 matched" in user.status
        assert user.lanes.size.height >= 2
