"""What of a timeline a scope shows: its window, the marks in it, and how busy each device was."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import polars as pl

from prof_tui.data.iterations.placement import BY_FILE, BY_TIME, BY_WINDOW, place_times, windows_of
from prof_tui.data.iterations.step_trace import NO_MODEL, Step, StepTrace
from prof_tui.data.query.query import Scope
from prof_tui.data.spans.span import Span, overlap
from prof_tui.data.timeline.events import ENDS_NS, in_window
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.overlap import (
    PARTS,
    Overlap,
    OverlapCheck,
    check_overlap,
    device_window,
    file_window_text,
    overlap_devices,
    overlap_spans,
)
from prof_tui.words import _

_NO_MODELS = (None, -1, NO_MODEL)


@dataclass(frozen=True)
class EventPlace:
    """Where an event is; ``rule`` is a number of ``prof_tui.data.iterations.placement``, None outside."""

    scope: Scope
    """The device, and the model and iteration where it is in one."""
    rule: int | None


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
        for begin_ns, end_ns, iteration in windows_of(steps, (device, model)):
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
    windows = [step.window for step in steps.steps if step.window and device in (None, step.device)]
    if not windows or not len(index.events) or any(overlap(own, index.span) for own in windows):
        return ""
    return _(
        "No iteration of step_trace lies within the timeline: they are not of the same run or clock, "
        "so the timeline shows no iterations."
    )


def _only_device(index: TraceIndex, steps: StepTrace) -> int | None:
    """The one device there is, for events of the host; None where there are several or none."""
    devices = {step.device for step in steps.steps} or {lane.device for lane in index.lanes} - {None}
    return devices.pop() if len(devices) == 1 else None


@dataclass(frozen=True)
class TimeMark:
    at_ns: int
    title: str


@dataclass(frozen=True)
class DeviceOverlap:
    """Sums of one device over the window, and beside them what the file's own lanes say."""

    device: int | None
    own: Overlap
    check: OverlapCheck | None
    """None where the file has no Overlap Analysis of the device."""


@dataclass(frozen=True)
class ScopeWindow:
    """A scope on a timeline."""

    scope: Scope
    step: Step | None
    """The iteration that is looked at; None for no iteration and for one without times."""
    window: Span
    marks: tuple[TimeMark, ...]
    """In time order: of an iteration FP Start, BP End and Iteration End, else where iterations begin."""
    overlaps: tuple[DeviceOverlap, ...]
    """None while the timeline is still being read."""
    notices: tuple[str, ...]
    is_whole: bool = False
    """Whether all of the timeline is shown: asked for, or because it holds nothing of the scope."""


def scope_window(steps: StepTrace, index: TraceIndex, scope: Scope) -> ScopeWindow:
    """The iteration's window, or the timeline's whole span where the scope has none."""
    step, own, notices = _window(steps, index, scope)
    window = own or index.span
    marks = iteration_marks(step, window) if step else _marks_within(window, _begin_marks(steps, scope))
    overlaps = tuple(_overlaps(index, scope, window, whole=own is None)) if index.complete else ()
    return ScopeWindow(scope, step, window, marks, overlaps, notices, own is None)


def _window(
    steps: StepTrace, index: TraceIndex, scope: Scope
) -> tuple[Step | None, Span | None, tuple[str, ...]]:
    """The iteration and its window, None for all of the timeline, and why."""
    if not isinstance(scope.iteration, int):
        problem = clock_problem(index, steps, scope.device)
        return None, None, (problem,) if problem else ()
    step = steps.find(scope.device, scope.model, scope.iteration)
    if step and step.window and overlap(step.window, index.span):
        return step, step.window, ()
    own = _file_window(index, scope)
    if own is not None:
        said = _("Step trace has no window of it by this timeline's clock: all of its own file is shown.")
        return None, own, (said,)
    problem = clock_problem(index, steps, scope.device)
    said = problem or _("This timeline holds nothing of the iteration: all of it is shown.")
    return None, None, (said,)


