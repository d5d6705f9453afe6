from pathlib import Path

import pytest

from prof_tui.app import ProfTuiApp
from prof_tui.demo.write import capture_skeleton
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import Driven, opened
from tests.helpers.loose_tables import ops, put

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


async def test_alternatives_and_what_the_list_lacks_are_said_and_a_file_opens_alone(tmp_path: Path) -> None:
    files = [put(tmp_path / f"a{number}-op_summary.csv", ops(f"Op_{number}")) for number in range(2)]
    app = ProfTuiApp(files, pane="op_summary", notices=("Some\x1b[31m directory can't be read.",))
    async with app.run_test(size=(80, 24)) as pilot:
        user = Driven(app, pilot)
        await user.settle()
        assert "a1-op_summary.csv device 0 145 B op_summary" in user.words
        assert "Some\\x1b[31m directory can't be read." in user.words
        await user.press("j", "enter")
        assert (user.title.name, user.column("Op Name")) == ("a1-op_summary.csv", ["Op_1"])


async def test_one_that_is_packed_says_how_to_unpack_it(captures: tuple[Path, Path], tmp_path: Path) -> None:
    packed = put(captures[1] / "mindstudio_profiler_output" / "op_summary_20260921101601.csv.gz", "x")
    async with opened(*captures) as user:
        assert "packed" in user.words
        assert "not exported" not in user.words
        await user.press("down", "enter")
        assert user.screen_name == "PickerScreen"
        assert "gunzip -k" in user.words
        assert str(packed) in user.text.replace("\n ", "")
