"""What bounds the ops, one finding per word: a saturated pipe, memory, conflicts, misses, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import first_said, largest_rows, without_communication
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import ADVISOR, OURS, PROF_RULE, Finding, NotChecked, Result
from prof_tui.data.findings.ops import Ops
from prof_tui.data.findings.rule import OPS, Rule
from prof_tui.data.findings.sums import Gathering
from prof_tui.data.tables.bound import BANKS, BOUND, ICACHE, MEMORY, NO_BOUND, PIPES, WORDS, pipe_columns
from prof_tui.data.tables.bound_column import measured
from prof_tui.words import _, duration, share

LEAST_SHARE = 0.05
"""Of op time: what bounds a few short ops is in op summary's column, and no finding."""

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
"""Of the word; how much of op time it must have is ours."""


def finding_id(word: str) -> str:
    return "no_bound" if word == NO_BOUND else "bound_" + word.replace(" ", "_")


def _judge(run: Run, sums: pl.DataFrame) -> Iterator[Result]:
    assert run.ops is not None
    if not len(sums) and not measured(run.ops.table.sources, run.ops.in_scope):
        yield _unknown(WORDS, _("Pipe ratios are N/A or 0 in every op that counts."), options.PIPES.how)
        return
    for word in WORDS:
        rows = sums.filter(pl.col(BOUND) == word)
        if int(rows["ns"].sum()) > LEAST_SHARE * run.op_ns:
            yield _finding(run, word, rows)
    yield from _without_columns(run.ops)


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


def _finding(run: Run, word: str, rows: pl.DataFrame) -> Finding:
    total = int(rows["ns"].sum())
    condition = _CONDITION.get(word) or _("{pipe} ratio over 0.8, no other larger").format(pipe=word)
    return run.finding(
        finding_id(word),
        run.per_iteration(total),
        title=_title(word).format(word=word, share=share(total, run.op_ns)),
        rule=_("{n} ({condition}) took {ns}, over 5 % of op time {all}.").format(
            n=run.of_all(int(rows["count"].sum())),
            condition=condition,
            ns=duration(total),
            all=duration(run.op_ns),
        ),
        source="; ".join(dict.fromkeys((*_SOURCE.get(word, (ADVISOR, PROF_RULE)), OURS))),
        advice=_ADVICE[word],
        caveat=_caveat(word),
        rows=largest_rows(
            rows.with_columns(first_said("type", "untyped", "task").alias("op")), "op", note="task"
        ),
        evidence=run.ops_by(run.one_of(BOUND, word), *without_communication(run)),
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


RULES = (
    Rule(
        "bound",
        (OPS, BOUND),
        _judge,
        Gathering(
            (BOUND, "type", "task", "untyped"), where=pl.col(BOUND).is_not_null() & ~pl.col("communicates")
        ),
        ids=tuple(finding_id(word) for word in WORDS),
        how=options.PIPES.how,
    ),
)
