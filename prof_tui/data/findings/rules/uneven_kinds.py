"""Ops of the same kind that take unevenly long."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import named
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import OURS, EvidenceRow, Finding, TableEvidence
from prof_tui.data.findings.ops import Ops
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.query.query import Scope
from prof_tui.data.tables.cells import MISSING
from prof_tui.words import NOT_AVAILABLE, _, count, counted, duration

FACTOR = 2
LEAST_LOST_NS = 20_000
_KIND = ("device", "type", "task", "shapes", "name")
_COLUMNS = {"type": "op_type", "task": "task_type", "shapes": "input_shapes", "name": "op_name"}


def _judge(run: Run, _sums: pl.DataFrame) -> Iterator[Finding]:
    assert run.ops is not None
    kinds = _uneven(_frame(run.ops))
    if len(kinds):
        yield _finding(run, run.ops, kinds)


def _frame(ops: Ops) -> pl.DataFrame:
    """``device``, ``ns`` and the kind of each op in scope, as codes; ``name`` where that says nothing."""
    assert ops.ns is not None
    rows = (ops.in_scope & (ops.ns >= 0).fill_null(False)).arg_true()
    absent = pl.Series([None], dtype=pl.UInt32).new_from_index(0, len(rows))

    def codes(id_: str) -> pl.Series:
        values = ops.texts(id_)
        return absent if values is None else values.codes.gather(rows)

    frame = pl.DataFrame(
        {
            "device": ops.device.gather(rows),
            "ns": ops.ns.gather(rows),
            **{name: codes(id_) for name, id_ in _COLUMNS.items()},
        }
    )
    vague = _missing(ops, "type") | _missing(ops, "shapes")
    return frame.with_columns(pl.when(vague).then(pl.col("name")).alias("name"))


def _missing(ops: Ops, name: str) -> pl.Expr:
    values = ops.texts(_COLUMNS[name])
    none = [] if values is None else values.values.is_in(list(MISSING)).arg_true().to_list()
    return pl.col(name).is_null() | pl.col(name).is_in(none)


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


def _finding(run: Run, ops: Ops, kinds: pl.DataFrame) -> Finding:
    lost = float(kinds["lost"].sum())
    cost_ns = run.per_iteration(lost)
    return run.finding(
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
        if run.basis == "iteration"
        else _("Compare one with a usual one of its kind: what runs beside it, and before it."),
        caveat=_("Ops of one kind may differ in attributes or data that op_summary does not show."),
        rows=tuple(_row(ops, row) for row in kinds.head(5).iter_rows(named=True)),
        evidence=_evidence(run, ops, kinds.row(0, named=True)),
    )


def _text(ops: Ops, row: dict[str, int | None], name: str) -> str:
    values, code = ops.texts(_COLUMNS[name]), row[name]
    return "" if values is None or code is None else str(values.values[code])


def _row(ops: Ops, row: dict[str, int | None]) -> EvidenceRow:
    text = _("lost over the median {median} of {n} ops; longest {most}")
    note = text.format(
        n=count(int(row["count"] or 0)),
        median=duration(round(row["median"] or 0)),
        most=duration(int(row["most"] or 0)),
    )
    return EvidenceRow(
        _kind_named(ops, row),
        int(row["slow"] or 0),
        round(row["lost"] or 0),
        note,
    )


def _kind_named(ops: Ops, row: dict[str, int | None]) -> str:
    if row["name"] is not None:
        return named(*(_text(ops, row, name) for name in ("name", "type", "task")))
    return f"{named(_text(ops, row, 'type'))} {named(_text(ops, row, 'shapes'))}"


def _evidence(run: Run, ops: Ops, row: dict[str, int | None]) -> TableEvidence:
    """The ops of the kind that are over twice its median, which is a whole or a half number of ns."""
    names = [
        name
        for name, id_ in _COLUMNS.items()
        if ops.column(id_) and (name != "name" or row[name] is not None)
    ]
    kind = (run.one_of(_COLUMNS[name], _text(ops, row, name) or NOT_AVAILABLE) for name in names)
    long = run.compared("task_duration", ">", int(FACTOR * (row["median"] or 0)))
    return run.ops_by(*kind, long, scope=Scope(row["device"]))


RULES = (Rule("uneven_kinds", (OPS, "op_name"), _judge, how=options.LEVEL_1.how),)
