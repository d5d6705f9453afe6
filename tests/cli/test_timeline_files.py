"""What ``prof-tui files`` says of timelines."""

import json
from pathlib import Path
from typing import Any

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.requests.timeline_facts import read_timelines
from prof_tui.demo.write import STAMP
from tests.helpers.carve_capture import HARDWARE, HOST, METADATA, flow, frequency, slice_, trace_capture
from tests.helpers.small_capture import at

from .conftest import Cli

MERGED = "mindstudio_profiler_output"
EVENTS = (
    *METADATA,
    slice_("launch", 1000, "10", HOST),
    flow("s", 1, 1000, HOST),
    slice_("task", 2200, "70.125"),
    flow("f", 1, 2200, HARDWARE),
    frequency(1500, 1000),
)


def timelines_of(cli: Cli, path: Path) -> list[dict[str, Any]]:
    timelines = json.loads(cli("files", path, "--format", "json").out)["timelines"]
    assert isinstance(timelines, list)
    return timelines


def test_json_says_what_a_timeline_holds(cli: Cli, tmp_path: Path) -> None:
    capture = trace_capture(tmp_path, *EVENTS)
    path = capture.path / MERGED / f"msprof_{STAMP}.json"
    assert timelines_of(cli, capture.path) == [
        {
            "name": "msprof",
            "device": None,
            "model": None,
            "iteration": None,
            "files": [f"{MERGED}/{path.name}"],
            "bytes": path.stat().st_size,
            "status": "ok",
            "reason": "",
            "events": 13,
            "slices": 2,
            "begin_us": at(1000),
            "span_us": 1270.125,
            "layers": ["CANN", "Ascend Hardware", "AI Core Freq"],
        }
    ]


def test_text_has_a_line_per_timeline(cli: Cli, tmp_path: Path) -> None:
    lines = cli("files", trace_capture(tmp_path, *EVENTS).path).out.splitlines()
    assert [line.split() for line in lines[-3:]] == [
        [],
        ["timeline", "device", "model", "iteration", "events", "slices", "begin(us)", "span(us)", "layers"],
        ["msprof", "13", "2", at(1000), "1,270.125", "CANN,", "Ascend", "Hardware,", "AI", "Core", "Freq"],
    ]


def test_each_file_of_an_iteration_has_its_own_numbers(cli: Cli, old_layout: Path) -> None:
    found = [each for each in timelines_of(cli, old_layout) if each["name"] == "msprof"]
    assert [each["iteration"] for each in found] == [2, 3, 4, 6]
    for each in found:
        events = json.loads((old_layout / each["files"][0]).read_text())
        assert each["events"] == len(events)
        assert each["slices"] == sum(event["ph"] == "X" for event in events)
        begins = [event["ts"] for event in events if "ts" in event]
        assert each["begin_us"] == f"{min(begins):.3f}"


def test_an_empty_array_is_no_damage(cli: Cli, tmp_path: Path) -> None:
    [found] = timelines_of(cli, trace_capture(tmp_path).path)
    values = [found[key] for key in ("status", "events", "slices", "begin_us", "span_us", "layers")]
    assert values == ["ok", 0, 0, None, None, []]
    assert found["reason"] == f"msprof_{STAMP}.json holds no events."


def test_a_damaged_timeline_is_one_with_what_could_be_read(cli: Cli, tmp_path: Path) -> None:
    capture = trace_capture(tmp_path, *EVENTS)
    path = capture.path / MERGED / f"msprof_{STAMP}.json"
    text = path.read_text().replace('"dur":70.125', '"dur":70.125!')
    path.write_text(text)
    [found] = timelines_of(cli, capture.path)
    assert (found["status"], found["slices"]) == ("damaged", 1)
    assert path.name in found["reason"]
    line = next(line for line in cli("files", capture.path).out.splitlines() if "msprof" in line)
    assert " damaged " in line
    assert path.name in line.split(" damaged ")[1]


def test_what_is_no_timeline_at_all_has_no_numbers(cli: Cli, tmp_path: Path) -> None:
    capture = trace_capture(tmp_path)
    (capture.path / MERGED / f"msprof_{STAMP}.json").write_bytes(b"\x00\x01 nothing\n")
    [found] = timelines_of(cli, capture.path)
    assert (found["status"], found["events"], found["layers"]) == ("damaged", None, None)
    assert found["reason"].startswith(f"msprof_{STAMP}.json ")


def test_only_so_many_bytes_are_read_the_small_ones_first(tmp_path: Path, demo: Path) -> None:
    export = OpenCapture(demo).export
    sizes = {each.name: sum(file.size for file in each.files) for each in export.timelines}
    assert sizes["step_trace"] < sizes["msprof"]
    for most_bytes, read in ((0, []), (sizes["step_trace"], ["step_trace"]), (10**9, [*sizes])):
        capture = OpenCapture(demo)
        timelines = read_timelines(capture, most_bytes=most_bytes)
        known = [each.name for each in export.timelines if timelines.facts(each.name, each.files)]
        assert known == read
