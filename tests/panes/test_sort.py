from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened

LONGEST = ["MatMul_4", "MatMul_3", "MatMul_2", "MatMul_1", "Assign_0"]
FILE_ORDER = ["Assign_0", "Zeros_0", "MatMul_1", "Cast_1", "TopK_1"]


async def test_op_summary_begins_with_the_longest_task(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        assert user.column("Op Name")[:5] == LONGEST
        assert "by Task Duration(us) ▼" in user.status


async def test_o_goes_through_best_first_the_other_way_and_file_order(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(column="Task Start Time(us)")
        await user.press("o")
        assert user.column("Op Name")[:5] == FILE_ORDER
        assert "by Task Start Time(us) ▲" in user.status
        await user.press("o")
        assert user.column("Op Name")[:3] == ["TopK_4", "Cast_4", "MatMul_4"]
        await user.press("o")
        assert user.column("Op Name")[:5] == FILE_ORDER
        assert "file order" in user.status
        await user.go_to(column="Task Duration(us)")
        await user.press("o")
        assert user.column("Op Name")[:5] == LONGEST


async def test_a_sort_goes_to_the_first_row_and_u_back_to_where_it_was(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(row=2, column="Task Start Time(us)")
        await user.press("o")
        assert user.pane.frame.cursor_row == 0
        await user.press("u")
        assert user.cursor["Op Name"] == "MatMul_2"


async def test_the_picker_sorts_by_any_column_also_one_that_is_not_shown(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("O")
        assert "Sort by" in user.text
        await user.press("home")
        for header in user.pane.table.columns if user.pane.table else ():
            if header.header == "Task ID":
                break
            await user.press("down")
        await user.press("enter")
        assert "by Task ID ▼" in user.status
        assert user.column("Task ID")[:4] == ["4", "4", "4", "3"]


async def test_the_picker_stands_on_the_sorted_column_and_turns_it(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("O", "enter")
        assert "by Task Duration(us) ▲" in user.status
        assert user.column("Op Name")[0] == "Zeros_0"


async def test_a_click_on_a_title_sorts_as_o_does(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.pilot.click(user.pane.frame, offset=(3, 0))
        await user.settle()
        assert "by Op Name ▲" in user.status
        assert user.column("Op Name")[0] == "Assign_0"


@pytest.mark.parametrize("key", ["o", "O", "t", "f", "equals_sign", "x", "X", "slash", "n", "u", "r", "y"])
async def test_no_key_harms_an_empty_table(capture: OpenCapture, key: str) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("f")
        await user.enter_text("Op Name = nothing")
        await user.press(key, "escape")
        assert user.pane_name == "op_summary"
        assert user.app.is_running


async def test_durations_that_are_no_numbers_stand_last_with_a_mark_and_are_counted(tmp_path: Path) -> None:
    cells = ['"1,234.500"', "nan", "N/A", "-", "--", "-5", "99999999999999999999999", "2"]
    rows = "".join(f"{number},{cell},AI_CORE\n" for number, cell in enumerate(cells))
    capture = csv_capture(tmp_path, op_summary="Op Name,Task Duration(us),Task Type\n" + rows)
    async with opened(capture, pane="op_summary") as user:
        assert user.column("Task Duration(us)") == [
            "99999999999999999999999",
            *("1,234.500", "2", "‼ -5", "‼ nan", "N/A", "-", "‼ --"),
        ]
        assert [notice.partition(".csv: ")[2] for notice in user.pane.notices] == [
            "1 cell of Task Duration(us) with thousands separators is read as a number.",
            "2 cells of Task Duration(us) are no numbers, and are taken for N/A.",
            "1 number of Task Duration(us) is too large: it sorts as the largest and is in no sum.",
        ]
