"""``prof-tui trace``: an iteration of a timeline as a file of its own."""

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.write import STAMP, capture_skeleton
from tests.helpers.carve_capture import METADATA, array, slice_, trace_capture
from tests.helpers.command_line import ROOT

from .conftest import Cli

MERGED = "mindstudio_profiler_output"
Event = dict[str, Any]


def events_of(path: Path) -> list[Event]:
    events = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    assert isinstance(events, list)
    return events


def ns(value: object) -> int:
    return int(Decimal(str(value)) * 1000)


def overlapping(events: Iterable[Event], begin_ns: int, end_ns: int) -> list[Event]:
    """The slices that overlap a window, worked out apart from the program."""
    slices = [event for event in events if event["ph"] == "X"]
    return [
        event
        for event in slices
        if ns(event["ts"]) < end_ns and ns(event["ts"]) + ns(event["dur"]) > begin_ns
    ]


def window_of(capture: Path, model: int, iteration: int) -> tuple[int, int]:
    step = OpenCapture(capture).steps.find(0, model, iteration)
    assert step is not None
    assert step.begin_ns is not None
    assert step.end_ns is not None
    return step.begin_ns, step.end_ns


def of_phase(events: Iterable[Event], phase: str = "X") -> list[Event]:
    return [event for event in events if event["ph"] == phase]


def test_an_iteration_is_written_with_what_launched_it(cli: Cli, demo: Path, tmp_path: Path) -> None:
    ran = cli("trace", demo, "--iteration", "3", "-o", "three.json")
    assert (ran.out, ran.code) == ("", 0)
    whole, part = events_of(demo / MERGED / f"msprof_{STAMP}.json"), events_of(tmp_path / "three.json")
    window = window_of(demo, 11, 3)
    inside = overlapping(whole, *window)
    slices = of_phase(part)
    assert overlapping(part, *window) == inside
    named = {json.dumps(event): event for event in of_phase(whole, "M")}
    assert of_phase(part, "M") == list(named.values())
    arrows = {(event["pid"], event["tid"], event["ts"]) for event in part if event["ph"] in "sf"}
    outside = [event for event in slices if event not in inside]
    assert outside
    assert {(event["pid"], event["tid"], event["ts"]) for event in outside} <= arrows
    starts, ends = ({event["id"] for event in of_phase(part, phase)} for phase in ("s", "f"))
    assert starts == ends
    assert all(event in whole for event in part)


def test_stderr_says_what_was_written(cli: Cli, demo: Path, tmp_path: Path) -> None:
    ran = cli("trace", demo, "--iteration", "3", "--layer", "overlap analysis", "-o", "three.json")
    begin_ns, end_ns = window_of(demo, 11, 3)
    events = events_of(tmp_path / "three.json")
    slices = of_phase(events)
    size = (tmp_path / "three.json").stat().st_size
    first, second = ran.err.splitlines()
    assert first == (
        f"note: Iteration 3 of device 0, model 11, from {Decimal(begin_ns) / 1000:.3f} to "
        f"{Decimal(end_ns) / 1000:.3f} us ({Decimal(end_ns - begin_ns) / 1000:,.3f} us), is in three.json."
    )
    assert second == (
        f"note: {len(events)} events, {size / 1000:.1f} kB: {len(slices)} slices in the window and "
        f"{len(events) - len(slices)} of metadata; layers: Overlap Analysis."
    )


def test_stdout_is_the_file(cli: Cli, demo: Path, tmp_path: Path) -> None:
    cli("trace", demo, "--iteration", "3", "-o", "three.json")
    ran = cli("trace", demo, "--iteration", "3", "-o", "-")
    assert (ran.out, ran.code) == ((tmp_path / "three.json").read_text(), 0)
    assert ", is in stdout." in ran.err


def test_an_iteration_of_several_devices_is_refused_with_the_choices(
    cli: Cli, two_devices: Path, tmp_path: Path
) -> None:
    ran = cli("trace", two_devices, "--iteration", "3", "-o", "three.json")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == (
        "prof-tui: There are several iterations 3; add one of: --device 0 --model 11, "
        "--device 1 --model 11.\n"
    )
    assert not (tmp_path / "three.json").exists()


def test_only_the_devices_own_lanes_are_written(cli: Cli, two_devices: Path, tmp_path: Path) -> None:
    assert cli("trace", two_devices, "--iteration", "3", "--device", "1", "-o", "one.json").code == 0
    labels = [
        event["args"]["labels"]
        for event in events_of(tmp_path / "one.json")
        if event["name"] == "process_labels"
    ]
    assert sorted(set(labels)) == ["CPU", "NPU 1"]


def test_the_device_of_an_inner_directory_is_chosen(cli: Cli, two_devices: Path) -> None:
    ran = cli("trace", two_devices / "device_1", "--iteration", "3", "-o", "one.json")
    assert ran.err.startswith("note: Iteration 3 of device 1, model 11, ")


def test_an_iteration_of_the_old_layout_is_that_of_its_file(
    cli: Cli, old_layout: Path, tmp_path: Path
) -> None:
    ran = cli("trace", old_layout, "--iteration", "4", "-o", "four.json")
    assert ran.code == 0
    own = events_of(old_layout / "device_0" / "timeline" / "msprof_0_11_4.json")
    assert overlapping(own, *window_of(old_layout, 11, 4)) == of_phase(events_of(tmp_path / "four.json"))


