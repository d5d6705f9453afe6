"""How busy each device was: in its steady iterations or in the whole capture, by Task Type, and idle.

An iteration's window is its period, so that what the device did between two iterations counts too.  The ops
are those of op_summary, or of the timeline without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.capture.options import STEADY_EXPORT
from prof_tui.data.iterations.placement import rule_text
from prof_tui.data.run.periods import ModelRun, median_of
from prof_tui.data.run.timed_ops import TimedOps, read_summary_ops, read_timeline_ops
from prof_tui.data.spans.frames import Coverage, coverages
from prof_tui.data.tables.communication import communicating_rows
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.data.tables.task_types import bookkeeping_rows, is_op
from prof_tui.errors import UnreadableError
from prof_tui.words import NOT_AVAILABLE, _, count, counted, number_text, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


_MOST_TYPES = 3
"""Task Types that a sentence names."""
_MOST_ITERATIONS = 5
"""Iterations that a sentence names."""


@dataclass(frozen=True)
class TypeTime:
    """The ops of one Task Type."""

    task_type: str
    ops: int
    busy_ns: int
    """The union of its ops: what it takes of the time, however many run beside each other."""


@dataclass(frozen=True)
class BusyTimes:
    """What one device did: medians over its iterations, or the whole capture where there are none."""

    device: int | None
    iterations: int | None
    """How many hold ops; None for the whole capture."""
    window_ns: int
    ops: int
    busy_ns: int
    idle_ns: int
    """What no op takes of the window; the most that it can be where ``idle_at_most``."""
    types: tuple[TypeTime, ...]
    """Longest first; they overlap, so their sum may pass ``busy_ns``."""
    communication_ns: int | None
    """The union of communication; None where there is none."""
    uncovered_ns: int | None
    """The part of it in which nothing else ran."""
    placed: str
    """By what ops are taken to be in an iteration; empty for the whole capture."""
    span_ns: int
    """From the first start to the last end of all ops of the device."""
    outliers: int = 0
    """How many more iterations hold ops and are left out, since their periods are outliers."""
    idle_at_most: bool = False
    """Whether ops of the device are left out: their starts or durations say nothing, yet they ran."""
    notices: tuple[str, ...] = ()
    lacking: str = ""
    """What is known to be missing among the ops that this is summed from; empty for nothing."""


def read_busy_times(
    capture: OpenCapture,
    runs: Sequence[ModelRun],
    *,
    device: int | None = None,
    progress: Progress = go_on,
    soon: bool = False,
) -> tuple[BusyTimes, ...]:
    """Per device of ``runs``; without runs per device that has ops, or of ``device``.

    From op_summary, and from the timeline where there is none.  UnreadableError when there is neither, or
    op_summary has no times; CancelledError by ``progress``.  ``soon``: before all names are read, which may
    tell of more communication (``prof_tui.data.tables.communication.is_told_by_names``).
    """
    if not capture.export.has_table("op_summary"):
        ops = read_timeline_ops(capture, progress)
    else:
        ops = read_summary_ops(
            capture.table("op_summary"), len(capture.export.devices) > 1, progress, soon=soon
        )
    if runs:
        found = [_of_iterations(capture, ops, own) for own in runs]
    else:
        found = [_sum_capture(ops, own) for own in _devices(capture, ops, device)]
    return tuple(
        replace(
            each,
            idle_at_most=bool({each.device, None} & ops.lacking),
            notices=(*each.notices, *_no_operator(each), *ops.notices),
        )
        for each in found
    )


def _no_operator(times: BusyTimes) -> Iterator[str]:
    """What to say where none of the tasks is an op."""
    types = [one.task_type for one in times.types]
    if types and not any(map(is_op, types)):
        text = _("No operator ran: all tasks are of Task Type {types}, which compute nothing.")
        yield text.format(types=", ".join(map(printable, types[:_MOST_TYPES])))


def _devices(capture: OpenCapture, ops: TimedOps, device: int | None) -> list[int | None]:
    if device is not None or "device" not in ops.frame.columns:
        return [device if device is not None else next(iter(capture.export.devices), None)]
    found = ops.frame["device"].drop_nulls().unique().sort().to_list()
    return [int(number) for number in found] or [None]


# Windows


_WINDOWS = dict.fromkeys(("begin", "end", "length", "iteration"), pl.Int64)
"""Columns of windows, half open, in ns on the ops' clock, one row an iteration.

