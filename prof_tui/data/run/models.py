"""The models of a run, and which one is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from prof_tui.data.iterations.step_trace import FIRST_STEADY, NO_MODEL, ModelKey, Step, StepTrace
from prof_tui.data.query.query import Iterations, ModelFrom
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


def steady_steps(trace: StepTrace, key: ModelKey) -> Steady:
    """The model's iterations that count, and why; UsageError where none is left."""
    steps = trace.of_model(key)
    chosen = trace.steady(key)
    why = _("iterations before {first} carry compilation and warm-up").format(first=FIRST_STEADY)
    if trace.steady_from is not None:
        why = _("as chosen")
    elif chosen == steps:
        why = ngettext("it has no more than {n} iteration", "it has no more than {n} iterations", len(steps))
        why = why.format(n=len(steps)) if len(steps) < FIRST_STEADY else _("all of them")
    if not chosen:
        raise UsageError(_none_from(key, steps, trace.steady_from))
    return Steady(chosen, chosen[0].iteration, len(steps) - len(chosen), why)


def _none_from(key: ModelKey, steps: tuple[Step, ...], steady_from: int | None) -> str:
    model = NOT_AVAILABLE if key[1] is None else key[1]
    if not steps:
        return _("The export has no iteration of Model ID {model}.").format(model=model)
    text = _("Model ID {model} has no iteration from {first} on: its last is {last}.")
    return text.format(model=model, first=steady_from, last=steps[-1].iteration)


ODD_SCALE = 5 * 1.4826
"""Median absolute deviations from the median that are out of line: five standard deviations of a normal."""
ODD_SHARE = 0.05
"""And at least this much of the median."""
FEWEST_PERIODS = 3
"""Fewer tell nothing of what is usual."""


def median_of(values: Iterable[int | None]) -> int | None:
    """Median of the known values in whole ns; None where there is none."""
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None


@dataclass(frozen=True)
class Usual:
    """What a part of the period usually takes, and where it is out of line."""

    median_ns: int
    mad_ns: float
    """Median absolute deviation."""
    count: int

    def is_odd(self, ns: int) -> bool:
        distance = abs(ns - self.median_ns)
        return distance > ODD_SCALE * self.mad_ns and distance > ODD_SHARE * self.median_ns


def usual(values: Iterable[int | None]) -> Usual | None:
    """None where no value is known."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    middle = median(known)
    return Usual(round(middle), median(abs(value - middle) for value in known), len(known))


def usual_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Without those whose period is out of line; of fewer than three periods none can be."""
    typical = usual(step.period_ns for step in steps)
    if typical is None or typical.count < FEWEST_PERIODS:
        return tuple(steps)
    return tuple(step for step in steps if step.period_ns is None or not typical.is_odd(step.period_ns))


@dataclass(frozen=True)
class DeviceRun:
    """The model of a device that is looked at: the main one, where no other was chosen."""

    device: int | None
    model: int | None
    steps: tuple[Step, ...]
    """All iterations of the model."""
    steady: tuple[Step, ...]
    """Those that count for the times of the step trace."""
    others: tuple[tuple[int | None, int], ...]
    """(Model ID, iterations) of the device's other models; none where this is not the main one."""

    @property
    def usual(self) -> tuple[Step, ...]:
        """The steady ones that are in line: those that count for what an iteration is made of."""
        return usual_steps(self.steady)

    @property
    def odd(self) -> tuple[Step, ...]:
        """The steady ones that are out of line."""
        usual = set(self.usual)
        return tuple(step for step in self.steady if step not in usual)

    @property
    def warm_up(self) -> tuple[Step, ...]:
        """The iterations before the steady ones."""
        first = self.steady[0].iteration
        return tuple(step for step in self.steps if step.iteration < first)

    @cached_property
    def period_ns(self) -> int | None:
        return median_of(step.period_ns for step in self.steady)

    @cached_property
    def iteration_time_ns(self) -> int | None:
        return median_of(step.iteration_time_ns for step in self.steady)

    @cached_property
    def fp_to_bp_ns(self) -> int | None:
        return median_of(step.fp_to_bp_ns for step in self.steady)

    @cached_property
    def refresh_ns(self) -> int | None:
        return median_of(step.refresh_ns for step in self.steady)

    @cached_property
    def data_aug_ns(self) -> int | None:
        return median_of(step.data_aug_ns for step in self.steady)


def device_runs(
    trace: StepTrace, *, device: int | None = None, model: int | None = None
) -> tuple[DeviceRun, ...]:
    """Of each device with iterations, or of ``device`` alone, its main model, or ``model`` where it has it.

    A device without a steady iteration is left out; UsageError where none is left.
    """
    found: list[DeviceRun] = []
    refused: list[UsageError] = []
    for key in looked_at(trace, device, model):
        try:
            steady = steady_steps(trace, key).steps
        except UsageError as error:
            refused.append(error)
        else:
            found.append(_device_run(trace, key, steady))
    if refused and not found:
        raise refused[0]
    return tuple(found)


def looked_at(trace: StepTrace, device: int | None = None, model: int | None = None) -> tuple[ModelKey, ...]:
    """Per device, or of ``device`` alone: its main model, or ``model`` where it has iterations of that."""
    keys = [key for key in trace.models() if device in (None, key[0])]
    mains = {own: trace.main_model(own) for own, _model in keys}
    return tuple(key for key in keys if key[1] == (mains[key[0]] if model is None else model))


def _device_run(trace: StepTrace, key: ModelKey, steady: tuple[Step, ...]) -> DeviceRun:
    is_main = trace.main_model(key[0]) == key[1]
    others = [other for other in trace.models() if is_main and other[0] == key[0] and other != key]
    counted = tuple((other[1], len(trace.of_model(other))) for other in others)
    return DeviceRun(*key, trace.of_model(key), steady, counted)


def steady_iterations(devices: Iterable[DeviceRun], *, with_odd: bool = True) -> Iterations:
    """The steady iterations, as a condition on rows; those out of line only ``with_odd``."""
    return Iterations(
        tuple(
            ModelFrom(
                run.device,
                run.model,
                run.steady[0].iteration,
                () if with_odd else tuple(step.iteration for step in run.odd),
            )
            for run in devices
        )
    )


_FEWEST = 10
"""Of fewer values the nearest ranks of the 10th and 90th percentile are the first and the last."""


@dataclass(frozen=True)
class Spread:
    """Of some values: the middle one, and between which eight of ten lie; all where they are few."""

    count: int
    median_ns: int
    low_ns: int
    """The 10th percentile: a value that occurs (nearest rank)."""
    high_ns: int
    """The 90th percentile, in the same way."""

    @property
    def is_of_all(self) -> bool:
        """Whether ``low_ns`` and ``high_ns`` are the least and the greatest of all."""
        return self.count < _FEWEST


def spread(values: Iterable[int | None]) -> Spread | None:
    """Of the values that are there; None where none is."""
    known = sorted(value for value in values if value is not None)
    middle = median_of(known)
    return None if middle is None else Spread(len(known), middle, _at(known, 10), _at(known, 90))


def _at(ordered: list[int], per_cent: int) -> int:
    return ordered[max(0, -(-len(ordered) * per_cent // 100) - 1)]