def test_an_iteration_that_was_not_exported_is_refused_with_those_that_were(
    cli: Cli, old_layout: Path
) -> None:
    ran = cli("trace", old_layout, "--iteration", "5", "-o", "five.json")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == (
        "prof-tui: Iteration 5 was not exported; exported are: 2-4, 6 of device 0, model 11.\n"
    )


def test_a_file_of_the_timeline_chooses_its_type(cli: Cli, old_layout: Path, tmp_path: Path) -> None:
    path = old_layout / "device_0" / "timeline" / "step_trace_0_11_2.json"
    assert cli("trace", path, "--iteration", "3", "-o", "three.json").code == 0
    names = [event["name"] for event in of_phase(events_of(tmp_path / "three.json"))]
    assert names[:3] == ["Iteration 3", "FP_BP Time 3", "Iteration Refresh 3"]


def test_a_file_is_not_overwritten(cli: Cli, demo: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("mine")
    ran = cli("trace", demo, "--iteration", "3", "-o", "mine.json")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == "prof-tui: mine.json exists and is not overwritten: choose another name.\n"
    assert (tmp_path / "mine.json").read_text() == "mine"


def test_nothing_is_written_into_a_capture_nor_through_a_link(cli: Cli, demo: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in (demo / MERGED).iterdir())
    (tmp_path / "linked").symlink_to(demo / MERGED)
    for target in (demo / MERGED / "part.json", tmp_path / "linked" / "part.json"):
        ran = cli("trace", demo, "--iteration", "3", "-o", target)
        assert (ran.out, ran.code) == ("", 2)
        assert ran.err == (
            f"prof-tui: {target} is inside a capture, where nothing is written: choose another place.\n"
        )
    assert sorted(path.name for path in (demo / MERGED).iterdir()) == before


def test_words_that_are_missing_or_unknown_are_refused(cli: Cli, demo: Path) -> None:
    said = {
        (): "the following arguments are required: --iteration, -o/--output (see prof-tui trace --help)",
        ("--iteration", "3"): "the following arguments are required: -o/--output (see prof-tui trace --help)",
        ("--iteration", "outside", "-o", "x.json"): (
            "argument --iteration: 'outside' is not a whole number (see prof-tui trace --help)"
        ),
        ("--iteration", "99", "-o", "x.json"): "There is no iteration 99; there are: 1-6.",
        ("--iteration", "3", "--model", "7", "-o", "x.json"): "There is no iteration of model 7; "
        "there are some of: 1, 11.",
        ("--iteration", "3", "--device", "7", "-o", "x.json"): (
            "There is no device 7 in this capture; it has: 0."
        ),
        ("--iteration", "3", "--layer", "CAN", "-o", "x.json"): (
            "No layer 'CAN' in this timeline; near: 'CANN'."
        ),
        ("--iteration", "3", "-o", "no/x.json"): "There is no directory no: choose another place.",
    }
    for words, sentence in said.items():
        ran = cli("trace", demo, *words)
        assert (ran.out, ran.err, ran.code) == ("", f"prof-tui: {sentence}\n", 2)


def test_a_timeline_that_is_missing_says_what_makes_it(cli: Cli, demo: Path, tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path / "json", "new")
    name = f"step_trace_{STAMP}.json"
    (prof / MERGED / name).write_bytes((demo / MERGED / name).read_bytes())
    ran = cli("trace", prof, "--iteration", "3", "-o", "three.json")
    assert (ran.out, ran.code) == ("", 1)
    assert ran.err == (
        "prof-tui: There is no timeline msprof in this export. "
        "Collected with --task-time=on (the default) or l0. "
        f"It has step_trace: give such a file as PATH, for example {name}.\n"
    )


def test_several_captures_are_listed(cli: Cli, tmp_path: Path) -> None:
    for name in ("a", "b"):
        trace_capture(tmp_path / "all" / name, array([]))
    ran = cli("trace", "all", "--iteration", "3", "-o", "three.json")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err.startswith("prof-tui: There are 2 captures in all; give one of them:\n")


def test_a_damaged_timeline_is_carved_as_far_as_it_goes(cli: Cli, tmp_path: Path) -> None:
    task = slice_("task", 2200, "10")
    capture = trace_capture(tmp_path / "capture", *METADATA, task)
    path = capture.path / MERGED / f"msprof_{STAMP}.json"
    path.write_text(path.read_text()[:-1] + ',{"ph":"X","name":"cu')
    ran = cli("trace", capture.path, "--iteration", "2", "--model", "11", "-o", "two.json")
    assert ran.code == 0
    assert events_of(tmp_path / "two.json")[-1]["name"] == "task"
    assert ran.err.startswith(f"note: msprof_{STAMP}.json ")


def test_an_interrupt_leaves_no_file(demo: Path, tmp_path: Path) -> None:
    """It waits for somebody to read its stdout, so that it is not done before the interrupt."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    words = [sys.executable, "-m", "prof_tui", "trace", str(demo), "--iteration", "3", "-o", "-"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, stdout=writer, stderr=subprocess.PIPE, cwd=tmp_path, env=env) as process:
        os.close(writer)
        assert os.read(reader, 1) == b"["
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.read() == b"prof-tui: Interrupted.\n"
        assert process.wait(60) == 130
    os.close(reader)
    assert list(tmp_path.iterdir()) == []


def test_help_names_the_viewers(cli: Cli) -> None:
    ran = cli("trace", "--help")
    assert ran.code == 0
    assert re.search(r"-o(, --output)? FILE\.json", ran.out)
    assert "Perfetto or MindStudio" in ran.out
