import json
import threading
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Scope
from prof_tui.data.tables.stores import Progress
from prof_tui.data.timeline.model import Partial, TraceIndex
from prof_tui.demo.write import MERGED_DIRECTORY
from prof_tui.errors import CancelledError
from tests.helpers.driven_app import Driven, opened, until
from tests.helpers.small_capture import BEGIN_US
from tests.helpers.traced_capture import EVENTS_OF_AN_ITERATION, TIMELINE


def lane_titles(user: Driven) -> list[str]:
    """First words of the lines between axis and status."""
    lines = [user.lanes.render_line(y).text for y in range(user.lanes.size.height)]
    return [line[:24].strip() for line in lines if line[:24].strip()]


async def test_it_says_what_it_is_and_how_busy_the_device_was(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        assert f"msprof · {4 * EVENTS_OF_AN_ITERATION} events · whole timeline: 4,470.000 us" in user.text
        assert "computing 16.4 %, communication 5.4 %, not overlapped 5.4 %, free 78.2 %" in user.text
        assert user.title.more == TIMELINE


async def test_lanes_stand_in_the_files_groups_and_order(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        titles = lane_titles(user)
        wanted = [
            "CANN (CPU)",
            "Thread 1",
            "Ascend Hardware (NPU 0)",
            "Stream 2",
            "Stream 3",
            "Stream 4",
            "Communication (NPU 0)",
            "Group 0 Communication",
            "AI Core Freq (NPU 0)",
            "AI Core Freq MHz",
        ]
        found = [next((title for title in titles if name[:18] in title), None) for name in wanted]
        assert None not in found, titles
        assert [titles.index(title or "") for title in found] == sorted(
            titles.index(title or "") for title in found
        )


async def test_an_iteration_is_its_window_with_marks(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        await user.press("j", "j", "enter", "5")
        assert user.timeline.scope == Scope(0, 11, 3)
        assert "iteration 3 of Model ID 11: 700.000 us · period 1,000.000 us" in user.text
        assert "FP Start" in user.text
        begin_ns, end_ns = user.lanes.window
        assert end_ns - begin_ns == 700_000


async def test_brackets_go_to_the_next_iteration_and_0_to_everything(traced: OpenCapture) -> None:
    async with opened(traced) as user:
        await user.press("j", "enter", "5", "right_square_bracket")
        assert user.timeline.scope == Scope(0, 11, 3)
        assert "iteration 3 of Model ID 11" in user.text
        await user.press("0")
        assert "whole timeline" in user.text


async def test_find_goes_through_the_matches_in_time_order_and_round(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("slash")
        await user.enter_text("matmul")
        seen = [user.event_name]
        assert "event 1 of 4 with 'matmul'" in user.text
        for _turn in range(4):
            await user.press("n")
            seen.append(user.event_name)
        assert seen == ["MatMul_1", "MatMul_2", "MatMul_3", "MatMul_4", "MatMul_1"]
        await user.press("N")
        assert user.event_name == "MatMul_4"
        await user.press("slash")
        await user.enter_text("")
        assert "matmul" not in user.text


async def test_what_isnt_there_is_said(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        before = user.event_name
        await user.press("slash")
        await user.enter_text("nowhere")
        assert user.screen_name == "PromptScreen"
        assert "No event's name contains 'nowhere'." in user.words
        await user.press("escape", "n", "N")
        assert user.event_name == before


async def test_go_to_a_time_an_iteration_and_a_name(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("slash")
        await user.enter_text("Cast_1")
        await user.press("w", "w", "w")
        window = user.lanes.window
        for typed, name in (("1165", "Cast_2"), ("2 ms", "Cast_3"), ("3200 us", "Cast_4")):
            await user.press("g")
            await user.enter_text(typed)
            assert user.event_name == name
            assert user.lanes.window[1] - user.lanes.window[0] == window[1] - window[0]
            assert user.timeline.index is not None
            assert user.lanes.window[1] <= user.timeline.index.span[1]
        await user.press("g")
        await user.enter_text("iteration 2")
        assert user.timeline.scope == Scope(0, 11, 2)
        await user.press("g")
        await user.enter_text("TopK_4")
        assert user.event_name == "TopK_4"


async def test_a_place_that_isnt_there_is_refused_in_the_prompt(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("g")
        await user.enter_text("iteration 99")
        assert "There is no iteration 99 of this model." in user.words
        await user.enter_text("9 s")
        assert (
            "The timeline ends before: from the start shown it goes from 0.000 to 4470.000 us." in user.words
        )
        await user.enter_text("-5")
        assert "The timeline begins later: from the start shown it goes from 0.000" in user.words
        await user.enter_text("4460")
        assert "In the lane under the cursor there is no event at that time or after it." in user.words
        await user.enter_text("foo")
        assert user.screen_name == "PromptScreen"
        assert (
            "No event's name contains 'foo'. Nor is it a time, as 12.5 or 3 ms, nor iteration 5."
        ) in user.words
        await user.press("escape")
        assert user.screen_name == "CaptureScreen"


async def test_the_legend_names_task_types_and_layers(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("l")
        assert user.screen_name == "LegendScreen"
        for kind in ("AI_CORE", "AI_VECTOR_CORE", "AI_CPU", "CANN", "Communication"):
            assert kind in user.text
        await user.press("l")
        assert user.screen_name == "CaptureScreen"


async def test_back_leads_to_the_same_event_and_window(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("g")
        await user.enter_text("Cast_3")
        await user.press("w", "w")
        window = user.lanes.window
        await user.press("4", "backspace")
        assert user.pane_name == "timeline"
        assert (user.event_name, user.lanes.window) == ("Cast_3", window)


async def test_reload_reads_the_file_anew_and_stays_on_the_event(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("g")
        await user.enter_text("Cast_3")
        file = traced.path / MERGED_DIRECTORY / TIMELINE
        events = json.loads(file.read_text())
        file.write_text(
            json.dumps([*events, {**events[-2], "name": "Added", "dur": 1}], separators=(",", ":"))
        )
        await user.press("R")
        assert f"{4 * EVENTS_OF_AN_ITERATION + 1} events" in user.text
        assert user.event_name == "Cast_3"


async def test_copying_gives_name_lane_and_times(traced: OpenCapture, cache: Path) -> None:
    async with opened(traced, pane="timeline") as user:
        await user.press("g")
        await user.enter_text("Cast_3")
        await user.press("y")
        [copied] = cache.glob("prof-tui-copy*.txt")
        assert copied.read_text() == (
            "Cast_3 [Ascend Hardware / Stream 3] start 2160.000 us (1790000000003250.000 us) "
            "duration 50.000 us"
        )


async def test_an_export_without_a_timeline_says_what_makes_one(capture: OpenCapture) -> None:
    async with opened(capture, pane="timeline") as user:
        assert "There is no timeline in this export that can be read." in user.words
        assert user.words.split(" ws Zoom")[0].endswith("or l0.")


async def test_a_timeline_that_cannot_be_read_costs_its_own_pane(traced: OpenCapture) -> None:
    (traced.path / MERGED_DIRECTORY / TIMELINE).write_bytes(b"\x89PNG not json")
    async with opened(traced, pane="timeline") as user:
        assert TIMELINE in user.words
        await user.press("4")
        assert user.pane_name == "op_summary"
        assert user.column("Op Name")[0] == "MatMul_4"


async def test_step_trace_shows_overlap_once_the_timeline_was_read(traced: OpenCapture) -> None:
    async with opened(traced, pane="step_trace") as user:
        row = user.rows[2]
        assert row["Iteration ID"] == "3"
        assert [row[f"{name}(us)"] for name in ("Computing", "Communication", "Free")] == [
            "183.500",
            "60.000",
            "456.500",
        ]
        assert row["Communication(Not Overlapped)(us)"] == "60.000"


async def test_the_help_has_all_notices(traced: OpenCapture) -> None:
    file = traced.path / MERGED_DIRECTORY / TIMELINE
    file.write_bytes(file.read_bytes()[:-400])
    async with opened(traced, pane="timeline") as user:
        await user.press("question_mark")
        assert "Notices" in user.words
        assert "is incomplete, still being written or cut off" in user.words


async def test_sums_of_a_damaged_timeline_say_so_and_are_shown_nowhere_else(traced: OpenCapture) -> None:
    file = traced.path / MERGED_DIRECTORY / TIMELINE
    file.write_bytes(file.read_bytes()[:-400])
    async with opened(traced, pane="timeline") as user:
        assert "of what could be read: computing" in user.text
        await user.press("2")
        assert "Computing(us)" not in user.headers
        assert "The timeline is damaged" in user.pane_notices
        await user.press("j", "j", "enter")
        assert user.title.more.startswith("lanes from op_summary (the timeline is damaged)")


async def test_a_reading_that_was_given_up_stays_told(traced: OpenCapture) -> None:
    index = traced.traces.read("msprof")
    async with opened(traced, pane="op_statistic") as user:
        part = replace(index, complete=False, read_bytes=1000)

        def only_part(export: object, name: str, *, progress: Progress, partial: Partial) -> TraceIndex:
            partial(part)
            go_on.wait()
            if not progress(1000, 2000):
                raise CancelledError
            return index

        go_on = threading.Event()
        with patch("prof_tui.data.timeline.read.files.read_trace", only_part):
            await user.pilot.press("5")
            await until(user, lambda: user.timeline.index is not None)
            assert "32 events of the first 1.0 kB" in user.text
            await user.pilot.press("escape")
            go_on.set()
            await user.settle()
        assert "what was read of it" in user.text
        assert "Given up: this is only what was read by then. R reads all of it." in user.text
        await user.press("L")
        assert "of what was read" in user.title.parts[0]
        await user.press("backspace", "R")
        assert "whole timeline" in user.text


async def test_a_timeline_that_is_gone_leaves_what_was_shown_and_says_so(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        (traced.path / MERGED_DIRECTORY / TIMELINE).write_text("")
        await user.press("R")
        assert "Not read anew, this is as it was" in user.text
        assert "whole timeline" in user.text


async def test_a_stretch_of_time_is_shown_with_what_it_lies_between_and_the_op_behind_it(
    traced: OpenCapture,
) -> None:
    async with opened(traced, pane="timeline") as user:
        begin_ns = 1000 * (BEGIN_US + 3300)
        user.timeline.show(None, None, (begin_ns, begin_ns + 100_000))
        await user.settle()
        assert user.event_name == "TopK_3"
        assert user.lanes.window == (begin_ns - 12_500, begin_ns + 112_500)
        assert "shaded: 100.000 us start 2210.000 us after Cast_3 before TopK_3" in user.words
        assert "host: 2 calls over 100.000 us of it, longest in Model@execute" in user.words
        await user.press("right")
        assert "host: " not in user.words


async def test_the_heading_is_of_what_is_on_the_screen(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        assert "msprof · 32 events · whole timeline: 4,470.000 us" in user.words
        await user.press("g")
        await user.enter_text("iteration 3")
        assert "msprof · 7 events · iteration 3 of Model ID 11: 700.000 us" in user.words
        await user.press("B", "B")
        assert "on the screen 125.000 us; iteration 3 of Model ID 11: 700.000 us" in user.words
        await user.press("Z")
        assert "msprof · 7 events · iteration 3 of Model ID 11: 700.000 us" in user.words
