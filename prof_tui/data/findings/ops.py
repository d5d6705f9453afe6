"""The ops that count: rows of op_summary that are in steady iterations, or all where there is no step trace.

Only the narrow columns that say where and what an op is are held; all others are read by ``blocks``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.cell_values import MISSING
from prof_tui.data.column_values import TextColumn
from prof_tui.data.columns import Column
from prof_tui.data.findings.devices import DeviceRun
from prof_tui.data.findings.task_types import AI_CPU, COMMUNICATING, CUBE, VECTOR, is_communication_kernel
from prof_tui.data.row_facts import device_numbers, kept_rows
from prof_tui.data.table import Table
from prof_tui.data.table_source import Progress, go_on

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


class Ops:
    """op_summary with its rows in scope."""

    def __init__(
        self, capture: OpenCapture, table: Table, devices: Sequence[DeviceRun], progress: Progress = go_on
    ) -> None:
        self.table = table
        held = [column for id_ in HELD if (column := table.get(id_))]
        placing = [table.get(id_) for id_ in ("device_id", "model_id", "infer_id")]
        table.load([*held, *(column for column in placing if column and not column.derived)], progress)
        self.device = device_numbers(table).cast(pl.Int32)
        placement = capture.placement(table)
        self.unplaced = len(placement.iteration) == placement.iteration.null_count()
        self.by_iteration = bool(devices) and not self.unplaced
        """Whether steady iterations count; else all rows do."""
        self.iteration = placement.iteration
        self.of_main = self._of_main(devices, placement.model)
        """Boolean per row number: in any iteration of its device's main model."""
        self.in_scope = self._scope(devices)
        """Boolean per row number: in a steady one; every sound row where the whole capture counts."""

    def _of_main(self, devices: Sequence[DeviceRun], models: pl.Series) -> pl.Series:
        mask = self._nothing()
        for run in devices:
            of_model = models.eq_missing(pl.Series([run.model], dtype=models.dtype))
            mask = mask | (self.of_device(run.device) & of_model)
        return mask & self.iteration.is_not_null()

    def _scope(self, devices: Sequence[DeviceRun]) -> pl.Series:
        kept = kept_rows(self.table)
        if not self.by_iteration:
            return ~self._nothing() if kept is None else kept
        mask = self._nothing()
        for run in devices:
            steady = pl.Series([step.iteration for step in run.steady], dtype=pl.Int64)
            counts = self.iteration.is_in(steady.implode()).fill_null(False)
            mask = mask | (self.of_main & self.of_device(run.device) & counts)
        return mask if kept is None else mask & kept

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
        """Int64 ns per row number."""
        column = self.table.get("task_start")
        return None if column is None else self.table.numbers(column)

    @property
    def ns(self) -> pl.Series | None:
        """Task Duration, Int64 ns per row number; negative in a broken record."""
        column = self.table.get("task_duration")
        return None if column is None else self.table.numbers(column)

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
        kernels = self._kernels("op_name") | self._kernels("op_type")
        return Flags(
            self._of_types(COMMUNICATING) | kernels,
            self._of_types(AI_CPU),
            self._of_types(CUBE),
            self._of_types(VECTOR),
        )

    def _of_types(self, types: frozenset[str]) -> pl.Series:
        values = self.texts("task_type")
        return self._nothing() if values is None else values.matching(values.values.is_in(list(types)))

    def _kernels(self, id_: str) -> pl.Series:
        values = self.texts(id_)
        if values is None:
            return self._nothing()
        found = [is_communication_kernel(text) for text in values.values]
        return values.matching(pl.Series(found, dtype=pl.Boolean)) if any(found) else self._nothing()

    def _nothing(self) -> pl.Series:
        return pl.Series([False]).new_from_index(0, self.table.row_count)
