"""The ops whose times are known, from op_summary, else from the timeline; and how many are left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.spans.times import RunTimes, count_faults, judge_times
from prof_tui.data.tables.communication import NAMES, communicating
from prof_tui.data.tables.stores import Progress
from prof_tui.data.tables.table import Table, judge, kept_rows
from prof_tui.data.tables.task_types import bookkeeping_rows
from prof_tui.data.tables.typed_columns import TextColumn
from prof_tui.data.timeline.events import op_lanes, select_events
from prof_tui.data.timeline.overlap import op_tasks
from prof_tui.errors import UnreadableError
from prof_tui.words import NOT_AVAILABLE, _, counted, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceIndex


@dataclass(frozen=True)
class TimedOps:
    """In the order of their starts."""

    frame: pl.DataFrame
    """``start``, ``ns``, ``code`` of the Task Type, ``communicates``; ``device`` where there are several."""
    names: tuple[str, ...]
    """Task Types by code."""
    notices: tuple[str, ...]
    """On ops that are left out, and where these are from."""
    table: Table | None = None
    """op_summary; None where they are from the timeline."""
    lacking: frozenset[int | None] = frozenset()
    """Devices of which ops are left out; None: of all, or of one that isn't known."""

    def of_device(self, device: int | None) -> pl.DataFrame:
        if "device" not in self.frame.columns or device is None:
            return self.frame
        return self.frame.filter(pl.col("device") == device)

    def span_ns(self, device: int | None) -> int:
        own = self.of_device(device)
        ends = (own["start"] + own["ns"]).max() if len(own) else None
        return ends - own["start"][0] if isinstance(ends, int) else 0


def read_timeline_ops(capture: OpenCapture, progress: Progress) -> TimedOps:
    """The tasks that compute or communicate of the first timeline, if it is small enough to be read unasked.

    UnreadableError where there is none.
    """
    index = capture.traces.read_unasked(progress)
    if index is None or not (lanes := op_lanes(index, None)):
        text = _("There is no op_summary in this export: what ran in that time is unknown.")
        if capture.export.has_table("op_statistic"):
            text += " " + _("See op_statistic for how often each OP Type ran, and how long.")
        raise UnreadableError(text)
    tasks = _tasks(index, lanes)
    frame, left_out = _keep_timed(tasks, judge_times(tasks["start"]))
    notice = _("There is no op_summary: ops are those of the timeline {name}.").format(name=index.name)
    names = (*index.kinds, _COMMUNICATION)
    return TimedOps(frame, names, (notice, *left_out.texts), lacking=left_out.devices)


_COMMUNICATION = "COMMUNICATION"
_MOST_TYPES = 3
"""Task Types that a sentence names."""


def _tasks(index: TraceIndex, lanes: Sequence[int]) -> pl.DataFrame:
    """The ops of the streams, and all of the communication lanes as of the last of the names."""
    parts = []
    for device in dict.fromkeys(index.lanes[lane].device for lane in lanes):
        own = [lane for lane in lanes if index.lanes[lane].device == device]
        tasks = op_tasks(index, device)
        parts.append(_frame(tasks, device, communicates=pl.col("communicates")))
        lanes_between = [lane for lane in own if index.lanes[lane].is_communication]
        between = select_events(index, ("start_ns", "duration_ns"), lanes_between)
        last = pl.lit(len(index.kinds), pl.UInt16).alias("kind")
        parts.append(_frame(between.with_columns(last), device, communicates=pl.lit(value=True)))
    frame = pl.concat(parts)
    return frame if len({lane.device for lane in index.lanes}) > 1 else frame.drop("device")


def _frame(events: pl.DataFrame, device: int | None, *, communicates: pl.Expr) -> pl.DataFrame:
    return events.select(
        start="start_ns",
        ns="duration_ns",
        code="kind",
        communicates=communicates,
        device=pl.lit(device, pl.Int64),
    )


