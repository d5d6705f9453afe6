"""Rows that stay in their file: a line index, and columns read when something needs them.

The design and its measurements are in performance.md ("op_summary"): a projected scan of one column
takes a quarter second per million rows where reading all takes eight times that and 1.25 GB.  Under
projection a row with too many or too few cells would give another column's cell without an error, so
the index of lines names those rows, and they are judged one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from prof_tui.data.cell_values import clean
from prof_tui.data.columns import Column
from prof_tui.data.csv_text import shown_cells, split_line
from prof_tui.data.source_files import SourceFile
from prof_tui.data.tally import Tally
from prof_tui.data.well_formed import well_formed
from prof_tui.errors import UnreadableError
from prof_tui.words import _

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.line_index import LineIndex


class FileStore:
    """Rows of one large CSV file."""

    def __init__(self, source: SourceFile, columns: Sequence[Column], head: list[list[str]]) -> None:
        self.columns = tuple(columns)
        self.tally = Tally()
        self.left_out: list[int] = []
        self._source = source
        self._head = head
        """The first rows, numbered among themselves until all are found."""
        self._body: bytes | None = None
        """The file's text put right, where its bytes or quotes can't be read in place."""
        self._index: LineIndex | None = None
        self._repaired: dict[int, list[str]] = {}

    @property
    def ready(self) -> bool:
        return self._index is not None

    @property
    def row_count(self) -> int:
        return len(self._head) if self._index is None else len(self._index)

    # Finding the rows

    def prepare(self) -> None:
        if self._index is not None:
            return
        from prof_tui.data.line_index import DamagedText, index_body, index_file

        shape = len(self.columns), self.columns[0].header
        self._source.check()
        try:
            index = index_file(self._source, *shape)
            self.tally.ends_open = self._source.read(self._source.size - 1) != b"\n"
        except DamagedText:
            self._body = well_formed(self._source, len(self.columns), self.tally)
            index = index_body(self._body, *shape)
        self._judge(index)
        self._index = index

    def _judge(self, index: LineIndex) -> None:
        """Repair the suspect rows or leave them out."""
        last = len(index) - 1 if self.tally.ends_open else -1
        for rows in index.suspects_by_piece():
            for row, line in zip(rows, self._lines(rows, index), strict=True):
                cells = shown_cells(line, self.columns, self.tally, may_be_cut=row == last)
                if cells is None:
                    self.left_out.append(row)
                else:
                    self._repaired[row] = cells

    # Reading them

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        if self._index is None:
            return [self._head[row] for row in rows]
        raw = [row for row in rows if row not in self._repaired]
        lines = dict(zip(raw, self._lines(raw, self._index), strict=True))
        return [
            self._repaired[row] if row in self._repaired else [clean(cell) for cell in split_line(lines[row])]
            for row in rows
        ]

    def _lines(self, rows: Sequence[int], index: LineIndex) -> Iterator[str]:
        pieces = index.pieces(rows)
        if self._body is None:
            found = self._source.read_pieces(pieces)
        else:
            found = [self._body[offset : offset + length] for offset, length in pieces]
        return (piece.decode("utf-8", "replace").rstrip("\r\n") for piece in found)

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        import polars as pl

        from prof_tui.data.column_loading import replaced, typed_columns

        self.prepare()
        place = {column.header: i for i, column in enumerate(self.columns)}
        named = [(column, str(place[column.header]), own) for column, own in wanted]
        rows = sorted(self._repaired)
        try:
            loaded = typed_columns(self._scan(), named, self.tally, [*self.left_out, *rows])
        except (pl.exceptions.PolarsError, OSError) as error:
            raise self._damaged(error) from error
        nothing = pl.Series(self.left_out, dtype=pl.UInt32)
        result = []
        for item, values in zip(named, loaded, strict=True):
            if len(values) != self.row_count:
                raise self._damaged(None)
            texts = [self._repaired[row][int(item[1])] for row in rows]
            result.append(replaced(values, item, rows, texts, self.tally).scatter(nothing, None))
        return result

    def _scan(self) -> pl.LazyFrame:
        """All columns as texts; rows of another length are cut or filled up, and judged elsewhere."""
        import polars as pl

        if self._body is None:
            self._source.check()
        return pl.scan_csv(
            self._source.path if self._body is None else self._body,
            has_header=False,
            skip_lines=1,
            schema=dict.fromkeys([str(i) for i in range(len(self.columns))], pl.String),
            missing_columns="insert",
            extra_columns="ignore",
            truncate_ragged_lines=True,
            glob=False,
        )

    def _damaged(self, error: Exception | None) -> UnreadableError:
        self._source.check()
        why = str(error).splitlines()[0] if str(error or "") else _("its rows can't be told apart")
        return UnreadableError(
            _("{file} can't be read as CSV: {why}; export the capture again.").format(
                file=self._source.path.name, why=why
            )
        )
