import subprocess
import sys
from pathlib import Path

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import NotChecked
from prof_tui.data.findings.texts import unchecked_texts
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.missing import Missing, group_by_reason, reason_of
from prof_tui.data.run.overview import DeviceTimes, Overview, read_overview
from prof_tui.data.run.texts import missing_texts, time_tables, whose
from prof_tui.panes.overview.findings_list import Lacking, Unchecked, entries
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import OP_HEADER, STEP_HEADER, op_lines, step_lines, text


def test_the_span_without_ops_is_that_of_all_iterations_whichever_count(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, step_trace=text(STEP_HEADER, step_lines()))
    whole, late = (read_overview(capture, steady_from=first) for first in (1, 4))
    assert whole.span_ns == late.span_ns == 5_400_000


def test_it_is_told_part_by_part_and_the_last_part_is_all(capture: OpenCapture) -> None:
    told: list[Overview] = []
    whole = read_overview(capture, told=told.append)
    assert [each.models is None for each in told] == [True, False, False]
    assert [each.times is None for each in told] == [True, False, False]
    assert [each.why_no_busy for each in told] == [None, None, ""]
    assert [len(each.busy) for each in told] == [0, 0, 1]
    assert [each.span_ns for each in told] == [None, None, 5_010_000]
    assert told[-1] == whole


def test_what_the_run_was_is_told_before_polars_is_loaded(capture: OpenCapture) -> None:
    code = (
        "import sys, pathlib\n"
        "from prof_tui.data.open_capture import OpenCapture\n"
        "from prof_tui.data.run.overview import read_overview\n"
        "loaded = []\n"
        "capture = OpenCapture(pathlib.Path(sys.argv[1]))\n"
        "read_overview(capture, told=lambda _part: loaded.append('polars' in sys.modules))\n"
        "print(loaded[0], loaded[-1])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, capture.path], capture_output=True, text=True, check=True
    )
    assert run.stdout == "False True\n"


def test_what_is_known_stays_until_it_is_read_anew(capture: OpenCapture) -> None:
    told: list[Overview] = []
    known = read_overview(capture)
    later = read_overview(capture, steady_from=4, known=known, told=told.append)
    assert told[0] == known
    assert (told[1].busy, told[1].steps) == (known.busy, later.steps)
    assert later.steps != known.steps


def test_without_op_summary_a_sentence_stands_in_its_place(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, step_trace=text(STEP_HEADER, step_lines()))
    overview = read_overview(capture)
    assert overview.why_no_busy is not None
    assert overview.why_no_busy.startswith("There is no op_summary in this export")
    [device] = overview.devices()
    assert device.busy is None
    assert device.whole_ns == 1_500_000


def test_a_device_has_what_its_iterations_and_what_its_ops_say(two_devices: OpenCapture) -> None:
    overview = read_overview(two_devices)
    assert [one.device for one in overview.devices()] == [0, 1]
    assert [one.device for one in overview.devices(1)] == [1]
    assert overview.devices(7) == overview.devices()
    assert all(one.steps and one.busy and one.busy.device == one.device for one in overview.devices())
    assert [whose(one) for one in overview.devices()] == ["device 0, Model ID 11", "device 1, Model ID 11"]


def test_without_iterations_a_device_has_its_ops_alone(tmp_path: Path) -> None:
    [device] = read_overview(csv_capture(tmp_path, op_summary=text(OP_HEADER, op_lines()))).devices()
    assert device.steps is None
    assert device.busy is not None
    assert device.whole_ns == device.busy.window_ns
    assert whose(device) == "device 0"
    [table] = time_tables(device)
    assert table.notes == (("Of the whole capture, from the first op's start to the last one's end.",),)
    assert [row.id for row in table.rows][:2] == ["busy", "idle"]


def test_iterations_come_before_ops_each_with_its_notes(capture: OpenCapture) -> None:
    [device] = read_overview(capture).devices()
    of_steps, of_ops = time_tables(device)
    assert [len(notes) for notes in of_steps.notes] == [1, 1]
    assert of_steps.rows[0].id == "period"
    assert of_ops.rows[0].id == "busy"
    assert time_tables(DeviceTimes(device.steps, None)) == [of_steps]


# What is lacking, by reason


def test_what_lacks_the_same_stands_together_in_the_order_of_the_reasons() -> None:
    one, other = NotChecked("a", ("a",), "No b.", "Add b."), NotChecked("c", ("c",), "No d.", "")
    third = NotChecked("e", ("e",), "No b.", "Add b.")
    assert group_by_reason([one, other, third]) == [[one, third], [other]]
    assert (reason_of(one), reason_of(other)) == ("No b. Add b.", "No d.")
    assert missing_texts([Missing("x", "Off.", "On!"), Missing("y", "Off.", "On!")]) == ["x, y: Off. On!"]


def test_a_report_and_the_overview_give_the_same_reasons(capture: OpenCapture) -> None:
    unchecked = find(capture).not_checked
    missing = read_overview(capture).run.missing
    listed = entries(unchecked, missing, (), None)
    reasons = {
        kind: [f"{one.why} {one.how}".strip() for one in listed if isinstance(one, kind)]
        for kind in (Unchecked, Lacking)
    }
    assert [said.partition(": ")[2] for said in unchecked_texts(unchecked)] == reasons[Unchecked]
    assert [said.partition(": ")[2] for said in missing_texts(missing)] == reasons[Lacking]
    assert len(reasons[Unchecked]) < len(unchecked)
