"""What is written of a view, and its cells in pieces, so that any length takes little memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table
from prof_tui.words import _, count

if TYPE_CHECKING:
    import polars as pl

ROWS_AT_ONCE = 2_000

Cells = list[list[str | None]]


@dataclass(frozen=True)
class WrittenView:
    """What is written: rows and columns of a table, and what is said about them."""

    table: Table
    rows: pl.Series
    """Row numbers, in order."""
    columns: tuple[Column, ...]
    total: int
    """Rows of the table after the choice of device."""
    matched: int
    """Rows that answer the query, also those that a limit cuts off."""
    device: int | None = None
    """The chosen device; None for all."""
    files: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def shown(self) -> int:
        return len(self.rows)

    def counts(self) -> list[str]:
        """Sentences on the rows that are not written; none when all are."""
        said = []
        if self.matched < self.total:
            text = _("{matched} of {total} rows match.")
            said.append(text.format(matched=count(self.matched), total=count(self.total)))
        if self.shown < self.matched:
            text = _("{shown} of {matched} rows are shown.")
            said.append(text.format(shown=count(self.shown), matched=count(self.matched)))
        return said


def row_chunks(written: WrittenView) -> Iterator[Cells]:
    """The cells of the chosen columns, up to ``ROWS_AT_ONCE`` rows at a time; one empty chunk for no row."""
    places = [written.table.columns.index(column) for column in written.columns]
    for first in range(0, max(len(written.rows), 1), ROWS_AT_ONCE):
        rows = written.rows.slice(first, ROWS_AT_ONCE).to_list()
        yield [[cells[place] for place in places] for cells in written.table.cells(rows)]
