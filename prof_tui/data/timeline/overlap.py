"""How much communication was hidden behind computing, per device, by interval arithmetic.

vendor-analyses.md section 4.  *Computing* is the union of the tasks on the streams that compute: those
with a Task Type of an operator, whatever stream, that don't communicate.  On real files of 2023 to 2026
this gives the file's own Computing lane; events, notifies, memcpy, DMA and the profiler's own tasks are not
in it.  *Communication* is the union of the communication ops (threads ``Group … Communication`` and
``Communication Kernel``, not the planes with their tasks), and of the tasks that communicate by the rule of
``prof_tui.data.tables.communication``.  *Not overlapped* is communication minus computing, *free* the window
minus both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.frames import NO_SPANS, lengths_within, lie_within, subtracted, union_of
from prof_tui.data.spans.span import Span
from prof_tui.data.tables.communication import matching
from prof_tui.data.tables.task_types import COLLECTIVE, COMMUNICATION_TYPES, KERNEL, is_known_op
from prof_tui.data.tables.typed_columns import TextColumn
from prof_tui.data.timeline.events import ENDS_NS, communication_op_lanes, names_dictionary, select_events
from prof_tui.data.timeline.model import COMMUNICATION_LAYERS, OVERLAP_LAYER, TraceIndex
from prof_tui.words import _, duration

PARTS = ("computing", "communication", "not_overlapped", "free")


@dataclass(frozen=True)
class Overlap:
    """The sums of one device over one window, in ns."""

    window: Span
    computing_ns: int
    communication_ns: int
    not_overlapped_ns: int
    """Communication while nothing computed."""
    free_ns: int


@dataclass(frozen=True)
class OverlapSpans:
    """The unions of one device, worked out once and asked for many windows."""

    computing: pl.DataFrame
    communication: pl.DataFrame
    not_overlapped: pl.DataFrame
    free: pl.DataFrame | None
    """What the file calls free; None where it is whatever of a window is neither."""
    busy: pl.DataFrame
    """The union of computing and communication."""

    def within(self, window: Span) -> Overlap:
        windows = pl.DataFrame([window], schema=NO_SPANS.schema, orient="row")
        return Overlap(window, *self.per_window(windows).select(f"{part}_ns" for part in PARTS).row(0))

    def per_window(self, windows: pl.DataFrame) -> pl.DataFrame:
        """``windows`` (begin_ns, end_ns, and what else) with computing_ns, communication_ns,
        not_overlapped_ns and free_ns."""
        if self.free is None:
            busy = lengths_within(self.busy, windows)
            free = pl.Series(windows["end_ns"] - windows["begin_ns"]) - busy
        else:
            free = lengths_within(self.free, windows)
        return windows.with_columns(
            computing_ns=lengths_within(self.computing, windows),
            communication_ns=lengths_within(self.communication, windows),
            not_overlapped_ns=lengths_within(self.not_overlapped, windows),
            free_ns=free,
        )


def overlap_devices(index: TraceIndex) -> list[int | None]:
    """Devices with streams or communication, None last: of a file that doesn't say which."""
    found = {lane.device for lane in index.lanes if lane.is_stream or lane.is_communication}
    return sorted(found, key=lambda device: (device is None, device or 0))


def device_overlap(index: TraceIndex, device: int | None) -> OverlapSpans:
    """The unions worked out from the device's tasks and communication ops."""
    computing, communication = map(union_of, _tasks(index, device))
    return OverlapSpans(
        computing,
        communication,
        subtracted(communication, computing),
        None,
        union_of(pl.concat([computing, communication])),
    )


