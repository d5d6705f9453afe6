"""What the device did in the steady iterations, or in the whole capture: busy by Task Type, and idle.

An iteration's window is its period, so that what the device did between two iterations counts too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.capture.options import STEADY_EXPORT
from prof_tui.data.iterations.placement import rule_text
from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.run.models import median_of, usual_steps
from prof_tui.data.run.timed_ops import TimedOps, summary_ops, timeline_ops
from prof_tui.data.run.times import Inside, StepTimes, TypeTime
from prof_tui.data.spans.frames import Coverage, coverages
from prof_tui.data.tables.communication import communicating_rows
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.data.tables.task_types import is_op
from prof_tui.errors import UnreadableError
from prof_tui.words import NOT_AVAILABLE, _, count, counted, number_text, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


_MOST_TYPES = 3
"""Task Types that a sentence names."""
_MOST_ITERATIONS = 5
"""And iterations."""


@dataclass(frozen=True)
class _Windows:
    """Half open, on the ops' clock, Int64 ns, one row an iteration."""

    begins: pl.Series
    ends: pl.Series
    lengths: pl.Series
    """What the windows stand for, where ends and begins are those of ops."""
    iterations: pl.Series
    """Iteration IDs; 0 for the whole capture."""

    def __len__(self) -> int:
        return len(self.begins)

    def only(self, wanted: pl.Series) -> _Windows:
        columns = (self.begins, self.ends, self.lengths, self.iterations)
        return _Windows(*(each.filter(wanted) for each in columns))

    def in_line(self, steps: Sequence[Step]) -> _Windows:
        """Those of iterations that are in line; all where none is."""
        usual = [step.iteration for step in usual_steps(steps)]
        found = self.only(self.iterations.is_in(usual))
        return found if len(found) else self


def inside_times(
    capture: OpenCapture,
    steps: Sequence[StepTimes],
    *,
    device: int | None = None,
    progress: Progress = go_on,
    soon: bool = False,
) -> tuple[Inside, ...]:
    """Per device of ``steps``; without steps per device that has ops, or of ``device``.

    From op_summary, and from the timeline where there is none.  UnreadableError when there is neither, or
    op_summary has no times; CancelledError by ``progress``.  ``soon``: before all names are read, which may
    tell of more communication (``prof_tui.data.tables.communication.is_told_by_names``).
    """
    files = capture.export.table("op_summary")
    if files is None or files.status == "missing":
        ops = timeline_ops(capture, progress)
    else:
        ops = summary_ops(capture.table("op_summary"), len(capture.export.devices) > 1, progress, soon=soon)
    if steps:
        found = [_of_iterations(capture, ops, own) for own in steps]
    else:
        found = [_whole(ops, own) for own in _devices(capture, ops, device)]
    return tuple(replace(each, notices=(*each.notices, *_no_operator(each), *ops.notices)) for each in found)


def _no_operator(inside: Inside) -> Iterator[str]:
    """What to say where none of the tasks is an op."""
    types = [one.task_type for one in inside.types]
    if types and not any(map(is_op, types)):
        text = _("No operator ran: all tasks are of Task Type {types}, which compute nothing.")
        yield text.format(types=", ".join(map(printable, types[:_MOST_TYPES])))


def _devices(capture: OpenCapture, ops: TimedOps, device: int | None) -> list[int | None]:
    if device is not None or "device" not in ops.frame.columns:
        return [device if device is not None else next(iter(capture.export.devices), None)]
    found = ops.frame["device"].drop_nulls().unique().sort().to_list()
    return [int(number) for number in found] or [None]


# Windows


def _of_iterations(capture: OpenCapture, ops: TimedOps, steps: StepTimes) -> Inside:
    own = ops.of_device(steps.device)
    busy = _busy(own, ops.names)
    placed = _("by start in the period") if steps.period else _("by start in the iteration's window")
    windows = _step_windows(steps)
    windows = windows.only(busy.whole.begun_within(windows.begins, windows.ends) > 0)
    if not len(windows) and ops.table is not None:
        own, windows, placed = _placed_ops(capture, ops.table, steps)
        busy = _busy(own, ops.names)
    if not len(windows):
        return replace(_whole(ops, steps.device), notices=(_none_steady(capture, ops, steps),))
    usual = windows.in_line(steps.steady.steps)
    without = len(steps.steady.steps) - len(windows)
    return replace(
        _inside(busy, usual, steps.device),
        iterations=len(usual),
        out_of_line=len(windows) - len(usual),
        placed=placed,
        span_ns=ops.span_ns(steps.device),
        notices=(_about_without(without),) if without else (),
    )


