"""What the ``trace`` command asks of a timeline, settled before anything is written."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from prof_tui.data.capture.export import no_device
from prof_tui.data.capture.file_sets import FileSet
from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.requests.scope import (
    IterationKey,
    choose_iteration,
    in_order,
    may_hold,
    number_ranges,
)
from prof_tui.data.spans.span import Span, overlap
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.timeline.carve import Cut, slices_overlapping, whole_window
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.read.files import read_files, trace_file
from prof_tui.errors import ProfTuiError, UnreadableError, UsageError
from prof_tui.words import _, duration, microseconds, number_text


def iteration_window(
    steps: StepTrace, index: TraceIndex, cut: Cut, key: IterationKey
) -> tuple[Span, Sequence[str]]:
    """[Iteration End - Iteration Time, Iteration End), and what is odd about it.

    Where the step trace has none by the timeline's clock, all of the files that are this iteration's alone.
    ``index``: of the files that may hold it; ``cut``: its lanes.  UsageError where the timeline ends before
    it, UnreadableError where the clocks differ or there is no window.
    """
    step = steps.find(key.device, key.model, key.iteration)
    window = None if step is None else step.window
    if window and slices_overlapping(index, replace(cut, window=window)):
        return window, ()
    if all(file.iteration is not None for file in index.files):
        text = _(
            "The step trace has no window of iteration {iteration} by the clock of {name}: "
            "all of the iteration's file is written."
        )
        return whole_window(index, cut), (text.format(iteration=key.iteration, name=index.name),)
    if window is None:
        text = _(
            "The step trace has no Iteration End and Iteration Time of iteration {iteration}: "
            "there is no window to write."
        )
        raise UnreadableError(text.format(iteration=key.iteration))
    span = index.span if index.span[0] < index.span[1] else whole_window(index, cut)
    if overlap(window, span):
        return window, ()
    raise _elsewhere(steps, index.name, span, key, window)


def _elsewhere(steps: StepTrace, name: str, span: Span, key: IterationKey, window: Span) -> ProfTuiError:
    """Why a window lies outside of the timeline."""
    of_model = steps.of_model((key.device, key.model))
    held = [step.iteration for step in of_model if step.window and overlap(step.window, span)]
    if held:
        text = _("Iteration {iteration} is not in the timeline {name}; in it are: {held}.")
        return UsageError(text.format(iteration=key.iteration, name=name, held=number_ranges(held)))
    text = _(
        "No iteration is in the timeline {name}: it is of another run or clock than step_trace, from "
        "{begin} to {end} us, and iteration {iteration} from {window_begin} to {window_end} us."
    )
    return UnreadableError(
        text.format(
            name=name,
            iteration=key.iteration,
            begin=microseconds(span[0]),
            end=microseconds(span[1]),
            window_begin=microseconds(window[0]),
            window_end=microseconds(window[1]),
        )
    )


def read_sets(capture: OpenCapture, sets: Sequence[FileSet], progress: Progress = go_on) -> TraceIndex:
    """The index of ``sets`` of one type, each event as it stands in its own file.

    Of all sets of a type it is the capture's own index, where an event that the files of several
    iterations repeat stands once, in the first (quirks.md 25).  UnreadableError and CancelledError as by
    ``read_trace``.
    """
    name = sets[0].name
    if len(sets) == sum(each.name == name and each.status == "ok" for each in capture.export.timelines):
        return capture.traces.read(name, progress)
    files = [
        (trace_file(SourceFile(file.path), file), document)
        for document, each in enumerate(sets)
        for file in each.files
    ]
    return read_files(name, files, capture.export.only_device, progress)


_USUAL = "msprof"


@dataclass(frozen=True)
class TraceRequest:
    """The command's words; None and empty for what isn't said."""

    iteration: int
    device: int | None = None
    model: int | None = None
    path_device: int | None = None
    """The device whose directory was opened."""
    layers: tuple[str, ...] = ()
    path_file: Path | None = None
    """The file that was opened; where it is of a timeline, that one is meant, else msprof."""


@dataclass(frozen=True)
class TraceAnswer:
    """What to carve out of which timeline."""

    index: TraceIndex
    cut: Cut
    key: IterationKey
    notices: tuple[str, ...]

    def title(self) -> str:
        """The iteration and its window."""
        begin, end = self.cut.window
        text = _(
            "Iteration {iteration} of device {device}, model {model}, from {begin} to {end} us ({length})"
        )
        return text.format(
            iteration=self.key.iteration,
            device=number_text(self.key.device),
            model=number_text(self.key.model),
            begin=microseconds(begin),
            end=microseconds(end),
            length=duration(end - begin),
        )


def answer_trace(capture: OpenCapture, request: TraceRequest, progress: Progress = go_on) -> TraceAnswer:
    """The part of a timeline that is asked for; ``progress``: bytes read and to read.

    The lanes of the iteration's device and of the host, of the layers asked for; where iterations have
    files of their own, only its own is read.  UsageError for a device, model, iteration or layer that is
    not there or not one alone; UnreadableError where the timeline is missing or damaged, or of another
    clock than the iterations.
    """
    sets = _timelines(capture, _name(capture, request))
    key = _iteration(capture, sets, request)
    index = read_sets(capture, [each for each in sets if may_hold(each, key)], progress)
    lanes = [
        number
        for number, lane in enumerate(index.lanes)
        if key.device is None or lane.device in (None, key.device)
    ]
    window, odd = iteration_window(capture.steps, index, Cut((0, 0), tuple(lanes)), key)
    cut = Cut(window, tuple(_of_layers(index, lanes, request.layers)))
    notices = (*capture.export.notices, *capture.steps.notices, *index.notices, *odd)
    return TraceAnswer(index, cut, key, tuple(dict.fromkeys(notices)))


def _name(capture: OpenCapture, request: TraceRequest) -> str:
    for each in capture.export.timelines:
        if any(file.path == request.path_file for file in each.files):
            return each.name
    return _USUAL


def _timelines(capture: OpenCapture, name: str) -> list[FileSet]:
    """The readable sets of a type; UnreadableError with the reason where there is none."""
    timelines = capture.export.timelines
    of_name = [each for each in timelines if each.name == name]
    if readable := [each for each in of_name if each.status == "ok"]:
        return readable
    reason = next((each.reason for each in of_name if each.reason), "")
    if any(each.files for each in of_name):
        raise UnreadableError(reason or _("The timeline {name} can't be read.").format(name=name))
    text = _("There is no timeline {name} in this export.").format(name=name)
    others = {each.name: each.files[0].path.name for each in timelines if each.status == "ok"}
    if others:
        more = _("It has {others}: give such a file as PATH, for example {file}.")
        more = more.format(others=", ".join(others), file=next(iter(others.values())))
        raise UnreadableError(" ".join(part for part in (text, reason, more) if part))
    raise UnreadableError(f"{text} {reason}".strip())


def _iteration(capture: OpenCapture, sets: Sequence[FileSet], request: TraceRequest) -> IterationKey:
    steps = {IterationKey(step.device, step.model, step.iteration) for step in capture.steps.steps}
    named = {
        IterationKey(each.device, each.model, each.iteration)
        for each in sets
        if each.iteration is not None and not any(may_hold(each, key) for key in steps)
    }
    iterations = steps | named
    device = request.path_device if request.device is None else request.device
    devices = {*capture.export.devices, *(key.device for key in iterations)}
    if request.device is not None and request.device not in devices:
        raise no_device(request.device, devices)
    return choose_iteration(
        sorted(iterations, key=in_order), sets, request.iteration, device=device, model=request.model
    )


def _of_layers(index: TraceIndex, lanes: Sequence[int], words: Sequence[str]) -> list[int]:
    """The lanes of the layers that are named, case ignored; UsageError with near names for another."""
    if not words:
        return list(lanes)
    layers = {index.lanes[lane].layer.casefold(): index.lanes[lane].layer for lane in lanes}
    for word in words:
        if word.casefold() not in layers:
            raise UsageError(_no_layer(word, layers))
    wanted = {word.casefold() for word in words}
    return [lane for lane in lanes if index.lanes[lane].layer.casefold() in wanted]


def _no_layer(word: str, layers: dict[str, str]) -> str:
    if near := difflib.get_close_matches(word.casefold(), layers, n=4, cutoff=0.5):
        text = _("No layer {word!r} in this timeline; near: {names}.")
        return text.format(word=word, names=", ".join(repr(layers[key]) for key in near))
    text = _("No layer {word!r} in this timeline; the layers are: {names}.")
    return text.format(word=word, names=", ".join(map(repr, layers.values())))
