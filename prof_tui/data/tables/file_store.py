"""Rows that stay in their file: a line index, and columns read when something needs them.

The design and its measurements are in performance.md ("op_summary"): a projected scan of one column
takes a quarter second per million rows where reading all takes eight times that and 1.25 GB.  Under
projection a row with too many or too few cells would give another column's cell without an error, so
the first scan also asks for the last column and one past it, and rows so found are judged one by one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from prof_tui.data.tables.cells import clean
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.csv_rows import COMMA, judge_row, split_line, well_formed
from prof_tui.data.tables.repairs import Tally
from prof_tui.data.tables.source_file import DamagedText, SourceFile
from prof_tui.data.tables.stores import StoredColumns, polars_faults
from prof_tui.errors import UnreadableError
from prof_tui.words import NOT_AVAILABLE, _

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.tables.line_index import LineIndex
    from prof_tui.data.tables.typed_columns import Scanned, Wanted

_PAST = tuple(f"past {i}" for i in range(3))
"""Columns past the last one: one of them is not null in a row with too many cells, unless all are empty."""
_LINES_AT_ONCE = 20_000
_NONE: Mapping[str, type[pl.DataType]] = {}


class FileStore(StoredColumns):
    """Rows of one large CSV file."""

    def __init__(
        self,
        source: SourceFile,
        columns: Sequence[Column],
        head: list[list[str]],
        delimiter: str | None = None,
    ) -> None:
        """``delimiter``: what separates cells in a file that can't be read in place for its form."""
        super().__init__(columns)
        self._delimiter = delimiter
        self.left_out: list[int] = []
        self._source = source
        self._head = head
        """The first rows, numbered among themselves until all are found."""
        self._body: bytes | None = None
        """The file's text repaired, where its bytes or quotes can't be read in place."""
        self._index: LineIndex | None = None
        self._judged = False
        """Whether the damaged rows are known."""
        self._is_plain = True
        """Whether no cell was found yet that keeps the CSV reader from parsing numbers."""
        self._repaired: dict[int, list[str]] = {}
        self._finding = threading.Lock()

    @property
    def ready(self) -> bool:
        return self._index is not None

    @property
    def judged(self) -> bool:
        return self._judged

    @property
    def undamaged(self) -> bool:
        return self._judged and self._body is None and not self.left_out and not self._repaired

    @property
    def row_count(self) -> int:
        return len(self._head) if self._index is None else len(self._index)

    # Finding the rows

    def prepare(self) -> None:
        if not self._judged:
            self.load([])

    def _find_rows(self, named: Sequence[Wanted]) -> Scanned:
        """Index the lines and judge those that the first scan suspects; the scan also reads columns."""
        import polars as pl

        from prof_tui.data.tables.line_index import index_body, index_file

        self._source.check()
        if self._delimiter is not None and self._body is None:
            raise DamagedText
        index = index_file(self._source) if self._body is None else index_body(self._body)
        scanned = self._scan(named, index, judge=True)
        if self._body is None:
            self.tally.ends_open = self._source.read(self._source.size - 1) != b"\n"
        suspects = pl.concat([scanned.suspects, index.ending_in_comma]).unique().sort()
        self._judge(index, suspects.to_list())
        self._index, self._judged = index, True
        return scanned

    def _put_right(self) -> None:
        """From now on read a well-formed copy of the file in memory."""
        self._source.check()
        self.tally, self._index, self._judged = Tally(), None, False
        self.left_out, self._repaired = [], {}
        self._body = well_formed(self._source, self.columns, self.tally, self._delimiter or COMMA)

    def _judge(self, index: LineIndex, suspects: Sequence[int]) -> None:
        """Repair the suspect rows or leave them out."""
        last = len(index) - 1 if self.tally.ends_open else -1
        if last >= 0 and last not in suspects:
            suspects = [*suspects, last]
        for at in range(0, len(suspects), _LINES_AT_ONCE):
            rows = suspects[at : at + _LINES_AT_ONCE]
            for row, line in zip(rows, self._lines(rows, index), strict=True):
                cells = judge_row(line, self.columns, self.tally, may_be_cut=row == last)
                if cells is None:
                    self.left_out.append(row)
                else:
                    self._repaired[row] = cells

    def skim(
        self, wanted: Sequence[tuple[Column, pl.Categories]], *, numbered: bool = False
    ) -> list[pl.Series] | None:
        """Columns in one pass, in half the time of ``load``; None where a cell needs another look.

        What ``load`` gives once rows are judged.
        """

        from prof_tui.data.tables.typed_columns import skim

        if numbered:
            [(column, _own)] = wanted
            numbers = self._numbers_with_lines(column)
            return None if numbers is None else [numbers]
        if self._judged or self._body is not None or self._delimiter is not None:
            return self.load(wanted)
        named = self._name_columns(wanted)
        try:
            parsed = self._types_to_parse(named)
            return skim(self._frame(parsed), named, parsed)
        except DamagedText:
            return None
        except polars_faults():
            return None

    def _numbers_with_lines(self, column: Column) -> pl.Series | None:
        """A duration's values (Int64 ns) together with the index of lines, in half the time of a scan.

        None where the lines are too irregular for that, or are known already.  Rows are not judged by it.
        """
        from prof_tui.data.tables.line_index import LineIndex, starts_and_numbers
        from prof_tui.data.tables.typed_columns import durations_of

        place = self._places[column.header]
        witness = self._number_behind_texts(place)
        with self._finding:
            known = self._index is not None or self._delimiter is not None
            if column.kind != "duration" or witness is None or known:
                return None
            self._source.check()
            try:
                starts, numbers = starts_and_numbers(self._source, place, witness)
            except DamagedText:
                return None
            self._index = LineIndex(starts)
        return None if numbers is None else durations_of(numbers, column)

    def _number_behind_texts(self, place: int) -> int | None:
        """The column before ``place`` that holds numbers and follows a text: a shift puts a text there."""
        kinds = [column.kind for column in self.columns[:place]]
        behind = (i for i in range(place - 1, 0, -1) if kinds[i] != "text" and kinds[i - 1] == "text")
        return next(behind, None)

    def _name_columns(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[Wanted]:
        """With the names that columns have in a frame: their places."""
        return [(column, str(self._places[column.header]), own) for column, own in wanted]

    # Reading them

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        if self._index is None:
            return [self._head[row] for row in rows]
        raw = [row for row in rows if row not in self._repaired]
        lines = dict(zip(raw, self._lines(raw, self._index), strict=True))
        return [self._repaired[row] if row in self._repaired else self._cells(lines[row]) for row in rows]

    def _cells(self, line: str) -> list[str]:
        cells = [clean(cell) for cell in split_line(line)]
        if len(cells) == len(self.columns):
            return cells
        # Seen before the rows were judged: as it stands, until it is repaired or left out.
        return (cells + [""] * len(self.columns))[: len(self.columns)]

    def _lines(self, rows: Sequence[int], index: LineIndex) -> Iterator[str]:
        pieces = index.pieces(rows)
        if self._body is None:
            found = self._source.read_pieces(pieces)
        else:
            found = [self._body[offset : offset + length] for offset, length in pieces]
        return (piece.decode("utf-8", "replace").rstrip("\r\n") for piece in found)

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        named = self._name_columns(wanted)
        try:
            return self._load_named(named)
        except DamagedText as error:
            if self._body is not None:
                raise self._damaged(error.__cause__) from error
        with self._finding:
            self._put_right()
        try:
            return self._load_named(named)
        except DamagedText as error:
            raise self._damaged(error.__cause__) from error

    def _load_named(self, named: Sequence[Wanted]) -> list[pl.Series]:
        import polars as pl

        from prof_tui.data.tables.typed_columns import replace_rows, settle

        with self._finding:
            scanned = None if self._judged else self._find_rows(named)
        if not named:  # a scan of no columns has no height that could be held against the lines
            return []
        scanned = scanned or self._scan(named, self._index, judge=False)
        rows = sorted(self._repaired)
        try:
            loaded = settle(self._frame(), named, scanned, self.tally, {*self.left_out, *rows})
        except polars_faults() as error:
            raise DamagedText from error
        nothing = pl.Series(self.left_out, dtype=pl.UInt32)
        result = []
        for item, values in zip(named, loaded, strict=True):
            texts = [self._repaired[row][int(item[1])] for row in rows]
            result.append(replace_rows(values, item, rows, texts, self.tally).scatter(nothing, None))
        return result

    def _scan(self, named: Sequence[Wanted], index: LineIndex | None, *, judge: bool) -> Scanned:
        """Read columns; DamagedText where the file's rows aren't its lines."""

        from prof_tui.data.tables.typed_columns import scan

        suspect = self._suspect() if judge else None
        scanned = None
        if self._is_plain:
            try:
                parsed = self._types_to_parse(named, judge=judge)
                scanned = scan(self._frame(parsed), named, suspect, parsed_names=parsed)
            except polars_faults():
                self._is_plain = False
        try:
            scanned = scanned or scan(self._frame(), named, suspect)
        except polars_faults() as error:
            raise DamagedText from error
        if index is not None and scanned.height != len(index):
            raise DamagedText
        return scanned

    def _suspect(self) -> pl.Expr:
        """Rows to look at: of another length, or repeating the header."""
        import polars as pl

        first, last = pl.col("0"), pl.col(str(len(self.columns) - 1))
        header = first.str.starts_with(self.columns[0].header).fill_null(False)
        return last.is_null() | pl.any_horizontal(pl.col(_PAST).is_not_null()) | header

    def _types_to_parse(
        self, named: Sequence[Wanted], *, judge: bool = False
    ) -> dict[str, type[pl.DataType]]:
        """The columns whose numbers the CSV reader is to parse itself, in half the time.

        Any other text in them but N/A is an error.  Rows are judged by the texts of the first and the last.
        """
        from prof_tui.data.tables.typed_columns import PARSED

        needed = (str(0), str(len(self.columns) - 1)) if judge else ()
        return {
            name: PARSED[column.kind]
            for column, name, _own in named
            if column.kind in PARSED and name not in needed
        }

    def _frame(self, parsed: Mapping[str, type[pl.DataType]] = _NONE) -> pl.LazyFrame:
        """All columns as texts but those ``parsed``, and some past the last."""
        import polars as pl

        if self._body is None:
            self._source.check()
            if self._ends_in_quotes:
                raise DamagedText
        names = [*(str(i) for i in range(len(self.columns))), *_PAST]
        return pl.scan_csv(
            self._source.path if self._body is None else self._body,
            has_header=False,
            skip_lines=1,
            schema={**dict.fromkeys(names, pl.String), **parsed},
            null_values=dict.fromkeys(parsed, NOT_AVAILABLE) or None,
            missing_columns="insert",
            extra_columns="ignore",
            truncate_ragged_lines=True,
            glob=False,
        )

    @cached_property
    def _ends_in_quotes(self) -> bool:
        """Whether the file ends behind a quote that begins a cell: polars panics and writes to the screen."""
        return self._source.read(max(0, self._source.size - 2)) == b',"'

    def _damaged(self, error: BaseException | None) -> UnreadableError:
        self._source.check()
        why = str(error).splitlines()[0] if str(error or "") else _("its rows can't be separated")
        return UnreadableError(
            _("{file} can't be read as CSV: {why}; export the capture again.").format(
                file=self._source.path.name, why=why
            )
        )
