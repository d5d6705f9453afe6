"""The ops in scope in the order of time, one device at a time: what runs beside what, and what lies idle.

The order is gone through in slices, and only sums are kept of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.run.ops import Ops
from prof_tui.data.run.periods import ModelRun
from prof_tui.data.spans.frames import GrowingUnion, union_lengths
from prof_tui.data.tables.task_types import is_op

SLICE_ROWS = 500_000
KEPT_GAPS = 5


@dataclass(frozen=True)
class Gap:
    """Idle time of a device between two ops of an iteration (of the capture, where there are none)."""

    begin_ns: int
    end_ns: int
    row_before: int
    """Row number of an op that ends where the gap begins."""
    row_after: int
    iteration: int | None

    @property
    def length_ns(self) -> int:
        return self.end_ns - self.begin_ns


@dataclass(frozen=True)
class OpsInTime:
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
    """Median of the ops that take any time and run on a core, communicate, or have no Task Type."""
    median_gap_ns: int
    """Median over such ops next to each other in an iteration: start minus the end before, 0 at least."""
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


def sum_in_time(ops: Ops, devices: Sequence[ModelRun]) -> tuple[OpsInTime, ...]:
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
        running = _Running(int(start[int(in_time[0])]))
        for at in range(0, len(in_time), SLICE_ROWS):
            running.take(_slice(ops, in_time.slice(at, SLICE_ROWS), works))
        median_op_ns = _round(ns.gather(rows).filter(works.gather(rows)).median())
        found.append(_sum(device, running, median_op_ns, steady.get(device, ())))
    return tuple(found)


def _working(ops: Ops) -> pl.Series:
    """Boolean per row number: it takes any time, and is an op by its Task Type."""
    assert ops.ns is not None
    lasting, tasks = (ops.ns > 0).fill_null(False), ops.texts("task_type")
    others = [] if tasks is None else [text for text in tasks.values if not is_op(text)]
    return lasting if tasks is None or not others else lasting & ~tasks.matching(tasks.values.is_in(others))


def _slice(ops: Ops, rows: pl.Series, works: pl.Series) -> pl.DataFrame:
    """``row``, ``start``, ``end``, ``iteration`` (0: none counts), ``communicates``, ``works`` of rows."""
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
            "communicates": ops.flags.communicates.gather(rows),
            "works": works.gather(rows),
        }
    )


@dataclass
class _Running:
    """One device's ops so far."""

    begin_ns: int
    """The first start."""
    idle_ns: int = 0
    """Gaps between ops of the same iteration."""
    gaps: list[Gap] = field(default_factory=list)
    """The largest of them, largest first."""
    apart: list[pl.Series] = field(default_factory=list)
    """Per ops next to each other in time in an iteration: next start minus this end, 0 where they overlap."""
    first_rows: list[pl.Series] = field(default_factory=list)
    communication: list[pl.DataFrame] = field(default_factory=list)
    """``iteration``, ``start`` and ``end`` of the communicating ops."""
    iterations: set[int] = field(default_factory=set)
    """Iterations that hold ops."""
    _last: int | None = None
    """Iteration of the last task before the slice."""
    _last_op: tuple[int, int] | None = None
    """Iteration and end of the last one that works."""
    _reaching: int = 0
    """Row number of the op that ends last."""

    def __post_init__(self) -> None:
        self.busy, self.computing, self.communicating = (GrowingUnion(self.begin_ns) for _each in range(3))

    def take(self, frame: pl.DataFrame) -> None:
        """A slice: ``row``, ``start``, ``end``, ``iteration``, ``communicates``, ``works``; not empty."""
        start, end, iteration = frame["start"], frame["end"], frame["iteration"]
        same = iteration == iteration.shift(1, fill_value=-1 if self._last is None else self._last)
        before = self.busy.take(start, end)
        self._take_gaps(frame, before, same)
        self._take_apart(frame.filter("works"))
        self.first_rows.append(frame["row"].filter(~same))
        for union, part in (
            (self.computing, frame.filter(~pl.col("communicates"))),
            (self.communicating, frame.filter("communicates")),
        ):
            union.take(part["start"], part["end"])
        self.communication.append(frame.filter("communicates").select("iteration", "start", "end"))
        self.iterations.update(iteration.unique())
        self._last = int(iteration[-1])
        if end.max() == self.busy.reached_ns:
            self._reaching = int(frame["row"][int((end == self.busy.reached_ns).arg_true()[-1])])

    def _take_apart(self, ops: pl.DataFrame) -> None:
        if not len(ops):
            return
        start, end, iteration = ops["start"], ops["end"], ops["iteration"]
        last_iteration, last_end = self._last_op or (-1, self.begin_ns)
        same = iteration == iteration.shift(1, fill_value=last_iteration)
        self.apart.append((start - end.shift(1, fill_value=last_end)).clip(0).filter(same))
        self._last_op = int(iteration[-1]), int(end[-1])

    def _take_gaps(self, frame: pl.DataFrame, before: pl.Series, same: pl.Series) -> None:
        width = (frame["start"] - before).alias("gap")
        gaps = width.to_frame().with_row_index("i").filter(same & (width > 0))
        self.idle_ns += int(gaps["gap"].sum())
        for i in gaps.top_k(KEPT_GAPS, by="gap")["i"]:
            begin = int(before[i])
            ending = frame["row"].head(i).filter(frame["end"].head(i) == begin)
            row_before = int(ending[-1]) if len(ending) else self._reaching
            after = frame.row(i, named=True)
            gap = Gap(begin, int(after["start"]), row_before, int(after["row"]), after["iteration"] or None)
            self.gaps.append(gap)
        self.gaps = sorted(self.gaps, key=lambda gap: (-gap.length_ns, gap.begin_ns))[:KEPT_GAPS]


def _sum(device: int | None, running: _Running, median_op_ns: int, steady: Sequence[Step]) -> OpsInTime:
    apart = pl.concat([pl.Series(dtype=pl.Int64), *running.apart])
    held = [step for step in steady if step.iteration in running.iterations]
    return OpsInTime(
        device,
        len(running.iterations),
        running.busy.reached_ns - running.begin_ns,
        running.busy.length_ns,
        running.computing.length_ns,
        running.communicating.length_ns,
        running.idle_ns,
        tuple(running.gaps),
        median_op_ns,
        _round(apart.median()),
        len(apart),
        pl.concat(running.first_rows),
        after_bp_ns(held, pl.concat(running.communication)),
    )


def _round(value: object) -> int:
    return round(value) if isinstance(value, (int, float)) else 0


def after_bp_ns(steady: Sequence[Step], communication: pl.DataFrame | None = None) -> int:
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
    if communication is not None:
        spans = spans.vstack(communication.select(pl.col(*types).cast(pl.Int64)))
    windows = pl.DataFrame(
        ends, schema=dict.fromkeys(("iteration", "bp end", "last"), pl.Int64), orient="row"
    ).with_row_index("key")
    inside = spans.join(windows, on="iteration").select(
        "key", begin_ns=pl.max_horizontal("start", "bp end"), end_ns=pl.min_horizontal("end", "last")
    )
    lengths = union_lengths(inside["key"], inside.select("begin_ns", "end_ns"))
    each = windows.join(lengths, on="key", how="left")["union_ns"].fill_null(0)
    return _round(each.median())
