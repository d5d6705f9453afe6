"""What of a timeline a scope shows: its window, the marks in it, and how busy each device was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import polars as pl

from prof_tui.data.iterations.step_trace import Step, StepTrace
from prof_tui.data.query.query import Scope
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import ENDS_NS
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.overlap import (
    Overlap,
    OverlapCheck,
    OverlapSpans,
    check_overlap,
    device_overlap,
    device_window,
    file_overlap,
    overlap_devices,
)
from prof_tui.data.timeline.trace_steps import clock_problem, window_of
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


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


def scope_window(capture: OpenCapture, index: TraceIndex, scope: Scope) -> ScopeWindow:
    """The iteration's window, or the timeline's whole span where the scope has none."""
    steps = capture.steps
    step, own, notices = _window(steps, index, scope)
    window = own or index.span
    marks = _iteration_marks(step) if step else _begin_marks(steps, scope)
    inside = sorted((mark for mark in marks if window[0] <= mark.at_ns <= window[1]), key=lambda m: m.at_ns)
    overlaps = tuple(_overlaps(index, scope, window, whole=own is None)) if index.complete else ()
    return ScopeWindow(scope, step, window, tuple(inside), overlaps, notices, own is None)


def _window(
    steps: StepTrace, index: TraceIndex, scope: Scope
) -> tuple[Step | None, Span | None, tuple[str, ...]]:
    """The iteration and its window, None for all of the timeline, and why."""
    if not isinstance(scope.iteration, int):
        problem = clock_problem(index, steps, scope.device)
        return None, None, (problem,) if problem else ()
    step = steps.find(scope.device, scope.model, scope.iteration)
    window = window_of(step) if step else None
    if step and window and window[0] < index.span[1] and index.span[0] < window[1]:
        return step, window, ()
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
    own = index.events.filter(pl.col("file").is_in(files))
    begin_ns, end_ns = own.select(pl.col("start_ns").min(), ENDS_NS.max()).row(0)
    return None if begin_ns is None else (begin_ns, end_ns)


def _iteration_marks(step: Step) -> list[TimeMark]:
    told = ((step.fp_start_ns, "FP Start"), (step.bp_end_ns, "BP End"), (step.end_ns, "Iteration End"))
    return [TimeMark(at_ns, title) for at_ns, title in told if at_ns is not None]


def _begin_marks(steps: StepTrace, scope: Scope) -> list[TimeMark]:
    """Where the iterations of each device's main model begin, or of the model that the scope names."""
    title = _("iteration {n}")
    return [
        TimeMark(window[0], title.format(n=step.iteration))
        for step in steps.steps
        if scope.device in (None, step.device)
        and (steps.is_main(step) if scope.model is None else step.model == scope.model)
        and (window := window_of(step))
    ]


def _overlaps(index: TraceIndex, scope: Scope, window: Span, *, whole: bool) -> Iterator[DeviceOverlap]:
    """``whole``: over all tasks of the device, as the exporter does, instead of the window."""
    for device in overlap_devices(index):
        if scope.device is not None and device not in (None, scope.device):
            continue
        own, file = overlap_spans(index, device)
        span = device_window(index, device) if whole else window
        yield DeviceOverlap(device, own.within(span), check_overlap(own, file, span) if file else None)


_SpansOfDevice = dict[int | None, tuple[OverlapSpans, OverlapSpans | None]]
_known_spans: WeakKeyDictionary[TraceIndex, _SpansOfDevice] = WeakKeyDictionary()


def overlap_spans(index: TraceIndex, device: int | None) -> tuple[OverlapSpans, OverlapSpans | None]:
    """The unions of a device, worked out once: from its tasks, and from the file's own lanes."""
    known = _known_spans.setdefault(index, {})
    if device not in known:
        known[device] = device_overlap(index, device), file_overlap(index, device)
    return known[device]
