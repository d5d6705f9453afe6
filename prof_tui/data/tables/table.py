"""One table of the export: its files as one run of rows, addressed by row number and column."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from prof_tui.data.tables.bound import BOUND, duration_of, is_bound, row_words
from prof_tui.data.tables.cells import is_wrapped, repair_wrapped
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.known_columns import column_for, find_column
from prof_tui.data.tables.stores import Progress, TableSource, go_on, reading, report_progress
from prof_tui.errors import UsageError
from prof_tui.words import _, counted

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.spans.times import RunTimes
    from prof_tui.data.tables.repairs import Tally
    from prof_tui.data.tables.typed_columns import TextColumn, Values


_WIDER = {"decimal": 1, "text": 2}
"""Which kind a column has whose files differ in it: the one that holds the cells of all."""


class Table:
    """Rows of all files of one table.

    A row number counts from 0 through the files in order.  ``values`` and ``cells`` may be called from
    any thread; both may read files, so never from the UI's.
    """

    def __init__(self, name: str, sources: Sequence[TableSource], problems: Sequence[str] = ()) -> None:
        self.name = name
        self.sources = tuple(sources)
        self.problems = tuple(problems)
        """Sentences on files that are not among the sources."""
        self.columns = self._all_columns()
        self._places = {column.header: place for place, column in enumerate(self.columns)}
        self._values: dict[str, Values] = {}
        self._skimmed: dict[str, Values] = {}
        """Columns read before rows were judged."""
        self._orders: dict[tuple[str, bool], pl.Series] = {}
        self._times: dict[str, RunTimes] = {}
        self._changed = threading.Condition()
        self._loading: set[str] = set()
        """Headers of columns that some thread is reading."""

    def _all_columns(self) -> tuple[Column, ...]:
        found: dict[str, Column] = {}
        with_rows_first = sorted(self.sources, key=lambda source: not source.store.row_count)
        for column in (column for source in with_rows_first for column in source.store.columns):
            known = found.setdefault(column.header, column)
            if _WIDER.get(column.kind, 0) > _WIDER.get(known.kind, 0):
                found[column.header] = column
        ids = {column.id for column in found.values()}
        devices = {source.device for source in self.sources}
        if len(devices) > 1 and "device_id" not in ids:
            found["device"] = column_for("device", derived=True)
        if len({source.iteration for source in self.sources}) > 1 and "infer_id" not in ids:
            found["iteration"] = column_for("iteration", derived=True)
        if self.name == "op_summary" and duration_of(found.values()) and BOUND not in found:
            found[BOUND] = column_for(BOUND, derived=True)
        return tuple(found.values())

    # What there is

    @property
    def ready(self) -> bool:
        """Whether every row can be read."""
        return all(source.store.ready for source in self.sources)

    @property
    def judged(self) -> bool:
        """Whether the damaged rows are known: ``total`` and ``notices`` are final."""
        return all(source.store.judged for source in self.sources)

    @property
    def row_count(self) -> int:
        """Row numbers in use, those of damaged rows included."""
        return sum(source.store.row_count for source in self.sources)

    @property
    def total(self) -> int:
        """Rows that can be shown."""
        return self.row_count - sum(len(source.store.left_out) for source in self.sources)

    @property
    def notices(self) -> list[str]:
        """What was left out, repaired or not read, one sentence each."""
        said = list(self.problems)
        for source in self.sources:
            said += source.store.tally.sentences(source.file_name)
        if self.ready and not self.total:
            said.append(
                _("{table}: no rows in {files}.").format(table=self.name, files=", ".join(self.file_names))
            )
        wrapped = sum(source.store.tally.wrapped for source in self.sources)
        if wrapped:
            said.append(
                counted(
                    "{table}: {n} wrapped unsigned number is shown as what it stands for.",
                    "{table}: {n} wrapped unsigned numbers are shown as what they stand for.",
                    wrapped,
                    table=self.name,
                )
            )
        return said

    @property
    def file_names(self) -> list[str]:
        return list(dict.fromkeys(source.file_name for source in self.sources))

    def column(self, word: str) -> Column:
        """The column that a header, an id or another generation's spelling names; UsageError if none."""
        return find_column(self.columns, word)

    def place(self, column: Column) -> int:
        """Which of the columns it is, from 0."""
        return self._places[column.header]

    def get(self, column_id: str) -> Column | None:
        """The column with this id, or None where the files lack it."""
        return next((column for column in self.columns if column.id == column_id), None)

    @property
    def text_columns(self) -> tuple[Column, ...]:
        """The files' text columns: one that is worked out takes a reading of its own."""
        return tuple(column for column in self.columns if column.kind == "text" and not is_bound(column))

    # Rows

    def prepare(self, progress: Progress = go_on) -> None:
        """Find all rows; CancelledError when ``progress`` says so."""
        for done, source in enumerate(self.sources):
            report_progress(progress, done, len(self.sources))
            with reading(source.file_name):
                source.store.prepare()
        report_progress(progress, len(self.sources), len(self.sources))

    def cells(self, rows: Sequence[int]) -> list[list[str | None]]:
        """Clean cells of ``rows``, one per column; None where the row's file lacks the column."""
        bases = self._bases()
        wanted: dict[int, list[int]] = {}
        for row in rows:
            wanted.setdefault(bisect_right(bases, row) - 1, []).append(row)
        found: dict[int, list[str | None]] = {}
        for index, own in wanted.items():
            source = self.sources[index]
            with reading(source.file_name):
                texts = source.store.read([row - bases[index] for row in own])
            found.update(zip(own, self._aligned(source, texts), strict=True))
        return [found[row] for row in rows]

    def _bases(self) -> list[int]:
        return list(accumulate((source.store.row_count for source in self.sources[:-1]), initial=0))

    def _aligned(self, source: TableSource, texts: Iterable[list[str]]) -> list[list[str | None]]:
        own = source.store.columns
        places = [source.store.place(column) for column in self.columns]
        named = {"device": source.device, "iteration": source.iteration}
        absent = [_text(named.get(column.header)) for column in self.columns]
        durations = [i for i, column in enumerate(self.columns) if column.kind == "duration"]
        bounds = [(i, row_words(own)) for i, column in enumerate(self.columns) if is_bound(column)]
        rows: list[list[str | None]] = []
        for texts_of_row in texts:
            row = [absent[i] if at is None else texts_of_row[at] for i, at in enumerate(places)]
            for i in durations:
                at, text = places[i], row[i]
                if (
                    text
                    and len(text) > _LONGEST_PLAIN
                    and at is not None
                    and is_wrapped(text, own[at].ns_per_unit)
                ):
                    row[i] = repair_wrapped(own[at], text)
            for i, word_of in bounds:
                row[i] = word_of(texts_of_row)
            rows.append(row)
        return rows

    # Columns

    def values(self, column: Column) -> pl.Series | TextColumn:
        """A column's typed values over all row numbers."""
        self.load([column])
        return self._values[column.header]

    def numbers(self, column: Column) -> pl.Series:
        """``values`` of a column that isn't text; ids and counts in the narrowest type that holds them."""
        found = self.values(column)
        assert column.kind != "text"
        return found  # type: ignore[return-value]

    def keys(self, column: Column) -> pl.Series | TextColumn:
        """``values`` as they are compared: a number that is too large for one is the largest."""
        from prof_tui.data.tables.order import with_largest

        values = self.values(column)
        rows = self.rows_where(lambda tally: tally.beyond(column))
        return with_largest(values, rows) if rows else values

    def rows_where(self, rows_of: Callable[[Tally], Sequence[int]]) -> list[int]:
        """Row numbers of the table for the rows that ``rows_of`` takes from what is known of each file."""
        bases = zip(self._bases(), self.sources, strict=True)
        return [base + row for base, source in bases for row in rows_of(source.store.tally)]

    def times(self, column: Column) -> RunTimes:
        """``values`` of a column of times as far as they are times of this run."""
        values = self.numbers(column)
        with self._changed:
            known = self._times.get(column.header)
        if known is None:
            known = judge(self, column, values)
            with self._changed:
                self._times[column.header] = known
        return known

    def texts(self, column: Column) -> TextColumn:
        """``values`` of a text column."""
        if column.kind != "text":
            raise UsageError(_("{column} is not a text column.").format(column=column.header))
        return self.values(column)  # type: ignore[return-value]

    def load(self, columns: Sequence[Column], progress: Progress = go_on) -> None:
        """Read the columns that are not there yet, in one pass over each file.

        Columns that another thread is reading are waited for, others are read beside it.
        """
        wanted = {column.header for column in columns}
        with self._changed:
            mine = [c for c in columns if c.header not in self._values and c.header not in self._loading]
            self._loading.update(column.header for column in mine)
        try:
            loaded = self._load_skimmed(mine, progress) if mine else {}
            with self._changed:
                self._values.update(loaded)
        finally:
            with self._changed:
                self._loading.difference_update(column.header for column in mine)
                self._changed.notify_all()
        with self._changed:
            self._changed.wait_for(lambda: not wanted & self._loading)
        if not wanted <= self._values.keys():  # another thread gave up on them
            self.load(columns, progress)

    def _load_skimmed(self, columns: Sequence[Column], progress: Progress) -> dict[str, Values]:
        """Columns by header; those that were skimmed hold where no row turns out to be damaged."""
        from prof_tui.data.tables.loading import load_columns

        with self._changed:
            skimmed, self._skimmed = self._skimmed, {}
        others = [column for column in columns if column.header not in skimmed]
        again = [column for column in columns if column.header in skimmed]
        loaded = load_columns(self.sources, others, progress) if others else {}
        if others and all(source.store.undamaged for source in self.sources):
            return loaded | {column.header: skimmed[column.header] for column in again}
        return loaded | load_columns(self.sources, again, progress) if again else loaded

    def peek(self, column: Column, progress: Progress = go_on) -> bool:
        """Read one column of durations and find all rows, without judging them; False where that can't be."""
        from prof_tui.data.tables.loading import skim_columns

        with self._changed:
            if column.header in self._values or self._loading:
                return False
            self._loading.add(column.header)
        peeked = None
        try:
            peeked = skim_columns(self.sources, [column], progress, numbered=True)
        finally:
            with self._changed:
                self._loading.discard(column.header)
                self._values.update(peeked or {})
                self._changed.notify_all()
        return peeked is not None

    def skim(self, columns: Sequence[Column], progress: Progress = go_on) -> dict[str, Values]:
        """Columns by header, as soon as they can be had: for sums over all rows that are wanted first.

        Before rows are judged the values are in file order, have no row numbers, and may hold some of a
        damaged row.
        """
        from prof_tui.data.tables.loading import skim_columns

        with self._changed:
            known = all(column.header in self._values for column in columns)
        skimmed = None if known else skim_columns(self.sources, columns, progress)
        if skimmed is None:
            return {each.header: self.values(each) for each in columns}
        with self._changed:
            self._skimmed |= skimmed
        return skimmed

    def order(self, column: Column, descending: bool) -> pl.Series:
        """All row numbers sorted by a column: stable, missing values last in both directions (UInt32)."""
        from prof_tui.data.tables.order import sorted_rows

        values = self.keys(column)
        key = (column.header, descending)
        with self._changed:
            known = self._orders.get(key)
        if known is not None:
            return known
        order = sorted_rows(values, descending)
        with self._changed:
            while len(self._orders) >= _KEPT_ORDERS:
                self._orders.pop(next(iter(self._orders)))
            self._orders[key] = order
        return order


