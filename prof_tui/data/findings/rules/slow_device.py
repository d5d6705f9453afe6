"""One device slower than the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import ADVISOR, EvidenceRow, Finding, TableEvidence
from prof_tui.data.findings.rule import OPS, STEP_TRACE, Rule
from prof_tui.data.query import Query, Scope, Sort
from prof_tui.words import _, duration

LEAST_SPREAD = 0.05


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


def _judge(run: Run, _sums: pl.DataFrame) -> Iterator[Finding]:
    measures = [measure for measure in _measures(run) if len(measure.ns) > 1]
    uneven = next((measure for measure in measures if measure.spread > LEAST_SPREAD), None)
    if uneven is None:
        return
    device = next(each for each in run.devices if each.device == uneven.slowest)
    cost_ns = max(uneven.ns.values()) - min(uneven.ns.values())
    yield run.finding(
        "slow_device",
        cost_ns,
        device=device,
        value=100 * uneven.spread,
        title=_("Device {device} is the slow one: {name} {longest}, elsewhere from {shortest}").format(
            device=uneven.slowest,
            name=uneven.name,
            longest=duration(max(uneven.ns.values())),
            shortest=duration(min(uneven.ns.values())),
        ),
        rule=_(
            "{name} of an iteration: (max - min) / mean over the devices is {spread:.1f} %, over 5 %."
        ).format(name=uneven.name, spread=100 * uneven.spread),
        source=ADVISOR,
        advice=_(
            "Compare the devices' op statistic, their share of the data, and what else runs on that host."
        ),
        caveat=_(
            "With collectives the others wait for the slow one: their communication is long, not its own."
        ),
        rows=tuple(_rows(measures)),
        evidence=TableEvidence(
            "step_trace", Query(Scope(device.device, device.model), sort=Sort("period(us)", True))
        ),
    )


def _measures(run: Run) -> list[_Measure]:
    """What tells a slow device, the period first."""
    periods = {each.device: ns for each in run.devices if (ns := each.period_ns) is not None}
    computing = {line.device: round(line.computing_ns / line.iterations) for line in run.timelines}
    return [
        _Measure(_("period"), periods),
        _Measure(_("computing"), {device: ns for device, ns in computing.items() if device in periods}),
    ]


def _rows(measures: list[_Measure]) -> Iterator[EvidenceRow]:
    for measure in measures:
        for device, ns in sorted(measure.ns.items(), key=lambda item: (item[0] is None, item[0] or 0)):
            yield EvidenceRow(
                _("device {device}: {name}").format(device=device, name=measure.name), time_ns=ns
            )


RULES = (Rule("slow_device", (STEP_TRACE,), _judge, also=(OPS,)),)
