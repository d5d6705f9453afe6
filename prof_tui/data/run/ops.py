"""The ops that count: rows of op_summary that are in steady iterations, or all where there is no step trace.

Only the narrow columns that say where and what an op is are held; all others are read by ``blocks``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.query.conditions import iterations_mask
from prof_tui.data.query.query import Iterations, ModelFrom
from prof_tui.data.run.periods import ModelRun, steady_iterations
from prof_tui.data.tables.cells import MISSING
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.communication import communicating_rows
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table, device_numbers, kept_rows
from prof_tui.data.tables.task_types import AI_CPU, CUBE, VECTOR, bookkeeping_rows
from prof_tui.data.tables.typed_columns import TextColumn

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture

HELD = ("task_start", "task_duration", "op_name", "op_type", "task_type", "input_shapes")
"""Ids of the columns held whole, besides those that place an op: a rule may use them of any row."""


@dataclass(frozen=True)
class Flags:
    """Boolean per row number: what an op is."""

    communicates: pl.Series
    on_ai_cpu: pl.Series
    on_cube: pl.Series
    on_vector: pl.Series


def _columns_to_hold(table: Table) -> list[Column]:
    """The columns of HELD and those that place an op.

    Among them are all that busy times are summed from (busy.py), so that those can be had
    without another reading: even the device where it is only worked out.
    """
    ids = (*HELD, "device_id", "model_id", "infer_id")
    return [column for id_ in ids if (column := table.get(id_))]


class Ops:
    """op_summary with its rows in scope: those of ``devices``, of ``device`` alone where there is one."""

    def __init__(
        self,
        capture: OpenCapture,
        table: Table,
        devices: Sequence[ModelRun],
        progress: Progress = go_on,
        *,
        device: int | None = None,
    ) -> None:
        self.table = table
        table.load(_columns_to_hold(table), progress)
        self.device = device_numbers(table).cast(pl.Int32)
        placement = capture.placement(table)
        self.iteration = placement.iteration
        of_device = self._of_chosen(device)
        placed = self.iteration.is_not_null()
        self.by_iteration = bool(devices) and bool((of_device & placed).any())
        """Whether steady iterations count; else all rows do."""
        every = Iterations(tuple(ModelFrom(run.device, run.model, 0) for run in devices))
        self.of_model = iterations_mask(self.device, placement, every)
        """Boolean per row number: in any iteration of the model of its device that is looked at."""
        self.counted = steady_iterations(devices, with_outliers=False)
        """The iterations that count: an outlier would make a mean of few ones worthless."""
        steady = iterations_mask(self.device, placement, self.counted)
        if not steady.any():
            self.counted = steady_iterations(devices)
            steady = iterations_mask(self.device, placement, self.counted)
        kept = kept_rows(table)
        in_scope = steady if self.by_iteration else of_device
        kept_in_scope = in_scope if kept is None else in_scope & kept
        types = self.texts("task_type")
        books = None if types is None else bookkeeping_rows(types, self.device)
        self.in_scope = kept_in_scope if books is None else kept_in_scope & ~books
        """Boolean per row number: an op in one of them; every sound op where the whole capture counts."""

    def _of_chosen(self, device: int | None) -> pl.Series:
        """Boolean per row number; all rows where none is chosen, or none says whose it is."""
        if device is None or self.device.null_count() == len(self.device):
            return ~self._nothing()
        return self.of_device(device)

    def of_device(self, device: int | None) -> pl.Series:
        """Boolean per row number."""
        return self.device.eq_missing(pl.Series([device], dtype=pl.Int32))

    # Columns

    def column(self, id_: str) -> Column | None:
        return self.table.get(id_)

    def header(self, id_: str) -> str:
        """The file's header of a column; the id where the file lacks it."""
        column = self.table.get(id_)
        return id_ if column is None else column.header

    @property
    def start(self) -> pl.Series | None:
        """Int64 ns per row number; null where it is no time of this run."""
        column = self.table.get("task_start")
        return None if column is None else self.table.times(column).ns

    @property
    def ns(self) -> pl.Series | None:
        """Task Duration, Int64 ns per row number; negative in a broken record."""
        column = self.table.get("task_duration")
        return None if column is None else self.table.numbers(column)

    @cached_property
    def all_valid(self) -> bool:
        """Whether every op in scope has a duration that is not negative: others don't count."""
        ns = self.ns
        return ns is None or bool(((ns >= 0).fill_null(False) | ~self.in_scope).all())

    def texts(self, id_: str) -> TextColumn | None:
        """One of the held text columns."""
        column = self.table.get(id_)
        return None if column is None else self.table.texts(column)

    def says(self, id_: str) -> bool:
        """Whether a held text column has a value in any row: at level 0 types are N/A throughout."""
        values = self.texts(id_)
        return values is not None and not values.values.is_in(list(MISSING)).all()

    @cached_property
    def typed(self) -> pl.Series | None:
        """Boolean per row number: it has an OP Type; None where all have, so that nothing needs be asked."""
        values = self.texts("op_type")
        if values is None:
            return self._nothing()
        named = values.matching(~values.values.is_in(list(MISSING)))
        return None if named.all() else named

    def text(self, id_: str, row: int) -> str:
        """The cell of a held text column; empty where there is none."""
        values = self.texts(id_)
        if values is None or (code := values.codes[row]) is None:
            return ""
        return str(values.values[code])

    @cached_property
    def flags(self) -> Flags:
        return Flags(
            communicating_rows(self.table),
            self._of_types(AI_CPU),
            self._of_types(CUBE),
            self._of_types(VECTOR),
        )

    def _of_types(self, types: frozenset[str]) -> pl.Series:
        values = self.texts("task_type")
        return self._nothing() if values is None else values.matching(values.values.is_in(list(types)))

    def _nothing(self) -> pl.Series:
        return pl.Series([False]).new_from_index(0, self.table.row_count)