_KEPT_ORDERS = 4
"""Sort orders that are kept: at five million rows each takes 20 MB and 0.3 s."""


_LONGEST_PLAIN = 9
"""No shorter text is a wrapped number, in no unit."""


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)


def kept_rows(table: Table) -> pl.Series | None:
    """Boolean per row number: False for damaged rows; None when there are none."""
    import polars as pl

    left_out: list[int] = []
    base = 0
    for source in table.sources:
        left_out += [base + row for row in source.store.left_out]
        base += source.store.row_count
    if not left_out:
        return None
    return pl.Series([True]).new_from_index(0, base).scatter(left_out, False)


def judge(table: Table, column: Column, times_ns: pl.Series) -> RunTimes:
    """The times of a column, one per row number, as far as they are times of this run."""
    import polars as pl

    from prof_tui.data.spans.times import judge_times

    rows = table.rows_where(lambda tally: tally.rounded(column))
    if not rows:
        return judge_times(times_ns)
    rounded = pl.Series([False]).new_from_index(0, len(times_ns))
    return judge_times(times_ns, rounded.scatter(rows, True))


def per_source(table: Table, attribute: str) -> pl.Series:
    """What the files' names say (``device``, ``model`` or ``iteration``), Int64 per row number, else null."""
    import polars as pl

    parts = [
        pl.Series([source.named(attribute)], dtype=pl.Int64).new_from_index(0, source.store.row_count)
        for source in table.sources
    ]
    return pl.concat(parts) if parts else pl.Series([], dtype=pl.Int64)


def device_numbers(table: Table) -> pl.Series:
    """The device of each row, Int64: from the column, else from the file's name; null where unknown."""
    import polars as pl

    column = table.get("device_id")
    if column is None or column.derived:
        return per_source(table, "device")
    return table.numbers(column).cast(pl.Int64)


def model_numbers(table: Table) -> pl.Series:
    """The Model ID of each row, Int64: from the column, else from the file's name; null where unknown."""
    import polars as pl

    column = table.get("model_id")
    return per_source(table, "model") if column is None else table.numbers(column).cast(pl.Int64)
