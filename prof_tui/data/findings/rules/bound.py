"""What bounds the ops: a saturated pipe, memory, conflicts, misses, or nothing; and unused cube units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import first_said, largest_rows, without_communication
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import ADVISOR, OURS, PROF_RULE, Finding, NotChecked, Result
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.findings.sums import Sums
from prof_tui.data.query.query import Where
from prof_tui.data.run.ops import Ops
from prof_tui.data.tables.bound import BANKS, BOUND, ICACHE, MEMORY, NO_BOUND, PIPES, WORDS, pipe_columns
from prof_tui.data.tables.bound_column import measured
from prof_tui.words import NOT_AVAILABLE, _, counted, duration, share

LEAST_SHARE = 0.05
"""Least share of op time: what bounds a few short ops is in op summary's column, and no finding."""

_ADVICE = {
    "mac": _("The cube works nearly all the time: only less or lower-precision work makes it faster."),
    "vector": _("The vector unit works nearly all the time: fuse elementwise ops, lower precision."),
    "scalar": _("Scalar work holds the op up: check how indices are computed, and the tiling."),
    "mte1": _("Moving data from L1 to L0 holds the op up: check the tiling."),
    "mte2": _(
        "Reading memory holds the op up: fuse it with its neighbours, keep data in L2, lower precision."
    ),
    "mte3": _("Writing memory holds the op up: fuse it with the op that reads its result."),
    "fixpipe": _("Moving results out of L0C holds the op up: check output format and tiling."),
    MEMORY: _("Data comes slower than it is computed: fuse, tile for reuse, lower precision."),
    BANKS: _("Accesses to the unified buffer collide: pad or change the inner axis."),
    ICACHE: _("The core waits for instructions: fewer small kernels, smaller unrolled loops."),
    NO_BOUND: _("No pipe is full: check Block Num, the tiling, and what the op waits for."),
}
_CONDITION = {
    MEMORY: _("memory_bound over 1, no pipe over 0.8"),
    BANKS: _("bank conflicts over 4 %, no pipe over 0.8"),
    ICACHE: _("instruction cache misses over 4 %, no pipe over 0.8"),
    NO_BOUND: _("over 20 us, no pipe over 0.8"),
}
_SOURCE = {MEMORY: (PROF_RULE,), BANKS: (PROF_RULE,), ICACHE: (OURS,), NO_BOUND: (ADVISOR,)}
"""Where the threshold of a word is from; how much of op time it must have is ours."""

LEAST_USE = 40
"""Per cent."""
LEAST_CUBE_SHARE = 0.01


def finding_id(word: str) -> str:
    return "no_bound" if word == NO_BOUND else "bound_" + word.replace(" ", "_")


def _judge(facts: Facts, sums: pl.DataFrame) -> Iterator[Result]:
    assert facts.ops is not None
    if not len(sums) and not measured(facts.ops.table.sources, facts.ops.in_scope):
        yield _unknown(WORDS, _("Pipe ratios are N/A or 0 in every op that counts."), options.PIPES.how)
        return
    for word in WORDS:
        rows = sums.filter(pl.col(BOUND) == word)
        if int(rows["ns"].sum()) > LEAST_SHARE * facts.op_ns:
            yield _finding(facts, word, rows)
    yield from _without_columns(facts.ops)


def _without_columns(ops: Ops) -> Iterator[NotChecked]:
    """The words whose columns the file lacks: other metrics, or another chip."""
    found = pipe_columns(ops.table.columns)
    pipes = [pipe for pipe in PIPES if pipe not in found.pipes]
    if pipes:
        why = _("op_summary has no ratio of {pipes}.").format(pipes=", ".join(pipes))
        yield _unknown(
            pipes, why, _("Collect with msprof --aic-metrics=PipeUtilization; not every chip has all.")
        )
    if not found.memory:
        how = _("Chips that measure cube and vector cores apart have none; see bound_mte2.")
        yield _unknown([MEMORY], _("op_summary has no column memory_bound."), how)
    if not found.icache:
        yield _unknown([ICACHE], _("op_summary has no column icache_miss_rate."), options.PIPES.how)
    if not found.banks:
        yield _unknown([BANKS], _("op_summary has no bank conflict ratios."), options.CONFLICTS.how)


