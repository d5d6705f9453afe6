"""Which lane an event is on: by names, over files that number their processes differently."""

import json
from pathlib import Path
from typing import Any

from prof_tui.data.timeline.model import TraceLane
from prof_tui.data.timeline.read.files import read_trace
from tests.helpers.trace_reading import US, array, events_of, metadata, names_of, read, task, timeline_capture


def named(
    pid: int, layer: str, label: str, sort_index: int | None = None, **threads: str
) -> list[dict[str, Any]]:
    """A process; ``threads``: name by ``t`` and tid."""
    found = metadata(pid, layer, label)[:2]
    if sort_index is not None:
        found.append(
            {"name": "process_sort_index", "pid": pid, "ph": "M", "args": {"sort_index": sort_index}}
        )
    for tid, name in threads.items():
        found.append(
            {"name": "thread_name", "pid": pid, "tid": int(tid[1:]), "ph": "M", "args": {"name": name}}
        )
    return found


def order(pid: int, tid: int, index: int) -> dict[str, Any]:
    return {"name": "thread_sort_index", "pid": pid, "tid": tid, "ph": "M", "args": {"sort_index": index}}


def test_lanes_follow_the_sort_indices(tmp_path: Path) -> None:
    text = array(
        *named(30, "Overlap Analysis", "NPU 0", 30, t1="Computing"),
        *named(13, "Ascend Hardware", "NPU 0", 13, t9="Stream 9", t10="Stream 10", t2="Stream 2"),
        order(13, 2, 70),
        order(13, 10, 5),
        *named(7, "CANN", "CPU", 7, t1="Thread 1"),
        *named(99, "HBM", "NPU 0"),
        task("x", "100", 1.0, pid=99, tid=3),
    )
    lanes = [(lane.layer, lane.thread) for lane in read(tmp_path, text).lanes]
    assert lanes == [
        ("CANN", "Thread 1"),
        ("Ascend Hardware", "Stream 10"),
        ("Ascend Hardware", "Stream 2"),
        ("Ascend Hardware", "Stream 9"),
        ("Overlap Analysis", "Computing"),
        ("HBM", "tid 3"),
    ]


def test_planes_of_two_groups_stay_apart(tmp_path: Path) -> None:
    names = {"t0": "Group a Communication", "t1": "Plane 0", "t2": "Group b Communication", "t3": "Plane 0"}
    events = [task("one", "100", 1.0, pid=5, tid=1), task("two", "100", 1.0, pid=5, tid=3)]
    index = read(tmp_path, array(*named(5, "Communication", "NPU 0", 9, **names), *events))
    assert [lane.thread for lane in index.lanes] == list(names.values())
    assert index.events["row"].to_list() == [0, 0]


def test_two_host_processes_of_one_name_stay_apart(tmp_path: Path) -> None:
    text = array(*named(100, "CANN", "CPU", 1, t1="Thread 1"), *named(200, "CANN", "CPU", 1, t1="Thread 1"))
    assert len(read(tmp_path, text).lanes) == 2


def test_devices_by_label_and_by_composite_pid(tmp_path: Path) -> None:
    pid = (77 << 10) | (13 << 5)
    text = array(
        *named(pid | 3, "Ascend Hardware", "NPU", 1, t1="Stream 1"),
        *named(pid | 4, "Ascend Hardware", "NPU 2", 2, t1="Stream 1"),
        *named(pid | 31, "CANN", "CPU", 3, t1="Thread 1"),
        *named(pid | 5, "Python", "", 4, t1="Thread 1"),
        task("x", "100", 1.0, pid=8, tid=1),
    )
    capture = timeline_capture(tmp_path, {"msprof_20260921101601.json": text})
    (capture.path / "device_1").mkdir()
    lanes = read_trace(capture.export, "msprof").lanes
    assert [lane.device for lane in lanes] == [3, 2, None, None, None]
    assert lanes[-1] == TraceLane("pid 8", "", None, "tid 1")


