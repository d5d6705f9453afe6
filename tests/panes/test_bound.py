"""What bounds an op, as a column of op summary on the screen."""

from pathlib import Path
from unittest import mock

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables import open_table
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened

CODES = "prof_tui.data.tables.loading.bound_codes"
RATIOS = (
    "Op Name,Task Type,Task Duration(us),mac_ratio",
    "a,AI_CORE,30,0.9",
    "b,AI_CORE,40,0.5",
    "c,AI_CPU,5,N/A",
)


@pytest.fixture
def in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenCapture:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
    return csv_capture(tmp_path, op_summary="\n".join([*RATIOS, ""]))


async def test_it_stands_beside_the_task_type_and_nothing_is_read_for_it(in_its_file: OpenCapture) -> None:
    with mock.patch(CODES) as read:
        async with opened(in_its_file, pane="op_summary") as user:
            assert user.column("bound") == ["no bound", "mac", "N/A"]
            await user.press("slash")
            await user.enter_text("mac")
            assert [column.header for column in user.pane.columns][:4] == [
                "Op Name",
                "Task Duration(us)",
                "Task Type",
                "bound",
            ]
    read.assert_not_called()


async def test_it_sorts_and_filters(in_its_file: OpenCapture) -> None:
    async with opened(in_its_file, pane="op_summary") as user:
        await user.go_to(column="bound")
        await user.press("o")
        assert user.column("bound") == ["mac", "no bound", "N/A"]
        await user.press("equals_sign")
        assert user.column("Op Name") == ["a"]


async def test_the_op_s_page_says_what_it_means(in_its_file: OpenCapture) -> None:
    async with opened(in_its_file, pane="op_summary", size=(160, 45)) as user:
        await user.press("enter")
        assert "bound no bound Worked out here: the fullest pipe if over 0.8, else memory" in user.words