def _none_steady(capture: OpenCapture, ops: TimedOps, steps: StepTimes) -> str:
    """Why no op is in a steady iteration: it is in others, or the two are not of one run."""
    table = _("the timeline") if ops.table is None else "op_summary"
    held = _held(capture, ops, steps)
    if not held:
        text = _("No op is in an iteration: {table} and step_trace are not of the same run or clock.")
        return text.format(table=table)
    text = _("No op is in a steady iteration of Model ID {model}: {table} holds {what} alone. {export}")
    return text.format(
        model=number_text(steps.model),
        table=table,
        what=_iterations_named(held, steps.model),
        export=STEADY_EXPORT.format(model=steps.model, id=steps.steady.first),
    )


def _iterations_named(held: Sequence[tuple[int | None, int]], model: int | None) -> str:
    """The first Iteration IDs of the model; where none is of it, the models that they are of."""
    own = [iteration for of, iteration in held if of == model]
    if not own:
        models = dict.fromkeys(number_text(of) for of, _iteration in held)
        return _("iterations of Model ID {models}").format(models=", ".join(models))
    ids, more = ", ".join(map(str, own[:_MOST_ITERATIONS])), len(own) - _MOST_ITERATIONS
    if more > 0:
        ids = _("{ids} and {n} more").format(ids=ids, n=count(more))
    return counted("its iteration {ids}", "its iterations {ids}", len(own), ids=ids)


def _held(capture: OpenCapture, ops: TimedOps, steps: StepTimes) -> list[tuple[int | None, int]]:
    """(Model ID, Iteration ID) of the iterations of the device that hold ops, in their order."""
    if ops.table is not None:
        placed = _placed(capture, ops.table, steps.device).drop_nulls("iteration")
        return placed.select("model", "iteration").unique().sort("model", "iteration").rows()
    starts = ops.of_device(steps.device)["start"]
    return [
        (step.model, step.iteration)
        for step in capture.steps.of_model((steps.device, steps.model))
        if step.begin_ns is not None and starts.is_between(step.begin_ns, step.end_ns, closed="left").any()
    ]


def _about_without(number: int) -> str:
    return counted(
        "{n} steady iteration has no period or no ops here: it is left out of busy and idle.",
        "{n} steady iterations have no period or no ops here: they are left out of busy and idle.",
        number,
    )


def _step_windows(steps: StepTimes) -> _Windows:
    """The periods; where no iteration has one, the iterations' own windows."""
    rows = [
        (begin, step.end_ns, step.end_ns - begin, step.iteration)
        for step in steps.steady.steps
        if step.end_ns is not None
        and (begin := step.begin_ns if steps.period is None else _before(step.end_ns, step.period_ns))
        is not None
    ]
    return _as_windows(rows)


def _before(end_ns: int, period_ns: int | None) -> int | None:
    return None if period_ns is None or period_ns < 0 else end_ns - period_ns


def _placed_ops(capture: OpenCapture, table: Table, steps: StepTimes) -> tuple[pl.DataFrame, _Windows, str]:
    """The steady iterations' ops by other rules than time, and from where to where each goes."""
    steady = [step.iteration for step in steps.steady.steps]
    own = (
        _placed(capture, table, steps.device)
        .filter(pl.col("iteration").is_in(steady) & pl.col("model").eq_missing(steps.model))
        .sort("start", maintain_order=True)
    )
    rules = own["rule"].unique().sort().to_list()
    return own, _op_windows(own, steps), ", ".join(rule_text(rule) for rule in rules)


def _placed(capture: OpenCapture, table: Table, device: int | None) -> pl.DataFrame:
    """The device's sound ops with ``iteration``, ``model`` and the ``rule`` that placed them."""
    start, duration, task_type = (table.get(id_) for id_ in ("task_start", "task_duration", "task_type"))
    assert start is not None
    assert duration is not None
    placement = capture.placement(table)
    frame = pl.DataFrame(
        {
            "start": table.numbers(start),
            "ns": table.numbers(duration),
            "iteration": placement.iteration,
            "model": placement.model,
            "device": device_numbers(table),
            "rule": placement.rule,
            "communicates": communicating_rows(table),
        }
    ).with_columns(code=pl.lit(0, pl.UInt8) if task_type is None else table.texts(task_type).codes)
    return frame.filter(
        (pl.col("ns") >= 0)
        & pl.col("start").is_not_null()
        & (pl.lit(device is None) | (pl.col("device") == device))
    )


