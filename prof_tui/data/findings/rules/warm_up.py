"""The initialisation graph and the first iterations: recognised, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings.devices import DeviceRun, Usual, usual
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import (
    GUIDE,
    EvidenceRow,
    Finding,
    NotChecked,
    Result,
    TableEvidence,
)
from prof_tui.data.findings.missing import of_devices
from prof_tui.data.findings.rule import STEP_TRACE, Rule, Value
from prof_tui.data.query import OneOf, Query, Scope
from prof_tui.data.steps import FIRST_STEADY, Step
from prof_tui.words import _, count, duration, ngettext

ID = "warm_up"


def _judge(run: Run, _sums: pl.DataFrame) -> Iterator[Result]:
    without = [device.device for device in run.devices if not any(map(_leads, device.warm_up))]
    if without:
        why = _("No iteration with ID 1 or 2 comes before the steady ones.")
        how = _("Collect and export at least three iterations, from the first on.")
        yield NotChecked(ID, (ID,), of_devices(why, without, len(run.devices)), how)
    for device in run.devices:
        costs = dict(_costs(device))
        if costs:
            yield _finding(run, device, costs)


def _costs(device: DeviceRun) -> Iterator[tuple[int, EvidenceRow]]:
    """What leads: what is out of line before the usual first steady iteration, and what follows unbroken."""
    gaps = usual(step.data_aug_ns for step in device.steady)
    times = usual(step.iteration_time_ns for step in device.steady)
    last = 0
    for step in device.warm_up:
        row = _cost(step, gaps, times)
        if row and (_leads(step) or step.iteration == last + 1):
            last = step.iteration
            yield step.iteration, row


def _leads(step: Step) -> bool:
    return step.iteration < FIRST_STEADY


def _cost(step: Step, gaps: Usual | None, times: Usual | None) -> EvidenceRow | None:
    for part, ns, typical in (
        (_("Data Aug Bound"), step.data_aug_ns, gaps),
        (_("Iteration Time"), step.iteration_time_ns, times),
    ):
        if ns is not None and typical is not None and ns > typical.median_ns and typical.is_odd(ns):
            return _row(step, part, ns, typical)
    return None


def _row(step: Step, part: str, ns: int, typical: Usual) -> EvidenceRow:
    label = _("Iteration {id}, {part}").format(id=step.iteration, part=part)
    note = _("{ns} in place of {median}").format(ns=duration(ns), median=duration(typical.median_ns))
    return EvidenceRow(label, time_ns=ns - typical.median_ns, note=note)


def _finding(run: Run, device: DeviceRun, costs: dict[int, EvidenceRow]) -> Finding:
    cost_ns = sum(row.time_ns or 0 for row in costs.values())
    numbers = tuple(map(str, costs))
    return run.finding(
        ID,
        cost_ns,
        device=device,
        basis="once",
        share=None,
        value=cost_ns / 1000,
        title=ngettext(
            "Warm-up: iteration {ids} costs {cost} once",
            "Warm-up: iterations {ids} cost {cost} once",
            len(numbers),
        ).format(ids=", ".join(numbers), cost=duration(cost_ns)),
        rule=_(
            "Data Aug Bound, or Iteration Time where that is in line, is over 5 x 1.4826 x MAD and over 5 % "
            "above the steady median, in an iteration before {first} or one that follows without a break."
        ).format(first=FIRST_STEADY)
        + _others(device),
        source=GUIDE,
        advice=_("Leave warm-up out when you compare runs; compilation is paid once per run and shape."),
        caveat=_("In a short run warm-up may go on into the iterations that count as steady."),
        rows=tuple(costs.values()),
        evidence=TableEvidence(
            "step_trace", Query(Scope(device.device, device.model), (OneOf("Iteration ID", numbers),))
        ),
    )


def _others(device: DeviceRun) -> str:
    said = [
        ngettext("model {id} ({n} iteration)", "model {id} ({n} iterations)", iterations).format(
            id=model, n=count(iterations)
        )
        for model, iterations in device.others
    ]
    if not said:
        return ""
    return " " + _("Taken for initialisation, beside main model {main}: {others}.").format(
        main=device.model, others=", ".join(said)
    )


RULES = (Rule(ID, (STEP_TRACE,), _judge, value=Value("us", _("its cost once, us"))),)
