"""Per device: its main model, which of that model's iterations count, and what is usual in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from prof_tui.data.steps import FIRST_STEADY, Step, StepTrace
from prof_tui.errors import UsageError
from prof_tui.words import _

ODD_SCALE = 5 * 1.4826
"""Median absolute deviations from the median that are out of line: five standard deviations of a normal."""
ODD_SHARE = 0.05
"""And at least this much of the median."""


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


@dataclass(frozen=True)
class DeviceRun:
    """A device's main model."""

    device: int | None
    model: int | None
    steps: tuple[Step, ...]
    """All iterations of the main model."""
    steady: tuple[Step, ...]
    others: tuple[tuple[int | None, int], ...]
    """(Model ID, iterations) of the device's other models."""

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


def device_runs(trace: StepTrace, steady_from: int | None = None) -> tuple[DeviceRun, ...]:
    """The main model of each device with iterations, by device.

    ``steady_from``: the first Iteration ID that counts, in place of the usual one; UsageError where a
    device has none from there on.
    """
    devices = dict.fromkeys(device for device, _model in trace.models())
    return tuple(_device_run(trace, device, steady_from) for device in devices)


def _device_run(trace: StepTrace, device: int | None, steady_from: int | None) -> DeviceRun:
    model = trace.main_model(device)
    key = (device, model)
    steps = trace.of_model(key)
    steady = trace.steady(key)
    if steady_from is not None and steady_from != FIRST_STEADY:
        steady = tuple(step for step in steps if step.iteration >= steady_from)
        if not steady:
            text = _("Model {model} of device {device} has no iteration from {id} on: its last is {last}.")
            raise UsageError(
                text.format(model=model, device=device, id=steady_from, last=steps[-1].iteration)
            )
    others = [other for other in trace.models() if other[0] == device and other[1] != model]
    counted = tuple((other[1], len(trace.of_model(other))) for other in others)
    return DeviceRun(device, model, steps, steady, counted)
