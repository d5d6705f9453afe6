"""The rows of a view as text, CSV, JSON or Markdown, in pieces: what ``table`` prints and a pane writes."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from prof_tui.data.tables.cells import MISSING, has_exponent, is_number, plain
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table
from prof_tui.data.writing.text import aligned, widest
from prof_tui.words import NOT_AVAILABLE, _, count, printable

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
    places = [written.table.place(column) for column in written.columns]
    for first in range(0, max(len(written.rows), 1), ROWS_AT_ONCE):
        rows = written.rows.slice(first, ROWS_AT_ONCE).to_list()
        yield [[cells[place] for place in places] for cells in written.table.cells(rows)]


_LARGEST_EXACT = 1 << 53
"""A reader with 64-bit floats rounds integers beyond this."""
_MOST_DIGITS = len(str(_LARGEST_EXACT))

_remembered = lru_cache(maxsize=1 << 14)
"""Most cells of an export repeat: names, types, shapes, zeros, N/A."""

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)


def json_text(value: object) -> str:
    """A value on one line, all characters but control characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def write_json(written: WrittenView) -> Iterator[str]:
    """The object of ``table --format json`` in pieces."""
    head = {
        "table": written.table.name,
        "device": written.device,
        "columns": [_column(column) for column in written.columns],
    }
    before = json_text(head).removesuffix("}") + ', "rows": [\n'
    for rows in _row_texts(written):
        yield before + ",\n".join(rows)
        before = ",\n"
    tail = {
        "total": written.total,
        "matched": written.matched,
        "shown": written.shown,
        "files": written.files,
        "notices": written.notices,
    }
    yield "\n], " + json_text(tail).removeprefix("{") + "\n"


def _column(column: Column) -> dict[str, object]:
    described: dict[str, object] = {
        "name": column.header,
        "unit": column.unit,
        "type": "decimal" if column.kind == "duration" else column.kind,
    }
    return described | ({"derived": True} if column.derived else {})


def _row_texts(written: WrittenView) -> Iterator[list[str]]:
    """The rows of each chunk as JSON objects."""
    writers = [(json_text(column.header), _cell_writer(column)) for column in written.columns]
    for chunk in row_chunks(written):
        yield [
            "{"
            + ", ".join(f"{name}: {write(cell)}" for (name, write), cell in zip(writers, cells, strict=True))
            + "}"
            for cells in chunk
        ]


def _cell_writer(column: Column) -> Callable[[str | None], str]:
    if column.kind == "text":
        return _text_cell
    if column.kind == "int" and column.spec.group == "identity":
        return _id
    return _time if column.kind == "time" else _number


@_remembered
def _text_cell(cell: str | None) -> str:
    return json_text(cell)


def _time(cell: str | None) -> str:
    return "null" if cell is None or cell in MISSING else json_text(cell)


def _id(cell: str | None) -> str:
    """An id as a JSON number, but for one that a spreadsheet rounded: that stays a text."""
    return json_text(cell) if cell is not None and has_exponent(cell) else _number(cell)


@_remembered
def _number(cell: str | None) -> str:
    """A cell as a JSON number; what is none in a column of numbers (``host`` as a device) as its text."""
    if cell is None or cell in MISSING:
        return "null"
    cell = plain(cell)
    if _JSON_NUMBER.fullmatch(cell):
        return json_text(cell) if _is_rounded(cell) else cell
    if is_number(cell) and "e" not in cell.lower():
        number = f"{Decimal(cell):f}"
        return json_text(number) if _is_rounded(number) else number
    return json_text(cell)


def _is_rounded(number: str) -> bool:
    digits = number.removeprefix("-")
    return digits.isdigit() and (len(digits) > _MOST_DIGITS or int(digits) > _LARGEST_EXACT)


Format = Literal["text", "csv", "json", "md"]
FORMATS: tuple[Format, ...] = ("text", "csv", "json", "md")
EXACT_FORMATS: tuple[Format, ...] = ("csv", "json")
"""Formats that are UTF-8 wherever they are written, whatever a terminal reads."""


def write_rows(written: WrittenView, format_: Format, *, width: int | None = None) -> Iterator[str]:
    """The view as text in pieces, each of whole lines.

    ``width`` (terminal cells) cuts the lines of ``text``; None leaves them whole.  The first piece has the
    first rows.  UnreadableError when a file can't be read, or was changed meanwhile.
    """
    if format_ == "json":
        return write_json(written)
    if format_ == "csv":
        return _csv(written)
    return _markdown(written) if format_ == "md" else _text(written, width)


_CR_LF = "\r\n"
"""The csv module quotes a cell with one of these only where they end its lines."""


class _Lines(list[str]):
    """Lines of CSV that end with LF."""

    def write(self, line: str) -> None:
        self.append(line.removesuffix(_CR_LF) + "\n")


def _csv(written: WrittenView) -> Iterator[str]:
    header: list[list[str]] = [_titles(written)]
    for chunk in row_chunks(written):
        lines = _Lines()
        csv.writer(lines, lineterminator=_CR_LF).writerows(header + [_shown(cells) for cells in chunk])
        header = []
        yield "".join(lines)


def _markdown(written: WrittenView) -> Iterator[str]:
    rules = ["---" if column.kind == "text" else "---:" for column in written.columns]
    head = _markdown_line(_titles(written)) + f"| {' | '.join(rules)} |\n"
    for chunk in row_chunks(written):
        yield head + "".join(_markdown_line(_shown(cells)) for cells in chunk)
        head = ""


def _markdown_line(cells: Sequence[str]) -> str:
    escaped = (printable(cell).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |\n"


def _text(written: WrittenView, width: int | None) -> Iterator[str]:
    """Aligned columns; a later piece with longer cells has wider columns from there on."""
    right = [column.kind != "text" for column in written.columns]
    head = [_titles(written)]
    widths = [0] * len(right)
    for chunk in row_chunks(written):
        lines = [[printable(cell) for cell in cells] for cells in head + [_shown(cells) for cells in chunk]]
        widths = widest(lines, widths)
        yield "".join(aligned(cells, widths, right, width) for cells in lines)
        head = []


def _titles(written: WrittenView) -> list[str]:
    return [column.header for column in written.columns]


def _shown(cells: Sequence[str | None]) -> list[str]:
    """A cell of a column that the row's file lacks is N/A."""
    return [NOT_AVAILABLE if cell is None else cell for cell in cells]
