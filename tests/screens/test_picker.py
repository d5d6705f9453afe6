from pathlib import Path

import pytest

from prof_tui.demo.write import capture_skeleton
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened

FIRST = "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
SECOND = "PROF_000002_20260921101530456_YXCVBNMLKJHGFDSA"


@pytest.fixture
def captures(tmp_path: Path) -> tuple[Path, Path]:
    exported = csv_capture(tmp_path / "a", op_summary="Op Name,Task Duration(us)\nConv2D_dev0,10.5\n").path
    return exported, capture_skeleton(tmp_path / "b", "new", name=SECOND)


async def test_it_lists_captures_with_date_devices_and_tables(captures: tuple[Path, Path]) -> None:
    async with opened(*captures) as user:
        assert user.screen_name == "PickerScreen"
        lines = user.text.splitlines()
        first = next(i for i, line in enumerate(lines) if FIRST in line)
        assert "2 captures found" in user.text
        assert lines[-1].split() == ["⏎", "Open", "q", "Quit"]
        assert "2026-09-21 10:15:30 device 0 43 B collected for 500.000 ms op_summary" in " ".join(
            lines[first + 1].split()
        )
        second = next(i for i, line in enumerate(lines) if SECOND in line)
        assert "not exported" in lines[second + 1]


async def test_one_that_is_not_exported_gets_a_sentence_and_another_can_be_opened(
    captures: tuple[Path, Path],
) -> None:
    async with opened(*captures, pane="op_summary") as user:
        await user.press("down", "enter")
        assert user.screen_name == "PickerScreen"
        assert f"msprof --export=on --output={captures[1]}" in user.text.replace("\n", "").replace(" -", " -")
        await user.press("up", "enter")
        assert user.screen_name == "CaptureScreen"
        assert user.column("Op Name") == ["Conv2D_dev0"]
        assert user.title.name == f"a/{FIRST}"


async def test_q_leaves_it(captures: tuple[Path, Path]) -> None:
    async with opened(*captures) as user:
        await user.pilot.press("q")
        await user.pilot.pause()
        assert user.app.return_code == 0
