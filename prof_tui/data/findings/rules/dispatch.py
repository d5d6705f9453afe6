"""Time before ops: the host that launches late, tasks that wait, the largest gaps, and dynamic shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import first_said, largest_rows, named, op_named
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import (
    ADVISOR,
    OURS,
    PROF_RULE,
    EvidenceRow,
    Finding,
    NotChecked,
    Result,
    TableEvidence,
)
from prof_tui.data.findings.from_timeline import HostGap, HostWaits
from prof_tui.data.findings.rule import OPS, STARTS, TRACE, Rule, Value, of_devices
from prof_tui.data.findings.sums import Sums
from prof_tui.data.query.query import Scope
from prof_tui.data.run.ops_in_time import OpsInTime
from prof_tui.words import NOT_AVAILABLE, _, count, duration, printable, share

DYNAMIC = "dynamic"
LEAST_SHARE = 0.10
_SYNCHRONIZES = "Synchronize"
FEWEST_GAPS = 20
"""Gaps of a device of which a median tells something; one of fewer is chance."""
LEAST_US = 10
LEAST_WAIT_SHARE = 0.03
FEWEST_OPS = 20
"""That could have waited; ours: a pause or two between a handful of ops are no schedule."""


def _dispatch(facts: Facts, _sums: pl.DataFrame) -> Iterator[Result]:
    """By the launches where a timeline knows them, else by medians."""
    if facts.host_waits is None:
        yield from _by_medians(facts)
    elif facts.host_waits.per_iteration(facts.host_waits.waited_ns) > LEAST_SHARE * (facts.period_ns or 0):
        yield _by_launches(facts, facts.host_waits)


def _by_launches(facts: Facts, waits: HostWaits) -> Finding:
    cost_ns = waits.per_iteration(waits.waited_ns)
    return facts.finding(
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
            whole=facts.whole,
        ),
        source=OURS,
        advice=_launch_ahead(waits),
        caveat=_(
            "Gaps before ops that the timeline knows no launch of are not counted; profiling slows the host."
        ),
        rows=tuple(_gap_row(gap, gap.waited_ns, "") for gap in waits.latest),
        evidence=waits.latest[0].place,
    )


def _launch_ahead(waits: HostWaits) -> str:
    advice = _("Run as a graph, sink the loop to the device, or fuse small ops, so that launches are ahead.")
    if any(_SYNCHRONIZES in gap.host_call for gap in waits.latest):
        advice = (
            _("Let the host wait less often for the device: it can't launch ahead meanwhile.") + " " + advice
        )
    return advice


def _by_medians(facts: Facts) -> Iterator[Result]:
    few = [line.device for line in facts.in_time if line.gap_count < FEWEST_GAPS]
    if few:
        why = _("Fewer than {n} gaps between ops on cores: their median tells too little.")
        why = of_devices(why.format(n=FEWEST_GAPS), few, len(facts.in_time))
        yield NotChecked("dispatch_bound", ("dispatch_bound",), why, "")
    slow = [line for line in facts.in_time if _is_slow(line)]
    if slow:
        yield _of_slow(facts, slow)


def _is_slow(line: OpsInTime) -> bool:
    return line.gap_count >= FEWEST_GAPS and line.median_op_ns < line.median_gap_ns


def _of_slow(facts: Facts, slow: Sequence[OpsInTime]) -> Finding:
    cost_ns = facts.per_iteration(sum(line.idle_ns for line in slow))
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
    return facts.finding(
        "dispatch_bound",
        cost_ns,
        title=_("The device waits for the host: ops are shorter than the gaps between them"),
        rule=_(
            "The median op is shorter than the median gap to the next: {said}; {cost} idle in {per}. Judged "
            "from {least} gaps on, without PLACE_HOLDER_SQE and other tasks that run on no core."
        ).format(least=FEWEST_GAPS, said="; ".join(said), cost=duration(cost_ns), per=facts.per),
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
        evidence=_after_gaps(facts, slow),
    )


def _after_gaps(facts: Facts, slow: Sequence[OpsInTime]) -> TableEvidence:
    """The ops of the slow devices that waited, longest wait first; all of them where no column says so."""
    scope = Scope(slow[0].device) if len(slow) == 1 else None
    if facts.ops is None or facts.ops.column("task_wait") is None:
        return facts.ops_by(scope=scope)
    return facts.ops_by(facts.over("task_wait", 0), by="task_wait", scope=scope)


def _dynamic(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    rows = sums.filter(pl.col("op_state") == DYNAMIC)
    if not len(rows):
        return
    number, total = int(rows["count"].sum()), int(rows["ns"].sum())
    yield facts.finding(
        "dynamic_ops",
        0,
        share=None,
        value=100 * number / facts.totals.count,
        title=_("Dynamic shapes: {n}, {share} of op time").format(
            n=facts.of_all(number), share=share(total, facts.op_ns)
        ),
        rule=_("OP State is dynamic in {n}.").format(n=facts.of_all(number)),
        source=ADVISOR,
        advice=_("Fix or bucket the shapes; with torch_npu set jit_compile to false."),
        caveat=_(
            "What it costs is on the host, not in op_summary: the gaps before these ops show some of it."
        ),
        rows=largest_rows(rows.with_columns(first_said("type", "untyped").alias("op")), "op"),
        evidence=facts.ops_by(facts.one_of("op_state", DYNAMIC)),
    )


# Tasks that wait


def _waiting(facts: Facts, sums: pl.DataFrame) -> Iterator[Result]:
    could, number, wait_ns, own_ns, all_ns, longest, first_longest = (
        int(value or 0) for value in sums.row(0)
    )
    if could < FEWEST_OPS:
        why = _("{n} ops could have waited for the one before them: fewer than {least} tell too little.")
        yield NotChecked("wait_share", ("wait_share",), why.format(n=count(could), least=FEWEST_OPS), "")
    elif wait_ns > LEAST_WAIT_SHARE * all_ns:
        said = _("{n} waited over 10 us, {wait} in all: {share} of all durations and waits, over 3 %").format(
            n=facts.of_all(number), wait=duration(wait_ns), share=share(wait_ns, all_ns)
        )
        rule = _(
            "{said}. msprof divides by the waiting ops' own time alone: {share}. Judged from {least} ops on."
        ).format(said=said, share=share(wait_ns, own_ns), least=FEWEST_OPS)
        yield _of_waits(
            facts, rule, number, wait_ns, 100 * wait_ns / all_ns, _after_waits(facts, longest, first_longest)
        )


def _of_waits(
    facts: Facts, rule: str, number: int, wait_ns: int, per_cent: float, evidence: TableEvidence
) -> Finding:
    cost_ns = facts.per_iteration(wait_ns)
    return facts.finding(
        "wait_share",
        cost_ns,
        value=per_cent,
        title=_("{n} wait over 10 us: the device lies idle before them").format(n=facts.of_all(number)),
        rule=rule,
        source=f"{PROF_RULE}; {OURS}",
        advice=what_to_see(facts.host_waits),
        caveat=_(
            "Task Wait Time is per device over all streams. The first op of an iteration is not counted, "
            "as its wait is Data Aug Bound, but may stand among the rows."
        ),
        rows=tuple(_launched_gaps(facts.host_waits) if facts.host_waits else _gaps(facts)),
        evidence=evidence,
    )


def _after_waits(facts: Facts, longest: int, first_longest: int) -> TableEvidence:
    """The ops that waited; without the first ops of iterations where those waited longest."""
    waits = [facts.over("task_wait", LEAST_US)]
    if first_longest > longest:
        waits.append(facts.compared("task_wait", "<=", longest))
    return facts.ops_by(*waits, by="task_wait")


def what_to_see(waits: HostWaits | None) -> str:
    """What to look at, and how to collect the host's calls where the timeline has none."""
    host = _("See in the timeline what the host did in the largest gaps.")
    if waits is None:
        return f"{host} " + _("For its calls collect with {option}.").format(option=options.RUNTIME_API)
    largest = waits.largest[0]
    if 2 * largest.waited_ns >= largest.length_ns:
        return host
    return _(
        "The host had launched the op behind the largest gap before half of it was over: see in the timeline "
        "what the device waited for then: its queue, a synchronisation, another stream, an event wait."
    )


