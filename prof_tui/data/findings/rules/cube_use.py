"""Cube ops of much time that use little of the cube units."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import largest_rows
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import OURS, Finding
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.findings.sums import Gathering
from prof_tui.data.query.query import Where
from prof_tui.words import NOT_AVAILABLE, _, counted, duration

LEAST_USE = 40
"""Per cent."""
LEAST_SHARE = 0.01


def _judge(run: Run, sums: pl.DataFrame) -> Iterator[Finding]:
    heavy = sums.with_columns((pl.col("used") / pl.col("ns")).alias("use")).filter(
        (pl.col("ns") > LEAST_SHARE * run.op_ns) & (pl.col("use") < LEAST_USE)
    )
    if not len(heavy):
        return
    lost = float((heavy["ns"] * (1 - heavy["use"] / LEAST_USE)).sum())
    cost_ns = run.per_iteration(lost)
    heavy = heavy.sort("ns", "name", "type", descending=[True, False, False])
    text = _("cube utilisation {use:.1f} %")
    notes = pl.Series("note", [text.format(use=use) for use in heavy["use"]], dtype=pl.String)
    yield run.finding(
        "cube_utilization_low",
        cost_ns,
        title=counted(
            "{n} heavy cube op uses less than 40 % of the cube units",
            "{n} heavy cube ops use less than 40 % of the cube units",
            len(heavy),
        ),
        rule=_(
            "{n} are of cube ops (by name) that take over 1 % of op time with a mean cube_utilization under "
            "40 %; at 40 % they would take {cost} less in {per}."
        ).format(n=run.of_all(int(heavy["count"].sum())), cost=duration(cost_ns), per=run.per),
        source=OURS,
        advice=_("Larger or better aligned shapes, more blocks, or a fused op; see what bounds them."),
        caveat=_("cube_utilization counts all cores: an op on few cores has little, however busy those are."),
        rows=largest_rows(heavy.with_columns(notes), "name", "type", note="note"),
        evidence=run.ops_by(
            run.one_of("op_name", *heavy["name"].unique(maintain_order=True)),
            run.one_of("task_type", *heavy["task"].unique().sort()),
            Where(run.header("cube_utilization"), "!=", NOT_AVAILABLE),
        ),
    )


_USED = pl.col("on_cube") & pl.col("cube_utilization").is_not_null()

RULES = (
    Rule(
        "cube_utilization_low",
        (OPS, "task_type", "cube_utilization"),
        _judge,
        Gathering(
            ("name", "type", "task"),
            where=_USED,
            sums=(
                pl.len().cast(pl.Int64).alias("count"),
                pl.col("ns").sum(),
                (pl.col("cube_utilization") * pl.col("ns")).sum().alias("used"),
            ),
        ),
        how=options.PIPES.how,
    ),
)
