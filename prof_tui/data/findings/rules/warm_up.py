"""The initialisation graph and the first iterations: recognised, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import (
    GUIDE,
    EvidenceRow,
    Finding,
    NotChecked,
    Result,
    TableEvidence,
)
from prof_tui.data.findings.rule import STEP_TRACE, Rule, Value, of_devices
from prof_tui.data.iterations.step_trace import FIRST_STEADY, Step
from prof_tui.data.query.query import OneOf, Query, Scope
from prof_tui.data.run.periods import ModelRun, Usual, usual
from prof_tui.words import _, counted, duration

ID = "warm_up"


def _judge(facts: Facts, _sums: pl.DataFrame) -> Iterator[Result]:
    without = [device.device for device in facts.devices if not any(map(_leads, device.warm_up))]
    if without:
        why = _("No iteration with ID 1 or 2 comes before the steady ones.")
        how = _("Collect and export at least three iterations, from the first on.")
        yield NotChecked(ID, (ID,), of_devices(why, without, len(facts.devices)), how)
    for device in facts.devices:
        costs = dict(_costs(device))
        if costs:
            yield _finding(facts, device, costs)


def _costs(device: ModelRun) -> Iterator[tuple[int, list[EvidenceRow]]]:
    """What leads: outliers before the usual first steady iteration, and what follows unbroken."""
    gaps = usual(step.data_aug_ns for step in device.steady)
    times = usual(step.iteration_time_ns for step in device.steady)
    periods = usual(step.period_ns for step in device.steady)
    last = 0
    for step in device.warm_up:
        parts = (
            _Part(_("Data Aug Bound"), step.data_aug_ns, gaps),
            _Part(_("Iteration Time"), step.iteration_time_ns, times),
        )
        rows = _count_parts(step, parts, _Part(_("period"), step.period_ns, periods))
        if rows and (_leads(step) or step.iteration == last + 1):
            last = step.iteration
            yield step.iteration, rows


def _leads(step: Step) -> bool:
    return step.iteration < FIRST_STEADY


@dataclass(frozen=True)
class _Part:
    """A part of an iteration, beside what it usually takes."""

    name: str
    ns: int | None
    usual: Usual | None

    @property
    def excess_ns(self) -> int | None:
        """Over the steady median; None where one of the two is not known."""
        return None if self.ns is None or self.usual is None else self.ns - self.usual.median_ns

    @property
    def is_long(self) -> bool:
        """Longer than usual, and an outlier."""
        if self.ns is None or self.usual is None:
            return False
        return self.ns > self.usual.median_ns and self.usual.is_outlier(self.ns)

    def row(self, step: Step) -> EvidenceRow:
        median_ns = None if self.usual is None else self.usual.median_ns
        label = _("Iteration {id}, {part}").format(id=step.iteration, part=self.name)
        note = _("{ns} in place of {median}").format(ns=duration(self.ns), median=duration(median_ns))
        return EvidenceRow(label, time_ns=self.excess_ns, note=note)


def _count_parts(step: Step, parts: Sequence[_Part], period: _Part) -> list[EvidenceRow]:
    """The parts that are long; in their place the period where together they take more than it does."""
    long = [part for part in parts if part.is_long]
    limit_ns = period.excess_ns
    if limit_ns is None:
        long = long[-1:] if _holds_gap(step) else long
    elif sum(part.excess_ns or 0 for part in long) > limit_ns:
        long = [period] if limit_ns > 0 else []
    return [part.row(step) for part in long]


def _holds_gap(step: Step) -> bool:
    """Whether Iteration Time holds Data Aug Bound: in some exports an iteration begins where one ended."""
    own = (step.data_aug_ns or 0) + (step.fp_to_bp_ns or 0) + (step.refresh_ns or 0)
    return (step.iteration_time_ns or 0) >= own


def _finding(facts: Facts, device: ModelRun, costs: dict[int, list[EvidenceRow]]) -> Finding:
    rows = tuple(row for own in costs.values() for row in own)
    cost_ns = sum(row.time_ns or 0 for row in rows)
    numbers = tuple(map(str, costs))
    return facts.finding(
        ID,
        cost_ns,
        device=device,
        basis="once",
        share=None,
        value=cost_ns / 1000,
        title=counted(
            "Warm-up: iteration {ids} costs {cost} once",
            "Warm-up: iterations {ids} cost {cost} once",
            len(numbers),
            ids=", ".join(numbers),
            cost=duration(cost_ns),
        ),
        rule=_(
            "Counted is what Data Aug Bound and Iteration Time take over the steady median, where that is "
            "over 5 x 1.4826 x MAD and over 5 %, but no more than the period does; of iterations before "
            "{first} and those that follow without a break."
        ).format(first=FIRST_STEADY)
        + _others(device),
        source=GUIDE,
        advice=_("Leave warm-up out when you compare runs; compilation is paid once per run and shape."),
        caveat=_("In a short run warm-up may go on into the iterations that count as steady."),
        rows=rows,
        evidence=TableEvidence(
            "step_trace", Query(Scope(device.device, device.model), (OneOf("Iteration ID", numbers),))
        ),
    )


def _others(device: ModelRun) -> str:
    said = [
        counted("model {id} ({n} iteration)", "model {id} ({n} iterations)", iterations, id=model)
        for model, iterations in device.others
    ]
    if not said:
        return ""
    return " " + _("Taken for initialisation, beside main model {main}: {others}.").format(
        main=device.model, others=", ".join(said)
    )


RULES = (Rule(ID, (STEP_TRACE,), _judge, value=Value("us", _("its cost once, us"))),)
