import tempfile
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import Driven, opened

LONG = "network/" + "layer/" * 80 + "MatMul"


async def write(user: Driven, kind: int, name: str) -> None:
    await user.press("e", *["down"] * kind, "enter")
    await user.enter_text(name)


async def test_y_copies_the_whole_cell_to_the_terminal_and_a_file_and_says_so(
    tmp_path: Path, cache: Path
) -> None:
    capture = csv_capture(tmp_path, op_summary=f"Op Name,Task Duration(us)\n{LONG},5.5\n")
    async with opened(capture, pane="op_summary") as user:
        await user.press("y")
        assert user.app.clipboard == LONG
        assert (cache / "prof-tui-copy.txt").read_text() == LONG
        assert user.said[-1].startswith("Copied 494 B: network/layer/layer/")
        assert str(cache / "prof-tui-copy.txt") in user.said[-1]


async def test_a_time_that_is_shown_as_relative_is_copied_as_the_file_has_it(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.go_to(column="Task Start Time(us)")
        await user.press("o", "r", "y")
        assert user.cursor["Task Start Time(us)"] == "0.000"
        assert user.app.clipboard == "1790000000000420.000"


async def test_capital_y_copies_the_row_with_all_columns_one_a_line(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("c", "space", "enter", "Y")
        lines = user.app.clipboard.split("\n")
        assert lines[:3] == ["Device_id: 0", "Model ID: 11", "Task ID: 4"]
        assert "Op Name: MatMul_4" in lines
        assert "Input Shapes: 16,512;512,1024" in lines


async def test_na_is_copied_as_na(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.go_to(column="Data Aug Bound(us)")
        await user.press("y")
        assert user.app.clipboard == "N/A"


async def test_later_copies_take_the_place_of_the_first_in_the_file(
    capture: OpenCapture, start: Path, cache: Path
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("y", "j", "y")
        assert (cache / "prof-tui-copy.txt").read_text() == "MatMul_3"
        assert [path.name for path in cache.iterdir()] == ["prof-tui-copy.txt"]
        assert not list(start.iterdir())


async def test_without_a_cache_directory_copies_are_in_the_temporary_one(
    capture: OpenCapture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    async with opened(capture, pane="op_summary") as user:
        await user.press("y")
        assert (tmp_path / "temporary" / "prof-tui-copy.txt").read_text() == "MatMul_4"


async def test_e_writes_the_views_rows_and_columns_in_its_order_as_csv(
    capture: OpenCapture, start: Path
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("f")
        await user.enter_text("Task Duration(us) > 103")
        await user.press("e", "enter")
        assert str(start / "op_summary.csv") in user.words.replace(" ", "")
        await user.press("enter")
        lines = (start / "op_summary.csv").read_text().splitlines()
        assert lines[0].startswith("Op Name,Task Duration(us),Task Type")
        assert [line.split(",")[:2] for line in lines[1:]] == [
            ["MatMul_4", "104.500"],
            ["MatMul_3", "103.500"],
        ]
        assert user.said[-1] == f"2 rows written to {start / 'op_summary.csv'}"


async def test_e_writes_markdown_or_copies_it(capture: OpenCapture, start: Path) -> None:
    async with opened(capture, pane="op_statistic") as user:
        await write(user, 1, "types.md")
        written = (start / "types.md").read_text()
        assert written.splitlines()[0].startswith("| OP Type")
        assert "| MatMulV3" in written
        await user.press("e", "down", "down", "enter")
        assert user.app.clipboard == written


async def test_an_existing_file_is_refused_in_the_prompt(capture: OpenCapture, start: Path) -> None:
    (start / "mine.csv").write_text("precious")
    async with opened(capture, pane="op_summary") as user:
        await write(user, 0, "mine.csv")
        assert user.screen_name == "PromptScreen"
        assert "mine.csv exists and is not overwritten" in user.words
        await user.press("escape")
    assert (start / "mine.csv").read_text() == "precious"


@pytest.mark.parametrize("inside", ["op.csv", "mindstudio_profiler_output/op.csv", "device_0/op.csv"])
async def test_a_path_inside_the_capture_is_refused(capture: OpenCapture, inside: str) -> None:
    before = sorted(capture.path.rglob("*"))
    async with opened(capture, pane="op_summary") as user:
        await write(user, 0, str(capture.path / inside))
        assert user.screen_name == "PromptScreen"
        assert "is inside a capture" in user.words
    assert sorted(capture.path.rglob("*")) == before


async def test_a_folder_that_is_not_there_is_said(capture: OpenCapture, start: Path) -> None:
    async with opened(capture, pane="op_summary") as user:
        await write(user, 0, str(start / "nowhere" / "op.csv"))
        assert user.screen_name == "PromptScreen"
        assert "There is no directory" in user.words


async def test_the_default_is_not_the_start_directory_when_that_is_in_the_capture(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.chdir(capture.path)
    monkeypatch.setenv("HOME", str(home))
    async with opened(capture, pane="op_summary") as user:
        await user.press("e", "enter")
        await user.press("enter")
        assert user.said[-1] == f"14 rows written to {home / 'op_summary.csv'}"
