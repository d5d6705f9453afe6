"""Conditions that select just the ops that a finding counts, where columns alone would select more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.ops import Ops
from prof_tui.data.query.query import OneOf, Where
from prof_tui.data.tables.communication_types import COMMUNICATING, is_communication_kernel
from prof_tui.words import NOT_AVAILABLE

MOST_LEFT_OUT = 20
"""Names of communication kernels that one evidence leaves out."""


def without_communication(run: Run, task_types: Iterable[str] | None = None) -> tuple[Where, ...]:
    """Leave out the communication kernels among the ops of these Task Types; nothing where there are none.

    None: among all ops but those whose Task Type itself says that they communicate.
    """
    if run.ops is None:
        return ()
    ops, tasks = run.ops, run.ops.texts("task_type")
    if tasks is None:
        return ()
    own = tasks.values.is_in(list(COMMUNICATING if task_types is None else task_types))
    kernels = ops.in_scope & ops.flags.communicates & tasks.matching(~own if task_types is None else own)
    return tuple(_left_out(run, ops, kernels)) if kernels.any() else ()


def _left_out(run: Run, ops: Ops, kernels: pl.Series) -> Iterator[Where]:
    """By OP Type, and by Op Name those that their type does not tell."""
    for id_ in ("op_type", "op_name"):
        told = [text for text in _texts(ops, id_, kernels) if is_communication_kernel(text)][:MOST_LEFT_OUT]
        yield from (Where(run.header(id_), "!=", text) for text in told)
        values = ops.texts(id_)
        if values is not None:
            kernels = kernels & ~values.matching(values.values.is_in(told))


def communicating(run: Run, rows: pl.Series) -> tuple[OneOf, ...]:
    """Select the communicating ops among these rows (Boolean per row number).

    By their Task Types where those tell them, else by OP Type or Op Name too.
    """
    if run.ops is None:
        return ()
    ops, mask = run.ops, rows & run.ops.flags.communicates
    tasks = _texts(ops, "task_type", mask)
    by_task = run.one_of("task_type", *tasks)
    if set(tasks) <= COMMUNICATING:
        return (by_task,)
    types = _texts(ops, "op_type", mask)
    if NOT_AVAILABLE in types:
        return by_task, run.one_of("op_name", *_texts(ops, "op_name", mask))
    return by_task, run.one_of("op_type", *types)


def _texts(ops: Ops, id_: str, mask: pl.Series) -> list[str]:
    """The distinct texts that these rows have in a held column; N/A where there is none."""
    values = ops.texts(id_)
    if values is None:
        return [NOT_AVAILABLE]
    codes = values.codes.filter(mask).unique().cast(pl.UInt32)
    return values.values.gather(codes).fill_null(NOT_AVAILABLE).unique().sort().to_list()
