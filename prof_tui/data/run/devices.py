"""Per device: the model looked at, which of its iterations count, and what is usual in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from prof_tui.data.iterations.step_trace import ModelKey, Step, StepTrace
from prof_tui.data.query.query import Iterations, ModelFrom
from prof_tui.data.run.models import steady_steps
from prof_tui.errors import UsageError

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
    trace: StepTrace, steady_from: int | None = None, *, device: int | None = None, model: int | None = None
) -> tuple[DeviceRun, ...]:
    """Of each device with iterations, or of ``device`` alone, its main model, or ``model`` where it has it.

    ``steady_from``: the first Iteration ID that counts, in place of the usual one.  A device that has none
    from there on is left out; UsageError where none is left.
    """
    found: list[DeviceRun] = []
    refused: list[UsageError] = []
    for key in looked_at(trace, device, model):
        try:
            steady = steady_steps(trace, key, steady_from).steps
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
