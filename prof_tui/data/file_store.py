"""Rows that stay in their file: a line index, and columns read when something needs them.

The design and its measurements are in performance.md ("op_summary"): a projected scan of one column
takes a quarter second per million rows where reading all takes eight times that and 1.25 GB.  Under
projection a row with too many or too few cells would give another column's cell without an error, so
the first scan also asks for the last column and one past it, and rows so found are judged one by one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from prof_tui.data.cell_values import clean
from prof_tui.data.columns import Column
from prof_tui.data.csv_text import Tally, decode, logical_lines, split_line
from prof_tui.data.record_fit import fit
from prof_tui.data.source_files import SourceFile
from prof_tui.errors import UnreadableError
from prof_tui.words import _

if TYPE_CHECKING:
    import polars as pl

_PAST = "past"
"""Name of the column past the header's last: not null where a row has too many cells."""


class FileStore:
    """Rows of one large CSV file."""

    def __init__(self, source: SourceFile, columns: Sequence[Column], head: list[list[str]]) -> None:
        self.columns = tuple(columns)
        self.tally = Tally()
        self.left_out: list[int] = []
        self._source = source
        self._head = head
        self._body: bytes | None = None
        """The file's text put right, where its bytes or quotes can't be read in place."""
        self._starts: pl.Series | None = None
        self._repaired: dict[int, list[str]] = {}
        self._judged = False

    @property
    def ready(self) -> bool:
        return self._starts is not None

    @property
    def row_count(self) -> int:
        return len(self._head) if self._starts is None else len(self._starts) - 1

    def prepare(self) -> None:
        if self._starts is not None:
            return
        from prof_tui.data.line_index import DamagedText, line_starts

        self._source.check()
        try:
            self._starts = line_starts(self._source)
        except DamagedText:
            self._body = self._put_right()
            self._starts = line_starts(self._body)

    def _put_right(self) -> bytes:
        """The whole file as well-formed UTF-8 CSV, each row on one line."""
        decoded = decode(self._source.read())
        if decoded.notice:
            self.tally.notes.append(decoded.notice)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        for line in self._whole_lines(decoded.text):
            if '"' in line:
                writer.writerow(split_line(line))
            else:
                out.write(line + "\n")
        return out.getvalue().encode("utf-8", "replace")

    def _whole_lines(self, text: str) -> Iterator[str]:
        lines = text.split("\n")
        if lines and lines[-1].count('"') % 2:
            self.tally.last_line_cut = True
            lines.pop()
        return logical_lines(lines, len(self.columns))

    def read(self, rows: Sequence[int]) -> list[list[str]]:
        if self._starts is None:
            return [self._head[row] for row in rows]
        raw = [row for row in rows if row not in self._repaired]
        cells = dict(zip(raw, self._raw_cells(raw), strict=True))
        return [
            self._repaired[row] if row in self._repaired else [clean(cell) for cell in cells[row]]
            for row in rows
        ]

    def _raw_cells(self, rows: Sequence[int]) -> list[list[str]]:
        assert self._starts is not None
        starts = self._starts
        pieces = [(int(starts[row]), int(starts[row + 1] - starts[row])) for row in rows]
        if self._body is None:
            found = self._source.read_pieces(pieces)
        else:
            found = [self._body[offset : offset + length] for offset, length in pieces]
        return [split_line(piece.decode("utf-8", "replace").rstrip("\r\n")) for piece in found]

    def load(self, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        import polars as pl

        from prof_tui.data.column_loading import scatter_texts, typed_columns

        self.prepare()
        place = {column.header: str(i) for i, column in enumerate(self.columns)}
        flags = (
            []
            if self._judged
            else [pl.col(str(len(self.columns) - 1)).is_null() | pl.col(_PAST).is_not_null()]
        )
        named = [(column, place[column.header], own) for column, own in wanted]
        try:
            series = typed_columns(self._scan(), named, self.tally, flags)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise self._damaged(error) from error
        if flags:
            self._judge(series.pop().arg_true().to_list())
        rows = sorted(self._repaired)
        return [
            scatter_texts(column, own, values, rows, [self._repaired[row][int(name)] for row in rows])
            for (column, name, own), values in zip(named, series, strict=True)
        ]

    def _scan(self) -> pl.LazyFrame:
        import polars as pl

        if self._body is None:
            self._source.check()
        names = [str(i) for i in range(len(self.columns))] + [_PAST]
        return pl.scan_csv(
            self._source.path if self._body is None else self._body,
            has_header=False,
            skip_lines=1,
            schema=dict.fromkeys(names, pl.String),
            missing_columns="insert",
            truncate_ragged_lines=True,
        )

    def _judge(self, suspects: Sequence[int]) -> None:
        """Repair or leave out the rows that have too many or too few cells, or an empty last one."""
        last = self.row_count - 1 if self._ends_open() else -1
        for row, cells in zip(suspects, self._raw_cells(suspects), strict=True):
            blank = len(cells) <= 1 and not "".join(cells).strip()
            fitted = fit(cells, self.columns)
            if row == last and len(cells) < len(self.columns) and not blank:
                self.tally.last_line_cut = True
            elif fitted.cells is None and not blank:
                self.tally.left_out += 1
            if fitted.cells is None:
                self.left_out.append(row)
            elif fitted.repaired:
                self.tally.repaired += 1
                self._repaired[row] = [clean(cell) for cell in fitted.cells]
        self._judged = True

    def _ends_open(self) -> bool:
        if self._body is not None:
            return False
        return self._source.size > 0 and self._source.read(self._source.size - 1, 1) != b"\n"

    def _damaged(self, error: Exception) -> UnreadableError:
        self._source.check()
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        return UnreadableError(
            _("{file} can't be read as CSV: {why}; export the capture again.").format(
                file=self._source.path.name, why=why
            )
        )
