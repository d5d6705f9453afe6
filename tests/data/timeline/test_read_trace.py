"""Timelines as exporters write them: containers, phases, ids, times, slices."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from prof_tui.data.open_capture import trace_names
from prof_tui.data.pages.event import event_args
from prof_tui.data.timeline.model import TraceIndex, TraceLane
from prof_tui.data.timeline.read import blocks as file_parts
from prof_tui.data.timeline.read import files as read_files
from prof_tui.data.timeline.read.files import read_trace
from prof_tui.errors import CancelledError, UnreadableError
from tests.helpers.trace_reading import (
    HARDWARE,
    US,
    array,
    events_of,
    metadata,
    names_of,
    read,
    task,
    timeline_capture,
)
from tests.helpers.traces import event_text

START = 1790000000000000
TASKS = (task("Conv2D_0", "100.5", 40.5), task("Relu_1", "141", 5.25), task("MatMul_2", "147", 0.0))


@pytest.fixture(params=["one piece", "small blocks"], autouse=True)
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs with files scanned at once, and with blocks of a few events decoded one by one."""
    if request.param == "small blocks":
        monkeypatch.setattr(file_parts, "HEAD", 300)
        monkeypatch.setattr(file_parts, "BLOCK", 420)


@pytest.mark.parametrize(
    "text",
    [
        array(*metadata(), *TASKS),
        json.dumps([*metadata(), *TASKS]),
        json.dumps([*metadata(), *TASKS], indent=4).replace("\n", "\r\n"),
        json.dumps([*TASKS, *metadata()]),
        "\ufeff"
        + json.dumps({"displayTimeUnit": "ns", "traceEvents": [*metadata(), *TASKS], "x": {"y": [1]}}),
        json.dumps({"status": 0, "data": [*metadata(), *TASKS]}),
        array(*metadata())[:-1] + ",\n" + array(*TASKS)[1:],
        array(*metadata(), *TASKS).replace("[{", "[,{", 1).replace("}]", "},]"),
        array(*metadata(), *TASKS).replace("},{", "},,{"),
    ],
    ids=["bare", "blanks", "lines", "metadata last", "object", "status", "mixed", "commas", "double commas"],
)
def test_every_container_holds_the_same(tmp_path: Path, text: str) -> None:
    index = read(tmp_path, text)
    assert events_of(index) == [
        ("Stream 2", 0, 0, 40500, "Conv2D_0"),
        ("Stream 2", 0, 40500, 5250, "Relu_1"),
        ("Stream 2", 0, 46500, 0, "MatMul_2"),
    ]
    assert index.lanes == (TraceLane("Ascend Hardware", "NPU 0", 0, "Stream 2"),)
    assert index.phases == {"M": 3, "X": 3}
    assert (index.kinds, index.notices, index.complete) == (("AI_CORE",), (), True)
    assert index.span == (START * 1000 + 100500, START * 1000 + 147000)
    assert [json.loads(event_text(index, i))["name"] for i in range(3)] == ["Conv2D_0", "Relu_1", "MatMul_2"]


def test_times_are_exact_whether_text_or_number(tmp_path: Path) -> None:
    texts = [
        ('"1790000000123456.789"', "10.42021875"),
        ("1790000000123457.051", "0.0005"),
        ("1790000000123458", "8868.240000000003"),
        ("1790000000123459.0625", "1e-3"),
        ('"1790000000123460.7895"', '"3"'),
        ("56635864652.490005", "-2.5"),
    ]
    events = ",".join(
        f'{{"name":"op{i}","pid":1,"tid":{i},"ts":{ts},"dur":{dur},"ph":"X"}}'
        for i, (ts, dur) in enumerate(texts)
    )
    index = read(tmp_path, f"[{events}]")
    exact = [
        tuple(int(Decimal(text.strip('"')) * 1000 + Decimal("0.5")) for text in pair) for pair in texts[:5]
    ]
    assert index.events.select("start_ns", "duration_ns").rows() == [*exact, (56635864652490, -2500)]


