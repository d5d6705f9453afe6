"""Where the time of the steady iterations goes, by the step trace alone."""

from __future__ import annotations

from dataclasses import dataclass

from prof_tui.data.iterations.step_trace import ModelKey, Step, StepTrace
from prof_tui.data.run.models import Spread, Steady, median_of, spread, steady_steps
from prof_tui.errors import UsageError
from prof_tui.words import _


@dataclass(frozen=True)
class Part:
    """One part of the period."""

    id: str
    name: str
    median_ns: int | None
    """None for N/A in all iterations, which is not 0."""


@dataclass(frozen=True)
class StepTimes:
    """The steady iterations of one model of one device."""

    device: int | None
    model: int | None
    is_main: bool
    steady: Steady
    period: Spread | None
    """None where no iteration has one: its ends or its parts are N/A."""
    iteration_time: Spread | None
    parts: tuple[Part, ...]

    @property
    def key(self) -> ModelKey:
        return (self.device, self.model)

    @property
    def periods_ns(self) -> tuple[int | None, ...]:
        """Per iteration, in order."""
        return tuple(step.period_ns for step in self.steady.steps)

    @property
    def iteration_times_ns(self) -> tuple[int | None, ...]:
        """Per iteration, in order."""
        return tuple(step.iteration_time_ns for step in self.steady.steps)

    @property
    def whole_ns(self) -> int | None:
        """What shares are of: the median period, else the median Iteration Time."""
        whole = self.period or self.iteration_time
        return None if whole is None else whole.median_ns


@dataclass(frozen=True)
class StepTimesFound:
    """One entry per device that has iterations."""

    devices: tuple[StepTimes, ...]
    notices: tuple[str, ...] = ()


def step_times(trace: StepTrace, *, device: int | None = None, model: int | None = None) -> StepTimesFound:
    """Of each device's main model, or of ``model``; of one device only where ``device`` says so.

    UsageError where no device has an iteration of that model that counts.
    """
    devices = dict.fromkeys(own for own, _model in trace.models() if device in (None, own))
    found: list[StepTimes] = []
    refused: list[UsageError] = []
    for own in devices:
        chosen = trace.main_model(own) if model is None else model
        try:
            steady = steady_steps(trace, (own, chosen))
        except UsageError as error:
            refused.append(error)
        else:
            found.append(_of_steps(steady, own, chosen, is_main=chosen == trace.main_model(own)))
    if refused and not found:
        raise refused[0]
    return StepTimesFound(tuple(found), tuple(dict.fromkeys([*trace.notices, *map(str, refused)])))


def _of_steps(steady: Steady, device: int | None, model: int | None, *, is_main: bool) -> StepTimes:
    steps = steady.steps
    return StepTimes(
        device,
        model,
        is_main,
        steady,
        spread(step.period_ns for step in steps),
        spread(step.iteration_time_ns for step in steps),
        _parts(steps),
    )


def _parts(steps: tuple[Step, ...]) -> tuple[Part, ...]:
    return (
        Part("data_aug_bound", _("Data Aug Bound"), median_of(step.data_aug_ns for step in steps)),
        Part("fp_to_bp", _("FP to BP"), median_of(step.fp_to_bp_ns for step in steps)),
        Part("refresh", _("Refresh"), median_of(step.refresh_ns for step in steps)),
    )


@dataclass(frozen=True)
class TypeTime:
    """The ops of one Task Type."""

    task_type: str
    ops: int
    busy_ns: int
    """The union of its ops: what it takes of the time, however many run beside each other."""


@dataclass(frozen=True)
class Inside:
    """One device: medians over its iterations, or the whole capture where there are none."""

    device: int | None
    iterations: int | None
    """How many hold ops; None for the whole capture."""
    window_ns: int
    ops: int
    busy_ns: int
    idle_ns: int
    types: tuple[TypeTime, ...]
    """Longest first; they overlap, so their sum may pass ``busy_ns``."""
    communication_ns: int | None
    """The union of communication; None where there is none."""
    uncovered_ns: int | None
    """The part of it in which nothing else ran."""
    placed: str
    """By what ops are taken to be in an iteration; empty for the whole capture."""
    span_ns: int
    """From the first start to the last end of all ops of the device."""
    out_of_line: int = 0
    """How many more iterations hold ops and are left out, since their period is out of line."""
    notices: tuple[str, ...] = ()
