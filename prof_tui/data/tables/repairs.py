"""How a damaged row is repaired, in one way or none, and what reading a file changed, in sentences."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count

from prof_tui.data.tables.cells import (
    MISSING,
    PADDING,
    has_exponent,
    is_beyond,
    is_grouped,
    is_number,
    is_rounded,
    is_wrapped,
    plain,
)
from prof_tui.data.tables.columns import Column
from prof_tui.words import NOT_AVAILABLE, _, counted

_NAMES = frozenset(
    {"op_name", "kernel_name", "api_name", "model_name", "name", "node", "node name", "fusion op"}
)
_SHAPES = frozenset({"input_shapes", "output_shapes"})
_TEXT_FORMS = {
    "task_type": r"[A-Z][A-Z0-9_]*",
    "core_type": r"[A-Z][A-Z0-9_]*",
    "kernel_type": r"[A-Z][A-Z0-9_]*",
    "op_state": r"static|dynamic",
    "op_type": r"[\w.:/-]+",
    "hf32": r"YES|NO",
    "input_shapes": r"[\d,; -]*",
    "output_shapes": r"[\d,; -]*",
    "input_types": r"[\w;: -]*",
    "output_types": r"[\w;: -]*",
    "input_formats": r"[\w;: -]*",
    "output_formats": r"[\w;: -]*",
}


_MOST_SPARE, _MOST_TRIED = 1_000, 20_000
"""Cells too many, and beginnings of a row that are tried at most: 0.2 s a row."""


@cache
def _form(column_id: str) -> re.Pattern[str] | None:
    form = _TEXT_FORMS.get(column_id)
    return re.compile(form) if form else None


def plausible(column: Column, text: str) -> bool:
    """Whether ``text`` can stand under this header."""
    value = text.strip(PADDING)
    if value in MISSING:
        return True
    if column.kind != "text":
        return is_number(plain(value))
    form = _form(column.id)
    return form is None or form.fullmatch(value) is not None


@dataclass(frozen=True)
class Fitted:
    """A row under its header; ``cells`` is None where no single way was found."""

    cells: tuple[str, ...] | None
    repaired: bool = False


def fit(cells: Sequence[str], columns: Sequence[Column]) -> Fitted:
    """``cells`` as one per column."""
    width = len(columns)
    if len(cells) == width:
        return Fitted(tuple(cells))
    if len(cells) > width and _only_blanks_beyond(cells, columns):
        return Fitted(tuple(cells[:width]))
    if len(cells) > width + _MOST_SPARE:
        return Fitted(None)
    if len(cells) > width:
        joined = _only_alignment(cells, columns)
        return Fitted(joined, repaired=joined is not None)
    if columns[-1].id == "reduce_duration" and len(cells) >= _fixed_width(columns):
        return Fitted((*cells, *[NOT_AVAILABLE] * (width - len(cells))), repaired=True)
    return Fitted(None)


def _only_blanks_beyond(cells: Sequence[str], columns: Sequence[Column]) -> bool:
    """Whether a row merely ends in commas: its cells stand under their headers as they are."""
    beyond = cells[len(columns) :]
    return not any(cell.strip(PADDING) for cell in beyond) and all(map(plausible, columns, cells))


def _fixed_width(columns: Sequence[Column]) -> int:
    """How many columns of a step trace stand before its reduce pairs (quirk 14)."""
    ids = [column.id for column in columns]
    return ids.index("reduce_start") if "reduce_start" in ids else len(ids)


def _only_alignment(cells: Sequence[str], columns: Sequence[Column]) -> tuple[str, ...] | None:
    """The one way to join neighbouring cells of names and shapes so that every column is plausible.

    None also where finding it takes too long.
    """
    spare = len(cells) - len(columns)
    tried = count()

    @cache
    def ways(column: int, cell: int) -> tuple[tuple[int, ...], ...]:
        """Up to two ways to fill the columns from ``column`` on; each is the cells taken per column."""
        if column == len(columns):
            return ((),) if cell == len(cells) else ()
        spec = columns[column]
        most = spare + 1 if spec.id in _NAMES or spec.id in _SHAPES else 1
        found: list[tuple[int, ...]] = []
        for taken in range(1, min(most, len(cells) - cell) + 1):
            if plausible(spec, ",".join(cells[cell : cell + taken])):
                found += [(taken, *rest) for rest in ways(column + 1, cell + taken)]
            if len(found) > 1 or next(tried) > _MOST_TRIED:
                break
        return tuple(found[:2])

    fits = ways(0, 0)
    return _join(cells, fits[0]) if len(fits) == 1 and next(tried) <= _MOST_TRIED else None


def _join(cells: Sequence[str], takes: Sequence[int]) -> tuple[str, ...]:
    result, at = [], 0
    for taken in takes:
        result.append(",".join(cells[at : at + taken]))
        at += taken
    return tuple(result)


@dataclass
class OddCells:
    """Cells of one column of numbers that say something else than a number, or say it in another way."""

    wrapped: int = 0
    grouped: int = 0
    """Numbers with thousands separators."""
    worded: int = 0
    """Cells that are neither a number nor one of the spellings of no value."""
    rounded: list[int] = field(default_factory=list)
    """Rows of the file whose time or id a spreadsheet wrote as a power of ten (quirk 41)."""
    beyond: list[int] = field(default_factory=list)
    """Rows of the file whose number is above all that the column can hold."""

    def take(self, column: Column, row: int, text: str, value: float | None) -> None:
        """Take up one unpadded cell, and what it was read as."""
        if value is None and column.kind == "int" and has_exponent(text):
            self.rounded.append(row)
        elif value is None and is_beyond(text):
            self.beyond.append(row)
        elif value is None:
            self.worded += text not in MISSING and column.id != "device_id"  # that has words: host, NPU:0
        elif column.kind == "duration" and is_wrapped(text, column.ns_per_unit):
            self.wrapped += 1
        elif is_grouped(text):
            self.grouped += 1
        elif column.kind == "time" and is_rounded(text):
            self.rounded.append(row)

    def add(self, other: "OddCells", rows: Sequence[int]) -> None:
        """Take up the cells of some more ``rows``, which the other numbers among themselves."""
        self.wrapped += other.wrapped
        self.grouped += other.grouped
        self.worded += other.worded
        self.rounded += [rows[row] for row in other.rounded]
        self.beyond += [rows[row] for row in other.beyond]


@dataclass
class Tally:
    """Counts of one file, filled while its rows are read."""

    repaired: int = 0
    left_out: int = 0
    headers: int = 0
    odd_cells: dict[str, OddCells] = field(default_factory=dict)
    """By header, of the columns that were read."""
    last_line_cut: bool = False
    ends_open: bool = False
    """The file does not end with a line end."""
    notes: list[str] = field(default_factory=list)

    def sentences(self, file_name: str) -> list[str]:
        """One sentence per kind of damage; none for a sound file."""
        said = [_("{file}: {note}.").format(file=file_name, note=note) for note in self.notes]
        if end := self._end():
            said.append(end.format(file=file_name))
        counts = (
            (
                self.repaired,
                "{file}: {n} row with too many or too few cells was repaired.",
                "{file}: {n} rows with too many or too few cells were repaired.",
            ),
            (
                self.left_out,
                "{file}: {n} damaged row is left out.",
                "{file}: {n} damaged rows are left out.",
            ),
            (
                self.headers,
                "{file}: {n} row that repeats the header is left out.",
                "{file}: {n} rows that repeat the header are left out.",
            ),
        )
        said += [counted(one, many, n, file=file_name) for n, one, many in counts if n]
        return said + self._about_cells(file_name)

    def _about_cells(self, file_name: str) -> list[str]:
        """One sentence per kind of odd cells, which names the columns."""
        columns = list(self.odd_cells.items())  # another thread may be reading more of them
        return [
            counted(one, many, sum(numbers.values()), file=file_name, columns=", ".join(numbers))
            for count_of, one, many in _ABOUT_CELLS
            if (numbers := {header: n for header, odd in columns if (n := count_of(odd))})
        ]

    def beyond(self, column: Column) -> Sequence[int]:
        """Rows of the file whose number in a column that was read is above all that it can hold."""
        return self.odd_cells[column.header].beyond if column.header in self.odd_cells else ()

    def rounded(self, column: Column) -> Sequence[int]:
        """Rows of the file whose cell in a column that was read is a rounded power of ten."""
        return self.odd_cells[column.header].rounded if column.header in self.odd_cells else ()

    @property
    def wrapped(self) -> int:
        return sum(odd.wrapped for odd in list(self.odd_cells.values()))

    def _end(self) -> str:
        if self.last_line_cut:
            return _("{file}: the last line is incomplete and left out; export or copy it again.")
        if self.ends_open:
            return _("{file} does not end with a line end: the last cell of its last row may be cut.")
        return ""


_ABOUT_CELLS: tuple[tuple[Callable[[OddCells], int], str, str], ...] = (
    (
        lambda odd: len(odd.rounded),
        "{file}: {n} number of {columns} is a rounded power of ten, as spreadsheets write it:"
        " precision is lost.",
        "{file}: {n} numbers of {columns} are rounded powers of ten, as spreadsheets write them:"
        " precision is lost.",
    ),
    (
        lambda odd: odd.grouped,
        "{file}: {n} cell of {columns} with thousands separators is read as a number.",
        "{file}: {n} cells of {columns} with thousands separators are read as numbers.",
    ),
    (
        lambda odd: odd.worded,
        "{file}: {n} cell of {columns} is no number, and is taken for N/A.",
        "{file}: {n} cells of {columns} are no numbers, and are taken for N/A.",
    ),
    (
        lambda odd: len(odd.beyond),
        "{file}: {n} number of {columns} is too large: it sorts as the largest and is in no sum.",
        "{file}: {n} numbers of {columns} are too large: they sort as the largest and are in no sum.",
    ),
)
"""How many of one column, and what is said of those of all."""
