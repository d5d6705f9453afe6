"""How a damaged row is repaired, in one way or none, and what reading a file changed, in sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from prof_tui.data.tables.cells import MISSING, PADDING, is_number
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
        return is_number(value)
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
    """The one way to join neighbouring cells of names and shapes so that every column is plausible."""
    spare = len(cells) - len(columns)

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
            if len(found) > 1:
                break
        return tuple(found[:2])

    fits = ways(0, 0)
    return _join(cells, fits[0]) if len(fits) == 1 else None


def _join(cells: Sequence[str], takes: Sequence[int]) -> tuple[str, ...]:
    result, at = [], 0
    for taken in takes:
        result.append(",".join(cells[at : at + taken]))
        at += taken
    return tuple(result)


@dataclass
class Tally:
    """Counts of one file, filled while its rows are read."""

    repaired: int = 0
    left_out: int = 0
    headers: int = 0
    rounded: int = 0
    wrapped: int = 0
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
            (
                self.rounded,
                "{file}: {n} time is a rounded power of ten, as spreadsheets write it: precision is lost.",
                "{file}: {n} times are rounded powers of ten, as spreadsheets write them: precision is lost.",
            ),
        )
        return said + [counted(one, many, n, file=file_name) for n, one, many in counts if n]

    def _end(self) -> str:
        if self.last_line_cut:
            return _("{file}: the last line is incomplete and left out; export or copy it again.")
        if self.ends_open:
            return _("{file} does not end with a line end: the last cell of its last row may be cut.")
        return ""