def _unknown(words: Sequence[str], why: str, how: str) -> NotChecked:
    ids = tuple(map(finding_id, words))
    return NotChecked("bound" if len(ids) > 1 else ids[0], ids, why, how)


def _finding(facts: Facts, word: str, rows: pl.DataFrame) -> Finding:
    total = int(rows["ns"].sum())
    condition = _CONDITION.get(word) or _("{pipe} ratio over 0.8, no other larger").format(pipe=word)
    return facts.finding(
        finding_id(word),
        facts.per_iteration(total),
        title=_title(word).format(word=word, share=share(total, facts.op_ns)),
        rule=_("{n} ({condition}) took {ns}, over 5 % of op time {all}.").format(
            n=facts.of_all(int(rows["count"].sum())),
            condition=condition,
            ns=duration(total),
            all=duration(facts.op_ns),
        ),
        source="; ".join(dict.fromkeys((*_SOURCE.get(word, (ADVISOR, PROF_RULE)), OURS))),
        advice=_ADVICE[word],
        caveat=_caveat(word),
        rows=largest_rows(
            rows.with_columns(first_said("type", "untyped", "task").alias("op")), "op", note="task"
        ),
        evidence=facts.ops_by(facts.one_of(BOUND, word), *without_communication(facts)),
    )


def _caveat(word: str) -> str:
    text = _("The cost is what these ops take, not what could be saved; a ratio is an average over cores.")
    if word not in PIPES:
        return text
    return f"{text} " + _("Of equal ratios that of the pipe named first counts: {pipes}.").format(
        pipes=", ".join(PIPES)
    )


_OP = first_said("type", "untyped", "task").alias("op")


def _title(word: str) -> str:
    if word == NO_BOUND:
        return _("No pipe is saturated in ops that take {share} of op time")
    return _("Bound by {word}: ops that take {share} of op time")


# Cube units


def _cube_use(facts: Facts, sums: pl.DataFrame) -> Iterator[Finding]:
    heavy = sums.with_columns((pl.col("used") / pl.col("ns")).alias("use")).filter(
        (pl.col("ns") > LEAST_CUBE_SHARE * facts.op_ns) & (pl.col("use") < LEAST_USE)
    )
    if not len(heavy):
        return
    lost = float((heavy["ns"] * (1 - heavy["use"] / LEAST_USE)).sum())
    cost_ns = facts.per_iteration(lost)
    heavy = heavy.sort("ns", "name", "type", descending=[True, False, False])
    text = _("cube utilisation {use:.1f} %")
    notes = pl.Series("note", [text.format(use=use) for use in heavy["use"]], dtype=pl.String)
    yield facts.finding(
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
        ).format(n=facts.of_all(int(heavy["count"].sum())), cost=duration(cost_ns), per=facts.per),
        source=OURS,
        advice=_("Larger or better aligned shapes, more blocks, or a fused op; see what bounds them."),
        caveat=_("cube_utilization counts all cores: an op on few cores has little, however busy those are."),
        rows=largest_rows(heavy.with_columns(notes), "name", "type", note="note"),
        evidence=facts.ops_by(
            facts.one_of("op_name", *heavy["name"].unique(maintain_order=True)),
            facts.one_of("task_type", *heavy["task"].unique().sort()),
            Where(facts.header("cube_utilization"), "!=", NOT_AVAILABLE),
        ),
    )


_USED = pl.col("on_cube") & pl.col("cube_utilization").is_not_null()

RULES = (
    Rule(
        "bound",
        (OPS, BOUND),
        _judge,
        Sums((BOUND, "type", "task", "untyped"), where=pl.col(BOUND).is_not_null() & ~pl.col("communicates")),
        ids=tuple(finding_id(word) for word in WORDS),
        how=options.PIPES.how,
    ),
    Rule(
        "cube_utilization_low",
        (OPS, "task_type", "cube_utilization"),
        _cube_use,
        Sums(
            ("name", "type", "task"),
            where=_USED,
            values=(
                pl.len().cast(pl.Int64).alias("count"),
                pl.col("ns").sum(),
                (pl.col("cube_utilization") * pl.col("ns")).sum().alias("used"),
            ),
        ),
        how=options.PIPES.how,
    ),
)