def file_overlap(index: TraceIndex, device: int | None) -> OverlapSpans | None:
    """The unions of the file's own Overlap Analysis lanes; None where the device has none."""
    lanes = index.lanes_where(
        lambda lane: lane.layer == OVERLAP_LAYER and lane.device == device and not lane.is_counter
    )
    if not lanes:
        return None

    def of(thread: str) -> pl.DataFrame:
        own = [lane for lane in lanes if index.lanes[lane].thread == thread]
        return union_of(_spans(select_events(index, ("start_ns", "duration_ns"), own)))

    computing, communication = of("Computing"), of("Communication")
    return OverlapSpans(
        computing,
        communication,
        of("Communication(Not Overlapped)"),
        of("Free"),
        union_of(pl.concat([computing, communication])),
    )


def overlap_spans(index: TraceIndex, device: int | None) -> tuple[OverlapSpans, OverlapSpans | None]:
    """The unions of a device, worked out once: from its tasks, and from the file's own lanes."""
    return index.once(
        ("overlap", device), lambda: (device_overlap(index, device), file_overlap(index, device))
    )


def device_window(index: TraceIndex, device: int | None) -> Span:
    """From the first start to the last end of a device's ops; (0, 0) without any event.

    Of all its tasks where none is an op.
    """
    busy = overlap_spans(index, device)[0].busy
    if not busy.is_empty():
        return int(busy["begin_ns"][0]), int(busy["end_ns"][-1])
    lanes = [
        number
        for number, lane in enumerate(index.lanes)
        if lane.device == device and (lane.is_stream or lane.is_communication)
    ]
    events = select_events(index, ("start_ns", "duration_ns"), lanes).select("start_ns", ENDS_NS)
    events = events.filter(pl.col("start_ns").is_between(*index.span))
    if events.is_empty():
        return 0, 0
    begin_ns, end_ns = events.select(pl.col("start_ns").min(), pl.col("end_ns").max()).row(0)
    return begin_ns, end_ns


@dataclass(frozen=True)
class OverlapCheck:
    """What was worked out beside what the file says, over one window."""

    own: Overlap
    file: Overlap
    unsaid_ns: int
    """How much of the window the file's lanes leave open: neither computing, communication nor Free."""
    file_window: Span
    """From the first to the last moment of the file's lanes."""
    beside: str = ""
    """A sentence on that window, where both are meant to be of the whole run."""

    @property
    def differences(self) -> tuple[tuple[str, int], ...]:
        """Name of the file's lane, and own minus the file's ns; only those that differ.

        Free is compared where the file says anything: exporters begin it at different moments.
        """
        pairs = (
            (_("Computing"), self.own.computing_ns - self.file.computing_ns),
            (_("Communication"), self.own.communication_ns - self.file.communication_ns),
            (_("Communication(Not Overlapped)"), self.own.not_overlapped_ns - self.file.not_overlapped_ns),
            (_("Free"), self.own.free_ns - self.file.free_ns - self.unsaid_ns),
        )
        return tuple((name, ns) for name, ns in pairs if ns)

    @property
    def sentence(self) -> str:
        if not self.differences:
            said = _("As in the file's Overlap Analysis.")
        else:
            parts = (
                _("{lane} {sign}{ns}").format(lane=lane, sign="+" if ns > 0 else "-", ns=duration(abs(ns)))
                for lane, ns in self.differences
            )
            said = _("Against the file's Overlap Analysis: {parts}.").format(parts=", ".join(parts))
        unsaid = _("It says nothing of {ns} of this window.").format(ns=duration(self.unsaid_ns))
        return " ".join(filter(None, (said, unsaid if self.unsaid_ns else "", self.beside)))


def check_overlap(own: OverlapSpans, file: OverlapSpans, window: Span) -> OverlapCheck:
    """``own`` beside ``file`` over one window."""
    said = file.busy if file.free is None else union_of(pl.concat([file.busy, file.free]))
    windows = pl.DataFrame([window], schema=NO_SPANS.schema, orient="row")
    unsaid_ns = window[1] - window[0] - int(lengths_within(said, windows)[0])
    file_window = (int(said["begin_ns"][0]), int(said["end_ns"][-1])) if len(said) else window
    return OverlapCheck(own.within(window), file.within(window), unsaid_ns, file_window)


