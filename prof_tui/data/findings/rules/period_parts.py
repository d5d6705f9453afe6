"""What of the period is not forward and backward computing: data input, and the update."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import GUIDE, OURS, Finding, NotChecked, Result, TableEvidence
from prof_tui.data.findings.rule import OPS, STEP_TRACE, Rule, of_devices
from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.data.run.ops_in_time import after_bp_ns
from prof_tui.data.run.periods import ModelRun, steady_iterations
from prof_tui.words import _, duration, share

LEAST_SHARE = 0.10


@dataclass(frozen=True)
class _Part:
    """A part of the period that computing has no use of."""

    id: str
    name: str
    column: str
    """Header of the step trace."""
    median_ns: Callable[[ModelRun], int | None]
    title: str
    advice: str
    caveat: str
    more: Callable[[Facts, ModelRun], str] = lambda _run, _device: ""
    """What the rule says besides."""

    def results(self, facts: Facts, _sums: pl.DataFrame) -> Iterator[Result]:
        """A finding for each device in which it is over a tenth of the period."""
        yield from _unknown(facts, self.id, self.name, [self.median_ns(device) for device in facts.devices])
        for device in facts.devices:
            part, period = self.median_ns(device) or 0, device.period_ns
            if period and part > LEAST_SHARE * period:
                yield self._finding(facts, device, part, period)

    def _finding(self, facts: Facts, device: ModelRun, part: int, period: int) -> Finding:
        return facts.finding(
            self.id,
            part,
            device=device,
            title=self.title.format(share=share(part, period)),
            rule=_("Median {name} {part} is over 10 % of the median period {period}.").format(
                name=self.name, part=duration(part), period=duration(period)
            )
            + self.more(facts, device),
            source=f"{GUIDE}; {OURS}",
            advice=self.advice,
            caveat=self.caveat,
            evidence=_steps_by(self.column, device),
        )


def _all_reduce(facts: Facts, device: ModelRun) -> str:
    own = next((each for each in facts.in_time if each.device == device.device), None)
    ns = after_bp_ns(device.steady) if own is None else own.after_bp_ns
    if not ns:
        return ""
    text = _("All-reduce and other communication after BP End takes {ns} (median).")
    return " " + text.format(ns=duration(ns))


def _steps_by(column: str, device: ModelRun) -> TableEvidence:
    query = Query(Scope(device.device, device.model), (steady_iterations([device]),), sort=Sort(column, True))
    return TableEvidence("step_trace", query)


def _unknown(facts: Facts, rule_id: str, part: str, medians: Sequence[int | None]) -> Iterator[NotChecked]:
    """What can't be checked of the devices whose part, or period, no steady iteration has."""
    unmarked = [own.device for own, ns in zip(facts.devices, medians, strict=True) if ns is None]
    alone = [
        own.device
        for own, ns in zip(facts.devices, medians, strict=True)
        if ns is not None and own.period_ns is None
    ]
    if unmarked:
        why = _("{part} is N/A in every steady iteration: the graph has no FP Start and BP End.")
        why = of_devices(why.format(part=part), unmarked, len(facts.devices))
        how = _('For training set "fp_point" and "bp_point" in PROFILING_OPTIONS; inference has neither.')
        yield NotChecked(rule_id, (rule_id,), why, how)
    if alone:
        why = of_devices(options.NO_PERIOD, alone, len(facts.devices))
        yield NotChecked(rule_id, (rule_id,), why, options.MORE_ITERATIONS)


DATA_BOUND = _Part(
    "data_bound",
    _("Data Aug Bound"),
    "Data Aug Bound(us)",
    lambda device: device.data_aug_ns,
    _("Data Aug Bound takes {share} of the period: the gap between iterations, often data input"),
    _(
        "Sink data preprocessing to the device, let it run beside computing, or give it more threads. To see "
        "it, collect with {option}."
    ).format(option=options.AI_CPU),
    _("The gap holds all that the host does between iterations, not only data input."),
)
REFRESH = _Part(
    "refresh_share",
    _("Iteration Refresh"),
    "Iteration Refresh(us)",
    lambda device: device.refresh_ns,
    _("Iteration Refresh takes {share} of the period: all after BP End, often all-reduce and the update"),
    _("Start all-reduce during the backward pass, fuse the optimizer's ops, shard its states."),
    _(
        'BP End is found by the collector: if it took the wrong operator, set "bp_point" in '
        "PROFILING_OPTIONS."
    ),
    _all_reduce,
)

RULES = (
    Rule(DATA_BOUND.id, (STEP_TRACE,), DATA_BOUND.results),
    Rule(REFRESH.id, (STEP_TRACE,), REFRESH.results, also=(OPS,)),
)
