"""Iterations on a timeline: which one an event is in, and which lanes have anything in a window.

The rules of ``prof_tui.data.iterations.placement``, as far as a timeline can tell: the iteration in the
file's name, else the window of the Model ID that the event's arguments name, else by time.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from prof_tui.data.iterations.placement import BY_FILE, BY_TIME, BY_WINDOW, latest_begun, only_one
from prof_tui.data.iterations.step_trace import NO_MODEL, ModelKey, Step, StepTrace
from prof_tui.data.query.query import Scope
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.words import _

_NO_MODELS = (None, -1, NO_MODEL)


@dataclass(frozen=True)
class EventPlace:
    """Where an event is; ``rule`` is a number of ``prof_tui.data.iterations.placement``, None outside."""

    scope: Scope
    """The device, and the model and iteration where it is in one."""
    rule: int | None


def window_of(step: Step) -> Span | None:
    """The window that holds an iteration's events; None where step trace has no times for it."""
    if step.begin_ns is None or step.end_ns is None or step.begin_ns >= step.end_ns:
        return None
    return step.begin_ns, step.end_ns


def place_times(steps: StepTrace, device: int | None, times_ns: pl.Series) -> pl.DataFrame:
    """model and iteration (Int64) of moments of a device: null where not exactly one model has a window."""
    keys = [key for key in steps.models() if key[0] == device]
    free = only_one([latest_begun(_windows(steps, key)) for key in keys])
    schema = {"begin_ns": pl.Int64, "until_ns": pl.Int64, "group": pl.Int64, "iteration": pl.Int64}
    windows = pl.DataFrame(free, schema=schema, orient="row").with_columns(
        pl.col("group").replace_strict(range(len(keys)), [model for _d, model in keys], return_dtype=pl.Int64)
        if keys
        else pl.col("group")
    )
    place = windows["begin_ns"].search_sorted(times_ns, side="right").cast(pl.Int64) - 1
    known = windows[place.clip(0)] if len(windows) else windows.clear(len(times_ns))
    inside = (place >= 0) & (times_ns < known["until_ns"]).fill_null(False)
    return known.select(
        pl.when(inside).then("group").alias("model"), pl.when(inside).then("iteration").alias("iteration")
    )


def place_event(index: TraceIndex, steps: StepTrace, event: int, model: int | None = None) -> EventPlace:
    """Which iteration an event is in; ``model``: the Model ID among its arguments, None where none is."""
    lane, file, start_ns = index.events.select("lane", "file", "start_ns").row(event)
    own = index.files[file]
    device = index.lanes[lane].device
    if device is None:
        device = own.device if own.device is not None else _only_device(index, steps)
    if own.iteration is not None:
        return EventPlace(Scope(device, own.model, own.iteration), BY_FILE)
    if model not in _NO_MODELS:
        for begin_ns, end_ns, iteration in latest_begun(_windows(steps, (device, model))):
            if begin_ns <= start_ns < end_ns:
                return EventPlace(Scope(device, model, iteration), BY_WINDOW)
        if (device, model) in steps.models():
            return EventPlace(Scope(device, model), None)
    by_time = place_times(steps, device, pl.Series([start_ns], dtype=pl.Int64)).row(0)
    if by_time[1] is None:
        return EventPlace(Scope(device), None)
    return EventPlace(Scope(device, *by_time), BY_TIME)


def clock_problem(index: TraceIndex, steps: StepTrace, device: int | None = None) -> str:
    """A sentence where no iteration's window touches the timeline's span; empty where one does.

    ``device``: look at the iterations of one device; None for all.  Empty too without any window.
    """
    spans = [
        span
        for step in steps.steps
        if device in (None, step.device) and (span := window_of(step)) is not None
    ]
    begin_ns, end_ns = index.span
    if not spans or not len(index.events) or any(own[0] < end_ns and begin_ns < own[1] for own in spans):
        return ""
    return _(
        "No iteration of step_trace lies within the timeline: they are not of the same run or clock, "
        "so the timeline shows no iterations."
    )


def _windows(steps: StepTrace, key: ModelKey) -> list[tuple[int, int, int]]:
    return [(*span, step.iteration) for step in steps.of_model(key) if (span := window_of(step)) is not None]


def _only_device(index: TraceIndex, steps: StepTrace) -> int | None:
    """The one device there is, for events of the host; None where there are several or none."""
    devices = {step.device for step in steps.steps} or {lane.device for lane in index.lanes} - {None}
    return devices.pop() if len(devices) == 1 else None
