"""The models of a run and their periods: which iterations count, what one takes, which are outliers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from prof_tui.data.capture.completeness import UNKNOWN, Completeness
from prof_tui.data.iterations.step_trace import FIRST_STEADY, NO_MODEL, ModelKey, Step, StepTrace
from prof_tui.data.query.query import Iterations, ModelFrom
from prof_tui.errors import UsageError
from prof_tui.words import _, ngettext, number_text

OUTLIER_SCALE = 5 * 1.4826
"""Median absolute deviations from the median that make an outlier: five standard deviations of a normal."""
OUTLIER_SHARE = 0.05
"""Smallest distance of an outlier from the median, as a share of it."""
FEWEST_PERIODS = 3
"""Fewer tell nothing of what is usual."""
_FEWEST_RANKED = 10
"""The nearest ranks of the 10th and 90th percentile of fewer values are the first and the last."""

# What values usually are


def median_of(values: Iterable[int | None]) -> int | None:
    """Median of the known values in whole ns; None where there is none."""
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None


@dataclass(frozen=True)
class Usual:
    """What a part of the period usually takes, and what is an outlier."""

    median_ns: int
    mad_ns: float
    """Median absolute deviation."""
    count: int

    def is_outlier(self, ns: int) -> bool:
        distance = abs(ns - self.median_ns)
        return distance > OUTLIER_SCALE * self.mad_ns and distance > OUTLIER_SHARE * self.median_ns


def usual(values: Iterable[int | None]) -> Usual | None:
    """None where no value is known."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    middle = median(known)
    return Usual(round(middle), median(abs(value - middle) for value in known), len(known))


@dataclass(frozen=True)
class Spread:
    """The median of some values, and between which eight of ten lie; all where they are few."""

    count: int
    median_ns: int
    low_ns: int
    """The 10th percentile: a value that occurs (nearest rank)."""
    high_ns: int
    """The 90th percentile, in the same way."""

    @property
    def is_of_all(self) -> bool:
        """Whether ``low_ns`` and ``high_ns`` are the least and the greatest of all."""
        return self.count < _FEWEST_RANKED


def spread(values: Iterable[int | None]) -> Spread | None:
    """The spread of the values that are known; None where none is."""
    known = sorted(value for value in values if value is not None)
    middle = median_of(known)
    return None if middle is None else Spread(len(known), middle, _at_rank(known, 10), _at_rank(known, 90))


