"""From a CSV file's bytes to rows of cells, by the exact way: any encoding, any damage, each row judged.

One physical line is one row, except where a quoted cell goes on over line ends (quirk 31).
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prof_tui.data.tables.cells import LINE_BREAK, clean
from prof_tui.data.tables.columns import Column, tell_apart
from prof_tui.data.tables.repairs import Tally, fit
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.words import _

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
