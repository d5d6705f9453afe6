"""Ops of the same kind that take unevenly long."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import named
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import OURS, EvidenceRow, Finding, TableEvidence
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.query.query import Scope
from prof_tui.data.run.kinds import KIND_COLUMNS, ops_by_kind
from prof_tui.data.run.ops import Ops
from prof_tui.words import NOT_AVAILABLE, _, count, counted, duration

FACTOR = 2
LEAST_LOST_NS = 20_000
_KIND = ("device", *KIND_COLUMNS)


def _judge(facts: Facts, _sums: pl.DataFrame) -> Iterator[Finding]:
    assert facts.ops is not None
    kinds = _uneven(ops_by_kind(facts.ops))
    if len(kinds):
        yield _finding(facts, facts.ops, kinds)


def _uneven(frame: pl.DataFrame) -> pl.DataFrame:
    """Kinds whose longest op is over twice the median, with what their longer ops took over it."""
    ns = pl.col("ns")
    spread = frame.group_by(_KIND).agg(
        ns.min().alias("least"), ns.max().alias("most"), ns.sum(), pl.len().alias("n")
    )
    over_least = pl.col("ns") - pl.col("n") * pl.col("least")
    maybe = spread.filter((pl.col("most") > FACTOR * pl.col("least")) & (over_least >= LEAST_LOST_NS))
    some = frame.join(maybe.select(_KIND), on=_KIND, how="semi", nulls_equal=True)
    middle = some.group_by(_KIND).agg(
        ns.median().alias("median"), ns.max().alias("most"), pl.len().alias("count")
    )
    uneven = middle.filter(pl.col("most") > FACTOR * pl.col("median"))
    over = some.join(uneven, on=_KIND, nulls_equal=True).filter(ns > FACTOR * pl.col("median"))
    lost = over.group_by(_KIND).agg(
        (ns - pl.col("median")).sum().alias("lost"),
        pl.len().alias("slow"),
        pl.col("median", "most", "count").first(),
    )
    return lost.filter(pl.col("lost") >= LEAST_LOST_NS).sort(
        "lost", "most", *_KIND, descending=[True, True, *[False] * 5]
    )


def _finding(facts: Facts, ops: Ops, kinds: pl.DataFrame) -> Finding:
    lost = float(kinds["lost"].sum())
    cost_ns = facts.per_iteration(lost)
    return facts.finding(
        "uneven_kinds",
        cost_ns,
        title=counted(
            "Ops of {n} kind take unevenly long: {kind}",
            "Ops of {n} kinds take unevenly long, most of all {kind}",
            len(kinds),
            kind=_row(ops, kinds.row(0, named=True)).label,
        ),
        rule=_(
            "The longest op of a kind (same OP Type, Task Type and Input Shapes; where those are N/A, same "
            "Op Name) takes over twice the median, and its ops over that lose 20 us or more to the median: "
            "{lost} in all."
        ).format(lost=duration(round(lost)))
        + (" " + _("Shown are those of the kind that loses most.") if len(kinds) > 1 else ""),
        source=OURS,
        advice=_(
            "Compare one with a usual one of its kind: what runs beside it, and which iteration it is in."
        )
        if facts.basis == "iteration"
        else _("Compare one with a usual one of its kind: what runs beside it, and before it."),
        caveat=_("Ops of one kind may differ in attributes or data that op_summary does not show."),
        rows=tuple(_row(ops, row) for row in kinds.head(5).iter_rows(named=True)),
        evidence=_evidence(facts, ops, kinds.row(0, named=True)),
    )


def _text(ops: Ops, row: dict[str, int | None], name: str) -> str:
    values, code = ops.texts(KIND_COLUMNS[name]), row[name]
    return "" if values is None or code is None else str(values.values[code])


def _row(ops: Ops, row: dict[str, int | None]) -> EvidenceRow:
    text = _("lost over the median {median} of {n} ops; longest {most}")
    note = text.format(
        n=count(int(row["count"] or 0)),
        median=duration(round(row["median"] or 0)),
        most=duration(int(row["most"] or 0)),
    )
    return EvidenceRow(
        _kind_name(ops, row),
        int(row["slow"] or 0),
        round(row["lost"] or 0),
        note,
    )


def _kind_name(ops: Ops, row: dict[str, int | None]) -> str:
    if row["name"] is not None:
        return named(*(_text(ops, row, name) for name in ("name", "type", "task")))
    return f"{named(_text(ops, row, 'type'))} {named(_text(ops, row, 'shapes'))}"


def _evidence(facts: Facts, ops: Ops, row: dict[str, int | None]) -> TableEvidence:
    """The ops of the kind that are over twice its median, which is a whole or a half number of ns."""
    names = [
        name
        for name, id_ in KIND_COLUMNS.items()
        if ops.column(id_) and (name != "name" or row[name] is not None)
    ]
    kind = (facts.one_of(KIND_COLUMNS[name], _text(ops, row, name) or NOT_AVAILABLE) for name in names)
    long = facts.compared("task_duration", ">", int(FACTOR * (row["median"] or 0)))
    return facts.ops_by(*kind, long, scope=Scope(row["device"]))


RULES = (Rule("uneven_kinds", (OPS, "op_name"), _judge, how=options.LEVEL_1.how),)