def _at_rank(ordered: Sequence[int], per_cent: int) -> int:
    return ordered[max(0, -(-len(ordered) * per_cent // 100) - 1)]


# Models


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


def model_keys(trace: StepTrace, device: int | None = None, model: int | None = None) -> tuple[ModelKey, ...]:
    """Per device, or of ``device`` alone: its main model, or ``model`` where it has iterations of that."""
    keys = [key for key in trace.models() if device in (None, key[0])]
    mains = {own: trace.main_model(own) for own, _model in keys}
    return tuple(key for key in keys if key[1] == (mains[key[0]] if model is None else model))


# Periods


@dataclass(frozen=True)
class Part:
    """One of the parts that make up the period."""

    id: str
    name: str
    median_ns: int | None
    """None for N/A in all iterations, which is not 0."""


@dataclass(frozen=True)
class ModelRun:
    """The model of a device that is looked at: its main one, where no other was chosen."""

    device: int | None
    model: int | None
    is_main: bool
    steps: tuple[Step, ...]
    """All iterations of the model."""
    steady: tuple[Step, ...]
    """The iterations that count."""
    first: int
    """The Iteration ID that the steady ones begin with."""
    why: str
    """Why they begin there, in a sentence part."""
    others: tuple[tuple[int | None, int], ...] = ()
    """(Model ID, iterations) of the device's other models; none where this is not the main one."""
    partly: tuple[Step, ...] = ()
    """Iterations from ``first`` on that op_summary covers only in part: they are in no mean and no median."""
    lacking: str = ""
    """What is known to be missing in the step trace; empty for nothing."""

    @property
    def warm_up(self) -> tuple[Step, ...]:
        """The iterations before the steady ones."""
        return tuple(step for step in self.steps if step.iteration < self.first)

    @cached_property
    def usual(self) -> tuple[Step, ...]:
        """The steady ones without outliers: those that count for what an iteration is made of.

        Of fewer than three periods none can be an outlier.
        """
        typical = usual(step.period_ns for step in self.steady)
        if typical is None or typical.count < FEWEST_PERIODS:
            return self.steady
        return tuple(
            step for step in self.steady if step.period_ns is None or not typical.is_outlier(step.period_ns)
        )

    @cached_property
    def outliers(self) -> tuple[Step, ...]:
        """The steady ones whose period is far from the usual."""
        usual = set(self.usual)
        return tuple(step for step in self.steady if step not in usual)

    @property
    def periods_ns(self) -> tuple[int | None, ...]:
        """The period of each steady iteration, in order."""
        return tuple(step.period_ns for step in self.steady)

    @property
    def iteration_times_ns(self) -> tuple[int | None, ...]:
        """The Iteration Time of each steady iteration, in order."""
        return tuple(step.iteration_time_ns for step in self.steady)

    @cached_property
    def period(self) -> Spread | None:
        """None where no iteration has one: its ends or its parts are N/A."""
        return spread(self.periods_ns)

    @cached_property
    def iteration_time(self) -> Spread | None:
        """None where it is N/A in all iterations."""
        return spread(self.iteration_times_ns)

    @property
    def period_ns(self) -> int | None:
        """The median period."""
        return None if self.period is None else self.period.median_ns

    @property
    def iteration_time_ns(self) -> int | None:
        """The median Iteration Time."""
        return None if self.iteration_time is None else self.iteration_time.median_ns

    @property
    def whole_ns(self) -> int | None:
        """What shares are of: the median period, else the median Iteration Time."""
        return self.iteration_time_ns if self.period is None else self.period_ns

    @cached_property
    def data_aug_ns(self) -> int | None:
        return median_of(step.data_aug_ns for step in self.steady)

    @cached_property
    def fp_to_bp_ns(self) -> int | None:
        return median_of(step.fp_to_bp_ns for step in self.steady)

    @cached_property
    def refresh_ns(self) -> int | None:
        return median_of(step.refresh_ns for step in self.steady)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What makes up the period, in the order of time."""
        return (
            Part("data_aug_bound", _("Data Aug Bound"), self.data_aug_ns),
            Part("fp_to_bp", _("FP to BP"), self.fp_to_bp_ns),
            Part("refresh", _("Refresh"), self.refresh_ns),
        )


@dataclass(frozen=True)
class ModelRuns:
    """One entry per device that has steady iterations."""

    devices: tuple[ModelRun, ...]
    notices: tuple[str, ...] = ()


def choose_models(
    trace: StepTrace,
    *,
    device: int | None = None,
    model: int | None = None,
    completeness: Completeness = UNKNOWN,
) -> ModelRuns:
    """Each device's main model, or ``model``; of one device only where ``device`` says so.

    A device without a steady iteration of it is left out, with a notice; UsageError where none is left.
    ``completeness``: what is known of iterations that are covered only in part; they don't count, unless
    none would be left.
    """
    found: list[ModelRun] = []
    refused: list[UsageError] = []
    for own in dict.fromkeys(own for own, _model in trace.models() if device in (None, own)):
        try:
            run = _model_run(trace, own, trace.main_model(own) if model is None else model)
            run = replace(run, lacking=completeness.lacking("step_trace"))
            found.append(_without(run, completeness.partly(run.device, run.model)))
        except UsageError as error:
            refused.append(error)
    if refused and not found:
        raise refused[0]
    return ModelRuns(tuple(found), tuple(dict.fromkeys([*trace.notices, *map(str, refused)])))


def _model_run(trace: StepTrace, device: int | None, model: int | None) -> ModelRun:
    key = (device, model)
    steps, steady = trace.of_model(key), trace.steady(key)
    if not steady:
        raise UsageError(_none_steady(trace, key))
    is_main = trace.main_model(device) == model
    others = [other for other in trace.models() if is_main and other[0] == device and other != key]
    return ModelRun(
        device,
        model,
        is_main,
        steps,
        steady,
        steady[0].iteration,
        _why_steady(trace, steps, steady),
        tuple((other[1], len(trace.of_model(other))) for other in others),
    )


def _without(run: ModelRun, partly: Sequence[int]) -> ModelRun:
    steady = tuple(step for step in run.steady if step.iteration not in partly)
    left_out = tuple(step for step in run.steady if step.iteration in partly)
    return replace(run, steady=steady, partly=left_out) if steady and left_out else run


def _why_steady(trace: StepTrace, steps: Sequence[Step], steady: Sequence[Step]) -> str:
    if trace.steady_from is not None:
        return _("as chosen")
    if steady != steps:
        return _("iterations before {first} carry compilation and warm-up").format(first=FIRST_STEADY)
    if len(steps) >= FIRST_STEADY:
        return _("all of them")
    text = ngettext("it has no more than {n} iteration", "it has no more than {n} iterations", len(steps))
    return text.format(n=len(steps))


def _none_steady(trace: StepTrace, key: ModelKey) -> str:
    steps, model = trace.of_model(key), number_text(key[1])
    if not steps:
        return _("The export has no iteration of Model ID {model}.").format(model=model)
    text = _("Model ID {model} has no iteration from {first} on: its last is {last}.")
    return text.format(model=model, first=trace.steady_from, last=steps[-1].iteration)


def steady_iterations(runs: Iterable[ModelRun], *, with_outliers: bool = True) -> Iterations:
    """The steady iterations, as a condition on rows."""
    return Iterations(
        tuple(
            ModelFrom(
                run.device,
                run.model,
                run.first,
                tuple(step.iteration for step in (*(() if with_outliers else run.outliers), *run.partly)),
            )
            for run in runs
        )
    )
