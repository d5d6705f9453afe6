"""What a timeline says of the iterations that count: communication, and who waits for the host.

Sums over op_summary know neither communication that the table leaves out nor when an op was launched
(vendor-analyses.md section 4, *Overlap analysis*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.findings.finding import TimelineEvidence
from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.run.periods import ModelRun
from prof_tui.data.spans.frames import NO_SPANS, clipped
from prof_tui.data.spans.span import Span, overlap
from prof_tui.data.timeline.events import op_lanes
from prof_tui.data.timeline.gaps import gaps_of, host_calls_in
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.overlap import (
    PARTS,
    Overlap,
    OverlapSpans,
    device_window,
    overlap_devices,
    overlap_spans,
)

_Windows = Sequence[tuple[Step | None, Span]]
"""Windows that count, with their iterations; None for all of a device."""


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
    index: TraceIndex, devices: Sequence[ModelRun], *, by_iteration: bool, device: int | None = None
) -> TracedCommunication | None:
    """Over the steady iterations of the models looked at, or everything, of ``device`` alone if there is one.

    None where nothing communicates.
    """
    windows = [
        each
        for own, number, held in _windows(index, devices, by_iteration=by_iteration, chosen=device)
        for each in _overlaps(index, own, number, held)
    ]
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


def _overlaps(
    index: TraceIndex, device: int | None, number: int | None, windows: _Windows
) -> Iterator[_Window]:
    """The sums of a device of the timeline, which has a ``number`` in the tables, over each window."""
    if not windows:
        return
    spans, _file = overlap_spans(index, device)
    asked = pl.DataFrame([window for _step, window in windows], schema=NO_SPANS.schema, orient="row")
    found = spans.per_window(asked).select(f"{part}_ns" for part in PARTS)
    for (step, window), sums in zip(windows, found.iter_rows(), strict=True):
        yield _Window(number, step, spans, Overlap(window, *sums))


def _windows(
    index: TraceIndex, devices: Sequence[ModelRun], *, by_iteration: bool, chosen: int | None
) -> Iterator[tuple[int | None, int | None, _Windows]]:
    """Per device its number in the timeline and in the tables, and its windows with their iterations."""
    known = overlap_devices(index)
    if not by_iteration:
        for device in known:
            if chosen in (None, device) or known == [None]:
                yield device, device, [(None, device_window(index, device))]
        return
    for run in devices:
        own = run.device if run.device in known else None
        if own in known:
            yield own, run.device, held_windows(index, run)


def held_windows(index: TraceIndex, run: ModelRun) -> list[tuple[Step, Span]]:
    """The iterations that count and that the timeline has, with their windows."""
    return [(step, window) for step in run.usual if (window := step.window) and _holds(index, step, window)]


def _holds(index: TraceIndex, step: Step, window: Span) -> bool:
    """Whether the timeline has an iteration: its files may be those of single iterations."""
    exported = {file.iteration for file in index.files}
    return overlap(window, index.span) and (None in exported or step.iteration in exported)


# Waiting for the host

KEPT = 5
"""Gaps that are told of each device, those with most waiting."""
_KNOWN_SHARE = 0.9
"""Smallest share of gaps before an op whose launch is known; below it a timeline tells too little."""


@dataclass(frozen=True)
class HostGap:
    """A gap before an op whose launch is known."""

    place: TimelineEvidence
    waited_ns: int
    """From its begin to the begin of the launch, no longer than the gap; 0 where the host was early."""
    before: str
    """Name of the op that ended last before it."""
    after: str
    """Name of the op behind it."""
    host_call: str
    """The outermost host call that filled most of it; empty where there is none."""

    @property
    def length_ns(self) -> int:
        return self.place.end_ns - self.place.begin_ns


@dataclass(frozen=True)
class HostWaits:
    """Sums over the windows that the timeline holds."""

    windows: int
    """Iterations that count, of all devices; 1 where the whole capture counts."""
    window_ns: int
    """Their lengths added up."""
    gaps: int
    """Gaps before an op whose launch is known."""
    late: int
    """Gaps in which the host was late."""
    idle_ns: int
    """Length of all these gaps."""
    waited_ns: int
    """What of it passed before the host began to launch."""
    latest: tuple[HostGap, ...]
    """The gaps with most of it."""
    largest: tuple[HostGap, ...]
    """The largest gaps, whatever they waited for."""

    def per_iteration(self, total_ns: int) -> int:
        return round(total_ns / self.windows)


def host_waits(
    index: TraceIndex, devices: Sequence[ModelRun], *, by_iteration: bool, device: int | None = None
) -> HostWaits | None:
    """Over the iterations that count, or everything, of ``device`` alone if there is one.

    None where the timeline doesn't say what launched the ops.
    """
    parts = [
        part
        for own, _number, windows in _windows(index, devices, by_iteration=by_iteration, chosen=device)
        if windows and (part := _waits_of_device(index, own, windows)) is not None
    ]
    if not parts or not sum(part.gaps for part in parts):
        return None
    latest = sorted((gap for part in parts for gap in part.latest), key=lambda gap: -gap.waited_ns)
    largest = sorted((gap for part in parts for gap in part.largest), key=lambda gap: -gap.length_ns)
    return HostWaits(
        sum(part.windows for part in parts) if by_iteration else 1,
        sum(part.window_ns for part in parts),
        sum(part.gaps for part in parts),
        sum(part.late for part in parts),
        sum(part.idle_ns for part in parts),
        sum(part.waited_ns for part in parts),
        tuple(latest[:KEPT]),
        tuple(largest[:KEPT]),
    )


def _waits_of_device(index: TraceIndex, device: int | None, windows: _Windows) -> HostWaits | None:
    """The sums of one device; None where too few launches are known."""
    lanes = op_lanes(index, device)
    gaps = gaps_of(index, lanes, device_window(index, device))
    inside = _place_in(_before_tasks(index, gaps), [window for _step, window in windows])
    launched = inside.with_columns(launch_ns=_launches(index, inside["after"])).drop_nulls("launch_ns")
    if not len(launched) or len(launched) < _KNOWN_SHARE * len(inside):
        return None
    waited = (pl.min_horizontal("launch_ns", "end_ns") - pl.col("begin_ns")).clip(0)
    known = launched.with_columns(waited_ns=waited)
    late = known.filter(pl.col("waited_ns") > 0)
    return HostWaits(
        len(windows),
        sum(end - begin for _step, (begin, end) in windows),
        len(known),
        len(late),
        int(known["duration_ns"].sum()),
        int(known["waited_ns"].sum()),
        tuple(_gaps(index, device, windows, _most(late, "waited_ns"))),
        tuple(_gaps(index, device, windows, _most(known, "duration_ns"))),
    )


def _most(gaps: pl.DataFrame, column: str) -> pl.DataFrame:
    return gaps.sort(column, "begin_ns", descending=[True, False]).head(KEPT)


def _before_tasks(index: TraceIndex, gaps: pl.DataFrame) -> pl.DataFrame:
    """The gaps before a task of a stream: communication has no launch."""
    streams = [number for number, lane in enumerate(index.lanes) if lane.is_stream]
    return gaps.filter(index.events["lane"].gather(gaps["after"]).is_in(streams))


def _place_in(gaps: pl.DataFrame, windows: Sequence[Span]) -> pl.DataFrame:
    """The gaps that lie within one window, with its place among them (``window``); windows don't overlap."""
    numbered = pl.DataFrame(
        [(begin, end, place) for place, (begin, end) in enumerate(windows)],
        schema={"from": pl.Int64, "until": pl.Int64, "window": pl.Int64},
        orient="row",
    ).sort("from")
    joined = gaps.sort("begin_ns").join_asof(
        numbered, left_on="begin_ns", right_on="from", strategy="backward"
    )
    return joined.filter(pl.col("end_ns") <= pl.col("until"))


