"""From a CSV file's bytes to rows of cells, by the exact way: any encoding, any damage, each row judged.

One physical line is one row, except where a quoted cell goes on over line ends (quirk 31).
"""

import codecs
import csv
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prof_tui.data.tables.cells import LINE_BREAK, clean, with_point
from prof_tui.data.tables.columns import Column, tell_apart
from prof_tui.data.tables.known_columns import is_known
from prof_tui.data.tables.repairs import Tally, fit
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.words import _, counted

csv.field_size_limit(sys.maxsize)  # the shapes of one op may take more than the module's 128 KiB

_BOM = "\ufeff"
_CARRIAGE_RETURN = "\x1e"
"""Stands for a carriage return inside a row, which the csv module takes for the row's end."""
COMMA, _TAB, _SEMICOLON = ",", "\t", ";"
_SEPARATED_BY = {
    _TAB: _("its cells are separated by tabs"),
    _SEMICOLON: _("its cells are separated by semicolons"),
}
_LONGEST_CELL_LINES = 200
"""A quoted cell over more lines than this is taken for a stray quote."""


@dataclass(frozen=True)
class Decoded:
    """A file's text with LF or CR LF as line ends; ``notices`` say when that or UTF-8 is not its own."""

    text: str
    notices: tuple[str, ...] = ()
    has_own_lines: bool = True
    """Whether a line of the text is one that ends with LF in the file."""


def decode(data: bytes) -> Decoded:
    """Bytes as text: UTF-8, else what their BOM says, else GBK, else UTF-8 with replacement marks.

    BOM and zero bytes are taken out.  A character cut at the very end is no sign of another encoding.  A
    carriage return within the first line says that all of them are line ends.
    """
    notices = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > data.rfind(b"\n"):
            text = data.decode("utf-8", "replace")
        else:
            text, notice = _decode_other(data)
            notices.append(notice)
    if zeros := text.count("\0"):
        text = text.replace("\0", "")
        notices.append(counted("{n} zero byte was taken out", "{n} zero bytes were taken out", zeros))
    ends_with_cr = "\r" in text[: text.find("\n") if "\n" in text else None].rstrip("\r")
    if ends_with_cr:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        notices.append(_("its lines end with carriage returns"))
    return Decoded(text.removeprefix(_BOM), tuple(notices), not ends_with_cr)


def _decode_other(data: bytes) -> tuple[str, str]:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace"), _("not UTF-8: read as UTF-16")
    try:
        return data.decode("gbk"), _("not UTF-8: read as GBK")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), _(
            "not UTF-8: unreadable bytes are shown as replacement marks"
        )


def delimiter_of(header: str) -> str:
    """What separates the cells of a file with this first line: what makes most columns known."""
    known = {each: sum(map(is_known, split_line(header, each))) for each in _SEPARATED_BY if each in header}
    known = {COMMA: sum(map(is_known, split_line(header))) if known else 0} | known
    return max(known, key=known.__getitem__)


def split_line(line: str, delimiter: str = COMMA) -> list[str]:
    """The raw cells of one line without its line end; split at each delimiter where its quotes don't pair."""
    if '"' not in line or line.count('"') % 2:
        return line.split(delimiter)
    if "\r" in line:
        cells = split_line(line.replace("\r", _CARRIAGE_RETURN), delimiter)
        return [cell.replace(_CARRIAGE_RETURN, "\r") for cell in cells]
    return next(csv.reader([line], delimiter=delimiter), [])


def logical_lines(lines: Sequence[str], width: int, delimiter: str = COMMA) -> Iterator[str]:
    """Rows' text without line ends and with commas, blank ones too.

    A cell's own line breaks become LINE_BREAK.  A line with an unpaired quote goes on over the next ones
    only when that gives ``width`` cells.
    """
    at = 0
    while at < len(lines):
        line, taken = lines[at].removesuffix("\r"), 1
        if line.count('"') % 2:
            line, taken = _continue_line(lines, at, width, delimiter)
        at += taken
        yield line if delimiter == COMMA or not line.strip() else _join(split_line(line, delimiter))


def _continue_line(lines: Sequence[str], at: int, width: int, delimiter: str) -> tuple[str, int]:
    first = joined = lines[at].removesuffix("\r")
    for taken, line in enumerate(lines[at + 1 : at + _LONGEST_CELL_LINES], 2):
        joined += LINE_BREAK + line.removesuffix("\r")
        if line.count('"') % 2:
            complete = len(split_line(joined, delimiter)) == width
            return (joined, taken) if complete else (first, 1)
    return first, 1


def with_points(lines: Iterable[str], columns: Sequence[Column], tally: Tally) -> Iterator[str]:
    """The lines of a file of semicolons, its numbers with points for decimal commas; ``tally`` says how many.

    For those who put semicolons between cells as their numbers have commas.
    """
    places = [place for place, column in enumerate(columns) if column.kind != "text"]
    changed = 0
    for line in lines:
        cells = split_line(line)
        before = changed
        if len(cells) == len(columns):
            for place in places:
                text = clean(cells[place])
                cells[place] = with_point(text)
                changed += cells[place] != text
        yield line if changed == before else _join(cells)
    if changed:
        tally.notes.append(
            counted(
                "{n} number with a decimal comma is read with a point",
                "{n} numbers with a decimal comma are read with a point",
                changed,
            )
        )


def rows_of_lines(
    lines: Iterable[str], columns: Sequence[Column], delimiter: str, tally: Tally
) -> Iterable[str]:
    """Logical lines as rows are read from them; ``tally`` says what the ``delimiter`` of the file changed."""
    if delimiter in _SEPARATED_BY:
        tally.notes.append(_SEPARATED_BY[delimiter])
    return with_points(lines, columns, tally) if delimiter == _SEMICOLON else lines


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


def well_formed(source: SourceFile, columns: Sequence[Column], tally: Tally, delimiter: str) -> bytes:
    """The file as UTF-8 with commas, each row on one line, with its header.

    ``tally`` takes up what was wrong.  A cell's own line breaks become LINE_BREAK.
    """
    decoded = decode(source.read())
    tally.notes += decoded.notices
    lines = decoded.text.split("\n")
    del decoded
    tally.ends_open = bool(lines[-1])
    if not tally.ends_open:
        lines.pop()
    rows = bytearray()
    line, begin = "", 0
    for line in rows_of_lines(logical_lines(lines, len(columns), delimiter), columns, delimiter, tally):
        begin = len(rows)
        rows += (_join(split_line(line)) if '"' in line else line).encode("utf-8", "replace") + b"\n"
    if tally.ends_open and line.count('"') % 2:
        tally.last_line_cut, tally.ends_open = True, False
        del rows[begin:]
    return bytes(rows)


def _join(cells: Sequence[str]) -> str:
    """The cells as one line of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="", quoting=csv.QUOTE_ALL).writerow(cells)
    return out.getvalue()
