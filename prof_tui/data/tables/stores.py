"""Where a table's rows are: in memory for small files, in the file for large ones.

Both give clean cells by row number and typed values by column; a row number counts the rows of one
store from 0 in file order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.repairs import Tally
from prof_tui.errors import CancelledError
from prof_tui.words import _

if TYPE_CHECKING:
    import polars as pl


class RowStore(Protocol):
    """Rows of one file."""

    columns: tuple[Column, ...]
    tally: Tally

    @property
    def row_count(self) -> int:
        """Rows with a number, those left out included; the rows so far known before ``prepare``."""
        ...

    @property
    def ready(self) -> bool:
        """Whether every row can be read: ``prepare`` has run, or isn't needed."""
        ...

    @property
    def judged(self) -> bool:
        """Whether ``left_out`` and the tally are final."""
        ...

    @property
    def sound(self) -> bool:
        """Whether rows are judged and all are as they stand in the file."""
        ...

    @property
    def left_out(self) -> Sequence[int]:
        """Numbers of damaged rows that no view may show."""
        ...

    def prepare(self) -> None:
        """Find all rows.  Slow for a large file; raises UnreadableError."""
        ...

    def peek(self, column: Column) -> pl.Series | None:
        """Values of one column sooner than ``load`` gives them, before rows are judged; None if it can't."""
        ...

    def skim(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series] | None:
        """What ``load`` gives, sooner and before rows are judged; None where a cell needs another look."""
        ...

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        """Clean cells, one list per row number.  Raises UnreadableError."""
        ...

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        """Typed values per column, one per row: Int64, Float64, or UInt32 codes of the categories."""
        ...


class MemoryStore:
    """Rows held as texts: small files, tables written as JSON, computed tables."""

    ready = judged = sound = True
    left_out: Sequence[int] = ()

    def __init__(self, columns: Sequence[Column], rows: list[list[str]], tally: Tally | None = None) -> None:
        self.columns = tuple(columns)
        self.rows = rows
        self.tally = tally or Tally()

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def prepare(self) -> None:
        """Nothing to find: the rows are here."""

    def peek(self, column: Column) -> pl.Series | None:
        import polars as pl

        return None if column.kind == "text" else self.load([(column, pl.Categories())])[0]

    def skim(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series] | None:
        return self.load(wanted)

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        return [self.rows[row] for row in rows]

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        import polars as pl

        from prof_tui.data.tables.typed_columns import typed_columns

        place = {column.header: i for i, column in enumerate(self.columns)}
        texts = {
            column.header: pl.Series([row[place[column.header]] for row in self.rows], dtype=pl.String)
            for column, _ in wanted
        }
        frame = pl.DataFrame(texts).lazy()
        return typed_columns(frame, [(column, column.header, own) for column, own in wanted], self.tally)


Progress = Callable[[int, int], bool]
"""Called with steps done and steps in all; returns False to cancel."""


def go_on(_done: int, _all: int) -> bool:
    """The Progress of who neither watches nor cancels."""
    return True


@dataclass(frozen=True)
class TableSource:
    """One file's rows, and what its name says of all of them; None where the name says nothing."""

    file_name: str
    store: RowStore
    device: int | None = None
    model: int | None = None
    iteration: int | None = None


def step(progress: Progress, done: int, steps: int) -> None:
    if not progress(done, steps):
        raise CancelledError(_("Cancelled."))
