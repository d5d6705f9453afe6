"""Ops that leave cores idle: Block Num below the core count, or no multiple of it."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings import collecting
from prof_tui.data.findings.blocks import Gathering
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import ADVISOR, PROF_RULE, Finding, NotChecked, Result
from prof_tui.data.findings.rows import added, largest_rows
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.query import Where
from prof_tui.words import _, duration, printable

IDS = ("block_below_cores", "block_not_multiple")


def _judge(run: Run, sums: pl.DataFrame) -> Iterator[Result]:
    rows = _with_cores(run, sums)
    if len(sums) and not len(rows):
        yield NotChecked(
            "block_num", IDS, _("info.json of the device does not say how many cores it has."), ""
        )
    spread = pl.col("block_num")
    yield from _idle(run, rows.filter(spread < pl.col("cores")), IDS[0], _("fewer blocks than cores"), "<")
    uneven = (spread > pl.col("cores")) & (spread % pl.col("cores") != 0) & ~pl.col("second fits")
    yield from _idle(run, rows.filter(uneven), IDS[1], _("blocks no multiple of the cores"), ">")


def _with_cores(run: Run, sums: pl.DataFrame) -> pl.DataFrame:
    """With ``cores`` of the op's kind, ``second fits`` (a mixed op on all vector cores), and ``idle`` ns."""
    pairs = sums.select("device", "task").unique()
    chips = {device: run.chip(device) for device in pairs["device"].unique()}
    cores = [chips[device].cores(task) for device, task in pairs.iter_rows()]
    vectors = [chips[device].aiv_num for device in pairs["device"]]
    known = pairs.with_columns(
        pl.Series("cores", cores, dtype=pl.Int64), pl.Series("vectors", vectors, dtype=pl.Int64)
    )
    joined = sums.join(known, on=["device", "task"], nulls_equal=True).filter(pl.col("cores") > 0)
    second = pl.col("mix_block_num").cast(pl.Int64).fill_null(0)
    fits = (pl.col("task") == "MIX_AIC") & (pl.col("vectors") > 0) & (second > 0)
    rounds = (pl.col("block_num") / pl.col("cores")).ceil()
    idle = pl.col("ns") * (1 - pl.col("block_num") / (rounds * pl.col("cores")))
    return joined.with_columns(
        (fits & (second % pl.col("vectors").replace(0, None) == 0)).fill_null(False).alias("second fits"),
        idle.alias("idle"),
    )


def _idle(run: Run, rows: pl.DataFrame, id_: str, what: str, sign: str) -> Iterator[Finding]:
    if not len(rows):
        return
    cost_ns = run.per_iteration(float(rows["idle"].sum()))
    types = added(rows.with_columns(_labels(rows)), "label", "type")
    first = rows.sort("ns", "type", "block_num", descending=[True, False, False]).row(0, named=True)
    yield run.finding(
        id_,
        cost_ns,
        title=_("Cores lie idle: {what} in {n}").format(n=run.of_all(int(rows["count"].sum())), what=what),
        rule=_("Of {ns} that these ops take, {idle} of {per} is core time that no block uses.").format(
            ns=duration(int(rows["ns"].sum())), idle=duration(cost_ns), per=run.per
        ),
        source=f"{ADVISOR}; {PROF_RULE}",
        advice=_("Check the tiling: a shape whose blocks fill all {cores} cores, or a fused op.").format(
            cores=first["cores"]
        ),
        caveat=_("A small op can't fill all cores; the cost is what a perfect split would save."),
        rows=largest_rows(types, "label"),
        evidence=run.ops_by(
            run.one_of("task_type", first["task"]),
            run.one_of("op_type", first["type"]),
            Where(run.header("block_num"), sign, str(first["cores"])),
        ),
    )


def _labels(rows: pl.DataFrame) -> pl.Series:
    text = _("{type}: {blocks} blocks, {cores} cores")
    said = [
        text.format(type=printable(row["type"]), blocks=int(row["block_num"]), cores=row["cores"])
        for row in rows.iter_rows(named=True)
    ]
    return pl.Series("label", said, dtype=pl.String)


RULES = (
    Rule(
        "block_num",
        (OPS, "task_type", "block_num"),
        _judge,
        Gathering(
            ("device", "type", "task", "block_num", "mix_block_num"),
            where=(pl.col("on_cube") | pl.col("on_vector"))
            & ~pl.col("communicates")
            & (pl.col("block_num") > 0),
        ),
        also=("mix_block_num",),
        ids=IDS,
        how=collecting.LEVEL_1,
    ),
)
