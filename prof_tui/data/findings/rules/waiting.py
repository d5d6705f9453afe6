"""Tasks that wait inside iterations, and the largest gaps with the ops on both sides."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import gap_label, gap_row, op_named
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import (
    OURS,
    PROF_RULE,
    EvidenceRow,
    Finding,
    NotChecked,
    Result,
    TableEvidence,
)
from prof_tui.data.findings.from_timeline import HostWaits
from prof_tui.data.findings.rule import OPS, TRACE, Rule, Value
from prof_tui.data.findings.sums import Gathering
from prof_tui.words import _, count, duration, share

LEAST_US = 10
LEAST_SHARE = 0.03
FEWEST_OPS = 20
"""That could have waited; ours: a pause or two between a handful of ops are no schedule."""


def _judge(run: Run, sums: pl.DataFrame) -> Iterator[Result]:
    could, number, wait_ns, own_ns, all_ns, longest, first_longest = (
        int(value or 0) for value in sums.row(0)
    )
    if could < FEWEST_OPS:
        why = _("{n} ops could have waited for the one before them: fewer than {least} tell too little.")
        yield NotChecked("wait_share", ("wait_share",), why.format(n=count(could), least=FEWEST_OPS), "")
    elif wait_ns > LEAST_SHARE * all_ns:
        said = _("{n} waited over 10 us, {wait} in all: {share} of all durations and waits, over 3 %").format(
            n=run.of_all(number), wait=duration(wait_ns), share=share(wait_ns, all_ns)
        )
        rule = _(
            "{said}. msprof divides by the waiting ops' own time alone: {share}. Judged from {least} ops on."
        ).format(said=said, share=share(wait_ns, own_ns), least=FEWEST_OPS)
        yield _finding(
            run, rule, number, wait_ns, 100 * wait_ns / all_ns, _evidence(run, longest, first_longest)
        )


def _finding(
    run: Run, rule: str, number: int, wait_ns: int, per_cent: float, evidence: TableEvidence
) -> Finding:
    cost_ns = run.per_iteration(wait_ns)
    return run.finding(
        "wait_share",
        cost_ns,
        value=per_cent,
        title=_("{n} wait over 10 us: the device lies idle before them").format(n=run.of_all(number)),
        rule=rule,
        source=f"{PROF_RULE}; {OURS}",
        advice=what_to_see(run.host_waits),
        caveat=_(
            "Task Wait Time is per device over all streams. The first op of an iteration is not counted, "
            "as its wait is Data Aug Bound, but may stand among the rows."
        ),
        rows=tuple(_launched_gaps(run.host_waits) if run.host_waits else _gaps(run)),
        evidence=evidence,
    )


def _evidence(run: Run, longest: int, first_longest: int) -> TableEvidence:
    """The ops that waited; without the first ops of iterations where those waited longest."""
    waits = [run.over("task_wait", LEAST_US)]
    if first_longest > longest:
        waits.append(run.compared("task_wait", "<=", longest))
    return run.ops_by(*waits, by="task_wait")


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
        yield gap_row(gap, gap.length_ns, note)


def _gaps(run: Run) -> Iterator[EvidenceRow]:
    if run.ops is None:
        return
    found = [(gap, line.device) for line in run.timelines for gap in line.gaps]
    for gap, device in sorted(found, key=lambda each: -each[0].length_ns)[:5]:
        place = "" if gap.iteration is None else _("iteration {id}").format(id=gap.iteration)
        note = _("device {device}").format(device=device) + (f", {place}" if place else "")
        label = gap_label(op_named(run.ops, gap.row_before), op_named(run.ops, gap.row_after))
        yield EvidenceRow(label, time_ns=gap.length_ns, note=note)


_INSIDE = ~pl.col("first")
_WAITS = _INSIDE & (pl.col("task_wait") > LEAST_US * 1000)

RULES = (
    Rule(
        "wait_share",
        (OPS, "task_wait"),
        _judge,
        Gathering(
            sums=(
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
