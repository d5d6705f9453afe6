"""The ops that can be drawn over time, wherever they are from: op_summary, or the timeline without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.tables.stores import Progress
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.task_types import COMMUNICATION_TYPES, computes
from prof_tui.data.tables.typed_columns import TextColumn
from prof_tui.data.timeline.events import op_lanes
from prof_tui.errors import UnreadableError
from prof_tui.words import NOT_AVAILABLE, _, counted

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceIndex


@dataclass(frozen=True)
class TimedOps:
    """In the order of their starts."""

    frame: pl.DataFrame
    """``start``, ``ns``, ``code`` of the Task Type; ``device`` where there are several."""
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
    kinds = {number for number, kind in enumerate(index.kinds) if computes(kind)}
    talking = {number for number, kind in enumerate(index.kinds) if kind in COMMUNICATION_TYPES}
    frame = _tasks(index, lanes, kinds | talking)
    notice = _("There is no op_summary: ops are those of the timeline {name}.").format(name=index.name)
    return TimedOps(frame.sort("start", maintain_order=True), (*index.kinds, _COMMUNICATION), (notice,))


_COMMUNICATION = "COMMUNICATION"


def _tasks(index: TraceIndex, lanes: list[int], kinds: set[int]) -> pl.DataFrame:
    """Of the streams those of ``kinds``, of the communication lanes all, as of the last of the names."""
    of_lane = index.lanes
    talks = pl.col("lane").is_in([lane for lane in lanes if of_lane[lane].is_communication])
    devices = pl.Series([lane.device for lane in of_lane], dtype=pl.Int64)
    events = index.events.filter(
        pl.col("lane").is_in(lanes)
        & (pl.col("duration_ns") >= 0)
        & (talks | pl.col("kind").is_in(list(kinds)))
    )
    frame = events.select(
        start="start_ns",
        ns="duration_ns",
        code=pl.when(talks).then(pl.lit(len(index.kinds), pl.UInt16)).otherwise("kind"),
    )
    if devices.n_unique() < 2:
        return frame
    return frame.with_columns(device=devices.gather(events["lane"]))


def summary_ops(table: Table, several: bool, progress: Progress) -> TimedOps:
    """Of op_summary; ``several``: of several devices.  UnreadableError where it has no times."""
    start, duration, task_type = (table.get(id_) for id_ in ("task_start", "task_duration", "task_type"))
    if start is None or duration is None:
        raise UnreadableError(
            _("op_summary has no Task Start Time or no Task Duration: busy time is unknown.")
        )
    device = table.get("device_id") or table.get("device") if several else None
    wanted = [column for column in (start, duration, task_type, device) if column is not None]
    values = table.skim(wanted, progress)
    columns = {"start": values[start.header], "ns": values[duration.header]}
    if device is not None:
        columns["device"] = values[device.header]
    frame = pl.DataFrame(columns)
    types = None if task_type is None else values[task_type.header]
    if isinstance(types, TextColumn):
        frame = frame.with_columns(types.codes.alias("code"))
    else:
        frame = frame.with_columns(code=pl.lit(0, pl.UInt8))
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
