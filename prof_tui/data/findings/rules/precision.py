"""Work in float32 that could be of lower precision, and cube work that leaves HF32 unused."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import added, first_said, largest_rows, without_communication
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import GUIDE, OURS, Finding, TableEvidence
from prof_tui.data.findings.rule import OF_OP_TIME, OPS, Rule
from prof_tui.data.findings.sums import Sums
from prof_tui.data.query.query import OneOf, Where
from prof_tui.words import _, duration, share

LEAST_SHARE = 0.05
_FLOAT32 = {"FLOAT", "FLOAT32", "DT_FLOAT"}
_HALF = {"FLOAT16", "DT_FLOAT16", "BF16", "DT_BF16", "BFLOAT16"}
_CONVERTING = "Cast"


def _float32(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    rows = _of_float32(sums)
    total = int(rows["ns"].sum())
    if total <= LEAST_SHARE * facts.op_ns:
        return
    yield facts.finding(
        "float32_share",
        facts.per_iteration(total),
        value=100 * total / facts.op_ns,
        title=_("float32 work takes {share} of op time").format(share=share(total, facts.op_ns)),
        rule=_(
            "{n} run on AI Cores and have FLOAT inputs and none of half precision; they took {ns}, over 5 % "
            "of op time {all}. Casts are left out: they only convert."
        ).format(n=facts.of_all(int(rows["count"].sum())), ns=duration(total), all=duration(facts.op_ns)),
        source=f"{GUIDE}; {OURS}",
        advice=_("Train in mixed precision (float16 or bfloat16): the guide's first step for slow ops."),
        caveat=_("Optimizers and losses often need float32, and lower precision changes results."),
        rows=largest_rows(_by_op(rows), "op", note="input_types"),
        evidence=_evidence(facts, rows),
    )


def _hf32(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    rows = _of_float32(sums).filter(pl.col("hf32") == "NO")
    total = int(rows["ns"].sum())
    if not total:
        return
    cost_ns = facts.per_iteration(total)
    yield facts.finding(
        "hf32_unused",
        cost_ns,
        title=_("Cube ops in float32 without HF32: {n}").format(n=facts.of_all(int(rows["count"].sum()))),
        rule=_("{n} are cube ops with FLOAT inputs and HF32 Eligible NO; they took {ns}.").format(
            n=facts.of_all(int(rows["count"].sum())), ns=duration(total)
        ),
        source=OURS,
        advice=_("Allow HF32 for matrix products and convolutions, such as torch_npu's allow_hf32."),
        caveat=_("HF32 has a shorter mantissa: compare the results; not every op has an HF32 kernel."),
        rows=largest_rows(_by_op(rows), "op", note="input_types"),
        evidence=_evidence(facts, rows, facts.one_of("hf32", "NO")),
    )


def _by_op(rows: pl.DataFrame) -> pl.DataFrame:
    return added(rows.with_columns(first_said("type", "untyped").alias("op")), "op", "input_types")


def _evidence(facts: Facts, rows: pl.DataFrame, *filters: OneOf) -> TableEvidence:
    tasks = rows["task"].unique().sort()
    typed = facts.ops is not None and facts.ops.column("op_type") is not None
    no_cast = [Where(facts.header("op_type"), "!=", _CONVERTING)] if typed else []
    return facts.ops_by(
        *filters,
        facts.one_of("input_types", *rows["input_types"].unique(maintain_order=True)),
        facts.one_of("task_type", *tasks),
        *no_cast,
        *without_communication(facts, tasks),
    )


def _of_float32(sums: pl.DataFrame) -> pl.DataFrame:
    """Groups that compute in float32 throughout, those with most time first."""
    named = {text: set(text.split(";")) for text in sums["input_types"].unique()}
    plain = [text for text, types in named.items() if types & _FLOAT32 and not types & _HALF]
    of_these = pl.col("input_types").is_in(plain) & (pl.col("type") != _CONVERTING)
    return sums.filter(of_these).sort("ns", "type", descending=[True, False])


_COMPUTES = (pl.col("on_cube") | pl.col("on_vector")) & ~pl.col("communicates")

RULES = (
    Rule(
        "float32_share",
        (OPS, "task_type", "input_types"),
        _float32,
        Sums(("type", "untyped", "task", "input_types"), where=_COMPUTES),
        value=OF_OP_TIME,
        how=options.LEVEL_1.how,
    ),
    Rule(
        "hf32_unused",
        (OPS, "task_type", "input_types", "hf32"),
        _hf32,
        Sums(
            ("type", "untyped", "task", "input_types", "hf32"),
            where=pl.col("on_cube") & ~pl.col("communicates"),
        ),
        how=options.LEVEL_1.how,
    ),
)
