"""Lanes of a timeline: threads and counters by the names that its metadata gives them, early or late.

pids differ from file to file and device to device (quirks.md 22), so lanes of several files are told apart
by layer, label, device, thread name and tid; within one file, or the slices of one, by pid and tid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from prof_tui.data.timeline.model import (
    COMMUNICATION_LAYERS,
    HARDWARE_LAYERS,
    HOST_LAYERS,
    OVERLAP_LAYER,
    TraceLane,
)
from prof_tui.data.timeline.read.json_scan import decoder

_NPU = re.compile(r"NPU (\d+)")
_DEVICE_BITS = 31
"""``pid & 31`` is the device and 31 the host, ``pid >> 5 & 31`` the layer (formats.md section 4)."""
_SMALLEST_COMPOSITE = 1 << 10
_LAST = 1 << 70
"""Sorts what has no sort index behind what has one."""
_decode = decoder().decode


@dataclass(frozen=True)
class Document:
    """Files that share their pids: the slices of one timeline."""

    device: int | None
    """What the file's name says."""


@dataclass
class _Process:
    layer: str = ""
    label: str = ""
    sort_index: int | None = None
    threads: dict[str, str] = field(default_factory=dict)
    """Name by tid."""
    thread_indices: dict[str, int] = field(default_factory=dict)


Thread = tuple[int, str, str]
"""Document, pid, tid."""
Counter = tuple[int, str, str, str]
"""Document, pid, name of the event and of the argument."""


@dataclass(frozen=True)
class Lanes:
    """The lanes in the order in which they are shown, and the one of each thread and counter."""

    lanes: tuple[TraceLane, ...]
    of_thread: list[int]
    of_counter: list[int]


def find_lanes(
    documents: Sequence[Document],
    metadata: Iterable[tuple[int, str]],
    threads: Sequence[Thread],
    counters: Sequence[Counter],
    only_device: int | None,
) -> Lanes:
    """``metadata``: document and JSON of each M event; ``only_device``: that of a capture with just one."""
    processes = _processes(metadata, threads, counters)
    named = [(document, pid, tid) for (document, pid), each in processes.items() for tid in each.threads]
    found = _Found(documents, processes, only_device)
    for thread in [*threads, *named]:
        found.add_thread(thread)
    for counter in counters:
        found.add_counter(counter)
    return found.sorted(threads, counters)


def _processes(
    metadata: Iterable[tuple[int, str]], threads: Sequence[Thread], counters: Sequence[Counter]
) -> dict[tuple[int, str], _Process]:
    """By document and pid, in the order in which they are first seen."""
    processes: dict[tuple[int, str], _Process] = {}
    for document, text in metadata:
        event = _decode(text)
        process = processes.setdefault((document, _text(event.get("pid"))), _Process())
        arguments = event.get("args")
        _describe(process, event, arguments if isinstance(arguments, dict) else {})
    for key in [*(thread[:2] for thread in threads), *(counter[:2] for counter in counters)]:
        processes.setdefault(key, _Process())
    return processes


def _describe(process: _Process, event: dict[str, Any], arguments: dict[str, Any]) -> None:
    tid = _text(event.get("tid"))
    match event.get("name"):
        case "process_name":
            process.layer = process.layer or _text(arguments.get("name"))
        case "process_labels":
            process.label = process.label or _text(arguments.get("labels"))
        case "process_sort_index" if process.sort_index is None:
            process.sort_index = _index(arguments.get("sort_index"))
        case "thread_name":
            process.threads.setdefault(tid, _text(arguments.get("name")))
        case "thread_sort_index" if (index := _index(arguments.get("sort_index"))) is not None:
            process.thread_indices.setdefault(tid, index)


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _index(value: Any) -> int | None:
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None


_LaneKey = tuple[Any, ...]


class _Found:
    """The distinct lanes so far, with what they are sorted by."""

    def __init__(
        self,
        documents: Sequence[Document],
        processes: dict[tuple[int, str], _Process],
        only_device: int | None,
    ) -> None:
        self._documents = documents
        self._processes = processes
        self._only_device = only_device
        self._keys: dict[tuple[int, str], _LaneKey] = {}
        """What a process of one document and that of another have in common."""
        self._orders: dict[_LaneKey, tuple[int, int]] = {}
        """Sort index and place of a process."""
        self._lanes: dict[_LaneKey, tuple[tuple[Any, ...], TraceLane]] = {}
        """What a lane is sorted by, and the lane."""
        self._name_processes()

    def _name_processes(self) -> None:
        taken: dict[tuple[Any, ...], int] = {}
        for place, ((document, pid), process) in enumerate(self._processes.items()):
            layer = process.layer or f"pid {pid}"
            device = device_of(layer, process, pid, self._documents[document], self._only_device)
            alike = (document, layer, process.label, device)
            key = (layer, process.label, device, taken.setdefault(alike, 0))
            taken[alike] += 1
            self._keys[document, pid] = key
            index = _LAST if process.sort_index is None else process.sort_index
            self._orders.setdefault(key, (index, place))

    def _process(self, document: int, pid: str) -> tuple[_LaneKey, tuple[int, int]]:
        key = self._keys[document, pid]
        return key, self._orders[key]

    def add_thread(self, thread: Thread) -> None:
        document, pid, tid = thread
        process = self._processes[document, pid]
        own, order = self._process(document, pid)
        name = process.threads.get(tid) or f"tid {tid}"
        index = process.thread_indices.get(tid, _LAST)
        lane = TraceLane(own[0], own[1], own[2], name)
        self._lanes.setdefault(
            (*own, name, tid), ((*order, False, index, _index(tid) or 0, tid, len(self._lanes)), lane)
        )

    def add_counter(self, counter: Counter) -> None:
        document, pid, name, key = counter
        own, order = self._process(document, pid)
        title = name if key in (name, "") else f"{name} {key}"
        lane = TraceLane(own[0], own[1], own[2], title, is_counter=True)
        place = len(self._lanes)
        self._lanes.setdefault((*own, name, key, "C"), ((*order, True, place, 0, "", place), lane))

    def sorted(self, threads: Sequence[Thread], counters: Sequence[Counter]) -> Lanes:
        ordered = sorted(self._lanes, key=lambda key: self._lanes[key][0])
        number = {key: place for place, key in enumerate(ordered)}
        return Lanes(
            tuple(self._lanes[key][1] for key in ordered),
            [number[self._thread_key(thread)] for thread in threads],
            [number[(*self._keys[each[0], each[1]], *each[2:], "C")] for each in counters],
        )

    def _thread_key(self, thread: Thread) -> _LaneKey:
        document, pid, tid = thread
        name = self._processes[document, pid].threads.get(tid) or f"tid {tid}"
        return (*self._keys[document, pid], name, tid)


def device_of(
    layer: str, process: _Process, pid: str, document: Document, only_device: int | None
) -> int | None:
    """The device whose events a process holds, None for the host's."""
    if match := _NPU.fullmatch(process.label):
        return int(match.group(1))
    on_device = process.label.startswith("NPU") or layer in (
        HARDWARE_LAYERS | COMMUNICATION_LAYERS | {OVERLAP_LAYER}
    )
    if not on_device and (process.label.startswith("CPU") or layer in HOST_LAYERS):
        return None
    if document.device is not None:
        return document.device
    if only_device is not None or not process.layer:
        return only_device if process.layer else None
    number = int(pid) if pid.isascii() and pid.isdigit() else 0
    if on_device and number >= _SMALLEST_COMPOSITE and number & _DEVICE_BITS != _DEVICE_BITS:
        return number & _DEVICE_BITS
    return None
