"""Ops on the AI CPU: those that compute there, and the communication that runs there by design."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings import collecting
from prof_tui.data.findings.blocks import Gathering
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import ADVISOR, PROF_RULE, Finding
from prof_tui.data.findings.rows import added, largest_rows
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.words import _, duration, printable

LEAST_US = 20
_SLOW = {"INT64", "DT_INT64", "DOUBLE", "DT_DOUBLE", "FLOAT64"}
"""Input types for which AI Core has no kernel of many ops (vendor-analyses.md section 1, rule_aicpu_2)."""


def _computing(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    if not len(sums):
        return
    cost_ns = run.per_iteration(int(sums["ns"].sum()))
    number = int(sums["count"].sum())
    types = sums.with_columns(_named_types(sums["input_types"]).alias("slow types"))
    types = added(types, "type", "slow types")
    yield run.finding(
        "aicpu_share",
        cost_ns,
        title=_("AI CPU ops over 20 us take {cost} of {per}").format(cost=duration(cost_ns), per=run.per),
        rule=_("{n} have Task Type AI_CPU and take over 20 us, {ns} in all: {types}.").format(
            n=run.of_all(number),
            ns=duration(int(sums["ns"].sum())),
            types=printable(", ".join(types["type"].unique(maintain_order=True).head(5))),
        ),
        source=f"{ADVISOR}; {PROF_RULE}",
        advice=_(
            "Give them int32 or float32 in place of INT64 and double, or replace them by ops of AI Core."
        ),
        caveat=_("An AI CPU op that runs beside AI Core ops costs less than its duration."),
        rows=largest_rows(types, "type", note="slow types"),
        evidence=run.ops_by(run.one_of("task_type", "AI_CPU"), run.over("task_duration", LEAST_US)),
    )


def _named_types(types: pl.Series) -> pl.Series:
    said = [
        ", ".join(dict.fromkeys(t for t in (text or "").split(";") if t in _SLOW)) for text in types.to_list()
    ]
    return pl.Series(said, dtype=pl.String)


def _communicating(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    if not len(sums):
        return
    cost_ns = run.per_iteration(int(sums["ns"].sum()))
    yield run.finding(
        "aicpu_communication",
        cost_ns,
        title=_("Communication kernels on AI CPU take {cost} of {per}").format(
            cost=duration(cost_ns), per=run.per
        ),
        rule=_("{n} are communication kernels on the AI CPU: no fallback of a computing op.").format(
            n=run.of_all(int(sums["count"].sum()))
        ),
        source=_("ours, after a report on allgatherAicpuKernel"),
        advice=_("Nothing to move to AI Core: see whether computing runs beside them."),
        caveat=_("They are told by their names, such as allgatherAicpuKernel or hcom_allReduce_."),
        rows=largest_rows(sums, "name"),
        evidence=run.ops_by(run.one_of("task_type", "AI_CPU", "HCCL_AI_CPU")),
    )


_ON_CPU, _TALKS = pl.col("on_ai_cpu"), pl.col("communicates")

RULES = (
    Rule(
        "aicpu_share",
        (OPS, "task_type"),
        _computing,
        Gathering(("type", "input_types"), where=_ON_CPU & ~_TALKS & (pl.col("ns") > LEAST_US * 1000)),
        also=("input_types",),
        how=collecting.LEVEL_1,
    ),
    Rule(
        "aicpu_communication",
        (OPS, "task_type"),
        _communicating,
        Gathering(("name",), where=_ON_CPU & _TALKS),
        how=collecting.LEVEL_1,
    ),
)
