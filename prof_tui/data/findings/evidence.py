"""Conditions that select just the ops that a finding counts, where columns alone would select more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import EvidenceRow
from prof_tui.data.query.query import OneOf, Where
from prof_tui.data.run.ops import Ops
from prof_tui.data.tables.cells import MISSING
from prof_tui.data.tables.task_types import COLLECTIVE, COMMUNICATION_TYPES, KERNEL
from prof_tui.words import NOT_AVAILABLE, printable

MOST_LEFT_OUT = 20
"""Names of communication kernels that one evidence leaves out."""


def without_communication(facts: Facts, task_types: Iterable[str] | None = None) -> tuple[Where, ...]:
    """Leave out the communication kernels among the ops of these Task Types; nothing where there are none.

    None: among all ops but those whose Task Type itself says that they communicate.
    """
    if facts.ops is None:
        return ()
    ops, tasks = facts.ops, facts.ops.texts("task_type")
    if tasks is None:
        return ()
    own = tasks.values.is_in(list(COMMUNICATION_TYPES if task_types is None else task_types))
    kernels = ops.in_scope & ops.flags.communicates & tasks.matching(~own if task_types is None else own)
    return tuple(_left_out(facts, ops, kernels)) if kernels.any() else ()


def _left_out(facts: Facts, ops: Ops, kernels: pl.Series) -> Iterator[Where]:
    """By OP Type, and by Op Name those that their type does not tell."""
    for id_ in ("op_type", "op_name"):
        beside = set(_texts(ops, id_, ops.in_scope & ~ops.flags.communicates))
        told = [
            text
            for text in _texts(ops, id_, kernels)
            if COLLECTIVE.search(text) or (KERNEL.search(text) and text not in beside)
        ][:MOST_LEFT_OUT]
        yield from (Where(facts.header(id_), "!=", text) for text in told)
        values = ops.texts(id_)
        if values is not None:
            kernels = kernels & ~values.matching(values.values.is_in(told))


def communicating(facts: Facts, rows: pl.Series) -> tuple[OneOf, ...]:
    """Select the communicating ops among these rows (Boolean per row number).

    By their Task Types where those tell them, else by OP Type or Op Name too.
    """
    if facts.ops is None:
        return ()
    ops, mask = facts.ops, rows & facts.ops.flags.communicates
    tasks = _texts(ops, "task_type", mask)
    by_task = facts.one_of("task_type", *tasks)
    if set(tasks) <= COMMUNICATION_TYPES:
        return (by_task,)
    types = _texts(ops, "op_type", mask)
    if NOT_AVAILABLE in types:
        return by_task, facts.one_of("op_name", *_texts(ops, "op_name", mask))
    return by_task, facts.one_of("op_type", *types)


def _texts(ops: Ops, id_: str, mask: pl.Series) -> list[str]:
    """The distinct texts that these rows have in a held column; N/A where there is none."""
    values = ops.texts(id_)
    if values is None:
        return [NOT_AVAILABLE]
    codes = values.codes.filter(mask).unique().cast(pl.UInt32)
    return values.values.gather(codes).fill_null(NOT_AVAILABLE).unique().sort().to_list()


MOST_ROWS = 5


def named(*texts: str) -> str:
    """The first of these texts of a capture that says something, printable; N/A where none does."""
    return next((printable(text) for text in texts if text.strip() not in MISSING), NOT_AVAILABLE)


def op_named(ops: Ops, row: int) -> str:
    """What an op is called: its Op Name, else OP Type, else Task Type such as PLACE_HOLDER_SQE."""
    return named(*(ops.text(id_, row) for id_ in ("op_name", "op_type", "task_type")))


def first_said(*columns: str) -> pl.Expr:
    """The first of these columns of texts that says something; N/A where none does."""
    said = (
        pl.when(~pl.col(each).str.strip_chars().is_in(list(MISSING))).then(pl.col(each)) for each in columns
    )
    return pl.coalesce(*said, pl.lit(NOT_AVAILABLE))


def largest_rows(
    frame: pl.DataFrame, *label: str, note: str = "", most: int = MOST_ROWS
) -> tuple[EvidenceRow, ...]:
    """The rows with most ``ns`` of a frame with ``count`` and ``ns``.

    ``label``: columns of which the first that says something names a row; ``note``: a column.
    """
    ordered = frame.sort("ns", *label, descending=[True, *(False for _each in label)]).head(most)
    return tuple(
        EvidenceRow(
            named(*(str(row[each]) for each in label)),
            int(row["count"]),
            int(row["ns"]),
            printable(str(row[note] or "")) if note else "",
        )
        for row in ordered.iter_rows(named=True)
    )


def added(frame: pl.DataFrame, *group: str) -> pl.DataFrame:
    """``count`` and ``ns`` added up by fewer columns, most ``ns`` first."""
    summed = frame.group_by(group).agg(pl.col("count").sum(), pl.col("ns").sum())
    return summed.sort("ns", *group, descending=[True, *(False for _each in group)])
