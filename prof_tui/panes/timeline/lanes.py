"""Lanes for the widget: of a trace its processes, threads and counters; of op summary its streams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.pages.iteration import IterationDetail, TimedOp
from prof_tui.data.query.query import Scope
from prof_tui.data.timeline.model import OVERLAP_LAYER, TraceIndex, TraceLane
from prof_tui.data.timeline.windows import ScopeWindow, Seen, TimeMark, iteration_marks
from prof_tui.panes.colours import kinds_of
from prof_tui.widgets.timeline.columns import LaneColumns
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import Lane, LaneGroup, LaneSet, Mark
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.pages.iteration import RowEvents


def trace_lanes(index: TraceIndex, shown: ScopeWindow) -> LaneIndex:
    """The lanes for a scope's window; those of other devices than its own are there, but folded.

    Takes up to a second for millions of events the first time, milliseconds for each window after that.
    """
    device = shown.scope.device
    lanes = [_lane(lane, device) for lane in index.lanes]
    groups = {
        lane.group: _group(told, lane.group, device) for lane, told in zip(lanes, index.lanes, strict=True)
    }
    lane_set = LaneSet(
        *shown.window,
        lanes=lanes,
        intervals=index.events,
        marks=_marks(shown.marks),
        kinds=kinds_of(index.kinds),
        groups=list(groups.values()),
        samples=index.counters,
        whole=index.span,
    )
    return LaneIndex(lane_set, index.once(LaneColumns, lambda: LaneColumns(index.events)))


def lane_id(lane: TraceLane) -> str:
    """The same for the same lane of another reading of the file."""
    return f"{lane.layer}\n{lane.label}\n{lane.device}\n{lane.thread}"


def _lane(lane: TraceLane, device: int | None) -> Lane:
    own = device is None or lane.device in (None, device)
    return Lane(
        id=lane_id(lane),
        title=lane.thread,
        group=f"{lane.layer}\n{lane.label}\n{lane.device}",
        is_busy=own and (lane.is_stream or lane.is_communication),
        is_plot=lane.is_counter,
    )


def _group(lane: TraceLane, group: str, device: int | None) -> LaneGroup:
    title = f"{lane.layer} ({lane.label})" if lane.label else lane.layer
    other_device = device is not None and lane.device not in (None, device)
    return LaneGroup(group, title, folded=other_device or lane.layer == OVERLAP_LAYER)


def op_lanes(detail: IterationDetail) -> LaneIndex:
    """The lanes of an iteration's ops, where no trace holds them; row numbers of op_summary are the keys."""
    import polars as pl

    from prof_tui.data.spans.stacking import stack_rows

    task_types = [share.task_type for share in detail.shares]
    place = {task_type: i for i, task_type in enumerate(task_types)}
    lane_keys = sorted({_lane_key(op) for op in detail.ops})
    lane_number = {key: number for number, key in enumerate(lane_keys)}
    ops = [
        (lane_number[_lane_key(op)], op.start_ns, op.duration_ns, place[op.task_type], op.name, op.row)
        for op in detail.ops
    ]
    schema = {
        "lane": pl.UInt16,
        "start_ns": pl.Int64,
        "duration_ns": pl.Int64,
        "kind": pl.UInt16,
        "name": pl.String,
        "key": pl.Int64,
    }
    intervals = stack_rows(pl.DataFrame(ops, schema, orient="row"))
    lane_set = LaneSet(
        *detail.window,
        lanes=[_op_lane(key) for key in lane_keys],
        intervals=intervals,
        keys=intervals["key"],
        marks=_marks(iteration_marks(detail.step, detail.window) if detail.step else ()),
        kinds=kinds_of(task_types),
    )
    return LaneIndex(lane_set)


def _lane_key(op: TimedOp) -> tuple[int, int]:
    """Sort key of a lane: streams by number, then ops of no stream, then communication."""
    if op.communicates:
        return (2, 0)
    return (1, 0) if op.stream is None else (0, op.stream)


def _op_lane(key: tuple[int, int]) -> Lane:
    group, stream = key
    title = (
        _("Stream {stream}").format(stream=stream)
        if group == 0
        else (_("Stream N/A") if group == 1 else _("Communication"))
    )
    return Lane(f"lane-{group}-{stream}", title)


def _marks(marks: Iterable[TimeMark]) -> list[Mark]:
    return [Mark(mark.at_ns, mark.title) for mark in marks]


@dataclass(frozen=True)
class IterationTrace:
    """What an iteration screen shows of a trace."""

    index: TraceIndex
    shown: ScopeWindow
    seen: Seen
    lanes: LaneIndex
    rows: RowEvents

    @property
    def file_names(self) -> list[str]:
        """The files that are this iteration's alone; all of them where none is."""
        own = [file for file in self.index.files if file.iteration == self.shown.scope.iteration]
        return [file.path.name for file in own or self.index.files]


def iteration_trace(
    capture: OpenCapture, scope: Scope, ops: Sequence[TimedOp] | None
) -> IterationTrace | None:
    """In a worker: the trace's lanes for an iteration; None where no trace holds anything of it.

    None too where part of the trace could not be read and op summary has the ops.

    ``ops`` are the rows below; None where they are the trace's own tasks in the order of
    ``tasks_of_window``.  UnreadableError when the trace can't be read.
    """
    from prof_tui.data.pages.iteration import RowEvents, events_of_ops, tasks_of_window
    from prof_tui.data.timeline.windows import scope_window, see

    index = capture.traces.read_unasked()
    if index is None or (ops is not None and index.damaged):
        return None
    shown = scope_window(capture.steps, index, scope)
    tasks = tasks_of_window(index, shown.window, scope.device)
    if shown.is_whole or tasks.is_empty():
        return None
    if ops is None:
        rows = RowEvents.in_order(tasks.to_list())
    else:
        rows = events_of_ops(index, capture.table("op_summary"), ops, scope.device)
    seen = see(index, shown, shown.window)
    return IterationTrace(index, shown, seen, trace_lanes(index, shown), rows)
