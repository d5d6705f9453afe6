"""Every real timeline against an independent count with the json module, and the shared cases."""

import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from prof_tui.data.open_capture import OpenCapture, trace_names
from prof_tui.data.pages.event import event_args
from prof_tui.data.tables.stores import go_on
from prof_tui.data.timeline.model import TraceFile, TraceIndex
from prof_tui.data.timeline.read.files import read_files, read_trace
from tests.helpers.trace_reading import events_of, names_of
from tests.helpers.traces import event_text

NAME = "msprof_20260921101601.json"


def loaded(index: TraceIndex) -> list[list[dict[str, Any]]]:
    return [json.loads(file.path.read_text(), parse_float=Decimal) for file in index.files]


def check(index: TraceIndex) -> None:
    """Phases, lanes, names, times and places are those of the file."""
    files = loaded(index)
    assert index.phases == Counter(event["ph"] for file in files for event in file)
    threads = {
        event["args"]["name"]
        for file in files
        for event in file
        if (event["ph"], event["name"]) == ("M", "thread_name")
    }
    assert threads <= {lane.thread for lane in index.lanes}
    layers = {
        event["args"]["name"]
        for file in files
        for event in file
        if (event["ph"], event["name"]) == ("M", "process_name")
    }
    assert {lane.layer for lane in index.lanes if not lane.layer.startswith("pid ")} <= layers
    slices = Counter(
        (event["name"], int(Decimal(event["ts"]) * 1000), round(Decimal(event["dur"]) * 1000))
        for file in files
        for event in file
        if event["ph"] == "X"
    )
    read = set(index.events.select("name", "start_ns", "duration_ns").rows())
    exact = {(name, start) for name, start, _duration in slices}
    assert {(name, start) for name, start, _duration in read} == exact
    halves = sum(1 for event in read - slices.keys())
    assert halves <= len(read) // 100  # round() takes halves to the even side
    assert index.notices == ()
    for event in (0, len(index.events) // 2, len(index.events) - 1):
        assert json.loads(event_text(index, event))["name"] == index.events["name"][event]


def test_every_real_timeline(shared_data: Path) -> None:
    for path in sorted(shared_data.glob("*/PROF*")):
        capture = OpenCapture(path)
        for name in trace_names(capture.export):
            check(read_trace(capture.export, name))


def test_traces_of_torch_npu(shared_data: Path) -> None:
    for path in sorted(shared_data.glob("*/*/*/ASCEND_PROFILER_OUTPUT/trace_view.json")):
        seen = path.stat()
        file = TraceFile(path, seen.st_size, seen.st_mtime_ns, seen.st_ino, None)
        index = read_files("trace_view", [(file, 0)], None, go_on)
        check(index)
        assert len(index.flows) == sum(index.phases[phase] for phase in "sf")
        assert len(index.counters) >= index.phases["C"]


def count_of(index: TraceIndex, lanes: list[int]) -> int:
    return sum(end - begin for begin, end in (index.lane_events[lane] for lane in lanes))


def test_two_devices_of_2023(shared_data: Path) -> None:
    for device, path in enumerate(sorted(shared_data.glob("mindspore-910-two-devices-2023/PROF*"))):
        index = read_trace(OpenCapture(path).export, "msprof")
        assert len(index.files) == 10
        streams = [lane for lane, each in enumerate(index.lanes) if each.is_stream]
        assert {index.lanes[lane].device for lane in streams} == {device}
        assert count_of(index, streams) == 4900
        steps = [lane for lane, each in enumerate(index.lanes) if each.thread.startswith("Step Trace")]
        assert count_of(index, steps) == 40


def test_flows_of_2026(shared_data: Path) -> None:
    (path,) = shared_data.glob("cann-910b-2026/PROF_000001_20260716124543725*")
    index = read_trace(OpenCapture(path).export, "msprof")
    assert (index.phases["f"], index.phases["s"]) == (710, 10)
    assert len(index.flows["flow"].unique()) == 710


@pytest.mark.parametrize("form", ["array", "leading_comma", "object", "object_trailing_comma"])
def test_lenient_syntax(shared_case: Callable[[str], Path], form: str) -> None:
    (path,) = (shared_case("json-object-commas-nan") / form).glob("PROF*")
    index = read_trace(OpenCapture(path).export, "msprof")
    assert [(event[0], *event[3:]) for event in events_of(index)] == [
        ("Stream 2", 40500, "Conv2D_0"),
        ("Stream 2", 0, "Memcpy_1"),
        ("Stream 2", 5250, "Relu_2"),
    ]
    shown = event_args(index, 1)
    assert (shown["bandwidth(GB/s)"], shown["size(B)"]) == ("NaN", "Infinity")


def test_broken_in_the_middle(shared_case: Callable[[str], Path]) -> None:
    case = shared_case("json-broken-in-the-middle")
    for folder, said in (("bad_quote", "is damaged at"), ("two_arrays", "a second array begins at")):
        (path,) = (case / folder).glob("PROF*")
        index = read_trace(OpenCapture(path).export, "msprof")
        with pytest.raises(json.JSONDecodeError) as error:
            json.loads(index.files[0].path.read_text())
        place = error.value.pos
        assert names_of(index) == ["Conv2D_0", "Relu_2"]
        assert index.notices[0].startswith(NAME)
        assert f"{said} byte {place:,} (1:{place + 1})" in index.notices[0]


def test_sliced(shared_case: Callable[[str], Path]) -> None:
    (path,) = shared_case("timeline-slices").glob("PROF*")
    index = read_trace(OpenCapture(path).export, "msprof")
    assert names_of(index) == ["Conv2D_0", "Relu_1", "MatMulV2_2"]
    assert [lane.thread for lane in index.lanes].count("Stream 2") == 1


def test_odd_durations(shared_case: Callable[[str], Path]) -> None:
    (path,) = shared_case("zero-negative-overlapping-durations").glob("PROF*")
    index = read_trace(OpenCapture(path).export, "msprof")
    assert index.phases["X"] == len(index.events)
    assert (index.events["duration_ns"] == 0).any()
    assert (index.events["duration_ns"] < 0).any()