def per_iteration(iteration: int, device: int = 0) -> str:
    """A file of the old layout: pids of its own, the whole step trace, a task of its iteration."""
    steps = [
        {
            "name": f"Iteration {i}",
            "pid": 3 + iteration,
            "tid": 9,
            "ts": float(1000 * i),
            "dur": 900.0,
            "ph": "X",
        }
        for i in (1, 2)
    ]
    bound = {
        "name": "Data_aug Bound 1",
        "cat": "Data_aug Bound",
        "ph": "s",
        "ts": 1900.0,
        "tid": 9,
        "id": "Data_aug 1",
    }
    threads = {"t9": "Step Trace(Model ID:2)", "t2": "Stream 2"}
    return json.dumps(
        [
            *named(3 + iteration, "Ascend Hardware", "NPU", 3, **threads),
            *steps,
            bound | {"pid": 3 + iteration},
            {
                "name": "Cast",
                "pid": 3 + iteration,
                "tid": 2,
                "ts": 1000.0 * iteration + device,
                "dur": 5,
                "ph": "X",
            },
            {
                "name": "Cast",
                "pid": 3 + iteration,
                "tid": 2,
                "ts": 1000.0 * iteration + device,
                "dur": 5,
                "ph": "X",
            },
            *named(40 + iteration, "CANN", "CPU", 1, t7="Thread 7"),
            {"name": "host", "pid": 40 + iteration, "tid": 7, "ts": 1000.0 * iteration, "dur": 1, "ph": "X"},
        ]
    )


def test_files_of_iterations_and_devices_make_one_timeline(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"device_{device}/timeline/msprof_{device}_2_{iteration}.json": per_iteration(iteration, device)
        for device in (0, 1)
        for iteration in (1, 2)
    }
    index = read_trace(timeline_capture(tmp_path, files).export, "msprof")
    assert [(lane.thread, lane.device) for lane in index.lanes] == [
        ("Thread 7", None),
        ("Stream 2", 0),
        ("Step Trace(Model ID:2)", 0),
        ("Stream 2", 1),
        ("Step Trace(Model ID:2)", 1),
    ]
    assert [(file.device, file.model, file.iteration) for file in index.files] == [
        (0, 2, 1),
        (0, 2, 2),
        (1, 2, 1),
        (1, 2, 2),
    ]
    assert index.lane_events == ((0, 2), (2, 6), (6, 8), (8, 12), (12, 14))
    device = [*["Cast"] * 4, "Iteration 1", "Iteration 2"]
    assert names_of(index) == ["host", "host", *device, *device]
    assert index.phases == {"M": 36, "X": 20, "s": 4}
    assert len(index.flows) == 2
    assert sorted(index.flows["lane"].to_list()) == [2, 4]


def test_repeated_events_within_one_file_are_kept(tmp_path: Path) -> None:
    twice = [task("op", "100", 1.0), task("op", "100", 1.0)]
    index = read(tmp_path, array(*metadata(), *twice), array(*metadata(), twice[0]))
    assert [event[1] for event in events_of(index)] == [0, 1, 2]


def test_step_traces_alone_hold_every_device_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"device_{device}/timeline/step_trace_{device}_2_{iteration}.json": per_iteration(1, device)
        for device in (0, 1)
        for iteration in (1, 2)
    }
    index = read_trace(timeline_capture(tmp_path, files).export, "step_trace")
    assert [file.device for file in index.files] == [0, 1]


def test_a_name_in_a_later_slice_counts_for_all(tmp_path: Path) -> None:
    index = read(tmp_path, array(task("op", "100", 1.0)), array(*metadata()))
    assert index.lanes == (TraceLane("Ascend Hardware", "NPU 0", 0, "Stream 2"),)
    assert index.events["start_ns"].to_list() == [int(US + "100") * 1000]
