"""Ops that only change format, type or place of data, TransData among them."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import largest_rows
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import OURS, PROF_RULE, Finding
from prof_tui.data.findings.rule import OF_OP_TIME, OPS, Rule, Value
from prof_tui.data.findings.sums import BY_TYPE
from prof_tui.words import _, duration, share

LEAST_SHARE = 0.05
MOST_TRANSDATA = 2
TRANSDATA = "TransData"
FORMAT_TYPES = (
    TRANSDATA,
    "TransDataRNN",
    "Cast",
    "MemSet",
    "AtomicAddrClean",
    "DynamicAtomicAddrClean",
    "Transpose",
    "TransposeD",
    "AsStrided",
    "ViewCopy",
    "TensorMove",
    "Identity",
    "Reshape",
)


def _formats(facts: Facts, by_type: pl.DataFrame) -> Iterator[Finding]:
    sums = by_type.filter(pl.col("type").is_in(FORMAT_TYPES))
    total = int(sums["ns"].sum())
    if total <= LEAST_SHARE * facts.op_ns:
        return
    yield facts.finding(
        "format_ops_share",
        facts.per_iteration(total),
        value=100 * total / facts.op_ns,
        title=_("TransData, Cast and other format ops take {share} of op time").format(
            share=share(total, facts.op_ns)
        ),
        rule=_(
            "{n} only change format, type or place of data; they took {ns}, over 5 % of op time {all}."
        ).format(n=facts.of_all(int(sums["count"].sum())), ns=duration(total), all=duration(facts.op_ns)),
        source=OURS,
        advice=_("Keep one format and one precision over neighbouring ops; let the graph fuse the casts."),
        caveat=_("Some of them may run beside other ops, and a format change can make the next op faster."),
        rows=largest_rows(sums, "type"),
        evidence=facts.ops_by(facts.one_of("op_type", *sums.sort("ns", descending=True)["type"])),
    )


def _transdata(facts: Facts, by_type: pl.DataFrame) -> Iterator[Finding]:
    sums = by_type.filter(pl.col("type") == TRANSDATA)
    number, total = int(sums["count"].sum()), int(sums["ns"].sum())
    each = number / facts.iterations
    if each <= MOST_TRANSDATA:
        return
    cost_ns = facts.per_iteration(total)
    yield facts.finding(
        "transdata_count",
        cost_ns,
        value=each,
        title=_("{n:,.1f} TransData ops in {per}").format(n=each, per=facts.per),
        rule=_("{n} have OP Type TransData, {each:.1f} in {per}, over {most}.").format(
            n=facts.of_all(number), each=each, per=facts.per, most=MOST_TRANSDATA
        ),
        source=PROF_RULE,
        advice=_("Use one format through the graph (ND or NZ), or ops that take the format they get."),
        caveat=_("Without step trace the whole capture counts as one iteration.")
        if facts.basis == "capture"
        else _("A change of format can make the next op faster than it costs."),
        evidence=facts.ops_by(facts.one_of("op_type", TRANSDATA)),
    )


RULES = (
    Rule("format_ops_share", (OPS, "op_type"), _formats, BY_TYPE, value=OF_OP_TIME, how=options.LEVEL_1.how),
    Rule(
        "transdata_count",
        (OPS, "op_type"),
        _transdata,
        BY_TYPE,
        value=Value("", _("TransData ops in an iteration")),
        how=options.LEVEL_1.how,
    ),
)