def _launched_gaps(waits: HostWaits) -> Iterator[EvidenceRow]:
    for gap in waits.largest:
        launched = _("launched {ns} after it began").format(ns=duration(gap.waited_ns))
        note = launched if gap.waited_ns else _("launched before it began")
        yield _gap_row(gap, gap.length_ns, note)


def _gaps(facts: Facts) -> Iterator[EvidenceRow]:
    if facts.ops is None:
        return
    found = [(gap, line.device) for line in facts.in_time for gap in line.gaps]
    for gap, device in sorted(found, key=lambda each: -each[0].length_ns)[:5]:
        place = "" if gap.iteration is None else _("iteration {id}").format(id=gap.iteration)
        note = _("device {device}").format(device=device) + (f", {place}" if place else "")
        label = _gap_label(op_named(facts.ops, gap.row_before), op_named(facts.ops, gap.row_after))
        yield EvidenceRow(label, time_ns=gap.length_ns, note=note)


def _gap_label(before: str, after: str) -> str:
    """What a gap lies between."""
    if before == after:
        return _("between two {name}").format(name=after)
    return _("{before} – {after}").format(before=before, after=after)


def _gap_row(gap: HostGap, time_ns: int, note: str) -> EvidenceRow:
    """A gap between two ops: where it is, ``note``, and what the host did meanwhile."""
    place = gap.place
    notes = [
        "" if place.device is None else _("device {device}").format(device=place.device),
        "" if place.iteration is None else _("iteration {id}").format(id=place.iteration),
        note,
        _("host in {call}").format(call=printable(gap.host_call)) if gap.host_call else "",
    ]
    return EvidenceRow(
        _gap_label(named(gap.before), named(gap.after)),
        time_ns=time_ns,
        note=", ".join(part for part in notes if part),
    )


