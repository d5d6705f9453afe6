"""What bounds the ops, one finding per word: a saturated pipe, memory, conflicts, misses, or nothing."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.bound_word import (
    BANKS,
    BOUND,
    ICACHE,
    MEMORY,
    NO_BOUND,
    WORDS,
    pipe_columns,
)
from prof_tui.data.findings import collecting
from prof_tui.data.findings.blocks import Gathering
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import (
    ADVISOR,
    OURS,
    PROF_RULE,
    Finding,
    NotChecked,
    Result,
)
from prof_tui.data.findings.rows import largest_rows
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.words import NOT_AVAILABLE, _, duration, share

_ADVICE = {
    "mac": _("The cube works nearly all the time: only less or lower-precision work makes it faster."),
    "vector": _("The vector unit works nearly all the time: fuse elementwise ops, lower precision."),
    "scalar": _("Scalar work holds the op up: check index computing and the tiling."),
    "mte1": _("Moving from L1 to L0 holds the op up: check the tiling."),
    "mte2": _(
        "Reading memory holds the op up: fuse it with its neighbours, keep data in L2, lower precision."
    ),
    "mte3": _("Writing memory holds the op up: fuse it with the op that reads its result."),
    "fixpipe": _("Moving results out of L0C holds the op up: check output format and tiling."),
    MEMORY: _("Data comes slower than it is computed: fuse, tile for reuse, lower precision."),
    BANKS: _("Accesses to the unified buffer collide: pad or change the inner axis."),
    ICACHE: _("Instructions are waited for: fewer small kernels, smaller unrolled loops."),
    NO_BOUND: _("No pipe is busy: check block count, tiling, and what the op waits for."),
}
_CONDITION = {
    MEMORY: _("memory_bound over 1, no pipe over 0.8"),
    BANKS: _("bank conflicts over 4 %, no pipe over 0.8"),
    ICACHE: _("instruction cache misses over 4 %, no pipe over 0.8"),
    NO_BOUND: _("over 20 us and no pipe over 0.8"),
}
_SOURCE = {MEMORY: PROF_RULE, BANKS: PROF_RULE, ICACHE: OURS, NO_BOUND: ADVISOR}


def finding_id(word: str) -> str:
    return "no_bound" if word == NO_BOUND else "bound_" + word.replace(" ", "_")


def _judge(run: Run, sums: pl.DataFrame) -> Iterator[Result]:
    for word in WORDS:
        rows = sums.filter(pl.col(BOUND) == word)
        if len(rows):
            yield _finding(run, word, rows)
    if run.ops is not None and not pipe_columns(run.ops.table.columns).banks:
        id_ = finding_id(BANKS)
        yield NotChecked(id_, (id_,), _("op_summary has no bank conflict ratios."), collecting.CONFLICTS)


def _finding(run: Run, word: str, rows: pl.DataFrame) -> Finding:
    total = int(rows["ns"].sum())
    cost_ns = run.per_iteration(total)
    condition = _CONDITION.get(word) or _("its ratio over 0.8 and none larger")
    return run.finding(
        finding_id(word),
        cost_ns,
        title=_("Bound by {word}: ops that take {share} of op time").format(
            word=word, share=share(total, run.op_ns)
        )
        if word != NO_BOUND
        else _("No pipe is saturated in ops that take {share} of op time").format(
            share=share(total, run.op_ns)
        ),
        rule=_("{n} ({condition}) took {ns}.").format(
            n=run.of_all(int(rows["count"].sum())), condition=condition, ns=duration(total)
        ),
        source=_SOURCE.get(word, f"{ADVISOR}; {PROF_RULE}"),
        advice=_ADVICE[word],
        caveat=_(
            "The cost is what these ops take, not what could be saved; a ratio is an average over cores."
        ),
        rows=largest_rows(_labelled(rows), "label", note="task"),
        evidence=run.ops_by(run.one_of(BOUND, word)),
    )


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    """With ``label``: the OP Type, or the Op Name where that is N/A, as at level 0."""
    typed = pl.col("type") != NOT_AVAILABLE
    return rows.with_columns(pl.when(typed).then(pl.col("type")).otherwise(pl.col("untyped")).alias("label"))


RULES = (
    Rule(
        "bound",
        (OPS, BOUND),
        _judge,
        Gathering(
            (BOUND, "type", "task", "untyped"), where=pl.col(BOUND).is_not_null() & ~pl.col("communicates")
        ),
        ids=tuple(finding_id(word) for word in WORDS),
        how=collecting.PIPES,
    ),
)
