"""Where op time goes: the OP Types and the ops with most of it, where a few have nearly all."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import added, largest_rows, named
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import GUIDE, OURS, Finding
from prof_tui.data.findings.rule import OPS, Rule, Value
from prof_tui.data.findings.sums import BY_TYPE, Sums
from prof_tui.data.tables.cells import MISSING
from prof_tui.words import _, count, duration, share

MOST_OF_TIME = 0.80
FEWEST = 5
"""Among fewer, where the time goes needs no finding."""
MOST_NEEDED = 0.5
"""Time in more than half of them is not concentrated."""
MOST_SHOWN = 20
"""Most of those that make 80 % that one filter names."""
THE_FIRST = Value("%", _("the first one's % of op time"))


def _types(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    yield from _top(facts, sums, "type", "top_op_types", "op_type", _("OP Types"))


def _names(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    yield from _top(facts, sums, "name", "top_ops", "op_name", _("Op Names"))


def _top(
    facts: Facts, sums: pl.DataFrame, label: str, id_: str, column_id: str, what: str
) -> Iterator[Finding]:
    ranked = added(sums.filter(~pl.col(label).is_in(list(MISSING))), label)
    needed = int((ranked["ns"].cum_sum() < MOST_OF_TIME * facts.op_ns).sum()) + 1
    if len(ranked) < FEWEST or needed > MOST_NEEDED * len(ranked):
        return
    first, _number, ns = ranked.row(0)
    shown = ranked.head(min(needed, MOST_SHOWN))
    yield facts.finding(
        id_,
        facts.per_iteration(ns),
        value=100 * ns / facts.op_ns,
        title=_("{n} of {all} {what} have 80 % of op time, {name} {share}").format(
            n=count(needed),
            all=count(len(ranked)),
            what=what,
            name=named(first),
            share=share(ns, facts.op_ns),
        ),
        rule=_(
            "Of the {first} {what} with most summed Task Duration {n} took {ns} of {total}. Said where half "
            "or less of at least {least} {what} make 80 %."
        ).format(
            what=what,
            least=FEWEST,
            first=count(len(shown)),
            n=facts.of_all(int(shown["count"].sum())),
            ns=duration(int(shown["ns"].sum())),
            total=duration(facts.op_ns),
        ),
        source=f"{GUIDE}; {OURS}",
        advice=_("Begin here: lower precision, another shape or a fused op where most time is."),
        caveat=_("Much time need not be too much: what bounds the op says whether it can be faster."),
        rows=largest_rows(ranked, label),
        evidence=facts.ops_by(facts.one_of(column_id, *shown[label])),
    )


RULES = (
    Rule("top_op_types", (OPS, "op_type"), _types, BY_TYPE, value=THE_FIRST, how=options.LEVEL_1.how),
    Rule("top_ops", (OPS, "op_name"), _names, Sums(("name",)), value=THE_FIRST, how=options.LEVEL_1.how),
)
