"""One iteration: its window, how busy the device was, and where its time went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.iterations.placement import rule_text
from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.query.query import Query, Scope
from prof_tui.data.spans.span import Span, complement, length, union
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.communication import communicating_rows
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline.events import select_events
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.op_link import events_of_rows
from prof_tui.words import NOT_AVAILABLE, _, counted, duration
from prof_tui.words import count as count_text

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


MOST_OPS = 200_000
"""Ops of one iteration that are drawn and summed; each is a Python object, and a frame stays below 33 ms."""


_NEEDED = (
    "device_id",
    "model_id",
    "infer_id",
    "task_start",
    "task_duration",
    "op_name",
    "op_type",
    "task_type",
    "stream_id",
)
"""Columns that an iteration takes: asked for at once they cost one pass over the file."""


@dataclass(frozen=True)
class TimedOp:
    """One op with a start; ``row`` is its row number in op_summary."""

    row: int
    start_ns: int
    duration_ns: int
    """Negative in a broken record: never busy time."""
    name: str
    task_type: str
    stream: int | None
    communicates: bool


@dataclass(frozen=True)
class TaskTypeShare:
    task_type: str
    count: int
    duration_ns: int
    """Sum of the valid durations."""


@dataclass(frozen=True)
class IterationDetail:
    """What an iteration screen shows."""

    scope: Scope
    step: Step | None
    """None where the export has no step trace for it."""
    ops: tuple[TimedOp, ...]
    """By start; ops without a start are in ``untimed`` only."""
    untimed: int
    window: Span
    """The iteration's window; from the first op's start to the last one's end where the step has none."""
    busy: tuple[Span, ...]
    """The union of the ops within the window."""
    shares: tuple[TaskTypeShare, ...]
    """By summed duration, longest first."""
    rules: tuple[str, ...]
    """What the ops were placed by."""
    notices: tuple[str, ...]

    @property
    def busy_ns(self) -> int:
        return length(self.busy)

    @property
    def gaps(self) -> list[Span]:
        """Where no op ran, in time order."""
        return complement(self.busy, *self.window)

    @property
    def duration_sum_ns(self) -> int:
        return sum(share.duration_ns for share in self.shares)


def iteration_detail(capture: OpenCapture, scope: Scope) -> IterationDetail:
    """The iteration that ``scope`` names; UnreadableError when op_summary can't be read."""
    table = capture.table("op_summary")
    table.load([column for id_ in _NEEDED if (column := table.get(id_))])
    rows = capture.view(table, Query(scope)).rows
    placement = capture.placement(table)
    iteration = scope.iteration if isinstance(scope.iteration, int) else -1
    step = capture.steps.find(scope.device, scope.model, iteration)
    timed, untimed = timed_ops(table, rows)
    ops, beyond = timed[:MOST_OPS], timed[MOST_OPS:]
    whole = _window(step, ops)
    window = (whole[0], min(whole[1], beyond[0].start_ns)) if beyond else whole
    valid = ((op.start_ns, op.start_ns + op.duration_ns) for op in ops if op.duration_ns > 0)
    rules = sorted(placement.rule.gather(rows).drop_nulls().unique().to_list())
    return IterationDetail(
        scope,
        step,
        ops,
        untimed,
        window,
        tuple(union(valid, *window)),
        _shares(ops),
        tuple(rule_text(rule) for rule in rules),
        (*_about_beyond(beyond, window), *_notices(step, ops, untimed, whole)),
    )


def timed_ops(table: Table, rows: pl.Series) -> tuple[tuple[TimedOp, ...], int]:
    """Ops of these row numbers that have a usable start, by start, one more than ``MOST_OPS`` at most.

    And how many have none.
    """
    start, length_ = table.get("task_start"), table.get("task_duration")
    if start is None:
        return (), len(rows)
    name, task_type, stream = (table.get(id_) for id_ in ("op_name", "task_type", "stream_id"))
    table.load([column for column in (start, length_, name, task_type, stream) if column is not None])
    absent = pl.Series([None]).new_from_index(0, len(rows))

    def texts(column: Column | None) -> pl.Series:
        if column is None:
            return absent.cast(pl.String).fill_null(NOT_AVAILABLE)
        values = table.texts(column)
        return values.values.gather(values.codes.gather(rows)).fill_null(NOT_AVAILABLE)

    frame = pl.DataFrame(
        {
            "row": rows,
            "start": table.times(start).ns.gather(rows),
            "ns": table.numbers(length_).gather(rows).fill_null(0)
            if length_
            else absent.cast(pl.Int64).fill_null(0),
            "name": texts(name),
            "type": texts(task_type),
            "stream": table.numbers(stream).gather(rows) if stream else absent.cast(pl.Int64),
            "communicates": communicating_rows(table).gather(rows),
        }
    )
    ordered = frame.drop_nulls("start").sort("start", "row")
    ops = tuple(TimedOp(*values) for values in ordered.head(MOST_OPS + 1).iter_rows())
    return ops, len(rows) - len(ordered)


