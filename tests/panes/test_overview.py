import threading
from pathlib import Path
from typing import Any

import pytest

from prof_tui.data.findings import check as run
from prof_tui.data.findings.finding import Finding, Findings
from prof_tui.data.open_capture import OpenCapture
from prof_tui.panes.overview.findings_list import cells_for, columns, line
from prof_tui.panes.overview.pane import OverviewPane
from prof_tui.panes.overview.reading import Answered
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened
from tests.helpers.small_capture import OP_HEADER, STEP_HEADER, at, op_lines, step_lines, text
from tests.helpers.traced_capture import traced_capture

_MOST_ROUNDS = 500


async def test_it_opens_first_and_says_what_the_run_was(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        assert isinstance(user.overview, OverviewPane)
        lines = user.text.splitlines()
        assert lines[2].strip() == "2026-09-21 10:15:30, for 500.000 ms · train.py on demo · span 5.010 ms"
        assert "device 0: Ascend 910B series, 24 AI Cores, 48 Vector Cores" in lines[3]
        assert "new layout, export of 20260921101601, 3 files read · --task-time=l1" in lines[4]
        assert "Model ID 11 is the main one (most iterations): 4 iterations; others: 1 (1)" in lines[5]


async def test_it_says_where_the_time_goes(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        assert "Device 0, Model ID 11: 2 steady iterations, from Iteration ID 3 on" in user.words
        assert "Period 1,500.000 us all 1,000 to 2,000 ▅█" in user.words
        assert "D Data Aug Bound 800.000 us 53.3 % F FP to BP 500.000 us 33.3 %" in user.words
        assert "Busy 184.000 us 12.3 % Idle 1,316.000 us 87.7 %" in user.words
        assert "AI_CORE 104.000 us 6.9 %" in user.words


async def test_idle_time_is_at_most_what_is_said_where_ops_are_left_out(tmp_path: Path) -> None:
    starts = (at(0), "0.000", at(30))
    lines = [f"0,11,{i},2,Add,Add,AI_CORE,{start},10.000,N/A" for i, start in enumerate(starts)]
    async with opened(csv_capture(tmp_path, op_summary=text(OP_HEADER, lines)), size=(80, 30)) as user:
        assert "Idle 20.000 us 50.0 % (at most)" in user.words
        await user.resize(160, 30)
        assert "1 op has no usable start (0.000) and is left out of busy time and span." in user.words


async def test_findings_are_lines_by_cost_with_what_was_not_checked_behind_them(
    capture: OpenCapture,
) -> None:
    async with opened(capture) as user:
        lines = user.verdicts
        assert lines[0].startswith("H  53.3 %        800.000  Data Aug Bound takes 53.3 % of the period")
        shares = [float(line[1:8].strip()) for line in lines if line[8:10] == " %"]
        assert shares == sorted(shares, reverse=True)
        assert any(line.startswith("? not checked, wait_share: op_summary has no column") for line in lines)
        assert lines[-2].startswith("- missing msprof: ")
        assert lines[-1].startswith("• the run and its times, uncut")
        assert "findings · costs overlap: don't add them up" in user.words
        assert user.overview.lines.highlighted == 0


async def test_a_number_key_comes_back_to_the_same_line(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("j", "j", "4", "1")
        assert user.overview.lines.highlighted == 2
        await user.press("escape")
        assert user.pane_name == "op_summary"
        await user.press("escape")
        assert user.overview.lines.highlighted == 2


async def test_several_devices_have_a_line_each_and_the_slowest_its_parts(two_devices: OpenCapture) -> None:
    async with opened(two_devices) as user:
        assert "device 0, Model ID 11 1,500.000 us ██████████ ▅█" in user.words
        assert "device 1, Model ID 11 1,500.000 us ██████████ ▅█" in user.words
        assert "The slowest, device 0, Model ID 11" in user.words
    async with opened(two_devices, device=1) as user:
        assert "Device 1, Model ID 11: 2 steady iterations" in user.words
        assert "The slowest" not in user.words


async def test_the_first_steady_iteration_can_be_changed(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("s")
        await user.enter_text("5")
        assert "There is no iteration from 5 on: the last is 4." in user.words
        await user.enter_text("0")
        assert "0 is less than 1." in user.words
        assert user.screen_name == "PromptScreen"
        await user.enter_text("4")
        assert "1 steady iteration, from Iteration ID 4 on (as chosen)" in user.words
        assert "Period 2,000.000 us" in user.words
        await user.press("s")
        await user.enter_text("")
        assert "2 steady iterations, from Iteration ID 3 on" in user.words


async def test_what_is_chosen_as_steady_holds_for_the_step_trace_too(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        assert user.column("phase") == ["warm-up", "warm-up", "steady", "steady"]
        assert user.column("of longest") == ["", "█████░░░░░", "█████░░░░░", "██████████"]
        await user.press("1", "s")
        await user.enter_text("2")
        await user.press("2")
        assert user.column("phase") == ["warm-up", "steady", "steady", "steady"]
        await user.press("1", "s")
        await user.enter_text("4")
        await user.press("2")
        assert user.column("phase") == ["warm-up", "warm-up", "warm-up", "steady"]
        await user.press("R")
        assert user.column("phase") == ["warm-up", "warm-up", "warm-up", "steady"]
        await user.press("1", "s")
        await user.enter_text("")
        await user.press("2")
        assert user.column("phase") == ["warm-up", "warm-up", "steady", "steady"]


async def test_a_step_trace_that_is_opened_later_goes_by_the_choice_too(
    capture: OpenCapture,
) -> None:
    async with opened(capture) as user:
        await user.press("s")
        await user.enter_text("2")
        await user.press("2")
        assert user.column("phase") == ["warm-up", "steady", "steady", "steady"]


async def test_an_iteration_in_scope_leaves_the_overview_whole_and_it_says_so(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("right_square_bracket")
        assert user.chip == "device 0, Model ID 11, iteration 3"
        assert "findings · of all iterations, not only 3 · costs overlap" in user.words
        await user.press("0")
        assert user.chip == ""
        assert "not only" not in user.words


async def test_without_iterations_there_is_nothing_to_be_steady_from(tmp_path: Path) -> None:
    async with opened(csv_capture(tmp_path, op_summary=text(OP_HEADER, op_lines()))) as user:
        await user.press("s")
        assert user.screen_name == "CaptureScreen"
        assert user.said == ["There are no iterations to choose from: the export has no step trace."]


async def test_the_cursor_stays_on_its_line_while_findings_arrive(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        pane = user.overview
        results = pane.results[::-1]
        pane.results = []
        pane._draw()
        await user.press("j")
        entry = pane.entry
        assert entry is not None
        for result in results:
            pane._take(Answered(pane.asked, result))
            await user.pilot.pause()
            assert pane.entry == entry
        assert pane.lines.highlighted == pane.entries.index(entry)
        assert pane.lines.highlighted > 5


async def test_it_appears_piece_by_piece_and_escape_cancels(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, find = threading.Event(), run.find

    def waiting(*arguments: Any, **named: Any) -> Findings:
        go_on.wait()
        return find(*arguments, **named)

    monkeypatch.setattr(run, "find", waiting)
    async with opened(capture, pane="op_summary") as user:
        await user.pilot.press("1")
        for _round in range(_MOST_ROUNDS):
            await user.pilot.pause(0.01)
            known = user.overview.overview if user.app.query(OverviewPane) else None
            if known and known.busy:
                break
        assert "Busy 184.000 us" in user.words
        assert user.overview.findings is None
        await user.pilot.press("escape")
        go_on.set()
        await user.settle()
        assert "cancelled; R reads again" in user.words
        assert user.said == ["Cancelled."]
        await user.press("R")
        assert user.verdicts[0].startswith("H  53.3 %")


async def test_without_step_trace_the_whole_capture_counts(tmp_path: Path) -> None:
    async with opened(csv_capture(tmp_path, op_summary=text(OP_HEADER, op_lines()))) as user:
        assert "no iterations: the export has no step trace" in user.words
        assert "Of the whole capture, from the first op's start to the last one's end." in user.words
        assert "Idle 4,211.000 us" in user.words


async def test_without_op_summary_the_step_trace_still_counts(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, step_trace=text(STEP_HEADER, step_lines()))
    async with opened(capture) as user:
        assert "Period 1,500.000 us" in user.words
        assert "There is no op_summary in this export: what ran in that time is unknown." in user.words


async def test_what_the_timeline_tells_without_op_summary_stands_above_the_findings(tmp_path: Path) -> None:
    async with opened(traced_capture(tmp_path, tables=False)) as user:
        assert "There is no op_summary: ops are those of the timeline msprof." in user.words
        assert user.verdicts[0].startswith(
            "H  53.3 %        800.000  Data Aug Bound takes 53.3 % of the period"
        )


async def test_names_of_a_capture_are_text_and_not_markup(tmp_path: Path) -> None:
    lines = [line.replace("TopK_3", "[red]x[/y]\x1b[31m") for line in op_lines()]
    capture = csv_capture(
        tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=text(OP_HEADER, lines)
    )
    async with opened(capture) as user:
        assert user.verdicts[0].startswith("H  53.3 %")
        assert "\x1b" not in user.text


@pytest.mark.parametrize(
    ("size", "findings"), [((160, 45), 14), ((80, 24), 7), ((40, 10), 3), ((40, 9), 3), ((30, 8), 3)]
)
async def test_it_fits_every_size_and_the_list_always_has_lines(
    capture: OpenCapture, size: tuple[int, int], findings: int
) -> None:
    async with opened(capture, size=size) as user:
        assert all(len(line) <= size[0] for line in user.text.splitlines())
        assert user.overview.lines.size.height >= findings
        assert "Period" in user.text


async def test_what_is_least_needed_goes_first_where_it_is_low(capture: OpenCapture) -> None:
    order = ["new layout", "Ascend 910B", "train.py", "Model ID 11 is the", "AI_CORE", "Busy", "DDDD"]
    async with opened(capture, size=(70, 40)) as user:
        assert all(word in user.text for word in order)
        for height in range(24, 9, -1):
            await user.resize(70, height)
            shown = [word in user.text for word in order]
            assert shown == sorted(shown)
        assert not any(shown)
        assert "Iteration Time" in user.text


async def test_all_of_the_run_is_a_page_also_where_it_is_cut(capture: OpenCapture) -> None:
    async with opened(capture, size=(40, 30)) as user:
        assert "1800 MHz" not in user.words
        await user.press("i")
        assert user.title.parts[0] == "the run and its times"
        assert "48 Vector Cores, 6 AI CPUs, 1800 MHz" in user.words
        await user.press("y")
        copied = user.app.clipboard.splitlines()
        assert any(line.startswith("Collected with: --task-time=l1 --aic-metrics=PipeUti") for line in copied)
        assert "Times of device 0, Model ID 11: Data Aug Bound  800.000 us  53.3 %" in copied


def test_names_in_a_graph_lose_their_scopes_where_the_line_is_too_long() -> None:
    title = "Iteration 5 took 2.000 us longer: Default/net/layers-1/MatMulV3-op81 took 3.000 us"
    finding = Finding("iteration_out_of_line", title, 2_000, "iteration", 0.036, 2.0, "us", "", "", "", "")
    cells = cells_for([finding])
    assert line(finding, cells, 200).plain == f"M 3.6 % 2.000  {title}"
    assert (
        line(finding, cells, 90).plain
        == "M 3.6 % 2.000  Iteration 5 took 2.000 us longer: …/MatMulV3-op81 took 3.000 us"
    )
    assert columns(cells) == "  share    us"


def test_an_unknown_cost_leaves_its_share_blank() -> None:
    finding = Finding("slow_device", "Device 1 is slow", 0, "iteration", 0.0, 2.0, "us", "", "", "", "")
    assert line(finding).plain == "L" + " " * 25 + "Device 1 is slow"
