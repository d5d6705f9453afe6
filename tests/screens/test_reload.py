import shutil
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables import open_table
from prof_tui.demo.write import STAMP
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened

HEADER = "Op Name,Task Duration(us)\n"


def ops(count: int) -> str:
    return HEADER + "".join(f"Op_{i},{1000 - i}.5\n" for i in range(count))


def ops_file(capture: OpenCapture) -> Path:
    return capture.path / "mindstudio_profiler_output" / f"op_summary_{STAMP}.csv"


async def test_capital_r_shows_what_was_exported_anew_and_keeps_row_sort_and_filter(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=ops(40))
    async with opened(capture, pane="op_summary") as user:
        await user.press("f")
        await user.enter_text("Task Duration(us) < 990")
        await user.press("j", "j", "j")
        name = user.cursor["Op Name"]
        ops_file(capture).write_text(ops(60))
        await user.press("R")
        assert "/ 49 matched / 60 total" in user.status
        assert user.cursor["Op Name"] == name
        assert user.chips.startswith(" Task Duration(us) < 990 ×")


async def test_capital_r_finds_tables_that_came_meanwhile(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=ops(4))
    async with opened(capture, pane="step_trace") as user:
        assert "There is no step_trace" in user.message
        csv_capture(
            tmp_path, step_trace="Model ID,Iteration ID,Iteration End(us),Iteration Time(us)\n1,1,900,800\n"
        )
        await user.press("R")
        assert user.message == ""
        assert user.column("Iteration Time(us)") == ["800"]


async def test_a_file_that_shrinks_while_it_is_shown_is_a_sentence_and_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
    capture = csv_capture(tmp_path, op_summary=ops(3000))
    async with opened(capture, pane="op_summary") as user:
        whole = ops_file(capture).read_text()
        ops_file(capture).write_text("")
        await user.press("G")
        assert f"op_summary_{STAMP}.csv" in user.pane_notices
        assert "R" in user.pane_notices
        await user.press("o", "y")
        assert f"op_summary_{STAMP}.csv" in user.said[-1]
        await user.press("enter")
        assert f"op_summary_{STAMP}.csv" in user.text
        await user.press("escape")
        ops_file(capture).write_text(whole)
        await user.press("R")
        assert "3,000 matched / 3,000 total" in user.status
        assert user.pane_notices == ""


async def test_a_small_file_that_shrinks_goes_on_being_shown(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=ops(30))
    async with opened(capture, pane="op_summary") as user:
        ops_file(capture).write_text("")
        await user.press("o", "o", "G", "y")
        assert user.app.clipboard == user.cursor["Op Name"]
        assert "30 total" in user.status


async def test_a_file_that_is_gone_is_a_sentence(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=ops(3000))
    async with opened(capture, pane="op_summary") as user:
        ops_file(capture).unlink()
        await user.press("R")
        assert "There is no op_summary in this export." in user.message
        await user.press("6", "4", "o", "f", "t", "e", "y")
        assert user.app.is_running


async def test_a_capture_that_is_gone_is_a_sentence_and_its_rows_stay(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=ops(30))
    async with opened(capture, pane="op_summary") as user:
        shutil.rmtree(capture.path)
        await user.press("R")
        assert str(capture.path) in user.said[-1]
        assert "30 matched / 30 total" in user.status
