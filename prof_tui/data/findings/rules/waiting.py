"""Tasks that wait inside iterations, and the largest gaps with the ops on both sides."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings import collecting
from prof_tui.data.findings.blocks import Gathering
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import PROF_RULE, EvidenceRow, Finding
from prof_tui.data.findings.ops import Ops
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.words import _, duration, printable, share

LEAST_US = 10
LEAST_SHARE = 0.03


def _judge(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    number, wait_ns, all_ns = (int(value or 0) for value in sums.row(0))
    if not all_ns or wait_ns <= LEAST_SHARE * all_ns:
        return
    cost_ns = run.per_iteration(wait_ns)
    yield run.finding(
        "wait_share",
        cost_ns,
        value=100 * wait_ns / all_ns,
        title=_("Tasks wait {cost} of {per}: the device lies idle before them").format(
            cost=duration(cost_ns), per=run.per
        ),
        rule=_("{n} waited over 10 us, {wait} in all: {share} of all durations and waits, over 3 %.").format(
            n=run.of_all(number), wait=duration(wait_ns), share=share(wait_ns, all_ns)
        ),
        source=PROF_RULE,
        advice=_(
            'See in the timeline what the host did over the largest gaps; collect with "runtime_api":"on" in '
            "PROFILING_OPTIONS or msprof --runtime-api=on for its calls."
        ),
        caveat=_(
            "Task Wait Time is per device over all streams; the first op of an iteration is left out: "
            "its wait is Data Aug Bound."
        ),
        rows=tuple(_gaps(run, run.ops)) if run.ops else (),
        evidence=run.ops_by(run.over("task_wait", LEAST_US), by="task_wait"),
    )


def _gaps(run: Run, ops: Ops) -> Iterator[EvidenceRow]:
    found = [(gap, line.device) for line in run.timelines for gap in line.gaps]
    for gap, device in sorted(found, key=lambda each: -each[0].length_ns)[:5]:
        before, after = (ops.text("op_name", row) for row in (gap.row_before, gap.row_after))
        place = "" if gap.iteration is None else _("iteration {id}").format(id=gap.iteration)
        note = _("device {device}").format(device=device) + (f", {place}" if place else "")
        label = _("{before} – {after}").format(before=printable(before), after=printable(after))
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
                _WAITS.sum().cast(pl.Int64).alias("count"),
                pl.col("task_wait").filter(_WAITS).sum().alias("wait"),
                (pl.col("ns") + pl.when(_INSIDE).then(pl.col("task_wait")).otherwise(0).fill_null(0))
                .sum()
                .alias("all"),
            )
        ),
        how=collecting.NEWER_EXPORT,
    ),
)
