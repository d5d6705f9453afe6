"""Ops that leave cores idle: Block Num below the core count, or no multiple of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import added, first_said, largest_rows, named, without_communication
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import ADVISOR, PROF_RULE, Finding, NotChecked, Result, TableEvidence
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.findings.sums import Sums
from prof_tui.data.query.query import OneOf, Where
from prof_tui.words import NOT_AVAILABLE, _, count, counted, duration

IDS = ("block_below_cores", "block_not_multiple")
LEAST_US = 20
"""A shorter op gains nothing from more cores: starting it takes as long."""


def _judge(facts: Facts, sums: pl.DataFrame) -> Iterator[Result]:
    rows = _with_cores(facts, sums)
    unknown = rows.filter(pl.col("cores") == 0)["device"].unique().sort().to_list()
    if unknown:
        yield NotChecked("block_num", IDS, _unknown_cores(unknown), "")
    blocks, cores = pl.col("block_num"), pl.col("cores")
    known = rows.filter(cores > 0)
    yield from _idle(facts, known.filter(blocks < cores), IDS[0], _("fewer blocks than cores"), _("below"))
    uneven = (blocks > cores) & (blocks % cores != 0) & ~pl.col("second fits")
    yield from _idle(
        facts, known.filter(uneven), IDS[1], _("blocks no multiple of the cores"), _("no multiple of")
    )


def _unknown_cores(devices: Iterable[int | None]) -> str:
    files = [f"info.json.{device}" for device in devices if device is not None]
    return counted(
        "{files} does not say how many cores the device has.",
        "{files} do not say how many cores their devices have.",
        len(files) or 1,
        files=", ".join(files) or "info.json",
    )


def _with_cores(facts: Facts, sums: pl.DataFrame) -> pl.DataFrame:
    """With ``cores`` of the op's kind (0: not known), ``second fits``, ``idle`` ns and ``op``."""
    pairs = sums.select("device", "task").unique()
    chips = {device: facts.chip(device) for device in pairs["device"].unique()}
    cores = [chips[device].cores(task) for device, task in pairs.iter_rows()]
    vectors = [chips[device].vector_cores or 0 for device in pairs["device"]]
    known = pairs.with_columns(
        pl.Series("cores", cores, dtype=pl.Int64), pl.Series("vectors", vectors, dtype=pl.Int64)
    )
    joined = sums.join(known, on=["device", "task"], nulls_equal=True)
    second = pl.col("mix_block_num").cast(pl.Int64).fill_null(0)
    fits = (pl.col("task") == "MIX_AIC") & (pl.col("vectors") > 0) & (second > 0)
    rounds = (pl.col("block_num") / pl.col("cores")).ceil()
    idle = pl.col("ns") * (1 - pl.col("block_num") / (rounds * pl.col("cores")))
    return joined.with_columns(
        (fits & (second % pl.col("vectors").replace(0, None) == 0)).fill_null(False).alias("second fits"),
        idle.alias("idle"),
        first_said("type", "untyped", "task").alias("op"),
    )


def _idle(facts: Facts, rows: pl.DataFrame, id_: str, what: str, fault: str) -> Iterator[Finding]:
    if not len(rows):
        return
    cost_ns = facts.per_iteration(float(rows["idle"].sum()))
    number, first = int(rows["count"].sum()), _idlest(rows)
    yield facts.finding(
        id_,
        cost_ns,
        title=_("Cores lie idle: {what} in {n} ops of 20 us and more").format(n=count(number), what=what),
        rule=_(
            "{n} take at least 20 us and have a Block Num {fault} the cores that info.json gives for their "
            "Task Type; they take {ns} in {per}, of which {idle} is core time that no block uses."
        ).format(
            n=facts.of_all(number),
            fault=fault,
            ns=duration(facts.per_iteration(int(rows["ns"].sum()))),
            per=facts.per,
            idle=duration(cost_ns),
        )
        + _shown(rows, first),
        source=_("{vendor}; the 20 us are ours").format(vendor=f"{ADVISOR}; {PROF_RULE}"),
        advice=_("Check the tiling: a shape whose blocks fill all {cores} cores, or a fused op.").format(
            cores=first["cores"][0]
        ),
        caveat=_("A small op can't fill all cores; the cost is what a perfect split would save."),
        rows=largest_rows(added(rows.with_columns(_labels(rows)), "label", "op"), "label"),
        evidence=_evidence(facts, first, id_),
    )


def _idlest(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of the core count that most time is lost on: one filter can't have two of them."""
    lost = rows.group_by("cores").agg(pl.col("idle").sum()).sort("idle", "cores", descending=[True, False])
    return rows.filter(pl.col("cores") == lost["cores"][0])


def _shown(rows: pl.DataFrame, first: pl.DataFrame) -> str:
    if len(first) == len(rows):
        return ""
    text = _("Shown are the {n} of Task Type {tasks}, whose core count is {cores}.")
    tasks = ", ".join(first["task"].unique().sort())
    return " " + text.format(n=count(int(first["count"].sum())), tasks=tasks, cores=first["cores"][0])


def _evidence(facts: Facts, first: pl.DataFrame, id_: str) -> TableEvidence:
    tasks = first["task"].unique().sort()
    blocks = [str(int(number)) for number in first["block_num"].unique().sort()]
    return facts.ops_by(
        facts.one_of("task_type", *tasks),
        facts.one_of("block_num", *blocks),
        Where(facts.header("task_duration"), ">=", str(LEAST_US)),
        *(_second_numbers(facts, first) if id_ == IDS[1] and "MIX_AIC" in tasks else ()),
        *without_communication(facts, tasks),
    )


def _second_numbers(facts: Facts, rows: pl.DataFrame) -> Iterator[OneOf]:
    """Leave out the mixed ops that fill all vector cores."""
    if rows["mix_block_num"].count():
        numbers = rows["mix_block_num"].unique().sort()
        said = (NOT_AVAILABLE if number is None else str(int(number)) for number in numbers)
        yield facts.one_of("mix_block_num", *said)


def _labels(rows: pl.DataFrame) -> pl.Series:
    text = _("{op}: {blocks} blocks, {cores} cores")
    said = [
        text.format(op=named(row["op"]), blocks=int(row["block_num"]), cores=row["cores"])
        for row in rows.iter_rows(named=True)
    ]
    return pl.Series("label", said, dtype=pl.String)


RULES = (
    Rule(
        "block_num",
        (OPS, "task_type", "block_num"),
        _judge,
        Sums(
            ("device", "type", "untyped", "task", "block_num", "mix_block_num"),
            where=(pl.col("on_cube") | pl.col("on_vector"))
            & ~pl.col("communicates")
            & (pl.col("block_num") > 0)
            & (pl.col("ns") >= LEAST_US * 1000),
        ),
        also=("mix_block_num",),
        ids=IDS,
        how=options.LEVEL_1.how,
    ),
)
