"""Communication in steady iterations as a timeline has it: interval arithmetic over all streams.

What ``timelines`` sums from op_summary knows neither communication that the table leaves out nor which
kernels the exporter does not count as computing (vendor-analyses.md section 4, *Overlap analysis*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.findings.finding import TimelineEvidence
from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.run.devices import DeviceRun
from prof_tui.data.spans.frames import clipped
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.overlap import Overlap, OverlapSpans, device_window, overlap_devices
from prof_tui.data.timeline.trace_steps import window_of
from prof_tui.data.timeline.windows import overlap_spans


@dataclass(frozen=True)
class TracedCommunication:
    """Sums over the windows that the timeline holds."""

    windows: int
    """Steady iterations of all devices; 1 where the whole capture counts."""
    window_ns: int
    """Their lengths added up."""
    communication_ns: int
    not_overlapped_ns: int
    place: TimelineEvidence
    """The longest stretch not overlapped, in the iteration that has most of it."""

    def per_iteration(self, total_ns: int) -> int:
        return round(total_ns / self.windows)


@dataclass(frozen=True)
class _Window:
    """An iteration, or all of a device, with the device's unions."""

    device: int | None
    step: Step | None
    spans: OverlapSpans
    sums: Overlap

    @property
    def place(self) -> TimelineEvidence:
        stretches = clipped(self.spans.not_overlapped, self.sums.window)
        length = pl.col("end_ns") - pl.col("begin_ns")
        longest = stretches.sort(length, descending=True, maintain_order=True).head(1)
        begin_ns, end_ns = longest.row(0) if len(longest) else self.sums.window
        if self.step is None:
            return TimelineEvidence(self.device, begin_ns, end_ns)
        return TimelineEvidence(self.device, begin_ns, end_ns, self.step.model, self.step.iteration)


def traced_communication(
    index: TraceIndex, devices: Sequence[DeviceRun], *, by_iteration: bool, device: int | None = None
) -> TracedCommunication | None:
    """Over the steady iterations of the models looked at, or everything, of ``device`` alone if there is one.

    None where nothing communicates.
    """
    of_each = (_of_device(index, run) for run in devices)
    windows = [each for own in of_each for each in own] if by_iteration else list(_whole(index, device))
    communication_ns = sum(each.sums.communication_ns for each in windows)
    if not communication_ns:
        return None
    most = max(windows, key=lambda each: each.sums.not_overlapped_ns)
    return TracedCommunication(
        len(windows) if by_iteration else 1,
        sum(each.sums.window[1] - each.sums.window[0] for each in windows),
        communication_ns,
        sum(each.sums.not_overlapped_ns for each in windows),
        most.place,
    )


def _of_device(index: TraceIndex, run: DeviceRun) -> Iterator[_Window]:
    known = overlap_devices(index)
    device = run.device if run.device in known else None
    held = held_windows(index, run)
    if device not in known or not held:
        return
    spans, _file = overlap_spans(index, device)
    windows = pl.DataFrame(
        [window for _step, window in held],
        schema=dict.fromkeys(("begin_ns", "end_ns"), pl.Int64),
        orient="row",
    )
    sums = spans.per_window(windows)
    for (step, window), own in zip(held, sums.iter_rows(named=True), strict=True):
        overlap = Overlap(
            window, own["computing_ns"], own["communication_ns"], own["not_overlapped_ns"], own["free_ns"]
        )
        yield _Window(run.device, step, spans, overlap)


def held_windows(index: TraceIndex, run: DeviceRun) -> list[tuple[Step, Span]]:
    """The iterations that count and that the timeline has, with their windows."""
    return [
        (step, window) for step in run.usual if (window := window_of(step)) and _holds(index, step, window)
    ]


def _holds(index: TraceIndex, step: Step, window: Span) -> bool:
    """Whether the timeline has an iteration: its files may be those of single iterations."""
    exported = {file.iteration for file in index.files}
    inside = window[0] < index.span[1] and index.span[0] < window[1]
    return inside and (None in exported or step.iteration in exported)


def _whole(index: TraceIndex, chosen: int | None) -> Iterator[_Window]:
    known = overlap_devices(index)
    for device in known:
        if chosen in (None, device) or known == [None]:
            spans, _file = overlap_spans(index, device)
            yield _Window(device, None, spans, spans.within(device_window(index, device)))