def _file_window(index: TraceIndex, scope: Scope) -> Span | None:
    """From the first to the last moment of the files that are this iteration's alone."""
    files = [
        number
        for number, file in enumerate(index.files)
        if file.iteration == scope.iteration
        and scope.device in (None, file.device)
        and (scope.model is None or file.model in (None, scope.model))
    ]
    if not files:
        return None
    own = index.events.filter(pl.col("file").is_in(files), pl.col("start_ns").is_between(*index.span))
    begin_ns, end_ns = own.select(pl.col("start_ns").min(), ENDS_NS.max()).row(0)
    return None if begin_ns is None else (begin_ns, end_ns)


@dataclass(frozen=True)
class Seen:
    """What of a scope is on the screen."""

    window: Span
    events: int
    """Events in it, of all lanes."""
    overlaps: tuple[DeviceOverlap, ...]
    """None while the timeline is still being read."""


def see(index: TraceIndex, shown: ScopeWindow, window: Span) -> Seen:
    """What a part of a scope's window, or of the time around it, holds."""
    if window == shown.window:
        if shown.is_whole:
            return Seen(window, len(index.events), shown.overlaps)
        overlaps = shown.overlaps
    else:
        overlaps = tuple(_overlaps(index, shown.scope, window, whole=False)) if index.complete else ()
    inside = index.events.lazy().filter(in_window(window))
    return Seen(window, int(inside.select(pl.len()).collect().item()), overlaps)


def iteration_marks(step: Step, window: Span) -> tuple[TimeMark, ...]:
    """FP Start, BP End and Iteration End as far as they lie in a window, in time order."""
    told = ((step.fp_start_ns, "FP Start"), (step.bp_end_ns, "BP End"), (step.end_ns, "Iteration End"))
    return _marks_within(window, [TimeMark(at_ns, title) for at_ns, title in told if at_ns is not None])


def _marks_within(window: Span, marks: Iterable[TimeMark]) -> tuple[TimeMark, ...]:
    inside = (mark for mark in marks if window[0] <= mark.at_ns <= window[1])
    return tuple(sorted(inside, key=lambda mark: mark.at_ns))


def _begin_marks(steps: StepTrace, scope: Scope) -> list[TimeMark]:
    """Where the iterations of each device's main model begin, or of the model that the scope names."""
    title = _("iteration {n}")
    return [
        TimeMark(step.window[0], title.format(n=step.iteration))
        for step in steps.steps
        if step.window
        and scope.device in (None, step.device)
        and (steps.is_main(step) if scope.model is None else step.model == scope.model)
    ]


def _overlaps(index: TraceIndex, scope: Scope, window: Span, *, whole: bool) -> Iterator[DeviceOverlap]:
    """``whole``: from the device's first op to its last one, instead of the window."""
    for device in overlap_devices(index):
        if scope.device is not None and device not in (None, scope.device):
            continue
        own, file = overlap_spans(index, device)
        span = device_window(index, device) if whole else window
        check = check_overlap(own, file, span) if file else None
        if check is not None and whole:
            check = replace(check, beside=file_window_text(index, device, check))
        yield DeviceOverlap(device, own.within(span), check)


def step_overlaps(index: TraceIndex, steps: StepTrace) -> list[Overlap | None]:
    """One per step of ``steps``; None where the timeline holds nothing of its window or device.

    Empty where it holds nothing at all, and where part of it could not be read: a sum of what is left
    would look like one of everything.
    """
    if index.damaged:
        return []
    found: list[Overlap | None] = [None] * len(steps.steps)
    devices = overlap_devices(index)
    of_device: dict[int | None, list[tuple[int, int, int]]] = defaultdict(list)
    for place, step in enumerate(steps.steps):
        device = step.device if step.device in devices else None
        if step.window and overlap(step.window, index.span) and device in devices:
            of_device[device].append((place, *step.window))
    for device, rows in of_device.items():
        own, _file = overlap_spans(index, device)
        schema = {"place": pl.Int64, "begin_ns": pl.Int64, "end_ns": pl.Int64}
        sums = own.per_window(pl.DataFrame(rows, schema=schema, orient="row"))
        columns = ["place", "begin_ns", "end_ns", *(f"{part}_ns" for part in PARTS)]
        for place, begin_ns, end_ns, *parts in sums.select(columns).iter_rows():
            found[place] = Overlap((begin_ns, end_ns), *parts)
    return found if any(found) else []
