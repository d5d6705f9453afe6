"""An iteration's ops as lanes for the timeline: one per stream, one for communication."""

from __future__ import annotations

from collections.abc import Sequence

from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.pages.iteration import IterationDetail, TimedOp
from prof_tui.data.tables.task_types import COMMUNICATION_TYPES
from prof_tui.panes.timeline.kinds import kinds_of
from prof_tui.widgets.timeline.model import Lane, LaneSet, Mark
from prof_tui.words import _


def lane_set(detail: IterationDetail) -> LaneSet:
    """The timeline of an iteration, its marks included; the row numbers of op_summary are its keys."""
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
    return LaneSet(
        *detail.window,
        lanes=[_lane(key) for key in lane_keys],
        intervals=intervals,
        keys=intervals["key"],
        marks=_marks(detail.step, detail.window),
        kinds=kinds_of(task_types),
    )


def _lane_key(op: TimedOp) -> tuple[int, int]:
    """Sort key of a lane: streams by number, then ops of no stream, then communication."""
    if op.task_type in COMMUNICATION_TYPES:
        return (2, 0)
    return (1, 0) if op.stream is None else (0, op.stream)


def _lane(key: tuple[int, int]) -> Lane:
    group, stream = key
    title = (
        _("Stream {stream}").format(stream=stream)
        if group == 0
        else (_("Stream N/A") if group == 1 else _("Communication"))
    )
    return Lane(f"lane-{group}-{stream}", title)


def _marks(step: Step | None, window: tuple[int, int]) -> Sequence[Mark]:
    if step is None:
        return ()
    marks = [
        Mark(at_ns, title)
        for at_ns, title in (
            (step.fp_start_ns, "FP Start"),
            (step.bp_end_ns, "BP End"),
            (step.end_ns, "Iteration End"),
        )
        if at_ns is not None and window[0] <= at_ns <= window[1]
    ]
    return sorted(marks, key=lambda mark: mark.at_ns)
