"""Which window of a timeline an iteration is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.requests.iteration import IterationPlace, number_ranges
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.carve_choice import Cut, slices_overlapping, whole_window
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.trace_steps import window_of
from prof_tui.errors import ProfTuiError, UnreadableError, UsageError
from prof_tui.words import _, microseconds


def iteration_window(
    steps: StepTrace, index: TraceIndex, cut: Cut, place: IterationPlace
) -> tuple[Span, Sequence[str]]:
    """[Iteration End - Iteration Time, Iteration End), and what is odd about it.

    Where the step trace has none by the timeline's clock, all of the files that are this iteration's alone.
    ``index``: of the files that may hold it; ``cut``: its lanes.  UsageError where the timeline ends before
    it, UnreadableError where the clocks differ or there is no window.
    """
    step = steps.find(place.device, place.model, place.iteration)
    window = None if step is None else window_of(step)
    if window and slices_overlapping(index, replace(cut, window=window)):
        return window, ()
    if all(file.iteration is not None for file in index.files):
        text = _(
            "The step trace has no window of iteration {iteration} by the clock of {name}: "
            "all of the iteration's file is written."
        )
        return whole_window(index, cut), (text.format(iteration=place.iteration, name=index.name),)
    if window is None:
        text = _(
            "The step trace has no Iteration End and Iteration Time of iteration {iteration}: "
            "there is no window to write."
        )
        raise UnreadableError(text.format(iteration=place.iteration))
    span = index.span if index.span[0] < index.span[1] else whole_window(index, cut)
    if _overlap(window, span):
        return window, ()
    raise _elsewhere(steps, index.name, span, place, window)


def _overlap(window: Span, other: Span) -> bool:
    return window[0] < other[1] and window[1] > other[0]


def _elsewhere(steps: StepTrace, name: str, span: Span, place: IterationPlace, window: Span) -> ProfTuiError:
    """Why a window lies outside of the timeline."""
    of_model = steps.of_model((place.device, place.model))
    held = [step.iteration for step in of_model if (own := window_of(step)) and _overlap(own, span)]
    if held:
        text = _("Iteration {iteration} is not in the timeline {name}; in it are: {held}.")
        return UsageError(text.format(iteration=place.iteration, name=name, held=number_ranges(held)))
    text = _(
        "No iteration is in the timeline {name}: it is of another run or clock than step_trace, from "
        "{begin} to {end} us, and iteration {iteration} from {window_begin} to {window_end} us."
    )
    return UnreadableError(
        text.format(
            name=name,
            iteration=place.iteration,
            begin=microseconds(span[0]),
            end=microseconds(span[1]),
            window_begin=microseconds(window[0]),
            window_end=microseconds(window[1]),
        )
    )
