"""Whether files are all there and whole: by their names, their sizes and how they end.

Cheap: a few reads of 64 KB for each file.
"""

from __future__ import annotations

import codecs
import os
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from prof_tui.data.capture.completeness import Completeness, Lack
from prof_tui.data.capture.content import HEAD_BYTES, foreign_content, why_not_its_kind
from prof_tui.data.capture.export import Export
from prof_tui.data.capture.listing import ExportFile
from prof_tui.data.tables.csv_rows import split_line
from prof_tui.data.tables.known_columns import spec_for
from prof_tui.words import _, byte_size, counted

_PIECE_BYTES = 1 << 16
_LONGEST_LINE = 1 << 24
"""A last line longer than this is not judged."""


def check_files(export: Export) -> Completeness:
    """Slices with holes, files that can't be read, are empty, cut or other than their names, or changed."""
    files = [file for one in export.exports if one.used for file in one.files if file.role != "other"]
    faults = [Lack("incomplete_files", text, 1, (file.name.type,)) for file, text in _faults(files)]
    packed = [each for each in (*export.tables, *export.timelines) if each.status == "unsupported"]
    unread = [Lack("incomplete_files", clause(each.reason), 1, (each.name,)) for each in packed]
    return Completeness((*_holes(files), *faults, *unread))


# Slices


def _holes(files: Sequence[ExportFile]) -> Iterator[Lack]:
    sets: dict[Hashable, set[int]] = defaultdict(set)
    names: dict[Hashable, str] = {}
    for file in files:
        name = file.name
        place = (file.device, file.model, file.iteration)
        key: Hashable = (file.merged, file.role, name.type, name.suffix, place)
        sets[key].add(name.slice or 0)
        names[key] = name.type
    for key, numbers in sets.items():
        missing = sorted(set(range(max(numbers))) - numbers)
        if missing:
            yield _hole(names[key], missing, numbers)


def _hole(table: str, missing: Sequence[int], there: set[int]) -> Lack:
    """Of slices that count from 0; the first may be without a number (quirks.md 29)."""
    ids = ", ".join(map(str, missing[:_MOST_NAMED])) + (", …" if len(missing) > _MOST_NAMED else "")
    text = counted(
        "{table} lacks slice {ids}", "{table} lacks slices {ids}", len(missing), table=table, ids=ids
    )
    rule = _("Slices are numbered without holes from 0, the first may have no number: there are {there}.")
    said = rule.format(there=", ".join(map(str, sorted(there)[:_MOST_NAMED])))
    return Lack("incomplete_slices", text, len(missing), (table,), rule=said)


_MOST_NAMED = 8


# Files


def _faults(files: Sequence[ExportFile]) -> Iterator[tuple[ExportFile, str]]:
    for file in files:
        if file.problem is not None and file.size:
            yield file, clause(file.problem)
        elif text := _fault(file):
            yield file, text.format(name=file.path.name)


def clause(sentence: str) -> str:
    """A sentence as a part of another."""
    return sentence.split("; ")[0].rstrip(".")


def _fault(file: ExportFile) -> str:
    """What is wrong with a file that can be read; empty for nothing."""
    try:
        size = os.stat(file.path).st_size
        if size != file.size:
            text = _("{{name}} was {then} when it was listed and is {now}: it is being written")
            return text.format(then=byte_size(file.size), now=byte_size(size))
        if not size:
            return _("{name} is empty (0 bytes)")
        with open(file.path, "rb") as opened:
            fd = opened.fileno()
            head = os.pread(fd, HEAD_BYTES, 0)
            if what := _other_than_named(file, head):
                return what
            if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # its reader tells
                return ""
            if file.name.suffix == "json":
                return "" if _last_line(fd, size)[-1:] in (b"]", b"}") else _("{name} has no end: it is cut")
            return _("{name} ends within a row: it is cut") if _ends_short(fd, size, file) else ""
    except OSError:  # gone since it was listed: whoever reads it says so
        return ""


def _other_than_named(file: ExportFile, head: bytes) -> str:
    """What a file is that its name says not; empty for nothing."""
    table = file.role == "table" and file.name.suffix == "csv"
    what = why_not_its_kind(file.name.type, head) if table else foreign_content(head)
    said = what.split(": ")[0].replace("{", "{{").replace("}", "}}")
    text = _("{{name}} is no {type} but {what}")
    return text.format(type=file.name.type, what=said) if what else ""


def _last_line(fd: int, size: int) -> bytes:
    """The last line that is not blank, without its line end; the last 64 KB of a longer one."""
    tail = os.pread(fd, _PIECE_BYTES, max(0, size - _PIECE_BYTES)).rstrip(b" \t\r\n")
    return tail[tail.rfind(b"\n") + 1 :]


def _ends_short(fd: int, size: int, file: ExportFile) -> bool:
    """Whether the last row of a CSV file has too few cells; one without a line end may be whole."""
    header = _first_line(fd)
    last = _whole_last_line(fd, size)
    if not header or last is None or last == header:
        return False
    if last.count(b'"') % 2:  # the end of a cell of several lines, where the file goes on behind it
        return os.pread(fd, 1, size - 1) != b"\n"
    return len(_cells(last)) < _fewest_cells(_cells(header), file)


def _first_line(fd: int) -> bytes:
    return os.pread(fd, _PIECE_BYTES, 0).split(b"\n", 1)[0].rstrip(b"\r")


def _whole_last_line(fd: int, size: int) -> bytes | None:
    """None where it is longer than is worth reading."""
    length = _PIECE_BYTES
    while length <= _LONGEST_LINE:
        tail = os.pread(fd, length, max(0, size - length)).rstrip(b"\r\n")
        begin = tail.rfind(b"\n") + 1
        if begin or length >= size:
            return tail[begin:]
        length *= 16
    return None


def _cells(line: bytes) -> list[str]:
    return split_line(line.decode("utf-8", "replace"))


def _fewest_cells(headers: Sequence[str], file: ExportFile) -> int:
    """Rows of a step trace may lack reduces (quirks.md 14)."""
    if file.name.type != "step_trace":
        return len(headers)
    reduces = (at for at, header in enumerate(headers) if spec_for(header.strip()).id == "reduce_start")
    return next(reduces, len(headers))
