"""From a CSV file's bytes to rows of cells, by the exact way: any encoding, any damage, each row judged.

One physical line is one row, except where a quoted cell goes on over line ends (quirk 31).
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from prof_tui.data.tables.cells import LINE_BREAK, MISSING, PADDING, clean, is_number
from prof_tui.data.tables.columns import Column, tell_apart
from prof_tui.data.tables.repairs import Tally
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.words import NOT_AVAILABLE, _

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


_BOM = "\ufeff"
_LONGEST_CELL_LINES = 200
"""A quoted cell over more lines than this is taken for a stray quote."""


@dataclass(frozen=True)
class Decoded:
    """A file's text; ``notice`` says when it is not plain UTF-8."""

    text: str
    notice: str = ""


def decode(data: bytes) -> Decoded:
    """Bytes as text: UTF-8, else GBK, else UTF-8 with replacement marks; BOM and zero bytes taken out.

    A character cut at the very end is no sign of another encoding.
    """
    notice = ""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > data.rfind(b"\n"):
            text = data.decode("utf-8", "replace")
        else:
            text, notice = _decode_other(data)
    if "\0" in text:
        text = text.replace("\0", "")
        notice = notice or _("zero bytes were taken out")
    return Decoded(text.removeprefix(_BOM), notice)


def _decode_other(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("gbk"), _("not UTF-8: read as GBK")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), _(
            "not UTF-8: unreadable bytes are shown as replacement marks"
        )


def split_line(line: str) -> list[str]:
    """The raw cells of one line without its line end; split at each comma where its quotes don't pair."""
    if '"' not in line:
        return line.split(",")
    if line.count('"') % 2:
        return line.split(",")
    return next(csv.reader([line]), [])


def logical_lines(lines: Sequence[str], width: int) -> Iterator[str]:
    """Rows' text without line ends, blank ones too; a cell's own line breaks become LINE_BREAK.

    A line with an unpaired quote goes on over the next ones only when that gives ``width`` cells.
    """
    at = 0
    while at < len(lines):
        line, taken = lines[at].removesuffix("\r"), 1
        if line.count('"') % 2:
            line, taken = _continue_line(lines, at, width)
        at += taken
        yield line


def _continue_line(lines: Sequence[str], at: int, width: int) -> tuple[str, int]:
    first = joined = lines[at].removesuffix("\r")
    for taken, line in enumerate(lines[at + 1 : at + _LONGEST_CELL_LINES], 2):
        joined += LINE_BREAK + line.removesuffix("\r")
        if line.count('"') % 2:
            complete = len(next(csv.reader([joined]), [])) == width
            return (joined, taken) if complete else (first, 1)
    return first, 1


def judge_row(
    line: str, columns: Sequence[Column], tally: Tally, *, may_be_cut: bool = False
) -> list[str] | None:
    """Clean cells of a row, or None for a line that no view may show; ``tally`` takes up what it was.

    ``may_be_cut``: the file ends with this line, without a line end.
    """
    if not line.strip():
        return None
    cells = split_line(line)
    if may_be_cut and (len(cells) < len(columns) or line.count('"') % 2):
        tally.last_line_cut = True
        return None
    if _repeats_header(cells, columns):
        tally.headers += 1
        return None
    fitted = fit(cells, columns)
    if fitted.cells is None:
        tally.left_out += 1
        return None
    tally.repaired += fitted.repaired
    return [clean(cell) for cell in fitted.cells]


def _repeats_header(cells: Sequence[str], columns: Sequence[Column]) -> bool:
    """Files that were put together keep the header of each (quirk 30)."""
    if clean(cells[0]).lstrip(_BOM) != columns[0].header or len(cells) < min(len(columns), 2):
        return False
    return tell_apart(cells) == tuple(column.header for column in columns[: len(cells)])


def shown_rows(
    lines: Sequence[str], columns: Sequence[Column], tally: Tally, *, ends_open: bool
) -> list[list[str]]:
    """Clean cells of each row that can be shown, in file order; ``tally`` takes up the rest.

    ``ends_open``: the file does not end with a line end, so its last row may be cut.
    """
    tally.ends_open = ends_open
    last = len(lines) - 1 if ends_open else -1
    found = (judge_row(line, columns, tally, may_be_cut=number == last) for number, line in enumerate(lines))
    return [cells for cells in found if cells is not None]


def well_formed(source: SourceFile, width: int, tally: Tally) -> bytes:
    """The file as UTF-8, each row on one line, with its header; ``tally`` takes up what was wrong.

    ``width``: cells of a whole row.  A cell's own line breaks become LINE_BREAK.
    """
    decoded = decode(source.read())
    if decoded.notice:
        tally.notes.append(decoded.notice)
    lines = decoded.text.split("\n")
    del decoded
    tally.ends_open = bool(lines[-1])
    if not tally.ends_open:
        lines.pop()
    rows = bytearray()
    line, begin = "", 0
    for line in logical_lines(lines, width):
        begin = len(rows)
        rows += (_quote(line) if '"' in line else line).encode("utf-8", "replace") + b"\n"
    if tally.ends_open and line.count('"') % 2:
        tally.last_line_cut, tally.ends_open = True, False
        del rows[begin:]
    return bytes(rows)


def _quote(line: str) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="", quoting=csv.QUOTE_ALL).writerow(split_line(line))
    return out.getvalue()
