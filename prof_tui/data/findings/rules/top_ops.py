"""Where op time goes: the OP Types and the ops with most of it, and how concentrated it is."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings import collecting
from prof_tui.data.findings.blocks import BY_TYPE, Gathering
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import GUIDE, OURS, Finding
from prof_tui.data.findings.rows import added, largest_rows
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.words import NOT_AVAILABLE, _, count, duration, printable, share

MOST_OF_TIME = 0.80


def _types(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    types = added(sums.filter(pl.col("type") != NOT_AVAILABLE), "type")
    yield from _top(run, types, "top_op_types", "op_type", _("OP Types"))


def _names(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    yield from _top(run, added(sums, "name"), "top_ops", "op_name", _("Op Names"))


def _top(run: Run, ranked: pl.DataFrame, id_: str, column_id: str, what: str) -> Iterator[Finding]:
    total = int(ranked["ns"].sum())
    if not total:
        return
    needed = int((ranked["ns"].cum_sum() < MOST_OF_TIME * total).sum()) + 1
    name, number, ns = ranked.row(0)
    yield run.finding(
        id_,
        run.per_iteration(ns),
        value=100 * ns / total,
        title=_("80 % of op time is in {n} of {all} {what}: {name} has {share}").format(
            n=count(needed), all=count(len(ranked)), what=what, name=printable(name), share=share(ns, total)
        ),
        rule=_("By summed Task Duration: {name}, {n}, took {ns} of {total}.").format(
            name=printable(name), n=run.of_all(number), ns=duration(ns), total=duration(total)
        ),
        source=f"{GUIDE}; {OURS}",
        advice=_("Begin here: lower precision, another shape or a fused op where most time is."),
        caveat=_("Much time need not be too much: what bounds the op says whether it can be faster."),
        rows=largest_rows(ranked, ranked.columns[0]),
        evidence=run.ops_by(run.one_of(column_id, name)),
    )


RULES = (
    Rule("top_op_types", (OPS, "op_type"), _types, BY_TYPE, how=collecting.LEVEL_1),
    Rule("top_ops", (OPS, "op_name"), _names, Gathering(("name",)), how=collecting.LEVEL_1),
)