def _launches(index: TraceIndex, ops: pl.Series) -> pl.Series:
    """When the host began the first call with the connection_id of each op; null where there is none."""
    host = [number for number, lane in enumerate(index.lanes) if lane.is_host]
    calls = (
        index.events.lazy()
        .filter(pl.col("lane").is_in(host) & pl.col("connection_id").is_not_null())
        .group_by("connection_id")
        .agg(pl.col("start_ns").min().alias("launch_ns"))
        .collect()
    )
    own = index.events.select("connection_id")[ops.cast(pl.UInt32)]
    return own.join(calls, on="connection_id", how="left", maintain_order="left")["launch_ns"]


def _gaps(index: TraceIndex, device: int | None, windows: _Windows, gaps: pl.DataFrame) -> Iterator[HostGap]:
    calls = host_calls_in(index, gaps)["host_call"].to_list() if len(gaps) else []
    names = index.events["name"]
    for gap, call in zip(gaps.iter_rows(named=True), calls, strict=True):
        step = windows[gap["window"]][0]
        iteration = (None, None) if step is None else (step.model, step.iteration)
        place = TimelineEvidence(device, gap["begin_ns"], gap["end_ns"], *iteration)
        before, after = (str(names[gap[side]]) for side in ("before", "after"))
        yield HostGap(place, gap["waited_ns"], before, after, "" if call is None else str(names[call]))
