"""Outliers among iterations, and which part is the cause: data, one op, communication, more ops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import communicating, op_named
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import (
    OURS,
    Evidence,
    EvidenceRow,
    Finding,
    NotChecked,
    Result,
    TableEvidence,
    TimelineEvidence,
)
from prof_tui.data.findings.rule import OPS, STEP_TRACE, Rule, Value, of_devices
from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.query.query import Iterations, ModelFrom, Query, Scope, Sort
from prof_tui.data.run.kinds import SlowOp, iteration_sums, slowest_op
from prof_tui.data.run.ops import Ops
from prof_tui.data.run.periods import FEWEST_PERIODS, OUTLIER_SCALE, ModelRun, Usual, usual
from prof_tui.words import NOT_AVAILABLE, _, count, counted, duration

RULE = "odd_iterations"
MOST_EXPLAINED = 8
"""Outliers of a device that become findings, those farthest from the median."""
STALL, SLOW_OP, COMMUNICATION, MORE_OPS, SLOW, SHORT = IDS = (
    "iteration_stall",
    "iteration_slow_op",
    "iteration_communication",
    "iteration_more_ops",
    "iteration_slow",
    "iteration_short",
)


@dataclass(frozen=True)
class _Cause:
    id: str
    said: str
    """What caused it: the title goes on with it."""
    factor: float
    advice: str
    evidence: Evidence
    rule: str = ""
    """What the cause was compared with; empty where the rule says all."""


def _judge(facts: Facts, _sums: pl.DataFrame) -> Iterator[Result]:
    few: list[int | None] = []
    for device in facts.devices:
        typical = usual(step.period_ns for step in device.steady)
        if typical is None or typical.count < FEWEST_PERIODS:
            few.append(device.device)
            continue
        farthest = sorted(device.outliers, key=lambda step: -abs(_excess(device, step)))
        for step in farthest[:MOST_EXPLAINED]:
            yield from _explain(facts, device, step, typical)
    if few:
        why = _("Fewer than three steady iterations have a period: too few to tell outliers.")
        yield NotChecked(RULE, IDS, of_devices(why, few, len(facts.devices)), options.MORE_ITERATIONS)


def _excess(device: ModelRun, step: Step) -> int:
    """By how much its period is over the median; negative where it is shorter."""
    return (step.period_ns or 0) - (device.period_ns or 0)


def _explain(facts: Facts, device: ModelRun, step: Step, typical: Usual) -> Iterator[Result]:
    """The finding, and what could not be looked up for it: whether any op made the iteration so."""
    finding = _finding(facts, device, step, typical)
    yield finding
    if finding.id != SLOW:
        return
    by_ops = (SLOW_OP, COMMUNICATION, MORE_OPS)
    if facts.ops is None:
        yield NotChecked(RULE, by_ops, facts.why_no_ops, options.TASKS.how)
    elif not _has_ops(facts.ops, device, step):
        why = _("op_summary has no op of iteration {id}, which is an outlier.").format(id=step.iteration)
        how = options.EXPORT_ITERATION.format(model=device.model, id=step.iteration)
        yield NotChecked(RULE, by_ops, why, how)


def _of_iteration(ops: Ops, device: ModelRun, step: Step) -> pl.Series:
    """Boolean per row number."""
    of_device = ops.of_model & ops.of_device(device.device)
    return of_device & (ops.iteration == step.iteration).fill_null(False)


def _has_ops(ops: Ops, device: ModelRun, step: Step) -> bool:
    return bool(_of_iteration(ops, device, step).any())


def _finding(facts: Facts, device: ModelRun, step: Step, typical: Usual) -> Finding:
    excess = _excess(device, step)
    cause = _cause(facts, device, step, excess)
    return facts.finding(
        cause.id,
        round(max(0, excess) / len(device.steady)),
        device=device,
        iteration=step.iteration,
        basis="iteration",
        value=cause.factor,
        title=(
            _("Iteration {id} took {ns} more: {cause}")
            if excess > 0
            else _("Iteration {id} took {ns} less: {cause}")
        ).format(id=step.iteration, ns=duration(abs(excess)), cause=cause.said),
        rule=" ".join(text for text in (_rule(device, step, typical), cause.rule) if text),
        source=OURS,
        advice=" ".join(text for text in (cause.advice, _still_warm_up(device, step)) if text),
        caveat=_("One iteration of a short run may be chance: see whether a second profile has it too."),
        rows=tuple(_rows(device, step)),
        evidence=cause.evidence,
    )


def _rule(device: ModelRun, step: Step, typical: Usual) -> str:
    text = _(
        "Its period {period} is {distance} off the median {median} of {n} steady iterations: over "
        "{threshold} (5 x 1.4826 x MAD {mad}) and over 5 %."
    ).format(
        period=duration(step.period_ns),
        distance=duration(abs(_excess(device, step))),
        median=duration(typical.median_ns),
        n=count(typical.count),
        threshold=duration(round(OUTLIER_SCALE * typical.mad_ns)),
        mad=duration(round(typical.mad_ns)),
    )
    odd = len(device.outliers)
    return f"{text} " + counted("{n} of them is an outlier.", "{n} of them are outliers.", odd)


def _still_warm_up(device: ModelRun, step: Step) -> str:
    """What to do about the first steady iteration that took longer; empty for any other."""
    if step is not device.steady[0] or _excess(device, step) < 0 or len(device.steady) < 2:
        return ""
    return _(
        "It is the first steady one, warm-up may go on to it: to leave it out use --steady-from {next}, or "
        "key s on the overview."
    ).format(next=device.steady[1].iteration)


def _parts(device: ModelRun, step: Step) -> list[tuple[str, int, int]]:
    """The parts of the period that are known: name, ns of the iteration, median."""
    parts = (
        (_("Data Aug Bound"), step.data_aug_ns, device.data_aug_ns),
        (_("FP to BP"), step.fp_to_bp_ns, device.fp_to_bp_ns),
        (_("Iteration Refresh"), step.refresh_ns, device.refresh_ns),
    )
    return [(name, ns, usual) for name, ns, usual in parts if ns is not None and usual is not None]


def _rows(device: ModelRun, step: Step) -> Iterator[EvidenceRow]:
    """The period and its parts beside their medians."""
    period = (_("Period"), step.period_ns or 0, device.period_ns or 0)
    for name, ns, median_ns in (period, *_parts(device, step)):
        yield EvidenceRow(name, time_ns=ns, note=_("median {ns}").format(ns=duration(median_ns)))


def _cause(facts: Facts, device: ModelRun, step: Step, excess: int) -> _Cause:
    here = Scope(device.device, device.model, step.iteration)
    ops = TableEvidence("op_summary", Query(here, sort=Sort(facts.header("task_duration"), True)))
    if facts.ops is None:
        ops = TableEvidence("step_trace", Query(here))
    factor = _factor(step.period_ns, device.period_ns)
    if excess < 0:
        said = _("fewer or faster ops")
        return _Cause(SHORT, said, factor, _COMPARE, ops)
    stall = (step.data_aug_ns or 0) - (device.data_aug_ns or 0)
    if step.data_aug_ns is not None and 2 * stall >= excess:
        return _stall(device, step)
    return (
        _slow_op(facts, device, step, excess)
        or _by_sums(facts, device, step, excess, ops)
        or _Cause(
            SLOW, _longest_part(facts, device, step), _factor(step.period_ns, device.period_ns), _COMPARE, ops
        )
    )


_COMPARE = _("Compare its timeline with that of an iteration beside it ([ and ]).")


def _factor(ns: int | None, usual_ns: int | None) -> float:
    return (ns or 0) / usual_ns if usual_ns else 0.0


def _stall(device: ModelRun, step: Step) -> _Cause:
    factor = _factor(step.data_aug_ns, device.data_aug_ns)
    said = _("Data Aug Bound, the gap before it, {ns} in place of {median}").format(
        ns=duration(step.data_aug_ns), median=duration(device.data_aug_ns)
    )
    end_ns = step.end_ns or 0
    begin_ns = end_ns - (step.period_ns or 0)
    until_ns = step.fp_start_ns or begin_ns + (step.data_aug_ns or 0)
    evidence = TimelineEvidence(device.device, begin_ns, until_ns, device.model, step.iteration)
    advice = _("See what the host did in that gap: data loading, a checkpoint, garbage collection.")
    return _Cause(STALL, said, factor, advice, evidence)


def _slow_op(facts: Facts, device: ModelRun, step: Step, excess: int) -> _Cause | None:
    if facts.ops is None:
        return None
    slow = slowest_op(facts.ops, device.device, step.iteration, max(1, -(-excess // 2)))
    if slow is None:
        return None
    said = _("{name} {factor:,.1f} x its usual time, {ns} in place of {usual}").format(
        name=op_named(facts.ops, slow.row),
        ns=duration(slow.ns),
        factor=slow.factor,
        usual=duration(slow.usual_ns),
    )
    advice = (
        _("A collective waits for the slowest device: look at the others at that time.")
        if slow.communicates
        else _(
            "See what ran beside it, and whether its input was another; a lower frequency slows others too."
        )
    )
    others = counted(
        "The op's usual time is that of {n} other iteration, as op_summary holds no more.",
        "The op's usual time is the median of the {n} other iterations that op_summary holds.",
        slow.others,
    )
    return _Cause(SLOW_OP, said, slow.factor, advice, _same_op(facts, device, slow), others)


def _same_op(facts: Facts, device: ModelRun, slow: SlowOp) -> TableEvidence:
    """The op in all iterations of the model: what its usual time is the median of."""
    all_of_model = Iterations((ModelFrom(device.device, device.model, device.steps[0].iteration),))
    name = facts.one_of("op_name", slow.name or NOT_AVAILABLE)
    return facts.ops_by(all_of_model, name, scope=Scope(device.device), counted=False)


def _by_sums(facts: Facts, device: ModelRun, step: Step, excess: int, shown: TableEvidence) -> _Cause | None:
    """Communication or more ops than usual, where either makes half of the excess."""
    if facts.ops is None:
        return None
    sums = iteration_sums(facts.ops, device)
    own = sums.filter(pl.col("iteration") == step.iteration)
    if not len(own):
        return None
    others = sums.filter(pl.col("iteration") != step.iteration)
    number, ns, communicated = (int(value) for value in own.select("count", "ns", "communication_ns").row(0))
    usual_number, usual_ns, usual_communicated = (
        float(value or 0) for value in others.select("count", "ns", "communication_ns").median().row(0)
    )
    if 2 * (communicated - usual_communicated) >= excess:
        said = _("communication took {ns} in place of {usual}").format(
            ns=duration(communicated), usual=duration(round(usual_communicated))
        )
        advice = _("A collective waits for the slowest device: look at the others at that time.")
        return _Cause(
            COMMUNICATION,
            said,
            _factor(communicated, round(usual_communicated)),
            advice,
            _communication_of(facts, device, step, shown),
        )
    if number > usual_number and 2 * (ns - usual_ns) >= excess:
        said = _("{n} ops in place of {usual}").format(n=count(number), usual=count(round(usual_number)))
        advice = _("Evaluation, logging or a checkpoint inside the iteration: see which ops it has more.")
        return _Cause(MORE_OPS, said, _factor(number, round(usual_number)), advice, shown)
    return None


def _communication_of(facts: Facts, device: ModelRun, step: Step, shown: TableEvidence) -> TableEvidence:
    """The communicating ops of the iteration."""
    assert facts.ops is not None
    filters = communicating(facts, _of_iteration(facts.ops, device, step))
    return TableEvidence("op_summary", replace(shown.query, filters=filters))


def _longest_part(facts: Facts, device: ModelRun, step: Step) -> str:
    looked_up = facts.ops is not None and _has_ops(facts.ops, device, step)
    known = [(name, ns - usual) for name, ns, usual in _parts(device, step)]
    if not known:
        return _("no single op is the cause") if looked_up else _("its parts are not known")
    name, more = max(known, key=lambda part: part[1])
    said = _("{part} took {ns} more, no single op is the cause") if looked_up else _("{part} took {ns} more")
    return said.format(part=name, ns=duration(more))


_FACTOR = Value("x", _("what caused it, over its median"))

RULES = (Rule(RULE, (STEP_TRACE,), _judge, also=(OPS,), ids=IDS, value=_FACTOR),)
