"""One device slower than the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import (
    ADVISOR,
    OURS,
    EvidenceRow,
    Finding,
    NotChecked,
    Result,
    TableEvidence,
)
from prof_tui.data.findings.rule import OPS, STEP_TRACE, Rule, Value
from prof_tui.data.query.query import Query, Sort
from prof_tui.data.run.periods import steady_iterations
from prof_tui.words import _, duration

ID = "slow_device"
LEAST_SPREAD = 0.05
MOST_SHORTER = 0.01
"""A device whose period is shorter than another's by a larger share is not the slow one."""


@dataclass(frozen=True)
class _Measure:
    """One thing that takes ``ns`` of each device's iterations."""

    name: str
    ns: dict[int | None, int]

    @property
    def spread(self) -> float:
        """(max - min) / mean."""
        values = self.ns.values()
        mean = sum(values) / len(values)
        return (max(values) - min(values)) / mean if mean else 0.0

    @property
    def slowest(self) -> int | None:
        return max(self.ns, key=lambda device: self.ns[device])


def _judge(facts: Facts, _sums: pl.DataFrame) -> Iterator[Result]:
    measures = [measure for measure in _measures(facts) if len(measure.ns) > 1]
    if not measures:
        yield _alone(facts)
    elif (uneven := _uneven(*measures)) is not None:
        yield _finding(facts, uneven, measures)


def _uneven(periods: _Measure, *others: _Measure) -> _Measure | None:
    """The periods; where those are even, what else tells a slow device that they say nothing against."""
    if periods.spread > LEAST_SPREAD:
        return periods
    longest = max(periods.ns.values())
    for each in others:
        period = periods.ns[each.slowest]
        if each.spread > LEAST_SPREAD and longest - period <= MOST_SHORTER * longest:
            return each
    return None


def _alone(facts: Facts) -> NotChecked:
    if len(facts.devices) > 1:
        why = _("Fewer than two devices have a period.")
        return NotChecked(ID, (ID,), why, options.MORE_ITERATIONS)
    if len(facts.capture.export.devices) > 1:
        return NotChecked(ID, (ID,), _("Only one device is looked at, or has iterations."), "")
    how = _("Where each device has its own PROF_XXX, compare their reports.")
    return NotChecked(ID, (ID,), _("The capture has one device."), how)


def _finding(facts: Facts, uneven: _Measure, measures: list[_Measure]) -> Finding:
    device = next(each for each in facts.devices if each.device == uneven.slowest)
    by_period = uneven is measures[0]
    longest, shortest = max(uneven.ns.values()), min(uneven.ns.values())
    found = facts.finding(
        ID,
        longest - shortest,
        device=device,
        value=100 * uneven.spread,
        title="",
        rule=_(
            "The {name} of an iteration differs over the devices: (max - min) / mean is {spread:.1f} %, over "
            "5 %."
        ).format(name=uneven.name, spread=100 * uneven.spread)
        + ("" if by_period else " " + _NOT_AGAINST),
        source=ADVISOR if by_period else f"{ADVISOR}; {OURS}",
        advice=_(
            "Compare the devices' op statistics, their shares of the data, and what else runs on the host."
        ),
        caveat=_(
            "With collectives the others wait for the slow one: then their communication is long, its own "
            "is not."
        ),
        rows=tuple(_rows(measures)),
        evidence=TableEvidence(
            "step_trace",
            Query(
                filters=(steady_iterations(facts.devices),),
                sort=Sort("period(us)", True),
            ),
        ),
    )
    # The title names the device itself.
    title = _("Device {device} is the slow one: its {name} is {longest}, the shortest is {shortest}").format(
        device=uneven.slowest, name=uneven.name, longest=duration(longest), shortest=duration(shortest)
    )
    return replace(found, title=title)


_NOT_AGAINST = _("Its period is not over 1 % shorter than another's.")


def _measures(facts: Facts) -> list[_Measure]:
    """What tells a slow device, the period first."""
    periods = {each.device: ns for each in facts.devices if (ns := each.period_ns) is not None}
    lines = facts.in_time if facts.basis == "iteration" else ()
    computing = {line.device: round(line.computing_ns / line.iterations) for line in lines}
    return [
        _Measure(_("period"), periods),
        _Measure(_("computing time"), {device: ns for device, ns in computing.items() if device in periods}),
    ]


def _rows(measures: list[_Measure]) -> Iterator[EvidenceRow]:
    for measure in measures:
        for device, ns in sorted(measure.ns.items(), key=lambda item: (item[0] is None, item[0] or 0)):
            yield EvidenceRow(
                _("device {device}: {name}").format(device=device, name=measure.name), time_ns=ns
            )


_SPREAD = Value("%", _("(max - min) / mean over devices, %"))

RULES = (Rule(ID, (STEP_TRACE,), _judge, also=(OPS,), value=_SPREAD),)