def test_slices_are_joined_and_named_once(tmp_path: Path) -> None:
    index = read(tmp_path, array(*metadata(), TASKS[0]), array(*metadata(), *TASKS[1:]))
    assert names_of(index) == ["Conv2D_0", "Relu_1", "MatMul_2"]
    assert len(index.lanes) == 1
    assert index.events["file"].to_list() == [0, 1, 1]
    assert [file.path.name[:14] for file in index.files] == ["msprof_slice_0", "msprof_slice_1"]


def test_host_calls_nest_and_touching_ones_do_not(tmp_path: Path) -> None:
    host = metadata(10328415, "CANN", "CPU")[:2]
    calls = [
        {"name": name, "pid": 10328415, "tid": 77, "ts": f"{US}{at}", "dur": dur, "ph": "X", "args": {}}
        for name, at, dur in [
            ("outer", "100", 10),
            ("inner", "102", 3),
            ("innermost", "103", 1),
            ("next", "110", 4),
        ]
    ]
    index = read(tmp_path, array(*host, *calls))
    assert [event[:1] + event[1:2] + event[4:] for event in events_of(index)] == [
        ("tid 77", 0, "outer"),
        ("tid 77", 0, "next"),
        ("tid 77", 1, "inner"),
        ("tid 77", 2, "innermost"),
    ]
    assert index.lanes == (TraceLane("CANN", "CPU", None, "tid 77"),)


def test_begins_and_ends_are_paired_innermost_first(tmp_path: Path) -> None:
    def mark(phase: str, name: str, at: str, **args: str) -> dict[str, object]:
        return {"name": name, "pid": 1, "tid": 1, "ts": f"{US}{at}", "ph": phase, "args": args}

    marks = [
        mark("E", "lost", "099"),
        mark("B", "a", "100", one="1"),
        mark("B", "b", "101"),
        mark("E", "", "103"),
        mark("E", "", "107", two="2"),
        mark("B", "open", "108"),
    ]
    index = read(tmp_path, array(*marks))
    assert events_of(index) == [
        ("tid 1", 0, 0, 7000, "a"),
        ("tid 1", 0, 8000, 0, "open"),
        ("tid 1", 1, 1000, 2000, "b"),
    ]
    assert event_args(index, 0) == {"one": "1", "two": "2"}
    assert index.notices == (
        "1 begin (B) without an end (E) is shown without a duration.",
        "1 end (E) without a begin (B) was left out.",
    )


def test_counters_are_lanes_by_argument(tmp_path: Path) -> None:
    named = metadata(9, "HBM", "NPU 1")[:2]
    counters = [
        {"name": "HBM 0", "pid": 9, "tid": 0, "ts": f"{US}{at}", "ph": "C", "args": args}
        for at, args in [
            ("100", {"Read": 1.5, "Write": 2}),
            ("101", {"Read": "7", "Write": None, "HBM 0": "N/A"}),
        ]
    ]
    index = read(tmp_path, array(*counters, *named))
    titles = [(lane.thread, lane.device, lane.is_counter) for lane in index.lanes]
    assert set(titles) == {("HBM 0 Read", 1, True), ("HBM 0 Write", 1, True), ("HBM 0", 1, True)}
    values = [
        (titles[lane][0], at - START * 1000, value)
        for lane, at, value in index.counters.select("lane", "at_ns", "value").rows()
    ]
    assert sorted(values, key=str) == [
        ("HBM 0 Read", 100000, 1.5),
        ("HBM 0 Read", 101000, 7.0),
        ("HBM 0 Write", 100000, 2.0),
        ("HBM 0", 101000, None),
    ]


def flow(phase: str, flow_id: object, at: str, category: str = "HostToDevice") -> dict[str, object]:
    return {"name": "f", "pid": 1, "tid": 1, "ph": phase, "cat": category, "id": flow_id, "ts": f"{US}{at}"}


