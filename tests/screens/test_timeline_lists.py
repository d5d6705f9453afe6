import json
from pathlib import Path

from textual.widgets import Input

from prof_tui.data.open_capture import OpenCapture
from tests.helpers.driven_app import opened


async def test_the_longest_events_and_the_way_to_one(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("L")
        assert user.screen_name == "TableScreen"
        assert user.column("Name")[:5] == ["Model@execute"] * 4 + ["MatMul_4"]
        assert user.column("Duration(us)")[4:6] == ["104.500", "103.500"]
        await user.press("j", "j", "j", "j", "enter")
        assert (user.screen_name, user.pane_name, user.event_name) == (
            "CaptureScreen",
            "timeline",
            "MatMul_4",
        )
        await user.press("backspace")
        assert (user.screen_name, user.pane.frame.cursor_row) == ("TableScreen", 4)


async def test_the_way_back_to_a_list_leads_to_its_row_and_order(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("L")
        await user.go_to(column="Start Time(us)")
        await user.press("o", "j", "j", "j")
        wanted = user.cursor
        await user.press("enter", "backspace")
        assert (user.screen_name, user.cursor, user.pane.frame.cursor_row) == ("TableScreen", wanted, 3)
        assert "by Start Time(us) ▲" in user.status


async def test_the_longest_events_of_an_iteration_are_its_own(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "enter", "5", "L")
        names = set(user.column("Name"))
        assert {"MatMul_2", "Cast_2", "TopK_2"} <= names
        assert "MatMul_3" not in names


async def test_the_lists_are_tables_with_all_their_keys(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("L")
        await user.go_to(column="Start Time(us)")
        await user.press("o")
        starts = user.column("Start Time(us)")
        assert starts == sorted(starts, key=float)
        await user.press("slash")
        await user.enter_text("TopK")
        assert "'TopK'" in user.status


async def test_the_gaps_of_the_stream_under_the_cursor(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("g")
        await user.enter_text("Cast_2")
        await user.press("G")
        assert user.title.parts == ("Largest gaps of Stream 3",)
        assert user.column("Gap(us)") == ["1950.000", "950.000", "950.000"]
        assert user.rows[0]["Op Before"] == "Cast_3"
        assert user.rows[0]["Op After"] == "Cast_4"
        assert user.rows[0]["Host Call"] == "Model@execute"
        await user.press("enter")
        assert (user.screen_name, user.event_name) == ("CaptureScreen", "Cast_4")


async def test_sums_of_what_is_on_the_screen_by_lane_and_by_name(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter", "5", "S", "enter")
        by_lane = dict(zip(user.column("Thread"), user.rows, strict=True))
        assert by_lane["Stream 2"]["Events"] == "1"
        assert by_lane["Group 0 Communication"]["Union(us)"] == "60.000"
        assert by_lane["Thread 1"]["Union(us)"] == "390.000"
        assert by_lane["Thread 1"]["Sum(us)"] == "396.000"
        await user.press("backspace", "S", "down", "enter")
        assert "Node@launch" in user.column("Name")


async def test_the_window_is_written_as_a_trace(traced: OpenCapture, start: Path) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter", "5", "e")
        name = user.app.screen.query_one(Input).value
        await user.press("enter")
        written = Path(name)
        assert written.parent == start
        names = {event["name"] for event in json.loads(written.read_text()) if event["ph"] == "X"}
        assert {"MatMul_3", "Cast_3", "TopK_3", "hcom_allReduce__3"} <= names
        assert "MatMul_2" not in names
        assert any("written to" in said for said in user.said)


async def test_nothing_is_written_over_or_into_the_capture(traced: OpenCapture, start: Path) -> None:
    there = start / "there.json"
    there.write_text("mine")
    async with opened(traced, pane="timeline") as user:
        await user.press("e")
        await user.enter_text(str(there))
        assert user.screen_name == "PromptScreen"
        await user.enter_text(str(traced.path / "new.json"))
        assert user.screen_name == "PromptScreen"
        await user.press("escape")
    assert there.read_text() == "mine"
    assert not (traced.path / "new.json").exists()


async def test_the_longest_may_be_chosen_by_kind(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("L", "t")
        assert "AI_CPU" in user.text
        await user.press("escape")
        assert user.title.parts == (
            "Longest events, whole timeline, without Step Trace and Overlap Analysis",
        )


async def test_v_leads_to_the_first_timeline_whichever_is_shown(traced: OpenCapture) -> None:
    [file] = traced.path.rglob("msprof_*.json")
    (file.parent / file.name.replace("msprof", "msprof_tx")).write_bytes(file.read_bytes())
    async with opened(traced, pane="timeline") as user:
        await user.press("T", "down", "enter")
        assert user.timeline.reader.trace_name == "msprof_tx"
        await user.press("4", "enter", "v")
        assert (user.timeline.reader.trace_name, user.event_name) == ("msprof", "MatMul_4")
