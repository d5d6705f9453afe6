"""Rows of a computed table, held as typed columns: tables of many rows without a text per cell."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.repairs import Tally
from prof_tui.words import NOT_AVAILABLE, microseconds


class FrameStore:
    """A RowStore over a frame with one column per header.

    Times and durations Int64 ns (columns in us), ids and counts integers, shares Float64, texts String;
    null is N/A.
    """

    ready = judged = sound = True
    left_out: Sequence[int] = ()

    def __init__(self, columns: Sequence[Column], frame: pl.DataFrame) -> None:
        self.columns = tuple(columns)
        self.frame = frame
        self.tally = Tally()

    @property
    def row_count(self) -> int:
        return len(self.frame)

    def prepare(self) -> None:
        """Nothing to find: the rows are here."""

    def peek(self, column: Column) -> pl.Series | None:
        return None if column.kind == "text" else self._typed(column)

    def skim(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        return self.load(wanted)

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        some = self.frame[pl.Series(rows, dtype=pl.UInt32)]
        texts = [[_cell(column, value) for value in some[column.header]] for column in self.columns]
        return [list(row) for row in zip(*texts, strict=True)]

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        return [
            self.frame[column.header].fill_null(NOT_AVAILABLE).cast(pl.Categorical(categories)).to_physical()
            if column.kind == "text"
            else self._typed(column)
            for column, categories in wanted
        ]

    def _typed(self, column: Column) -> pl.Series:
        dtype = pl.Float64 if column.kind == "decimal" else pl.Int64
        return self.frame[column.header].cast(dtype)


def _cell(column: Column, value: object) -> str:
    if value is None:
        return NOT_AVAILABLE
    if isinstance(value, int) and column.kind in ("time", "duration"):
        return microseconds(value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)
