"""Timelines of a few events, written by a test and read back whole."""

import json
from pathlib import Path
from typing import Any

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.read.files import read_trace

US = "1790000000000"
"""The first 13 of the 16 digits of a start in microseconds."""
HARDWARE = 10328512
"""pid of Ascend Hardware on device 0."""


def metadata(
    pid: int = HARDWARE, layer: str = "Ascend Hardware", label: str = "NPU 0"
) -> list[dict[str, Any]]:
    """A process with its label; Stream 2 is its thread 2."""
    return [
        {"name": "process_name", "pid": pid, "tid": 0, "ph": "M", "args": {"name": layer}},
        {"name": "process_labels", "pid": pid, "tid": 0, "ph": "M", "args": {"labels": label}},
        {"name": "thread_name", "pid": pid, "tid": 2, "ph": "M", "args": {"name": "Stream 2"}},
    ]


def task(name: str, at_us: str, dur: float | str, **more: Any) -> dict[str, Any]:
    """An event of Stream 2 at ``at_us``: three digits, and what is behind the point."""
    arguments = {"Task Type": "AI_CORE", **more.pop("args", {})}
    return {
        "name": name,
        "pid": HARDWARE,
        "tid": 2,
        "ts": US + at_us,
        "dur": dur,
        "ph": "X",
        "args": arguments,
        **more,
    }


def array(*events: dict[str, Any]) -> str:
    """As the exporter in C++ writes it: one line without white space."""
    return json.dumps(events, separators=(",", ":"))


def timeline_capture(folder: Path, files: dict[str, str | bytes]) -> OpenCapture:
    """``files``: text by path within the capture; a bare name stands in mindstudio_profiler_output."""
    capture = folder / "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
    for name in ("host", "device_0", "mindstudio_profiler_output"):
        (capture / name).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = capture / name if "/" in name else capture / "mindstudio_profiler_output" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return OpenCapture(capture)


def read(folder: Path, *texts: str | bytes) -> TraceIndex:
    """The msprof timeline whose slices these are."""
    files = {f"msprof_slice_{i}_20260921101601.json": text for i, text in enumerate(texts)}
    return read_trace(timeline_capture(folder, files).export, "msprof")


def events_of(index: TraceIndex) -> list[tuple[str, int, int, int, str]]:
    """Thread, row, start in ns from the first one, duration in ns and name of each event, in index order."""
    first = index.events["start_ns"].min() if len(index.events) else 0
    frame = index.events.with_columns(start_ns=index.events["start_ns"] - first)
    columns = frame.select("lane", "row", "start_ns", "duration_ns", "name").rows()
    return [(index.lanes[lane].thread, *rest) for lane, *rest in columns]


def names_of(index: TraceIndex) -> list[str]:
    return [str(name) for name in index.events["name"].to_list()]
