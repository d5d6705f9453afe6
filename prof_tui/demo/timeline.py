"""The trace JSON of a made-up run (formats.md 4).

Host launches, tasks of the streams, iterations, communication and its overlap with computing.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from prof_tui.data.spans.span import complement, union
from prof_tui.demo.run import COMMUNICATION, Op, Step
from prof_tui.demo.tables import Layout
from prof_tui.words import microseconds

Event = dict[str, Any]

HOST_PROCESS_ID = 195781
_HOST_DEVICE = 31
_LAUNCH_AHEAD_NS = 60_000
_LAYERS = {
    "CANN": 0,
    "Ascend Hardware": 5,
    "Step Trace": 6,
    "Communication": 7,
    "HCCL": 7,
    "Overlap Analysis": 8,
}


def _process(layer: str, device: int) -> int:
    """pid as the C++ exporter composes it: process, layer, device."""
    place = _HOST_DEVICE if layer == "CANN" else device
    return (HOST_PROCESS_ID << 10 | _LAYERS[layer] << 5 | place) & 0xFFFFFFFF


def _names(layer: str, device: int, threads: Iterable[tuple[int, str]]) -> Iterator[Event]:
    process = {"pid": _process(layer, device), "ph": "M"}
    labels = "CPU" if layer == "CANN" else f"NPU {device}"
    yield {"name": "process_name", "tid": 0, **process, "args": {"name": layer}}
    yield {"name": "process_labels", "tid": 0, **process, "args": {"labels": labels}}
    yield {"name": "process_sort_index", "tid": 0, **process, "args": {"sort_index": _LAYERS[layer]}}
    for thread, name in threads:
        yield {"name": "thread_name", "tid": thread, **process, "args": {"name": name}}
        yield {"name": "thread_sort_index", "tid": thread, **process, "args": {"sort_index": thread}}


class _Device:
    """The events of one device in one layout; ``ts`` is text in the new and a number in the old."""

    def __init__(self, device: int, ops: Sequence[Op], steps: Sequence[Step], layout: Layout) -> None:
        self.device, self.layout = device, layout
        self.ops = [op for op in ops if op.device == device]
        self.steps = [step for step in steps if step.device == device]
        self.ts: Callable[[int], str | float] = microseconds if layout == "new" else _float_us

    def span(
        self, layer: str, thread: int, name: str, start_ns: int, duration_ns: int, **args: object
    ) -> Event:
        event: Event = {"name": name, "pid": _process(layer, self.device), "tid": thread}
        event |= {"ts": self.ts(start_ns), "dur": _float_us(duration_ns), "ph": "X"}
        return {**event, "args": args}

    def hardware(self) -> Iterator[Event]:
        streams = sorted({op.stream_id for op in self.ops})
        yield from _names(
            "Ascend Hardware", self.device, ((stream, f"Stream {stream}") for stream in streams)
        )
        for connection, op in enumerate(self.ops, start=1):
            task_type = "NOTIFY_WAIT" if op.task_type == COMMUNICATION else op.task_type
            name = op.name if task_type == op.task_type else task_type
            args: dict[str, object] = {"Task Type": task_type, "Task Id": op.task_id, "Batch Id": 0}
            if self.layout == "new":
                args |= {"Model Id": op.model_id, "Physic Stream Id": op.stream_id, "Subtask Id": 4294967295}
                args |= {"connection_id": connection}
            else:
                args |= {"Stream Id": op.stream_id}
            yield self.span("Ascend Hardware", op.stream_id, name, op.start_ns, op.duration_ns, **args)
            yield from self.flow("f", "Ascend Hardware", op.stream_id, connection, op.start_ns)

    def flow(self, phase: str, layer: str, thread: int, connection: int, at_ns: int) -> Iterator[Event]:
        """One end of the arrow from a launch to its task; the old layout has none."""
        if self.layout == "new":
            number = str(connection << 32)
            event: Event = {
                "name": f"HostToDevice{number}",
                "pid": _process(layer, self.device),
                "tid": thread,
            }
            event |= {"ph": phase, "cat": "HostToDevice", "id": number, "ts": self.ts(at_ns)}
            yield event | ({"bp": "e"} if phase == "f" else {})

    def host(self) -> Iterator[Event]:
        """One launch per op, early enough, none before the launch that precedes it has returned."""
        thread, free_ns = HOST_PROCESS_ID + self.device, 0
        yield from _names("CANN", self.device, [(thread, f"Thread {thread}")])
        for connection, op in enumerate(self.ops, start=1):
            start_ns = max(op.start_ns - _LAUNCH_AHEAD_NS, free_ns)
            duration_ns = min(3_250, op.start_ns - start_ns)
            free_ns = start_ns + duration_ns
            args = {"Thread Id": thread, "Mode": "launch", "level": "node", "item_id": op.name}
            yield self.span(
                "CANN", thread, "Node@launch", start_ns, duration_ns, **args, connection_id=connection
            )
            yield from self.flow("s", "CANN", thread, connection, start_ns)

    def communication(self) -> Iterator[Event]:
        ops = [op for op in self.ops if op.task_type == COMMUNICATION]
        if not ops:
            return
        layer, kernels = ("Communication", "Group 0 Communication")
        if self.layout == "old":
            layer, kernels = ("HCCL", "Communication Kernel")
        yield from _names(layer, self.device, [(2, kernels), (3, "Plane 0")])
        for op in ops:
            args = {"model id": op.model_id, "data_type": "FP16", "alg_type": "RING-RING", "count": 3145728}
            yield self.span(layer, 2, op.name, op.start_ns, op.duration_ns, **args)
            args = {"size(Byte)": 6291456, "transport type": "SDMA", "link type": "HCCS"}
            yield self.span(layer, 3, "Reduce_Inline", op.start_ns, op.duration_ns, **args)

    def overlap(self) -> Iterator[Event]:
        """Unions of intervals (vendor-analyses.md): computing, communication, the latter alone, neither."""
        computing = union((op.start_ns, op.end_ns) for op in self.ops if op.task_type != COMMUNICATION)
        communicating = union((op.start_ns, op.end_ns) for op in self.ops if op.task_type == COMMUNICATION)
        busy = union([*computing, *communicating])
        free = [(before[1], after[0]) for before, after in pairwise(busy)]
        lanes = {"Computing": computing, "Communication": communicating}
        alone = [span for own in communicating for span in complement(union(computing, *own), *own)]
        lanes |= {"Communication(Not Overlapped)": alone, "Free": free}
        yield from _names("Overlap Analysis", self.device, enumerate(lanes))
        for thread, (name, intervals) in enumerate(lanes.items()):
            for start, end in intervals:
                yield self.span("Overlap Analysis", thread, name, start, end - start)

    def step_trace(self, layer: str = "Ascend Hardware") -> Iterator[Event]:
        """The iterations as bars, a thread per model."""
        models = sorted({step.model_id for step in self.steps})
        title = "Model ID:{}" if layer == "Step Trace" else "Step Trace(Model ID:{})"
        threads = {model: 70_000 + number for number, model in enumerate(models)}
        yield from _names(layer, self.device, ((threads[model], title.format(model)) for model in models))
        for step in self.steps:
            yield from self.iteration(step, layer, threads[step.model_id])

    def iteration(self, step: Step, layer: str, thread: int) -> Iterator[Event]:
        unit, scale = ("us", 1000) if self.layout == "new" else ("ns", 1)
        number = step.iteration_id

        def part(kind: str, start_ns: int, duration_ns: int, **args: object) -> Event:
            title = {"Iteration Time": f"Iteration {number}"}.get(kind, f"{kind} {number}")
            args |= {"Iteration ID": number, f"{kind}({unit})": duration_ns / scale}
            return self.span(layer, thread, title, start_ns, duration_ns, **args) | {"cat": kind}

        end = {"Iteration End": self.ts(step.iteration_end_ns)}
        yield part("Iteration Time", step.start_ns, step.iteration_time_ns, **end)
        if step.fp_start_ns is None or step.bp_end_ns is None:
            return
        marks = {"FP Start": self.ts(step.fp_start_ns), "BP End": self.ts(step.bp_end_ns)}
        yield part("FP_BP Time", step.fp_start_ns, step.bp_end_ns - step.fp_start_ns, **marks)
        yield part("Iteration Refresh", step.bp_end_ns, step.iteration_end_ns - step.bp_end_ns, **end)
        for group, (start_ns, duration_ns) in enumerate(step.reduces):
            bounds = {
                f"Reduce Start {group}": self.ts(start_ns),
                f"Reduce End {group}": self.ts(start_ns + duration_ns),
            }
            bar = self.span(layer, thread, f"Reduce_{number}_{group}", start_ns, duration_ns, **bounds)
            yield bar | {"cat": "Reduce"}


def _float_us(ns: int) -> float:
    return ns / 1000


def _text(events: Iterable[Event]) -> str:
    """A bare array on one line without a newline at its end."""
    return json.dumps(list(events), separators=(",", ":"))


def msprof_json(devices: Iterable[int], ops: Sequence[Op], steps: Sequence[Step], layout: Layout) -> str:
    """``msprof*.json``: every layer of these devices."""
    views = [_Device(number, ops, steps, layout) for number in devices]
    layers = (_Device.host, _Device.hardware, _Device.step_trace, _Device.communication, _Device.overlap)
    return _text(event for view in views for layer in layers for event in layer(view))


def step_trace_json(devices: Iterable[int], steps: Sequence[Step], layout: Layout) -> str:
    """``step_trace*.json``: the iterations alone."""
    layer = "Ascend Hardware" if layout == "new" else "Step Trace"
    return _text(
        event for number in devices for event in _Device(number, (), steps, layout).step_trace(layer)
    )
