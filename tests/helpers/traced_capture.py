"""The small capture with a timeline: host calls that launch its ops, communication, a counter.

In each iteration of model 11 (window 100 to 800 us after its begin) the host's Model@execute holds three
launches, the ops of op_summary run, and an all-reduce from 500 to 560 us, of which nothing computes at 60.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.write import MERGED_DIRECTORY, STAMP
from tests.helpers.small_capture import at, small_capture

Event = dict[str, Any]
HOST, HARDWARE, COMMUNICATION, FREQUENCY = 100, 200, 300, 400
"""pids."""
EVENTS_OF_AN_ITERATION = 1 + 3 + 3 + 1
TIMELINE = f"msprof_{STAMP}.json"


def traced_capture(parent: Path, *, tables: bool = True) -> OpenCapture:
    """``tables``: with op_summary and op_statistic, else the timeline and the step trace only."""
    capture = small_capture(parent)
    folder = capture.path / MERGED_DIRECTORY
    (folder / TIMELINE).write_text(json.dumps(list(events()), separators=(",", ":")))
    if not tables:
        for name in ("op_summary", "op_statistic"):
            (folder / f"{name}_{STAMP}.csv").unlink()
    return OpenCapture(capture.path)


def events() -> Iterator[Event]:
    yield from _named(HOST, "CANN", "CPU", 1, {1: "Thread 1"})
    yield from _named(HARDWARE, "Ascend Hardware", "NPU 0", 2, {n: f"Stream {n}" for n in (2, 3, 4)})
    yield from _named(COMMUNICATION, "Communication", "NPU 0", 3, {0: "Group 0 Communication"})
    yield from _named(FREQUENCY, "AI Core Freq", "NPU 0", 4, {})
    for iteration in (1, 2, 3, 4):
        yield from _iteration(iteration)


def _named(pid: int, layer: str, label: str, sort: int, threads: dict[int, str]) -> Iterator[Event]:
    def metadata(what: str, tid: int, **args: object) -> Event:
        return {"name": what, "pid": pid, "tid": tid, "ph": "M", "args": args}

    yield metadata("process_name", 0, name=layer)
    yield metadata("process_labels", 0, labels=label)
    yield metadata("process_sort_index", 0, sort_index=sort)
    for tid, thread in threads.items():
        yield metadata("thread_name", tid, name=thread)


def _iteration(number: int) -> Iterator[Event]:
    begin = 1000 * number + (1000 if number == 4 else 0)
    yield _slice("Model@execute", HOST, 1, begin + 90, 400)
    ops = [
        ("MatMul", "AI_CORE", 2, 100, 100.5 + number),
        ("Cast", "AI_VECTOR_CORE", 3, 250, 50.0),
        ("TopK", "AI_CPU", 4, 400, 30.0),
    ]
    for place, (name, task_type, stream, after, length) in enumerate(ops):
        connection = 10 * number + place
        flow = {"name": f"HostToDevice{connection}", "cat": "HostToDevice", "id": str(connection << 32)}
        launched = begin + after - 5
        yield _slice("Node@launch", HOST, 1, launched, 3, connection_id=connection)
        yield {**flow, "pid": HOST, "tid": 1, "ts": at(launched), "ph": "s"}
        args = {"Model Id": 11, "Task Type": task_type, "Task Id": number, "connection_id": connection}
        yield _slice(f"{name}_{number}", HARDWARE, stream, begin + after, length, **args)
        yield {**flow, "pid": HARDWARE, "tid": stream, "ts": at(begin + after), "ph": "f", "bp": "e"}
    yield _slice(f"hcom_allReduce__{number}", COMMUNICATION, 0, begin + 500, 60)
    yield {
        "name": "AI Core Freq",
        "pid": FREQUENCY,
        "tid": 0,
        "ts": at(begin + 100),
        "ph": "C",
        "args": {"MHz": 1000 + 100 * number},
    }


def _slice(name: str, pid: int, tid: int, begin_us: int, length_us: float, **args: object) -> Event:
    return {
        "name": name,
        "pid": pid,
        "tid": tid,
        "ts": at(begin_us),
        "dur": length_us,
        "ph": "X",
        "args": args,
    }