def _op_windows(ops: pl.DataFrame, steps: StepTimes) -> _Windows:
    """From the first op's start to the last one's end; their length is the period's, where it is known."""
    lengths = {step.iteration: step.period_ns or step.iteration_time_ns for step in steps.steady.steps}
    spans = ops.group_by("iteration").agg(
        begin=pl.col("start").min(), end=(pl.col("start") + pl.col("ns")).max()
    )
    rows = [
        (begin, end, lengths.get(iteration) or end - begin, iteration)
        for iteration, begin, end in spans.sort("iteration").iter_rows()
    ]
    return _as_windows(rows)


def _as_windows(rows: Sequence[tuple[int, int, int, int]]) -> _Windows:
    columns = zip(*rows, strict=True) if rows else ((), (), (), ())
    return _Windows(*(pl.Series(column, dtype=pl.Int64) for column in columns))


# Sums


def _whole(ops: TimedOps, device: int | None) -> Inside:
    own = ops.of_device(device)
    if not len(own):
        raise UnreadableError(_("op_summary has no op with a start and a duration: busy time is unknown."))
    busy = _busy(own, ops.names)
    begin, end = int(busy.whole.begins[0]), int(busy.whole.reach[-1])
    return _inside(busy, _as_windows([(begin, end, end - begin, 0)]), device)


@dataclass(frozen=True)
class _Busy:
    """What kept a device busy."""

    whole: Coverage
    types: tuple[tuple[str, Coverage], ...]
    """With the Task Type."""
    talking: Coverage | None
    """Communication; None where there is none."""
    others: Coverage | None
    """All but that."""


def _busy(ops: pl.DataFrame, names: Sequence[str]) -> _Busy:
    codes = ops["code"].unique().to_list()
    of_type = [NOT_AVAILABLE if code is None else names[code] for code in codes]
    either = [pl.col("communicates"), ~pl.col("communicates")] if ops["communicates"].any() else []
    wanted = [pl.lit(True), *either, *(pl.col("code").eq_missing(code) for code in codes)]
    whole, *parts = coverages(ops, wanted)
    talking, others = parts[:2] if either else (None, None)
    return _Busy(whole, tuple(zip(of_type, parts[len(either) :], strict=True)), talking, others)


def _inside(ops: _Busy, windows: _Windows, device: int | None) -> Inside:
    busy = ops.whole.within(windows.begins, windows.ends)
    types = tuple(sorted(_types(ops.types, windows), key=lambda one: (-one.busy_ns, one.task_type)))
    communication, uncovered = _communication(ops, busy, windows)
    return Inside(
        device=device,
        iterations=None,
        window_ns=_median(windows.lengths),
        ops=_median(ops.whole.begun_within(windows.begins, windows.ends)),
        busy_ns=_median(busy),
        idle_ns=_median(windows.lengths - busy),
        types=types,
        communication_ns=communication,
        uncovered_ns=uncovered,
        placed="",
        span_ns=int(ops.whole.reach[-1]) - int(ops.whole.begins[0]),
    )


def _median(values: pl.Series) -> int:
    return median_of(values.to_list()) or 0


def _types(types: Sequence[tuple[str, Coverage]], windows: _Windows) -> Iterator[TypeTime]:
    for name, mine in types:
        begun = mine.begun_within(windows.begins, windows.ends)
        if (begun > 0).any():
            yield TypeTime(name, _median(begun), _median(mine.within(windows.begins, windows.ends)))


def _communication(ops: _Busy, busy: pl.Series, windows: _Windows) -> tuple[int | None, int | None]:
    """Medians of the union of communication, and of what nothing else covers of it."""
    if ops.talking is None or ops.others is None:
        return None, None
    took = ops.talking.within(windows.begins, windows.ends)
    if not (took > 0).any():
        return None, None
    return _median(took), _median(busy - ops.others.within(windows.begins, windows.ends))
