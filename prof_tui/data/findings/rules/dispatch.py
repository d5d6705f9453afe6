"""Bound by the host that dispatches: ops shorter than the gaps between them, and dynamic shapes."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings import collecting
from prof_tui.data.findings.blocks import Gathering
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import ADVISOR, OURS, EvidenceRow, Finding
from prof_tui.data.findings.rows import largest_rows
from prof_tui.data.findings.rule import OPS, TIMES, Rule
from prof_tui.words import _, duration, share

DYNAMIC = "dynamic"


def _dispatch(run: Run, _sums: pl.DataFrame) -> Iterator[Finding]:
    slow = [line for line in run.timelines if line.median_op_ns < line.median_gap_ns]
    if not slow:
        return
    cost_ns = run.per_iteration(sum(line.idle_ns for line in slow))
    text = _("device {device}: median op {op}, median gap to the next {gap}")
    said = [
        text.format(device=line.device, op=duration(line.median_op_ns), gap=duration(line.median_gap_ns))
        for line in slow
    ]
    yield run.finding(
        "dispatch_bound",
        cost_ns,
        title=_("The device waits for the host: ops are shorter than the gaps between them"),
        rule=_(
            "The median op is shorter than the median gap to the next: {said}; {cost} idle in {per}."
        ).format(said="; ".join(said), cost=duration(cost_ns), per=run.per),
        source=OURS,
        advice=_(
            "Sink the loop to the device, run as a graph, or fuse small ops; for the host's calls collect "
            'with msprof --runtime-api=on or "runtime_api":"on" in PROFILING_OPTIONS.'
        ),
        caveat=_(
            "In a test of single ops the program itself may pause between them; profiling adds to gaps."
        ),
        rows=tuple(EvidenceRow(each) for each in said),
        evidence=run.ops_by(by="task_wait"),
    )


def _dynamic(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    rows = sums.filter(pl.col("op_state") == DYNAMIC)
    if not len(rows):
        return
    number, total = int(rows["count"].sum()), int(rows["ns"].sum())
    yield run.finding(
        "dynamic_ops",
        0,
        value=100 * number / run.gathered.count,
        title=_("Dynamic shapes: {n}, {share} of op time").format(
            n=run.of_all(number), share=share(total, run.op_ns)
        ),
        rule=_("{n} have OP State dynamic.").format(n=run.of_all(number)),
        source=ADVISOR,
        advice=_("Fix or bucket the shapes; with torch_npu set jit_compile to false."),
        caveat=_(
            "What it costs is on the host and not in op_summary: the gaps before these ops show some of it."
        ),
        rows=largest_rows(rows, "type"),
        evidence=run.ops_by(run.one_of("op_state", DYNAMIC)),
    )


RULES = (
    Rule("dispatch_bound", (TIMES,), _dispatch),
    Rule("dynamic_ops", (OPS, "op_state"), _dynamic, Gathering(("op_state", "type")), how=collecting.LEVEL_1),
)
