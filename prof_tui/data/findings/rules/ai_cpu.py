"""Ops on the AI CPU: those that compute there, and the communication that runs there by design."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import (
    added,
    communicating,
    first_said,
    largest_rows,
    named,
    without_communication,
)
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import ADVISOR, PROF_RULE, Finding
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.findings.sums import Sums
from prof_tui.words import _, duration

LEAST_US = 20
_TASK_TYPE = "AI_CPU"
_SLOW = {"INT64", "DT_INT64", "DOUBLE", "DT_DOUBLE", "FLOAT64"}
"""Input types for which AI Core has no kernel of many ops (vendor-analyses.md section 1, rule_aicpu_2)."""


def _computing(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    if not len(sums):
        return
    cost_ns = facts.per_iteration(int(sums["ns"].sum()))
    types = sums.with_columns(
        _named_types(sums["input_types"]).alias("slow types"), first_said("type", "untyped").alias("label")
    )
    types = added(types, "label", "slow types")
    largest = ", ".join(named(each) for each in types["label"].unique(maintain_order=True).head(5))
    yield facts.finding(
        "aicpu_share",
        cost_ns,
        title=_("AI CPU ops over 20 us: {types}").format(types=largest),
        rule=_("{n} have Task Type AI_CPU and take over 20 us, {ns} in all: {types}.").format(
            n=facts.of_all(int(sums["count"].sum())),
            ns=duration(int(sums["ns"].sum())),
            types=largest,
        ),
        source=f"{ADVISOR}; {PROF_RULE}",
        advice=_(
            "Give them int32 or float32 in place of INT64 and double, or replace them by ops that run on AI "
            "Core."
        ),
        caveat=_("An AI CPU op that runs beside AI Core ops costs less than its duration."),
        rows=largest_rows(types, "label", note="slow types"),
        evidence=facts.ops_by(
            facts.one_of("task_type", _TASK_TYPE),
            facts.over("task_duration", LEAST_US),
            *without_communication(facts, [_TASK_TYPE]),
        ),
    )


def _named_types(types: pl.Series) -> pl.Series:
    said = [
        ", ".join(dict.fromkeys(t for t in (text or "").split(";") if t in _SLOW)) for text in types.to_list()
    ]
    return pl.Series(said, dtype=pl.String)


def _communicating(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    if facts.ops is None or not len(sums):
        return
    cost_ns = facts.per_iteration(int(sums["ns"].sum()))
    yield facts.finding(
        "aicpu_communication",
        cost_ns,
        title=_("Communication kernels on the AI CPU: {n}").format(n=facts.of_all(int(sums["count"].sum()))),
        rule=_(
            "{n} are communication kernels on the AI CPU: they run there by design, unlike computing ops."
        ).format(n=facts.of_all(int(sums["count"].sum()))),
        source=_("ours, after a report on allgatherAicpuKernel"),
        advice=_("Nothing to move to AI Core: see in the timeline whether ops compute beside them."),
        caveat=_(
            "They are told by Task Type HCCL_AI_CPU, by names such as allgatherAicpuKernel and "
            "hcom_allReduce_, or by lying within a communication op."
        ),
        rows=largest_rows(sums, "name", "type"),
        evidence=facts.ops_by(*communicating(facts, facts.ops.in_scope & facts.ops.flags.on_ai_cpu)),
    )


_ON_CPU, _COMMUNICATES = pl.col("on_ai_cpu"), pl.col("communicates")

RULES = (
    Rule(
        "aicpu_share",
        (OPS, "task_type"),
        _computing,
        Sums(
            ("type", "untyped", "input_types"),
            where=_ON_CPU & ~_COMMUNICATES & (pl.col("ns") > LEAST_US * 1000),
        ),
        also=("input_types",),
        how=options.LEVEL_1.how,
    ),
    Rule(
        "aicpu_communication",
        (OPS, "task_type"),
        _communicating,
        Sums(("name", "type"), where=_ON_CPU & _COMMUNICATES),
        how=options.LEVEL_1.how,
    ),
)
