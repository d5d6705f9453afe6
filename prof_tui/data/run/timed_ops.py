"""The ops that can be drawn over time, wherever they are from: op_summary, or the timeline without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.tables.communication import NAMES, communicating
from prof_tui.data.tables.stores import Progress
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.task_types import is_known_op
from prof_tui.data.tables.typed_columns import TextColumn
from prof_tui.data.timeline.events import numbered, op_lanes
from prof_tui.data.timeline.overlap import communicating_tasks, kinds_where
from prof_tui.errors import UnreadableError
from prof_tui.words import NOT_AVAILABLE, _, counted

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

    def of_device(self, device: int | None) -> pl.DataFrame:
        if "device" not in self.frame.columns or device is None:
            return self.frame
        return self.frame.filter(pl.col("device") == device)

    def span_ns(self, device: int | None) -> int:
        own = self.of_device(device)
        ends = (own["start"] + own["ns"]).max() if len(own) else None
        return ends - own["start"][0] if isinstance(ends, int) else 0


def timeline_ops(capture: OpenCapture, progress: Progress) -> TimedOps:
    """The tasks that compute or communicate of the first timeline, if it is small enough to be read unasked.

    UnreadableError where there is none.
    """
    index = capture.traces.read_unasked(progress)
    if index is None or not (lanes := op_lanes(index, None)):
        text = _("There is no op_summary in this export: what ran in that time is unknown.")
        statistic = capture.export.table("op_statistic")
        if statistic is not None and statistic.status != "missing":
            text += " " + _("See op_statistic for how often each OP Type ran, and how long.")
        raise UnreadableError(text)
    frame = _tasks(index, lanes)
    notice = _("There is no op_summary: ops are those of the timeline {name}.").format(name=index.name)
    return TimedOps(frame, (*index.kinds, _COMMUNICATION), (notice,))


_COMMUNICATION = "COMMUNICATION"


def _tasks(index: TraceIndex, lanes: Sequence[int]) -> pl.DataFrame:
    """The ops of the streams, and all of the communication lanes as of the last of the names."""
    parts = []
    for device in dict.fromkeys(index.lanes[lane].device for lane in lanes):
        own = [lane for lane in lanes if index.lanes[lane].device == device]
        columns = ("start_ns", "duration_ns", "name", "kind")
        tasks = numbered(index, columns, [lane for lane in own if index.lanes[lane].is_stream])
        communicates = communicating_tasks(index, tasks, device)
        ops = tasks["kind"].is_in(kinds_where(index, is_known_op)) | communicates
        parts.append(_frame(tasks, device, communicates=communicates).filter(ops))
        between = numbered(index, columns, [lane for lane in own if index.lanes[lane].is_communication])
        last = pl.lit(len(index.kinds), pl.UInt16).alias("kind")
        parts.append(_frame(between.with_columns(last), device, communicates=pl.lit(value=True)))
    frame = pl.concat(parts).filter(pl.col("ns") >= 0).sort("start", maintain_order=True)
    return frame if len({lane.device for lane in index.lanes}) > 1 else frame.drop("device")


def _frame(events: pl.DataFrame, device: int | None, *, communicates: pl.Series | pl.Expr) -> pl.DataFrame:
    return events.select(
        start="start_ns",
        ns="duration_ns",
        code="kind",
        communicates=communicates,
        device=pl.lit(device, pl.Int64),
    )


def summary_ops(table: Table, several: bool, progress: Progress, *, soon: bool = False) -> TimedOps:
    """Of op_summary; ``several``: of several devices.  UnreadableError where it has no times.

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
    if device is None:
        frame = frame.drop("device")
    negative, all_ops = int((frame["ns"] < 0).sum()), len(frame)
    if negative or frame["start"].null_count() or frame["ns"].null_count():
        frame = frame.filter(pl.col("start").is_not_null() & (pl.col("ns") >= 0))
    if not frame["start"].is_sorted():
        frame = frame.sort("start", maintain_order=True)
    notices = tuple(_about_left_out(negative, all_ops - len(frame) - negative))
    return TimedOps(frame, _names(types), notices, table)


def _about_left_out(negative: int, untimed: int) -> Iterator[str]:
    if negative:
        yield counted(
            "{n} op has a negative duration and is left out of busy time.",
            "{n} ops have a negative duration and are left out of busy time.",
            negative,
        )
    if untimed:
        yield counted(
            "{n} op has no start or no duration and is left out of busy time.",
            "{n} ops have no start or no duration and are left out of busy time.",
            untimed,
        )


def _names(types: object) -> tuple[str, ...]:
    if not isinstance(types, TextColumn):
        return (NOT_AVAILABLE,)
    return tuple(name or NOT_AVAILABLE for name in types.values.to_list())
