"""Which ops communicate: one rule for the rows of op_summary and for the tasks of a timeline.

An op communicates (1) by its Task Type, or (2) by a collective's word in its Op Name or OP Type, or (3) as
a kernel named …AicpuKernel or …AivKernel that lies within an op of its device that does so by (1) or (2):
collectives are carried out in such parts.  Whatever else runs beside communication computes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import polars as pl

from prof_tui.data.spans.frames import lie_within, spans_of
from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.data.tables.task_types import COLLECTIVE, COMMUNICATION_TYPES, KERNEL
from prof_tui.data.tables.typed_columns import TextColumn, Values

NAMES = ("op_name", "op_type")
"""Ids of the columns whose words tell that an op communicates, besides Task Type."""


def communicating_rows(table: Table) -> pl.Series:
    """Boolean per row number of op_summary; reads the columns that tell."""
    ids = ("task_start", "task_duration", "task_type", *NAMES)
    columns = {id_: column for id_ in ids if (column := table.get(id_))}
    table.load(list(columns.values()))
    values = {id_: table.values(column) for id_, column in columns.items()}
    return communicating(values, device_numbers(table))


def communicating(values: Mapping[str, Values], device: pl.Series) -> pl.Series:
    """Boolean per op of op_summary, from its columns by id as far as they are known.

    ``device``: a number per op; null for ops that don't say, which are taken for those of one device.
    """
    nothing = pl.Series([False]).new_from_index(0, len(device))
    names = [each for id_ in NAMES if isinstance(each := values.get(id_), TextColumn)]
    types = values.get("task_type")
    found = _any_of(nothing, (matching(each, COLLECTIVE) for each in names))
    if isinstance(types, TextColumn):
        found = found | types.matching(types.values.is_in(list(COMMUNICATION_TYPES)))
    parts = _any_of(nothing, (matching(each, KERNEL) for each in names)) & ~found
    start, ns = values.get("task_start"), values.get("task_duration")
    if not parts.any() or not isinstance(start, pl.Series) or not isinstance(ns, pl.Series):
        return found
    spans = spans_of(start, start + ns)
    for own in device.filter(parts).unique():
        here = device.eq_missing(pl.Series([own], dtype=device.dtype))
        rows = (parts & here).arg_true()
        inside = lie_within(spans[rows], spans.filter(found & here))
        found = found.clone().scatter(rows.filter(inside), True)  # scatter writes in place
    return found


def matching(texts: TextColumn, words: re.Pattern[str]) -> pl.Series:
    """Boolean per row: whether its text has one of the words."""
    wanted = texts.values.str.contains(words.pattern).fill_null(False)
    return texts.matching(wanted) if wanted.any() else pl.Series([False]).new_from_index(0, len(texts.codes))


def is_told_by_names(table: Table) -> bool:
    """Whether Op Names or OP Types may tell of communication what Task Types don't; reads both."""
    columns = [column for id_ in NAMES if (column := table.get(id_))]
    return any(
        table.texts(column).values.str.contains(words.pattern).any()
        for column in columns
        for words in (COLLECTIVE, KERNEL)
    )


def _any_of(nothing: pl.Series, found: Iterable[pl.Series]) -> pl.Series:
    for each in found:
        nothing = nothing | each
    return nothing
