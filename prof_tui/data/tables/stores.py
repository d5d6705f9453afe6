"""Where a table's rows are: in memory for small files and computed tables, in the file for large ones.

All give clean cells by row number and typed values by column; a row number counts the rows of one store
from 0 in file order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.repairs import Tally
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError
from prof_tui.words import NOT_AVAILABLE, _, microseconds

if TYPE_CHECKING:
    import polars as pl


class RowStore(Protocol):
    """Rows of one file."""

    columns: tuple[Column, ...]
    tally: Tally

    def place(self, column: Column) -> int | None:
        """Which of the file's columns has this header, from 0; None for none."""
        ...

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
    def undamaged(self) -> bool:
        """Whether rows are judged and all are as they stand in the file."""
        ...

    @property
    def left_out(self) -> Sequence[int]:
        """Numbers of damaged rows that no view may show."""
        ...

    def prepare(self) -> None:
        """Find all rows.  Slow for a large file; raises UnreadableError."""
        ...

    def skim(
        self, wanted: Sequence[tuple[Column, pl.Categories]], *, numbered: bool = False
    ) -> list[pl.Series] | None:
        """What ``load`` gives, sooner and before rows are judged; None where it can't be had in a hurry.

        ``numbered``: and find all rows, so that values have row numbers.
        """
        ...

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        """Clean cells, one list per row number.  Raises UnreadableError."""
        ...

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        """Typed values per column, one per row: Int64, Float64, or UInt32 codes of the categories."""
        ...


Progress = Callable[[int, int], bool]
"""Called with steps done and steps in all; returns False to cancel."""


def go_on(_done: int, _all: int) -> bool:
    """The Progress of who neither watches nor cancels."""
    return True


def report_progress(progress: Progress, done: int, steps: int) -> None:
    """Tell how far the work is; CancelledError where it is to stop."""
    if not progress(done, steps):
        raise CancelledError(_("Cancelled."))


@contextmanager
def reading(file_name: str) -> Iterator[None]:
    """Whatever fails while a table's file is read costs that file: UnreadableError, which names it."""
    try:
        yield
    except ProfTuiError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        text = _("{file} can't be read, and nobody foresaw why ({error}): export or copy it again.")
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise UnreadableError(text.format(file=file_name, error=what)) from error


_PANIC = "PanicException"
"""What polars raises where its own code fails; no Exception, and told by name as polars may not be loaded."""


def polars_faults() -> tuple[type[BaseException], ...]:
    """What reading a file by polars may raise; its panics are no Exceptions."""
    import polars as pl

    return pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError


@dataclass(frozen=True)
class TableSource:
    """One file's rows, and what its name says of all of them; None where the name says nothing."""

    file_name: str
    store: RowStore
    device: int | None = None
    model: int | None = None
    iteration: int | None = None

    def named(self, what: str) -> int | None:
        """The ``device``, ``model`` or ``iteration`` that the file's name says."""
        return {"device": self.device, "model": self.model, "iteration": self.iteration}[what]


class StoredColumns:
    """The columns of a store, and where each of them stands."""

    def __init__(self, columns: Sequence[Column], tally: Tally | None = None) -> None:
        self.columns = tuple(columns)
        self.tally = tally or Tally()
        self._places = {column.header: place for place, column in enumerate(self.columns)}

    def place(self, column: Column) -> int | None:
        return self._places.get(column.header)


class MemoryStore(StoredColumns):
    """Rows held as texts: small files, tables written as JSON, small computed tables."""

    ready = judged = undamaged = True
    left_out: Sequence[int] = ()

    def __init__(self, columns: Sequence[Column], rows: list[list[str]], tally: Tally | None = None) -> None:
        super().__init__(columns, tally)
        self.rows = rows

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def prepare(self) -> None:
        """Nothing to find: the rows are here."""

    def skim(
        self, wanted: Sequence[tuple[Column, pl.Categories]], *, numbered: bool = False
    ) -> list[pl.Series]:
        return self.load(wanted)

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        return [self.rows[row] for row in rows]

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        import polars as pl

        from prof_tui.data.tables.typed_columns import typed_columns

        texts = {
            column.header: pl.Series([row[self._places[column.header]] for row in self.rows], dtype=pl.String)
            for column, _own in wanted
        }
        frame = pl.DataFrame(texts).lazy()
        return typed_columns(frame, [(column, column.header, own) for column, own in wanted], self.tally)


class FrameStore(StoredColumns):
    """Rows of a computed table, held as typed columns: many rows without a text per cell.

    One column of the frame per header: times and durations Int64 ns (columns in us), ids and counts
    integers, shares Float64, texts String; null is N/A.
    """

    ready = judged = undamaged = True
    left_out: Sequence[int] = ()

    def __init__(self, columns: Sequence[Column], frame: pl.DataFrame) -> None:
        super().__init__(columns)
        self.frame = frame

    @property
    def row_count(self) -> int:
        return len(self.frame)

    def prepare(self) -> None:
        """Nothing to find: the rows are here."""

    def skim(
        self, wanted: Sequence[tuple[Column, pl.Categories]], *, numbered: bool = False
    ) -> list[pl.Series]:
        return self.load(wanted)

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        import polars as pl

        some = self.frame[pl.Series(rows, dtype=pl.UInt32)]
        texts = [[_cell(column, value) for value in some[column.header]] for column in self.columns]
        return [list(row) for row in zip(*texts, strict=True)]

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        return [self._typed(column, categories) for column, categories in wanted]

    def _typed(self, column: Column, categories: pl.Categories) -> pl.Series:
        import polars as pl

        values = self.frame[column.header]
        if column.kind == "text":
            return values.fill_null(NOT_AVAILABLE).cast(pl.Categorical(categories)).to_physical()
        return values.cast(pl.Float64 if column.kind == "decimal" else pl.Int64)


def _cell(column: Column, value: object) -> str:
    if value is None:
        return NOT_AVAILABLE
    if isinstance(value, int) and column.kind in ("time", "duration"):
        return microseconds(value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)
