"""From ``--iteration N-`` to the iterations that it means: those of a model from one on.

Without ``--model`` they are of the main model of each device, as those that findings count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import PLACED, Iterations, ModelFrom, Scope
from prof_tui.data.requests.iteration import IterationPlace, listed, may_hold, number_ranges
from prof_tui.data.requests.scope import known_places, resolve_scope
from prof_tui.errors import UsageError
from prof_tui.words import _


def resolve_iterations(
    capture: OpenCapture,
    name: str,
    first: int,
    *,
    device: int | None = None,
    model: int | None = None,
    path_device: int | None = None,
) -> tuple[Scope, Iterations]:
    """The device, and the condition on rows of the table ``name``.

    UsageError where rows of the table are in no iterations, or none is left; UnreadableError when the
    table can't be read.
    """
    if name not in PLACED:
        text = _("{table} can't be cut to iterations from {first} on, only these can: {tables}.")
        raise UsageError(text.format(table=name, first=first, tables=", ".join(PLACED)))
    scope = resolve_scope(capture, name, device=device, path_device=path_device)
    table = capture.table(name)
    places = [place for place in known_places(capture, table) if scope.device in (None, place.device)]
    own = _of_model(capture, places, model)
    late = [place for place in own if place.iteration >= first]
    if not late:
        raise UsageError(_none_from(own, first))
    if name != "step_trace" and not any(may_hold(file, place) for file in table.sources for place in late):
        text = _("No iteration from {first} on was exported; exported are: {known}.")
        known = number_ranges(file.iteration for file in table.sources if file.iteration is not None)
        raise UsageError(text.format(first=first, known=known))
    keys = dict.fromkeys((place.device, place.model) for place in late)
    return scope, Iterations(tuple(ModelFrom(*key, first) for key in keys))


def _of_model(
    capture: OpenCapture, places: Sequence[IterationPlace], model: int | None
) -> list[IterationPlace]:
    """The iterations of a model, or of the main model of each device."""
    if model is not None:
        own = [place for place in places if place.model == model]
        if not own and places:
            text = _("There is no iteration of model {model}; there are some of: {known}.")
            raise UsageError(text.format(model=model, known=listed(place.model for place in places)))
        return own
    mains = {device: _main(capture, places, device) for device in {place.device for place in places}}
    return [place for place in places if place.model == mains[place.device]]


def _main(capture: OpenCapture, places: Iterable[IterationPlace], device: int | None) -> int | None:
    models = {place.model for place in places if place.device == device}
    traced = any(step.device == device for step in capture.steps.steps)
    if not traced and len(models) > 1:
        text = _("No step_trace says which model is the main one; add --model, one of: {known}.")
        raise UsageError(text.format(known=listed(models)))
    return capture.steps.main_model(device) if traced else next(iter(models))


def _none_from(places: Sequence[IterationPlace], first: int) -> str:
    if not places:
        return _("There is no iteration from {first} on: no iterations are known here.").format(first=first)
    known = number_ranges(place.iteration for place in places)
    return _("There is no iteration from {first} on; there are: {known}.").format(first=first, known=known)
