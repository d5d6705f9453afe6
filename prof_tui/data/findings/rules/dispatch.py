"""Bound by the host that dispatches: ops shorter than the gaps between them, and dynamic shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import first_said, gap_row, largest_rows
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import (
    ADVISOR,
    OURS,
    EvidenceRow,
    Finding,
    NotChecked,
    Result,
    TableEvidence,
)
from prof_tui.data.findings.from_timeline import HostWaits
from prof_tui.data.findings.not_checked import of_devices
from prof_tui.data.findings.op_order import Timeline
from prof_tui.data.findings.rule import OPS, TIMES, TRACE, Rule, Value
from prof_tui.data.findings.sums import Gathering
from prof_tui.data.query.query import Scope
from prof_tui.words import NOT_AVAILABLE, _, count, duration, share

DYNAMIC = "dynamic"
LEAST_SHARE = 0.10
_SYNCHRONIZES = "Synchronize"
FEWEST_GAPS = 20
"""Of a device; a median of fewer is chance."""


def _dispatch(run: Run, _sums: pl.DataFrame) -> Iterator[Result]:
    """By the launches where a timeline knows them, else by medians."""
    if run.host_waits is None:
        yield from _by_medians(run)
    elif run.host_waits.per_iteration(run.host_waits.waited_ns) > LEAST_SHARE * (run.period_ns or 0):
        yield _by_launches(run, run.host_waits)


def _by_launches(run: Run, waits: HostWaits) -> Finding:
    cost_ns = waits.per_iteration(waits.waited_ns)
    return run.finding(
        "dispatch_bound",
        cost_ns,
        title=_("The device waits for the host to launch, in {late} of {gaps} gaps").format(
            late=count(waits.late), gaps=count(waits.gaps)
        ),
        rule=_(
            "By the timeline, the host began to launch the op behind {late} of {gaps} gaps only when the "
            "device had become idle; until then {waited} of their {idle} had passed, over 10 % of {whole}."
        ).format(
            late=count(waits.late),
            gaps=count(waits.gaps),
            waited=duration(waits.waited_ns),
            idle=duration(waits.idle_ns),
            whole=run.whole,
        ),
        source=OURS,
        advice=_launch_ahead(waits),
        caveat=_(
            "Gaps before ops that the timeline knows no launch of are not counted; profiling slows the host."
        ),
        rows=tuple(gap_row(gap, gap.waited_ns, "") for gap in waits.latest),
        evidence=waits.latest[0].place,
    )


def _launch_ahead(waits: HostWaits) -> str:
    advice = _("Run as a graph, sink the loop to the device, or fuse small ops, so that launches are ahead.")
    if any(_SYNCHRONIZES in gap.host_call for gap in waits.latest):
        advice = (
            _("Let the host wait less often for the device: it can't launch ahead meanwhile.") + " " + advice
        )
    return advice


def _by_medians(run: Run) -> Iterator[Result]:
    few = [line.device for line in run.timelines if line.gap_count < FEWEST_GAPS]
    if few:
        why = _("Fewer than {n} gaps between ops on cores: their median tells too little.")
        why = of_devices(why.format(n=FEWEST_GAPS), few, len(run.timelines))
        yield NotChecked("dispatch_bound", ("dispatch_bound",), why, "")
    slow = [line for line in run.timelines if _is_slow(line)]
    if slow:
        yield _of_slow(run, slow)


def _is_slow(line: Timeline) -> bool:
    return line.gap_count >= FEWEST_GAPS and line.median_op_ns < line.median_gap_ns


def _of_slow(run: Run, slow: Sequence[Timeline]) -> Finding:
    cost_ns = run.per_iteration(sum(line.idle_ns for line in slow))
    text = _("device {device}: median op {op}, median of {n} gaps {gap}")
    said = [
        text.format(
            device=NOT_AVAILABLE if line.device is None else line.device,
            op=duration(line.median_op_ns),
            n=count(line.gap_count),
            gap=duration(line.median_gap_ns),
        )
        for line in slow
    ]
    return run.finding(
        "dispatch_bound",
        cost_ns,
        title=_("The device waits for the host: ops are shorter than the gaps between them"),
        rule=_(
            "The median op is shorter than the median gap to the next: {said}; {cost} idle in {per}. Judged "
            "from {least} gaps on, without PLACE_HOLDER_SQE and other tasks that run on no core."
        ).format(least=FEWEST_GAPS, said="; ".join(said), cost=duration(cost_ns), per=run.per),
        source=OURS,
        advice=_(
            "Run as a graph, sink the loop to the device, or fuse small ops; to see when the host launches "
            "what, collect with {option}."
        ).format(option=options.RUNTIME_API),
        caveat=_(
            "What the device itself takes between two tasks looks the same here; a program that tests single "
            "ops may pause between them; profiling makes gaps longer."
        ),
        rows=tuple(EvidenceRow(each) for each in said),
        evidence=_after_gaps(run, slow),
    )


def _after_gaps(run: Run, slow: Sequence[Timeline]) -> TableEvidence:
    """The ops of the slow devices that waited, longest wait first; all of them where no column says so."""
    scope = Scope(slow[0].device) if len(slow) == 1 else None
    if run.ops is None or run.ops.column("task_wait") is None:
        return run.ops_by(scope=scope)
    return run.ops_by(run.over("task_wait", 0), by="task_wait", scope=scope)


def _dynamic(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    rows = sums.filter(pl.col("op_state") == DYNAMIC)
    if not len(rows):
        return
    number, total = int(rows["count"].sum()), int(rows["ns"].sum())
    yield run.finding(
        "dynamic_ops",
        0,
        share=None,
        value=100 * number / run.gathered.count,
        title=_("Dynamic shapes: {n}, {share} of op time").format(
            n=run.of_all(number), share=share(total, run.op_ns)
        ),
        rule=_("OP State is dynamic in {n}.").format(n=run.of_all(number)),
        source=ADVISOR,
        advice=_("Fix or bucket the shapes; with torch_npu set jit_compile to false."),
        caveat=_(
            "What it costs is on the host, not in op_summary: the gaps before these ops show some of it."
        ),
        rows=largest_rows(rows.with_columns(first_said("type", "untyped").alias("op")), "op"),
        evidence=run.ops_by(run.one_of("op_state", DYNAMIC)),
    )


RULES = (
    Rule("dispatch_bound", (TIMES,), _dispatch, also=(TRACE,)),
    Rule(
        "dynamic_ops",
        (OPS, "op_state"),
        _dynamic,
        Gathering(("op_state", "type", "untyped")),
        value=Value("%", _("% of ops")),
        how=options.LEVEL_1.how,
    ),
)
