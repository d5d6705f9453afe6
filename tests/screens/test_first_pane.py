import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables import open_table
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table
from prof_tui.panes.overview.pane import OverviewPane
from prof_tui.panes.timeline.pane import TimelinePane
from prof_tui.screens.capture import CaptureScreen
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import Driven, opened
from tests.helpers.small_capture import (
    OP_HEADER,
    STATISTIC_HEADER,
    STEP_HEADER,
    op_lines,
    statistic_lines,
    step_lines,
    text,
)

TABLES = {
    "step_trace": text(STEP_HEADER, step_lines()),
    "op_statistic": text(STATISTIC_HEADER, statistic_lines()),
    "op_summary": text(OP_HEADER, op_lines()),
    "api_statistic": "API Name,Time(us)\na,1\n",
}


@pytest.mark.parametrize(
    "tables", [("step_trace", "op_statistic", "op_summary"), ("op_summary",), ("api_statistic",)]
)
async def test_the_overview_opens_first_whatever_there_is(tmp_path: Path, tables: tuple[str, ...]) -> None:
    async with opened(csv_capture(tmp_path, **{name: TABLES[name] for name in tables})) as user:
        assert user.pane_name == "overview"
        assert user.overview.lines.has_focus


async def test_number_keys_lead_to_panes_and_the_title_bar_marks_the_one_in_sight(
    capture: OpenCapture,
) -> None:
    async with opened(capture) as user:
        for key, name in (
            ("4", "op_summary"),
            ("1", "overview"),
            ("2", "step_trace"),
            ("5", "timeline"),
            ("6", "files"),
            ("3", "op_statistic"),
        ):
            await user.press(key)
            assert user.pane_name == name
            assert [title for title, current in user.title.places if current] == [
                title for title, _ in user.title.places if title.startswith(key)
            ]
        await user.press("7", "8", "9")
        assert user.pane_name == "op_statistic"


async def test_the_command_line_chooses_pane_and_device(two_devices: OpenCapture) -> None:
    async with opened(two_devices, pane="op_summary", device=1) as user:
        assert user.pane_name == "op_summary"
        assert user.chip == "device 1"
        assert set(user.column("Device_id")) == {"1"}


async def test_the_title_bar_names_the_capture_and_the_files_shown(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        assert user.title.name == capture.path.name
        assert user.title.more == "op_summary_20260921101601.csv"


async def test_a_run_without_step_trace_gets_a_note_and_not_an_error(tmp_path: Path) -> None:
    async with opened(csv_capture(tmp_path, op_summary=TABLES["op_summary"])) as user:
        await user.press("2")
        assert "There is no step_trace in this export." in user.message
        assert "PyTorch" in user.message
        assert user.said == []


async def test_a_capture_that_is_gone_ends_with_a_sentence(tmp_path: Path) -> None:
    from prof_tui.app import ProfTuiApp

    app = ProfTuiApp([tmp_path / "gone"])
    async with app.run_test() as pilot:
        await Driven(app, pilot).settle()
    assert app.return_code == 1


@pytest.mark.parametrize(
    ("name", "pane"),
    [("op_statistic", "op_statistic"), ("op_summary", "op_summary"), ("step_trace", "step_trace")],
)
async def test_a_file_opens_its_pane(capture: OpenCapture, name: str, pane: str) -> None:
    [file] = capture.path.rglob(f"{name}_*.csv")
    async with opened(capture.path, file=file) as user:
        assert user.pane_name == pane


async def test_a_timeline_file_opens_the_timeline_pane(traced: OpenCapture) -> None:
    [file] = traced.path.rglob("msprof_*.json")
    async with opened(traced.path, file=file) as user:
        assert user.pane_name == "timeline"
        assert user.timeline.reader.trace_name == "msprof"


async def test_another_table_opens_on_its_own_above_the_files(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, **TABLES)
    [file] = capture.path.rglob("api_statistic_*.csv")
    async with opened(capture.path, file=file) as user:
        assert (user.screen_name, user.column("API Name")) == ("TableScreen", ["a"])
        await user.press("backspace")
        assert user.pane_name == "files"


async def test_enter_on_a_timeline_among_the_files_shows_it(traced: OpenCapture) -> None:
    async with opened(traced, pane="files") as user:
        await user.press("slash")
        await user.enter_text("msprof_")
        await user.press("enter")
        assert (user.screen_name, user.pane_name) == ("CaptureScreen", "timeline")
        await user.press("backspace")
        assert user.pane_name == "files"


async def test_a_pane_that_is_asked_for_twice_is_made_once(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        screen = user.screen
        assert isinstance(screen, CaptureScreen)
        await asyncio.gather(user.navigator.show_pane("overview"), user.navigator.show_pane("overview"))
        await user.settle()
        assert len(screen.query(OverviewPane)) == 1
        assert user.overview.lines.has_focus


@pytest.mark.parametrize("pane", ["overview", "timeline"])
async def test_nothing_is_read_on_once_the_program_ends(traced: OpenCapture, pane: str) -> None:
    async with opened(traced, pane=pane) as user:
        shown = user.app.screen.query_one(f"#{pane}")
    assert isinstance(shown, OverviewPane | TimelinePane)
    reading = shown if isinstance(shown, OverviewPane) else shown.reader
    assert reading._cancelled.is_set()


async def test_no_column_is_read_ahead_once_the_program_ends(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
    asked: list[Progress] = []
    load = Table.load

    def noted(table: Table, columns: Sequence[Column], progress: Progress = go_on) -> None:
        asked.append(progress)
        load(table, columns, progress)

    monkeypatch.setattr(Table, "load", noted)
    async with opened(capture, pane="op_summary") as user:
        ahead = [each for each in asked if each is not go_on]
        assert [each(0, 1) for each in ahead[-1:]] == [True]
        assert user.rows
    assert ahead[-1](0, 1) is False
