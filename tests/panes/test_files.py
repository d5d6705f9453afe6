from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.write import STAMP
from prof_tui.panes import files
from tests.helpers.captures import csv_capture
from tests.helpers.carve_capture import METADATA, frequency, slice_, trace_capture
from tests.helpers.driven_app import Driven, opened
from tests.helpers.small_capture import OP_HEADER, small_capture


def by_file(user: Driven) -> dict[str, dict[str, str]]:
    return {row["file"].rpartition("/")[2]: row for row in user.rows if row["file"] != "N/A"}


def place_of(user: Driven, name: str) -> int:
    return next(place for place, row in enumerate(user.rows) if name in (row["file"], row["type"]))


async def test_a_row_per_file_with_its_rows_and_status(capture: OpenCapture) -> None:
    async with opened(capture, pane="files") as user:
        ops = by_file(user)[f"op_summary_{STAMP}.csv"]
        assert (ops["type"], ops["status"], ops["rows"], ops["used"]) == ("op_summary", "ok", "14", "yes")
        assert by_file(user)[f"step_trace_{STAMP}.csv"]["rows"] == "5"
        assert by_file(user)[f"op_statistic_{STAMP}.csv"]["rows"] == "5"


async def test_a_missing_table_says_what_makes_it_and_enter_says_so_again(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=f"{OP_HEADER}\n")
    async with opened(capture, pane="files") as user:
        await user.go_to(row=place_of(user, "op_statistic"))
        row = user.cursor
        assert (row["file"], row["status"], row["used"]) == ("N/A", "missing", "no")
        assert row["why"]
        await user.press("enter")
        assert user.said == [row["why"]]
        assert user.screen_name == "CaptureScreen"


async def test_enter_opens_a_table_with_all_its_columns_and_escape_leads_back(capture: OpenCapture) -> None:
    async with opened(capture, pane="files") as user:
        at = place_of(user, "op_statistic")
        await user.go_to(row=at)
        await user.press("enter")
        assert user.screen_name == "TableScreen"
        assert user.title.parts == ("op_statistic",)
        assert "Min Time(us)" in user.headers
        assert user.column("OP Type") == ["TopK", "MatMulV3", "Cast", "Assign", "ZerosLike"]
        await user.press("o", "escape")
        assert (user.screen_name, user.pane_name) == ("CaptureScreen", "files")
        assert user.pane.frame.cursor_row == at


async def test_enter_on_a_row_of_a_file_explains_its_columns(capture: OpenCapture) -> None:
    async with opened(capture, pane="files") as user:
        await user.go_to(row=place_of(user, "op_statistic"))
        await user.press("enter", "j", "enter")
        assert user.screen_name == "RowView"
        assert "Total Time(us) 412.000" in user.words
        await user.press("backspace")
        assert user.cursor["OP Type"] == "MatMulV3"


async def test_an_empty_file_and_one_without_rows_are_told_apart(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary="", op_statistic=f"{OP_HEADER}\n")
    async with opened(capture, pane="files") as user:
        found = by_file(user)
        assert found[f"op_summary_{STAMP}.csv"]["status"] == "empty"
        assert found[f"op_statistic_{STAMP}.csv"]["rows"] == "0"
        await user.go_to(row=place_of(user, "op_summary"))
        await user.press("enter")
        assert user.screen_name == "CaptureScreen"
        assert user.said
        await user.press("4")
        assert f"op_summary_{STAMP}.csv" in user.message
        assert "empty" in user.message


async def test_an_older_export_is_named_as_not_used(tmp_path: Path) -> None:
    capture = small_capture(tmp_path)
    folder = capture.path / "mindstudio_profiler_output"
    (folder / "op_summary_20250101000000.csv").write_text(f"{OP_HEADER}\n")
    async with opened(capture, pane="files") as user:
        older = by_file(user)["op_summary_20250101000000.csv"]
        assert older["used"] == "no"
        await user.go_to(row=place_of(user, older["file"]))
        await user.press("enter")
        assert user.said[-1].startswith("This file is not used: ")


async def test_files_stay_all_in_sight_whatever_the_scope(capture: OpenCapture) -> None:
    async with opened(capture, pane="files") as user:
        before = user.column("file")
        await user.press("right_square_bracket")
        assert user.chip == "device 0, Model ID 11, iteration 3"
        assert user.column("file") == before


async def test_a_small_timeline_says_what_it_holds(tmp_path: Path) -> None:
    capture = trace_capture(tmp_path, *METADATA, slice_("task", 2200, "70.125"), frequency(2100, 1000))
    async with opened(capture, pane="files") as user:
        row = by_file(user)[f"msprof_{STAMP}.json"]
        shown = [row[header] for header in ("status", "rows", "events", "span(us)", "layers")]
        assert shown == ["ok", "N/A", "10", "170.125", "Ascend Hardware, AI Core Freq"]


async def test_a_large_timeline_is_not_read_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = trace_capture(tmp_path, *METADATA, slice_("task", 2200, "70.125"))
    monkeypatch.setattr(files, "_MOST_TIMELINE_BYTES", 10)
    async with opened(capture, pane="files") as user:
        row = by_file(user)[f"msprof_{STAMP}.json"]
        assert [row[header] for header in ("events", "span(us)", "layers")] == ["N/A"] * 3
        assert capture.traces.get("msprof") is None
