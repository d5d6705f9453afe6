from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened


async def test_t_offers_task_types_with_counts_and_shares_and_filters_to_those_marked(
    capture: OpenCapture,
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("t")
        assert "AI_CORE 4 rows 51.6 % of time" in user.words
        assert "AI_VECTOR_CORE 6 rows 33.4 % of time" in user.words
        assert "AI_CPU 4 rows 15.0 % of time" in user.words
        await user.press("down", "down", "space", "enter")
        assert set(user.column("Task Type")) == {"AI_CPU"}
        assert user.chips.startswith(" Task Type: AI_CPU ×")
        await user.press("t", "a", "a", "enter")
        assert ("14 matched" in user.status, user.chips) == (True, "")


async def test_t_chooses_core_types_in_op_statistic(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_statistic") as user:
        await user.press("t", "space", "enter")
        assert user.column("OP Type") == ["MatMulV3"]
        assert user.chips.startswith(" Core Type: AI_CORE ×")


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("Task Duration(us) > 103.4", ["MatMul_4", "MatMul_3"]),
        ("task_duration(us) <= 7", ["Zeros_0"]),
        ("Op Name ~ topk", ["TopK_1", "TopK_2", "TopK_3", "TopK_4"]),
        ("Input Shapes = N/A", ["Zeros_0"]),
        ("Task Start Time(us) = 1790000000001100", ["MatMul_1"]),
    ],
)
async def test_f_takes_a_condition_on_any_column(
    capture: OpenCapture, condition: str, names: list[str]
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("f")
        await user.enter_text(condition)
        assert user.column("Op Name") == names
        assert f"{len(names)} matched / 14 total" in user.status


async def test_f_shows_how_a_condition_on_the_cursors_column_begins(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(column="Task Duration(us)")
        await user.press("f")
        assert "Task Duration(us) >" in user.text
        await user.press(*"Task Duration > 104", "enter")
        assert user.column("Op Name") == ["MatMul_4"]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("Task Duratoin(us) > 5", "Task Duration(us)"),
        ("Task Duration(us) > fast", "fast"),
        ("Task Duration(us)", "is not a condition"),
        ("Op Name > A", "Op Name is text"),
    ],
)
async def test_what_cannot_be_meant_is_said_in_the_prompt_which_stays(
    capture: OpenCapture, condition: str, said: str
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("f")
        await user.enter_text(condition)
        assert user.screen_name == "PromptScreen"
        assert said in user.words.split(condition)[-1]
        await user.enter_text("Task Duration(us) > 104")
        assert user.column("Op Name") == ["MatMul_4"]


async def test_equals_keeps_rows_with_the_cell_and_the_cursor_its_row(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(row=6, column="Task Type")
        name = user.cursor["Op Name"]
        await user.press("equals_sign")
        assert user.chips.startswith(" Task Type = AI_VECTOR_CORE ×")
        assert user.cursor["Op Name"] == name
        assert user.pane.frame.cursor_row == 2


async def test_where_the_row_is_filtered_out_the_cursor_goes_to_the_nearest(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(row=3)
        await user.press("f")
        await user.enter_text("Op Name != MatMul_1")
        assert user.cursor["Op Name"] in ("MatMul_2", "Assign_0")


async def test_x_takes_the_last_condition_off_and_capital_x_all(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        for condition in ("Task Type = AI_CORE", "Op Name ~ 1", "Task Duration(us) < 200"):
            await user.press("f")
            await user.enter_text(condition)
        assert user.chips.count("×") == 3
        await user.press("x")
        assert user.chips.count("×") == 2
        assert "1 matched" in user.status
        await user.press("x")
        assert "4 matched" in user.status
        await user.press("f")
        await user.enter_text("Op Name ~ 1")
        await user.press("X")
        assert user.chips == ""
        assert "14 matched" in user.status


async def test_asking_for_what_is_not_there_says_how_many_rows_are_hidden(tmp_path: Path) -> None:
    ops = "Op Name,Task Type,Task Duration(us)\nPrint_2,AI_CPU,3\nTopK_1,AI_CPU,2\nNms_3,AI_CPU,1\n"
    async with opened(csv_capture(tmp_path, op_summary=ops), pane="op_summary") as user:
        await user.press("t")
        assert "AI_CPU 3 rows 100.0 % of time" in user.words
        assert "AI_CORE " not in user.words
        await user.press("escape", "f")
        await user.enter_text("Task Type = AI_CORE")
        assert "no rows shown / 0 matched / 3 total" in user.status
        assert "The filter hides 3 of 3 rows; x takes it off." in user.status
        await user.press("x")
        assert user.column("Op Name") == ["Print_2", "TopK_1", "Nms_3"]