def _about_beyond(beyond: Sequence[TimedOp], window: Span) -> list[str]:
    if not beyond:
        return []
    text = _("The timeline and these sums end at {end}, after {n} ops; the table has all.")
    return [text.format(end=duration(window[1] - window[0]), n=count_text(MOST_OPS))]


def _window(step: Step | None, ops: Sequence[TimedOp]) -> Span:
    own = None if step is None else step.window
    if own and (not ops or any(own[0] <= op.start_ns < own[1] for op in ops)):
        return own
    if not ops:
        return 0, 0
    return ops[0].start_ns, max(op.start_ns + max(0, op.duration_ns) for op in ops)


def _shares(ops: Sequence[TimedOp]) -> tuple[TaskTypeShare, ...]:
    counts: dict[str, int] = {}
    sums: dict[str, int] = {}
    for op in ops:
        counts[op.task_type] = counts.get(op.task_type, 0) + 1
        sums[op.task_type] = sums.get(op.task_type, 0) + max(0, op.duration_ns)
    ordered = sorted(counts, key=lambda name: (-sums[name], name))
    return tuple(TaskTypeShare(name, counts[name], sums[name]) for name in ordered)


def _notices(step: Step | None, ops: Sequence[TimedOp], untimed: int, window: Span) -> list[str]:
    said = []
    if step is None:
        said.append(
            _("No step trace for this iteration: the window is from its first op's start to the last end.")
        )
    elif ops and step.window != window:
        said.append(
            _("Step trace and op_summary have other clocks: the window is from the first op to the last.")
        )
    invalid = sum(op.duration_ns < 0 for op in ops)
    if invalid:
        said.append(
            counted(
                "{n} op has a negative duration: it is marked and left out of busy time.",
                "{n} ops have a negative duration: they are marked and left out of busy time.",
                invalid,
            )
        )
    if untimed:
        said.append(
            counted(
                "{n} op has no usable start and is not in the timeline.",
                "{n} ops have no usable start and are not in the timeline.",
                untimed,
            )
        )
    longer = sum(op.start_ns + max(0, op.duration_ns) > window[1] for op in ops)
    if longer:
        said.append(
            counted(
                "{n} op goes on beyond the iteration's end: it counts here, where it starts.",
                "{n} ops go on beyond the iteration's end: they count here, where they start.",
                longer,
            )
        )
    return said


@dataclass(frozen=True)
class RowEvents:
    """Event numbers by row number of the table beside a timeline, and back."""

    event_of: Mapping[int, int]
    row_of: Mapping[int, int]

    @classmethod
    def in_order(cls, events: Sequence[int]) -> RowEvents:
        """The numbers of a table that has these events as its rows."""
        return cls(dict(enumerate(events)), {event: row for row, event in enumerate(events)})


def events_of_ops(index: TraceIndex, table: Table, ops: Sequence[TimedOp], device: int | None) -> RowEvents:
    """The events of some rows of op_summary, as far as they have one."""
    rows = pl.Series([op.row for op in ops], dtype=pl.UInt32)
    event_of = dict(events_of_rows(index, table, rows, device).select("number", "other").iter_rows())
    return RowEvents(event_of, {event: row for row, event in event_of.items()})


def tasks_of_window(index: TraceIndex, window: Span, device: int | None) -> pl.Series:
    """Event numbers (UInt32) of a device's stream tasks that start within a window, in time order.

    ``device``: None for all devices.
    """
    lanes = [
        number
        for number, lane in enumerate(index.lanes)
        if lane.is_stream and (device is None or lane.device in (None, device))
    ]
    tasks = select_events(index, ("start_ns",), lanes)
    inside = tasks.filter(pl.col("start_ns").is_between(*window, closed="left"))
    return inside.sort("start_ns", "event")["event"]
