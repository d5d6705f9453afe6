"""Which iterations of a model can be gone through: those whose ops the export holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prof_tui.data.query.query import Scope
from prof_tui.data.run.periods import model_keys
from prof_tui.errors import UnreadableError

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


def iterations_of(capture: OpenCapture, device: int | None, model: int | None) -> list[int]:
    """Iteration IDs, ascending: the exported ones where each has files of its own, else the step trace's.

    Without a step trace, those that op_summary names.
    """
    try:
        table = capture.table("op_summary")
    except UnreadableError:
        return [step.iteration for step in capture.steps.of_model((device, model))]
    exported = {
        source.iteration
        for source in table.sources
        if source.iteration is not None and source.device == device and source.model in (model, None)
    }
    if exported:
        return sorted(exported)
    steps = [step.iteration for step in capture.steps.of_model((device, model))]
    if steps:
        return steps
    placement = capture.placement(table)
    mine = placement.iteration if model is None else placement.iteration.filter(placement.model == model)
    return sorted(mine.drop_nulls().unique().to_list())


def neighbour(capture: OpenCapture, scope: Scope, steps: int) -> Scope | None:
    """The scope ``steps`` iterations of the model before (negative) or after this one, at most the last.

    None where there is none.  From no iteration it begins at the first steady one of the main model, of
    the scope's device if it has one.
    """
    if not isinstance(scope.iteration, int):
        first = _start(capture, scope)
        return neighbour(capture, first, steps - 1) or first if first and steps > 1 else first
    known = iterations_of(capture, scope.device, scope.model)
    beyond = [i for i in known if (i > scope.iteration if steps > 0 else i < scope.iteration)]
    if not beyond or not steps:
        return None
    ordered = beyond if steps > 0 else beyond[::-1]
    return replace(scope, iteration=ordered[min(abs(steps), len(ordered)) - 1])


def _start(capture: OpenCapture, scope: Scope) -> Scope | None:
    trace = capture.steps
    for device, model in model_keys(trace, scope.device, scope.model):
        known = iterations_of(capture, device, model)
        steady = [step.iteration for step in trace.steady((device, model)) if step.iteration in known]
        if steady or known:
            return Scope(device, model, (steady or known)[0])
    return None