def file_window_text(index: TraceIndex, device: int | None, check: OverlapCheck) -> str:
    """Where the file's Overlap Analysis begins and ends beside a device's ops, and with what it begins.

    Exporters begin it with the first task that is not PROFILING_ENABLE (quirks.md); empty
    for the same window.
    """
    window, own = check.file_window, check.own.window
    before_ns, behind_ns = own[0] - window[0], window[1] - own[1]
    streams = index.lanes_where(lambda lane: lane.is_stream and lane.device == device)
    first = select_events(index, ("start_ns", "kind"), streams).filter(pl.col("start_ns") == window[0])
    kinds = [index.kinds[kind] for kind in first["kind"].unique()] if before_ns > 0 else []
    parts = []
    if before_ns:
        text = _("begins {ns} before the first op") if before_ns > 0 else _("begins {ns} after the first op")
        parts.append(text.format(ns=duration(abs(before_ns))) + (f" ({', '.join(kinds)})" if kinds else ""))
    if behind_ns:
        text = _("ends {ns} after the last op") if behind_ns > 0 else _("ends {ns} before the last op")
        parts.append(text.format(ns=duration(abs(behind_ns))))
    said = _("Its window, {ns}, {parts}.")
    return said.format(ns=duration(window[1] - window[0]), parts=", ".join(parts)) if parts else ""


def kinds_where(index: TraceIndex, holds: Callable[[str], bool]) -> list[int]:
    """Numbers of the kinds, Task Types for the most part, for which something holds."""
    return [number for number, kind in enumerate(index.kinds) if holds(kind)]


def op_kinds(index: TraceIndex) -> list[int]:
    """Numbers of the kinds of ops, in the lanes of streams and of communication."""
    return kinds_where(index, lambda kind: is_known_op(kind) or kind in COMMUNICATION_LAYERS)


def communicating_tasks(index: TraceIndex, tasks: pl.DataFrame, device: int | None) -> pl.Series:
    """Boolean per task of a device's streams (start_ns, duration_ns, name, kind)."""
    names = TextColumn(tasks["name"].to_physical(), names_dictionary(index))
    kinds = kinds_where(index, COMMUNICATION_TYPES.__contains__)
    told = tasks["kind"].is_in(kinds) | matching(names, COLLECTIVE)
    parts = (matching(names, KERNEL) & ~told).arg_true()
    if not len(parts):
        return told
    spans = _spans(tasks)
    inside = lie_within(spans[parts], pl.concat([_communication_ops(index, device), spans.filter(told)]))
    return told.scatter(parts.filter(inside), True)


def op_tasks(index: TraceIndex, device: int | None) -> pl.DataFrame:
    """The tasks of a device's streams that compute or communicate.

    start_ns, duration_ns, name, kind, event, and ``communicates``.
    """
    streams = index.lanes_where(lambda lane: lane.is_stream and lane.device == device)
    tasks = select_events(index, ("start_ns", "duration_ns", "name", "kind"), streams)
    told = tasks.with_columns(communicating_tasks(index, tasks, device).alias("communicates"))
    return told.filter(pl.col("kind").is_in(kinds_where(index, is_known_op)) | pl.col("communicates"))


def _tasks(index: TraceIndex, device: int | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The spans in which a device computes, and those in which it communicates, of times of the run."""
    ops = op_tasks(index, device).filter(pl.col("start_ns").is_between(*index.span))
    return (
        _spans(ops.filter(~pl.col("communicates"))),
        pl.concat([_communication_ops(index, device), _spans(ops.filter("communicates"))]),
    )


def _communication_ops(index: TraceIndex, device: int | None) -> pl.DataFrame:
    return _spans(select_events(index, ("start_ns", "duration_ns"), communication_op_lanes(index, device)))


def _spans(events: pl.DataFrame) -> pl.DataFrame:
    return events.select(pl.col("start_ns").alias("begin_ns"), ENDS_NS)
