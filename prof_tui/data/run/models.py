"""The models of a run, and which one is looked at."""

from __future__ import annotations

from dataclasses import dataclass

from prof_tui.data.iterations.step_trace import FIRST_STEADY, NO_MODEL, ModelKey, Step, StepTrace
from prof_tui.errors import UsageError
from prof_tui.words import NOT_AVAILABLE, _, ngettext


@dataclass(frozen=True)
class ModelFacts:
    """One model of one device."""

    device: int | None
    model: int | None
    iterations: int
    iteration_time_ns: int
    """Summed over its iterations, N/A left out."""
    is_main: bool
    why: str
    """Why it is the main one, in a few words; empty for another."""


def model_facts(trace: StepTrace) -> tuple[ModelFacts, ...]:
    """In the order of device, then most iterations."""
    facts = [_facts(trace, key) for key in trace.models()]
    return tuple(sorted(facts, key=lambda one: (-1 if one.device is None else one.device, -one.iterations)))


def _facts(trace: StepTrace, key: ModelKey) -> ModelFacts:
    steps = trace.of_model(key)
    is_main = trace.main_model(key[0]) == key[1]
    return ModelFacts(
        *key,
        iterations=len(steps),
        iteration_time_ns=sum(step.iteration_time_ns or 0 for step in steps),
        is_main=is_main,
        why=_why_main(trace, key) if is_main else "",
    )


def _why_main(trace: StepTrace, key: ModelKey) -> str:
    """By the rule: most iterations, ties by summed Iteration Time, never "no model" beside another."""
    device, model = key
    others = [other for other in trace.models() if other[0] == device and other[1] != model]
    real = [other for other in others if other[1] not in (NO_MODEL, None, -1)]
    if not others:
        return _("the only one")
    if not real:
        return _("the only one with an id")
    most = max(len(trace.of_model(other)) for other in real)
    if len(trace.of_model(key)) > most:
        return _("most iterations")
    return _("as many iterations as another, longer in sum")


@dataclass(frozen=True)
class Steady:
    """The iterations that count."""

    steps: tuple[Step, ...]
    first: int
    """The Iteration ID that they begin with."""
    left_out: int
    """Earlier iterations of the model."""
    why: str
    """By which rule, in a sentence part."""


def steady_steps(trace: StepTrace, key: ModelKey, steady_from: int | None = None) -> Steady:
    """The model's iterations from ``steady_from`` on, by default those after warm-up.

    UsageError where the model has none from there on.
    """
    steps = trace.of_model(key)
    chosen = trace.steady(key)
    why = _("iterations before {first} carry compilation and warm-up").format(first=FIRST_STEADY)
    if steady_from is not None:
        chosen = tuple(step for step in steps if step.iteration >= steady_from)
        why = _("as chosen")
    elif chosen == steps:
        why = ngettext("it has no more than {n} iteration", "it has no more than {n} iterations", len(steps))
        why = why.format(n=len(steps)) if len(steps) < FIRST_STEADY else _("all of them")
    if not chosen:
        raise UsageError(_none_from(key, steps, steady_from))
    return Steady(chosen, chosen[0].iteration, len(steps) - len(chosen), why)


def _none_from(key: ModelKey, steps: tuple[Step, ...], steady_from: int | None) -> str:
    model = NOT_AVAILABLE if key[1] is None else key[1]
    if not steps:
        return _("The export has no iteration of Model ID {model}.").format(model=model)
    text = _("Model ID {model} has no iteration from {first} on: its last is {last}.")
    return text.format(model=model, first=steady_from, last=steps[-1].iteration)