_INSIDE = ~pl.col("first")
_WAITS = _INSIDE & (pl.col("task_wait") > LEAST_US * 1000)

RULES = (
    Rule("dispatch_bound", (STARTS,), _dispatch, also=(TRACE,), spoilt_by=("op_summary",)),
    Rule(
        "dynamic_ops",
        (OPS, "op_state"),
        _dynamic,
        Sums(("op_state", "type", "untyped")),
        value=Value("%", _("% of ops")),
        how=options.LEVEL_1.how,
    ),
    Rule(
        "wait_share",
        (OPS, "task_wait"),
        _waiting,
        Sums(
            values=(
                (_INSIDE & pl.col("task_wait").is_not_null()).sum().cast(pl.Int64).alias("could"),
                _WAITS.sum().cast(pl.Int64).alias("count"),
                pl.col("task_wait").filter(_WAITS).sum().alias("wait"),
                (pl.col("ns") + pl.col("task_wait")).filter(_WAITS).sum().alias("own"),
                (pl.col("ns") + pl.when(_INSIDE).then(pl.col("task_wait")).otherwise(0).fill_null(0))
                .sum()
                .alias("all"),
            ),
            extremes=(
                pl.col("task_wait").filter(_WAITS).max().alias("max"),
                pl.col("task_wait").filter("first").max().alias("max first"),
            ),
        ),
        also=(TRACE,),
        value=Value("%", _("waits, % of durations and waits")),
        how=options.NEWER_EXPORT,
    ),
)
