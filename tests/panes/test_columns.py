from collections.abc import Sequence
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.widgets.table.pages import PAGE_ROWS, Row
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened
from tests.helpers.small_capture import OP_HEADER, at, text

SHOWN = ["Op Name", "Task Duration(us)", "Task Type"]


async def test_c_takes_columns_off_and_puts_them_in_another_order(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        assert user.headers[:3] == SHOWN
        await user.press("c", "space", "down", "J", "enter")
        assert user.headers[:2] == ["Task Type", "Task Duration(us)"]
        assert "Op Name" not in user.headers
        assert user.rows[0]["Task Duration(us)"] == "104.500"
        await user.press("c", "d")
        assert user.headers[:3] == SHOWN


async def test_a_column_that_is_not_shown_at_first_can_be_added(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        before = user.headers
        await user.press("c", "end")
        await user.press("space", "enter")
        assert user.headers != before
        assert len(user.headers) in (len(before) - 1, len(before) + 1)


async def test_escape_leaves_the_columns_as_they_are(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("c", "space", "escape")
        assert user.headers[:3] == SHOWN


async def test_less_and_greater_change_a_columns_width_and_a_sort_keeps_it(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:

        def width() -> int:
            return next(c.width for c in user.pane.frame._columns if c.id == "Task Duration(us)")

        await user.go_to(column="Task Duration(us)")
        before = width()
        await user.press("greater_than_sign")
        assert width() == before + 4
        await user.press("o", "less_than_sign", "less_than_sign")
        assert width() == before - 4


async def test_r_shows_times_from_the_tables_first_and_again_as_the_file_has_them(
    capture: OpenCapture,
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(column="Task Start Time(us)")
        await user.press("o", "r")
        assert user.column("Task Start Time(us)")[:4] == ["0.000", "480.000", "680.000", "830.000"]
        await user.press("r")
        assert user.column("Task Start Time(us)")[0] == "1790000000000420.000"


async def test_a_time_that_is_none_stays_as_it_is_and_is_no_start(tmp_path: Path) -> None:
    ops = text(
        OP_HEADER,
        [f"0,11,{i},2,Add,Add,AI_CORE,{t},1.000,N/A" for i, t in enumerate(("0.000", at(3), at(5)))],
    )
    async with opened(csv_capture(tmp_path, op_summary=ops), pane="op_summary") as user:
        await user.press("r")
        assert user.column("Task Start Time(us)") == ["0.000", "0.000", "2.000"]


async def test_relative_times_outlast_a_filter_and_count_from_the_same_start(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("r", "f")
        await user.enter_text("Op Name ~ TopK")
        assert user.column("Task Start Time(us)")[0] == "980.000"


async def test_rows_far_down_are_the_rows_of_their_place(tmp_path: Path) -> None:
    ops = "Op Name,Task Duration(us)\n" + "".join(f"Op_{i},{1000 - i}\n" for i in range(500))
    async with opened(csv_capture(tmp_path, op_summary=ops), pane="op_summary", size=(80, 20)) as user:
        for row in (90, 250, 411):
            await user.go_to(row=row)
            await user.press("r")
            first = user.pane.frame.visible_range[0]
            assert user.column("Op Name") == [f"Op_{first + i}" for i in range(len(user.rows))]
            assert user.cursor["Op Name"] == f"Op_{row}"


async def test_an_answer_brings_whole_pages_so_that_each_row_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ops = "Op Name,Task Duration(us)\n" + "".join(f"Op_{i},{1000 - i}\n" for i in range(500))
    brought: list[int] = []
    async with opened(csv_capture(tmp_path, op_summary=ops), pane="op_summary") as user:
        supply = user.pane.frame.supply

        def noted(generation: int, first: int, rows: Sequence[Row]) -> None:
            brought.append(first)
            supply(generation, first, rows)

        monkeypatch.setattr(user.pane.frame, "supply", noted)
        await user.go_to(row=250)
        await user.press("r")
        assert brought
        assert [first % PAGE_ROWS for first in brought] == [0] * len(brought)
