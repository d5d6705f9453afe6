"""The initialisation graph and the first iterations: recognised, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings.devices import DeviceRun, Usual, usual
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import GUIDE, EvidenceRow, Finding, TableEvidence
from prof_tui.data.findings.rule import STEP_TRACE, Rule
from prof_tui.data.query import Query, Scope
from prof_tui.data.steps import Step
from prof_tui.words import _, count, duration, ngettext


def _judge(run: Run, _sums: pl.DataFrame) -> Iterator[Finding]:
    for device in run.devices:
        rows = tuple(_costs(device))
        if rows:
            yield _finding(run, device, rows)


def _costs(device: DeviceRun) -> Iterator[EvidenceRow]:
    gaps = usual(step.data_aug_ns for step in device.steady)
    times = usual(step.iteration_time_ns for step in device.steady)
    for step in device.warm_up:
        for part, ns, typical in (
            (_("Data Aug Bound"), step.data_aug_ns, gaps),
            (_("Iteration Time"), step.iteration_time_ns, times),
        ):
            if ns is not None and typical is not None and ns > typical.median_ns and typical.is_odd(ns):
                yield _row(step, part, ns, typical)
                break


def _row(step: Step, part: str, ns: int, typical: Usual) -> EvidenceRow:
    label = _("Iteration {id}: {part}").format(id=step.iteration, part=part)
    note = _("{ns}, steady {median}").format(ns=duration(ns), median=duration(typical.median_ns))
    return EvidenceRow(label, time_ns=ns - typical.median_ns, note=note)


def _finding(run: Run, device: DeviceRun, rows: tuple[EvidenceRow, ...]) -> Finding:
    cost_ns = sum(row.time_ns or 0 for row in rows)
    last = device.steady[0].iteration - 1
    return run.finding(
        "warm_up",
        cost_ns,
        device=device,
        basis="once",
        share=None,
        value=cost_ns / 1000,
        unit="us",
        title=_("Warm-up: iterations up to {last} cost {cost} once").format(
            last=last, cost=duration(cost_ns)
        ),
        rule=_("Data Aug Bound, else Iteration Time, of an iteration before {first} is out of line.").format(
            first=last + 1
        )
        + _others(device),
        source=GUIDE,
        advice=_(
            "Leave these iterations out when you compare runs; compilation is paid once per run and shape."
        ),
        caveat=_("In a short run warm-up may go on beyond iteration {last}.").format(last=last),
        rows=rows,
        evidence=TableEvidence("step_trace", Query(Scope(device.device, device.model))),
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


RULES = (Rule("warm_up", (STEP_TRACE,), _judge),)