def test_flow_ids_are_exact_and_of_their_category(tmp_path: Path) -> None:
    large = 1736412474725417508
    flows = [
        flow("s", large, "100"),
        flow("s", large + 1, "101"),
        flow("f", str(large), "105"),
        flow("t", large, "104", "async_npu"),
        flow("s", "Data_aug Bound 1", "107"),
        flow("f", "Data_aug Bound 1", "106"),
        flow("s", 18446744073709551617, "108"),
        flow("f", 18446744073709551616, "109"),
        flow("f", "007", "109"),
        flow("f", "7", "110"),
    ]
    index = read(tmp_path, array(*flows))
    found = index.flows.select("phase", pl.col("at_ns") - START * 1000, "flow").rows()
    groups: dict[int, list[tuple[str, int]]] = {}
    for phase, at, number in found:
        groups.setdefault(number, []).append((phase, at // 1000))
    assert sorted(groups.values()) == [
        [("f", 106), ("s", 107)],
        [("f", 109)],
        [("f", 109)],
        [("f", 110)],
        [("s", 100), ("f", 105)],
        [("s", 101)],
        [("s", 108)],
        [("t", 104)],
    ]


def test_points_unknown_phases_and_events_without_times(tmp_path: Path) -> None:
    events = [
        {"name": "mark", "pid": "p", "tid": "main", "ts": 5, "ph": "i", "s": "g"},
        {"name": "async", "pid": "p", "tid": "main", "ts": 5, "ph": "b", "id": 1},
        {"name": "lost", "pid": "p", "tid": "main", "ts": "N/A", "ph": "X", "dur": 1},
        {"name": "endless", "pid": "p", "tid": "main", "ts": 6, "ph": "X", "dur": "N/A"},
    ]
    index = read(tmp_path, array(*events))
    assert events_of(index) == [("tid main", 0, 0, 0, "mark"), ("tid main", 0, 1000, 0, "endless")]
    assert index.phases == {"i": 1, "b": 1, "X": 2}
    assert index.lanes == (TraceLane("pid p", "", None, "tid main"),)
    assert index.notices == (
        "1 event without a time was left out.",
        "1 event without a duration is shown with none.",
        "Events of these phases are not shown: b (1).",
    )


def test_connection_ids(tmp_path: Path) -> None:
    ids = [10610, -1, "77", "N/A", 9007199254740993]
    events = [task(f"op{i}", f"10{i}", 0.5, args={"connection_id": value}) for i, value in enumerate(ids)]
    index = read(tmp_path, array(*metadata(), *events))
    assert index.events["connection_id"].to_list() == [10610, None, 77, None, 9007199254740993]


def test_kinds_are_task_types_on_streams_and_layers_elsewhere(tmp_path: Path) -> None:
    other = task("c", "120", 1.0, pid=5, tid=1)
    typeless = task("d", "130", 1.0)
    typeless["args"] = {}
    index = read(tmp_path, array(*metadata(), *metadata(5, "Overlap Analysis"), TASKS[0], other, typeless))
    kinds = dict(zip(names_of(index), index.events["kind"].to_list(), strict=True))
    assert {name: index.kinds[kind] for name, kind in kinds.items()} == {
        "Conv2D_0": "AI_CORE",
        "c": "Overlap Analysis",
        "d": "Ascend Hardware",
    }


@pytest.mark.parametrize(
    "odd",
    [
        {"args": {"list": [{"a": 1}, {"b": 2}], "text": 'x},{"name":"y'}},
        {"args": {"size(B)": float("inf"), "bandwidth(GB/s)": float("nan"), "low": -float("inf")}},
        {"args": ["no", "object"]},
        {"name": 'quoted \\" },{ "name":"fake","ph":"X","ts":1'},
        {"args": {"ts": 1, "dur": 2, "name": "inner", "ph": "C"}},
    ],
    ids=["nested", "NaN", "array", "borders in a name", "inner keys"],
)
def test_odd_events_do_not_disturb_others(tmp_path: Path, odd: dict[str, object]) -> None:
    events = [task(f"op{i}", f"{100 + i}", 0.5) for i in range(12)]
    events[6] |= odd
    index = read(tmp_path, array(*metadata(), *events))
    assert names_of(index) == [str(event["name"]) for event in events]
    assert index.events["duration_ns"].to_list() == [500] * 12
    texts = [json.loads(event_text(index, number)) for number in range(12)]
    assert [text["ts"] for text in texts] == [event["ts"] for event in events]
    assert index.notices == ()


def test_arguments_are_letter_for_letter(tmp_path: Path) -> None:
    event = (
        '{"args": {"a\\"b": NaN, "n": 1.50, "big": 18446744073709551615, "t": "x\\ty", "o": {"k": [1, 2.0]},'
        ' "none": null}, "name": "z", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "ph": "X"}'
    )
    index = read(tmp_path, f"[{event}]")
    assert event_text(index, 0) == event
    assert event_args(index, 0) == {
        'a"b': "NaN",
        "n": "1.50",
        "big": "18446744073709551615",
        "t": "x\ty",
        "o": '{"k": [1, 2.0]}',
        "none": "null",
    }


def test_a_changed_file_is_said_where_its_text_is_asked_for(tmp_path: Path) -> None:
    index = read(tmp_path, array(*metadata(), *TASKS))
    index.files[0].path.write_text("[]")
    with pytest.raises(
        UnreadableError, match=r"msprof_slice_0_20260921101601.json was changed since it was read"
    ):
        event_text(index, 0)


def test_progress_cancels(tmp_path: Path) -> None:
    capture = timeline_capture(tmp_path, {"msprof_20260921101601.json": array(*metadata(), *TASKS)})
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> bool:
        seen.append((done, total))
        return done == 0

    with pytest.raises(CancelledError):
        read_trace(capture.export, "msprof", progress=progress)
    size = len(array(*metadata(), *TASKS))
    assert seen[0] == (0, size)
    assert 0 < seen[-1][0] <= size


def test_partial_indexes_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_files, "FIRST_LOOK", 600)
    monkeypatch.setattr(file_parts, "HEAD", 300)
    monkeypatch.setattr(file_parts, "BLOCK", 420)
    events = [task(f"op{i}", f"{100 + i}", 0.5) for i in range(100)]
    looks: list[TraceIndex] = []
    capture = timeline_capture(tmp_path, {"msprof_20260921101601.json": array(*metadata(), *events)})
    index = read_trace(capture.export, "msprof", partial=looks.append)
    heights = [len(look.events) for look in looks]
    assert heights == sorted(set(heights))
    assert 2 <= len(looks) <= 6
    assert not any(look.complete for look in looks)
    assert names_of(looks[-1]) == names_of(index)[: heights[-1]]
    assert index.complete


def test_msprof_is_first_among_the_names(tmp_path: Path) -> None:
    text = array(*metadata(), *TASKS)
    names = (
        "task_time_0_1_1",
        "msprof_0_1_1",
        "hccl_0_1_1",
        "acl_0_1_1",
        "ge_op_execute_0_1_1",
        "step_trace_0_1_1",
    )
    files: dict[str, str | bytes] = {f"device_0/timeline/{name}.json": text for name in names}
    files["device_0/timeline/msprof_tx_0_1.json"] = b""
    export = timeline_capture(tmp_path, files).export
    assert trace_names(export) == ["msprof", "step_trace", "task_time", "acl", "ge_op_execute", "hccl"]


def test_a_timeline_that_is_not_there(tmp_path: Path, shared_case: Callable[[str], Path]) -> None:
    capture = timeline_capture(
        tmp_path, {"msprof_20260921101601.json": b"", "step_trace_20260921101601.json": "[]"}
    )
    with pytest.raises(UnreadableError, match=r"msprof_20260921101601.json is empty \(0 bytes\)"):
        read_trace(capture.export, "msprof")
    with pytest.raises(UnreadableError, match="There is no hccl timeline in this export"):
        read_trace(capture.export, "hccl")
    empty = read_trace(capture.export, "step_trace")
    assert (len(empty.events), empty.lanes, empty.span) == (0, (), (0, 0))
    assert empty.notices == ("step_trace_20260921101601.json holds no events.",)


def test_the_first_pid_of_hardware_is_no_device(tmp_path: Path) -> None:
    index = read(tmp_path, array(*metadata(HARDWARE, label="NPU"), TASKS[0]))
    assert [lane.device for lane in index.lanes] == [0]
