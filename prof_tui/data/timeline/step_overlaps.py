"""Computing, communication and idle time of every iteration, from a timeline."""

from __future__ import annotations

from collections import defaultdict

import polars as pl

from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.overlap import PARTS, Overlap, overlap_devices
from prof_tui.data.timeline.trace_steps import window_of
from prof_tui.data.timeline.windows import overlap_spans


def step_overlaps(index: TraceIndex, trace: StepTrace) -> list[Overlap | None]:
    """One per step of ``trace``; None where the timeline holds nothing of its window or device.

    Empty where it holds nothing at all, and where part of it could not be read: a sum of what is left
    would look like one of everything.
    """
    if index.damaged:
        return []
    found: list[Overlap | None] = [None] * len(trace.steps)
    devices = overlap_devices(index)
    of_device: dict[int | None, list[tuple[int, int, int]]] = defaultdict(list)
    for place, step in enumerate(trace.steps):
        window = window_of(step)
        device = step.device if step.device in devices else None
        held = window is not None and window[0] < index.span[1] and index.span[0] < window[1]
        if window is not None and held and device in devices:
            of_device[device].append((place, *window))
    for device, rows in of_device.items():
        own, _file = overlap_spans(index, device)
        schema = {"place": pl.Int64, "begin_ns": pl.Int64, "end_ns": pl.Int64}
        sums = own.per_window(pl.DataFrame(rows, schema=schema, orient="row"))
        columns = ["place", "begin_ns", "end_ns", *(f"{part}_ns" for part in PARTS)]
        for place, begin_ns, end_ns, *parts in sums.select(columns).iter_rows():
            found[place] = Overlap((begin_ns, end_ns), *parts)
    return found if any(found) else []