``length``: what the window stands for, where begin and end are those of ops; ``iteration``: Iteration ID, 0
for the whole capture.
"""


def _of_iterations(capture: OpenCapture, ops: TimedOps, run: ModelRun) -> BusyTimes:
    own = ops.of_device(run.device)
    busy = _cover(own, ops.names)
    placed = _("by start in the period") if run.period else _("by start in the iteration's window")
    windows = _step_windows(run)
    windows = windows.filter(busy.whole.begun_within(windows["begin"], windows["end"]) > 0)
    if not len(windows) and ops.table is not None:
        own, windows, placed = _place_ops(capture, ops.table, run)
        busy = _cover(own, ops.names)
    if not len(windows):
        return replace(_sum_capture(ops, run.device), notices=(_none_steady(capture, ops, run),))
    usual = windows.filter(pl.col("iteration").is_in([step.iteration for step in run.usual]))
    usual = usual if len(usual) else windows
    without = len(run.steady) - len(windows)
    return replace(
        _sum(busy, usual, run.device),
        iterations=len(usual),
        outliers=len(windows) - len(usual),
        placed=placed,
        span_ns=ops.span_ns(run.device),
        notices=(_without_text(without),) if without else (),
    )


def _none_steady(capture: OpenCapture, ops: TimedOps, run: ModelRun) -> str:
    """Why no op is in a steady iteration: it is in others, or the two are not of one run."""
    table = _("the timeline") if ops.table is None else "op_summary"
    with_ops = _iterations_with_ops(capture, ops, run)
    if not with_ops:
        text = _("No op is in an iteration: {table} and step_trace are not of the same run or clock.")
        return text.format(table=table)
    text = _("No op is in a steady iteration of Model ID {model}: {table} holds {what} alone. {export}")
    return text.format(
        model=number_text(run.model),
        table=table,
        what=_name_iterations(with_ops, run.model),
        export=STEADY_EXPORT.format(model=run.model, id=run.first),
    )


def _name_iterations(with_ops: Sequence[tuple[int | None, int]], model: int | None) -> str:
    """The first Iteration IDs of the model; where none is of it, the models that they are of."""
    own = [iteration for of, iteration in with_ops if of == model]
    if not own:
        models = dict.fromkeys(number_text(of) for of, _iteration in with_ops)
        return _("iterations of Model ID {models}").format(models=", ".join(models))
    ids, more = ", ".join(map(str, own[:_MOST_ITERATIONS])), len(own) - _MOST_ITERATIONS
    if more > 0:
        ids = _("{ids} and {n} more").format(ids=ids, n=count(more))
    return counted("its iteration {ids}", "its iterations {ids}", len(own), ids=ids)


def _iterations_with_ops(capture: OpenCapture, ops: TimedOps, run: ModelRun) -> list[tuple[int | None, int]]:
    """(Model ID, Iteration ID) of the iterations of the device that hold ops, in their order."""
    if ops.table is not None:
        placed = _read_placement(capture, ops.table, run.device).drop_nulls("iteration")
        return placed.select("model", "iteration").unique().sort("model", "iteration").rows()
    starts = ops.of_device(run.device)["start"]
    return [
        (step.model, step.iteration)
        for step in capture.steps.of_model((run.device, run.model))
        if step.begin_ns is not None and starts.is_between(step.begin_ns, step.end_ns, closed="left").any()
    ]


def _without_text(number: int) -> str:
    return counted(
        "{n} steady iteration has no period or no ops here: it is left out of busy and idle.",
        "{n} steady iterations have no period or no ops here: they are left out of busy and idle.",
        number,
    )


def _step_windows(run: ModelRun) -> pl.DataFrame:
    """The periods; where no iteration has one, the iterations' own windows."""
    rows = [
        (begin, step.end_ns, step.end_ns - begin, step.iteration)
        for step in run.steady
        if step.end_ns is not None
        and (begin := step.begin_ns if run.period is None else _before(step.end_ns, step.period_ns))
        is not None
    ]
    return pl.DataFrame(rows, _WINDOWS, orient="row")


def _before(end_ns: int, period_ns: int | None) -> int | None:
    return None if period_ns is None or period_ns < 0 else end_ns - period_ns


def _place_ops(capture: OpenCapture, table: Table, run: ModelRun) -> tuple[pl.DataFrame, pl.DataFrame, str]:
    """The steady iterations' ops by other rules than time, and from where to where each goes."""
    steady = [step.iteration for step in run.steady]
    own = (
        _read_placement(capture, table, run.device)
        .filter(pl.col("iteration").is_in(steady) & pl.col("model").eq_missing(run.model))
        .sort("start", maintain_order=True)
    )
    rules = own["rule"].unique().sort().to_list()
    return own, _op_windows(own, run), ", ".join(rule_text(rule) for rule in rules)


