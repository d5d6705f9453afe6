"""The ops in scope in the order of time, one device at a time: what runs beside what, and what lies idle.

The order is gone through in slices, and only sums are kept of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.findings.ops import Ops
from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.run.models import DeviceRun
from prof_tui.data.spans.frames import union_lengths
from prof_tui.data.spans.running import Gap, Running
from prof_tui.data.tables.task_types import is_op

SLICE_ROWS = 500_000


@dataclass(frozen=True)
class Timeline:
    """What one device did, summed over the ops in scope."""

    device: int | None
    iterations: int
    """Iterations with ops; 1 where the whole capture counts."""
    span_ns: int
    """From the first start to the last end."""
    busy_ns: int
    """Union of all ops."""
    computing_ns: int
    """Union of the ops that don't communicate."""
    communication_ns: int
    """Union of those that do."""
    idle_ns: int
    """Gaps between ops of the same iteration."""
    gaps: tuple[Gap, ...]
    """The largest of them."""
    median_op_ns: int
    """Of the ops that take any time and run on a core, communicate, or have no Task Type; so the gaps'."""
    median_gap_ns: int
    """Median over neighbours in time of one iteration: next start minus this end, 0 where they overlap."""
    gap_count: int
    """How many gaps that is the median of."""
    first_rows: pl.Series
    """UInt32: row numbers of the first op of each iteration."""
    after_bp_ns: int
    """Union of communication between BP End and Iteration End: median of the iterations that have both."""

    @property
    def not_overlapped_ns(self) -> int:
        """Communication beside which nothing computes."""
        return self.busy_ns - self.computing_ns


def timelines(ops: Ops, devices: Sequence[DeviceRun]) -> tuple[Timeline, ...]:
    """One per device with ops in scope that have a start and a valid duration, by device."""
    start, ns = ops.start, ops.ns
    if start is None or ns is None:
        return ()
    usable = ops.in_scope & (ns >= 0).fill_null(False) & start.is_not_null()
    numbers = ops.device.filter(usable).unique().sort().to_list()
    steady = {run.device: run.steady for run in devices} if ops.by_iteration else {}
    works = _working(ops)
    found = []
    for device in numbers:
        rows = (usable & ops.of_device(device)).arg_true()
        starts = start.gather(rows)
        in_time = rows if starts.is_sorted() else rows.gather(starts.arg_sort())
        running = Running(int(start[int(in_time[0])]))
        for at in range(0, len(in_time), SLICE_ROWS):
            running.take(_slice(ops, in_time.slice(at, SLICE_ROWS), works))
        median_op_ns = _whole(ns.gather(rows).filter(works.gather(rows)).median())
        found.append(_timeline(device, running, median_op_ns, steady.get(device, ())))
    return tuple(found)


def _working(ops: Ops) -> pl.Series:
    """Boolean per row number: it takes any time, and is an op by its Task Type."""
    assert ops.ns is not None
    lasting, tasks = (ops.ns > 0).fill_null(False), ops.texts("task_type")
    others = [] if tasks is None else [text for text in tasks.values if not is_op(text)]
    return lasting if tasks is None or not others else lasting & ~tasks.matching(tasks.values.is_in(others))


def _slice(ops: Ops, rows: pl.Series, works: pl.Series) -> pl.DataFrame:
    """``row``, ``start``, ``end``, ``iteration`` (0: none counts), ``talks`` and ``works`` of these rows."""
    assert ops.start is not None
    assert ops.ns is not None
    start = ops.start.gather(rows)
    nothing = pl.Series([0], dtype=pl.Int32)
    return pl.DataFrame(
        {
            "row": rows,
            "start": start,
            "end": start + ops.ns.gather(rows),
            "iteration": ops.iteration.gather(rows).cast(pl.Int32)
            if ops.by_iteration
            else nothing.new_from_index(0, len(rows)),
            "talks": ops.flags.communicates.gather(rows),
            "works": works.gather(rows),
        }
    )


def _timeline(device: int | None, running: Running, median_op_ns: int, steady: Sequence[Step]) -> Timeline:
    apart = pl.concat([pl.Series(dtype=pl.Int64), *running.apart])
    held = [step for step in steady if step.iteration in running.iterations]
    return Timeline(
        device,
        len(running.iterations),
        running.busy.reached_ns - running.begin_ns,
        running.busy.length_ns,
        running.computing.length_ns,
        running.talking.length_ns,
        running.idle_ns,
        tuple(running.gaps),
        median_op_ns,
        _whole(apart.median()),
        len(apart),
        pl.concat(running.first_rows),
        after_bp_ns(held, pl.concat(running.spoken)),
    )


def _whole(value: object) -> int:
    return round(value) if isinstance(value, (int, float)) else 0


def after_bp_ns(steady: Sequence[Step], talking: pl.DataFrame | None = None) -> int:
    """Union of the reduces and of communicating ops (``start``, ``end``, ``iteration``) after BP End.

    Median over the iterations that have BP End and Iteration End, clipped to those; 0 where none has.
    """
    ends = [(s.iteration, s.bp_end_ns, s.end_ns) for s in steady if s.bp_end_ns and s.end_ns]
    reduces = [
        (step.iteration, reduce.start_ns, reduce.start_ns + reduce.duration_ns)
        for step in steady
        for reduce in step.reduces
        if reduce.start_ns is not None and reduce.duration_ns is not None
    ]
    types = dict.fromkeys(("iteration", "start", "end"), pl.Int64)
    spans = pl.DataFrame(reduces, schema=types, orient="row")
    if talking is not None:
        spans = spans.vstack(talking.select(pl.col(*types).cast(pl.Int64)))
    windows = pl.DataFrame(
        ends, schema=dict.fromkeys(("iteration", "bp end", "last"), pl.Int64), orient="row"
    ).with_row_index("key")
    inside = spans.join(windows, on="iteration").select(
        "key", begin_ns=pl.max_horizontal("start", "bp end"), end_ns=pl.min_horizontal("end", "last")
    )
    lengths = union_lengths(inside["key"], inside.select("begin_ns", "end_ns"))
    each = windows.join(lengths, on="key", how="left")["union_ns"].fill_null(0)
    return _whole(each.median())