def read_summary_ops(table: Table, several: bool, progress: Progress, *, soon: bool = False) -> TimedOps:
    """The ops of op_summary; ``several``: of several devices.  UnreadableError where it has no times.

    ``soon``: what communicates is told by Task Types alone, which saves reading all names.
    """
    ids = ("task_start", "task_duration", "task_type", *(() if soon else NAMES))
    columns = {id_: column for id_ in ids if (column := table.get(id_))}
    if not {"task_start", "task_duration"} <= columns.keys():
        raise UnreadableError(
            _("op_summary has no Task Start Time or no Task Duration: busy time is unknown.")
        )
    device = table.get("device_id") or table.get("device") if several else None
    read = table.skim([*columns.values(), *([device] if device is not None else [])], progress)
    values = {id_: read[column.header] for id_, column in columns.items()}
    types = values.get("task_type")
    frame = pl.DataFrame({"start": values["task_start"], "ns": values["task_duration"]}).with_columns(
        code=types.codes if isinstance(types, TextColumn) else pl.lit(0, pl.UInt8),
        device=pl.lit(None, pl.Int64) if device is None else read[device.header],
    )
    frame = frame.with_columns(communicates=communicating(values, frame["device"]))
    counts, notices = _counting(types, frame["device"], kept_rows(table))
    starts = judge(table, columns["task_start"], frame["start"])
    frame = frame if counts is None else frame.with_columns(counts=counts)
    frame, left_out = _keep_timed(frame if device is not None else frame.drop("device"), starts)
    return TimedOps(frame, _type_names(types), (*notices, *left_out.texts), table, left_out.devices)


def _counting(
    types: object, device: pl.Series, sound: pl.Series | None
) -> tuple[pl.Series | None, tuple[str, ...]]:
    """Boolean per row, None where all are: neither damaged nor bookkeeping; and what is said of those."""
    books = bookkeeping_rows(types, device) if isinstance(types, TextColumn) else None
    if books is None or not isinstance(types, TextColumn):
        return sound, ()
    names = types.values.gather(types.codes.filter(books).unique().sort()).to_list()
    said = counted(
        "{n} task is an event, a placeholder or the profiler's own ({types}): it is left out of span, busy "
        "and idle.",
        "{n} tasks are events, placeholders or the profiler's own ({types}): they are left out of span, "
        "busy and idle.",
        int(books.sum()),
        types=", ".join(map(printable, names[:_MOST_TYPES])),
    )
    return (~books if sound is None else ~books & sound), (said,)


@dataclass(frozen=True)
class _LeftOut:
    """Ops of which it isn't known when they ran."""

    texts: tuple[str, ...] = ()
    devices: frozenset[int | None] = frozenset()


def _keep_timed(ops: pl.DataFrame, starts: RunTimes) -> tuple[pl.DataFrame, _LeftOut]:
    """The ops that count and whose times are known, by start, and on those whose times aren't.

    ``ops``: one per moment of ``starts``, with ``counts`` (Boolean) where some are no ops, or damaged.
    """
    judged = ops.with_columns(start=starts.ns, fault=starts.fault)
    if "counts" in judged.columns:
        judged = judged.filter("counts").drop("counts")
    timed = pl.col("start").is_not_null() & (pl.col("ns") >= 0).fill_null(value=False)
    kept = judged.filter(timed)
    others = judged.filter(~timed) if len(kept) < len(judged) else judged.clear()
    if not kept["start"].is_sorted():
        kept = kept.sort("start", maintain_order=True)
    devices = others["device"].unique() if "device" in others.columns else [None] * len(others)
    return kept.drop("fault"), _LeftOut(tuple(_left_out_texts(others)), frozenset(devices))


def _left_out_texts(ops: pl.DataFrame) -> Iterator[str]:
    for number, why in count_faults(ops["fault"]):
        yield counted(
            "{n} op has no usable start ({why}) and is left out of busy time and span.",
            "{n} ops have no usable start ({why}) and are left out of busy time and span.",
            number,
            why=why,
        )
    started = ops.filter(pl.col("start").is_not_null())["ns"]
    if negative := int((started < 0).sum()):
        yield counted(
            "{n} op has a negative duration and is left out of busy time: idle time is less.",
            "{n} ops have a negative duration and are left out of busy time: idle time is less.",
            negative,
        )
    if endless := started.null_count():
        yield counted(
            "{n} op has no duration and is left out of busy time: idle time is less.",
            "{n} ops have no duration and are left out of busy time: idle time is less.",
            endless,
        )


def _type_names(types: object) -> tuple[str, ...]:
    if not isinstance(types, TextColumn):
        return (NOT_AVAILABLE,)
    return tuple(name or NOT_AVAILABLE for name in types.values.to_list())