def _read_placement(capture: OpenCapture, table: Table, device: int | None) -> pl.DataFrame:
    """The device's sound ops with ``iteration``, ``model`` and the ``rule`` that placed them."""
    start, duration, task_type = (table.get(id_) for id_ in ("task_start", "task_duration", "task_type"))
    assert start is not None
    assert duration is not None
    placement = capture.placement(table)
    frame = pl.DataFrame(
        {
            "start": table.times(start).ns,
            "ns": table.numbers(duration),
            "iteration": placement.iteration,
            "model": placement.model,
            "device": device_numbers(table),
            "rule": placement.rule,
            "communicates": communicating_rows(table),
        }
    )
    types = None if task_type is None else table.texts(task_type)
    books = None if types is None else bookkeeping_rows(types, frame["device"])
    coded = frame.with_columns(code=pl.lit(0, pl.UInt8) if types is None else types.codes)
    return coded.filter(
        (pl.col("ns") >= 0)
        & (pl.lit(value=True) if books is None else ~books)
        & pl.col("start").is_not_null()
        & (pl.lit(device is None) | (pl.col("device") == device))
    )


def _op_windows(ops: pl.DataFrame, run: ModelRun) -> pl.DataFrame:
    """From the first op's start to the last one's end; their length is the period's, where it is known."""
    lengths = {step.iteration: step.period_ns or step.iteration_time_ns for step in run.steady}
    spans = ops.group_by("iteration").agg(
        begin=pl.col("start").min(), end=(pl.col("start") + pl.col("ns")).max()
    )
    rows = [
        (begin, end, lengths.get(iteration) or end - begin, iteration)
        for iteration, begin, end in spans.sort("iteration").iter_rows()
    ]
    return pl.DataFrame(rows, _WINDOWS, orient="row")


# Sums


def _sum_capture(ops: TimedOps, device: int | None) -> BusyTimes:
    own = ops.of_device(device)
    if not len(own):
        text = _("No op has a usable start and a duration: span, busy and idle time are unknown.")
        raise UnreadableError(" ".join([text, *ops.notices]))
    busy = _cover(own, ops.names)
    begin, end = int(busy.whole.begins[0]), int(busy.whole.reach[-1])
    return _sum(busy, pl.DataFrame([(begin, end, end - begin, 0)], _WINDOWS, orient="row"), device)


@dataclass(frozen=True)
class _Coverages:
    """What kept a device busy."""

    whole: Coverage
    types: tuple[tuple[str, Coverage], ...]
    """With the Task Type."""
    communication: Coverage | None
    """Communication; None where there is none."""
    others: Coverage | None
    """All but that."""


def _cover(ops: pl.DataFrame, names: Sequence[str]) -> _Coverages:
    codes = ops["code"].unique().to_list()
    of_type = [NOT_AVAILABLE if code is None else names[code] for code in codes]
    either = [pl.col("communicates"), ~pl.col("communicates")] if ops["communicates"].any() else []
    wanted = [pl.lit(True), *either, *(pl.col("code").eq_missing(code) for code in codes)]
    whole, *parts = coverages(ops, wanted)
    communication, others = parts[:2] if either else (None, None)
    return _Coverages(whole, tuple(zip(of_type, parts[len(either) :], strict=True)), communication, others)


def _sum(ops: _Coverages, windows: pl.DataFrame, device: int | None) -> BusyTimes:
    busy = ops.whole.within(windows["begin"], windows["end"])
    types = tuple(sorted(_types(ops.types, windows), key=lambda one: (-one.busy_ns, one.task_type)))
    communication, uncovered = _communication(ops, busy, windows)
    return BusyTimes(
        device=device,
        iterations=None,
        window_ns=_median(windows["length"]),
        ops=_median(ops.whole.begun_within(windows["begin"], windows["end"])),
        busy_ns=_median(busy),
        idle_ns=_median(windows["length"] - busy),
        types=types,
        communication_ns=communication,
        uncovered_ns=uncovered,
        placed="",
        span_ns=int(ops.whole.reach[-1]) - int(ops.whole.begins[0]),
    )


def _median(values: pl.Series) -> int:
    return median_of(values.to_list()) or 0


def _types(types: Sequence[tuple[str, Coverage]], windows: pl.DataFrame) -> Iterator[TypeTime]:
    for name, mine in types:
        begun = mine.begun_within(windows["begin"], windows["end"])
        if (begun > 0).any():
            yield TypeTime(name, _median(begun), _median(mine.within(windows["begin"], windows["end"])))


def _communication(ops: _Coverages, busy: pl.Series, windows: pl.DataFrame) -> tuple[int | None, int | None]:
    """Medians of the union of communication, and of what nothing else covers of it."""
    if ops.communication is None or ops.others is None:
        return None, None
    took = ops.communication.within(windows["begin"], windows["end"])
    if not (took > 0).any():
        return None, None
    return _median(took), _median(busy - ops.others.within(windows["begin"], windows["end"]))
