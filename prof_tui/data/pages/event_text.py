"""The original text of one event, read back from its file, and its arguments letter for letter."""

from __future__ import annotations

import re

from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.timeline.model import TraceFile, TraceIndex
from prof_tui.data.timeline.read.event_texts import decoded, readable
from prof_tui.data.timeline.read.json_scan import decoder
from prof_tui.errors import UnreadableError
from prof_tui.words import _, count

_BLANK = re.compile(r"[ \t\r\n,:]*")
_decode = decoder().raw_decode


def event_text(index: TraceIndex, event: int) -> str:
    """The JSON of an event as it stands in its file; UnreadableError when that was changed since.

    Of a pair of B and E, that of the B.
    """
    file, offset, length = index.events.select("file", "offset", "length").row(event)
    return text_at(index, file, offset, length)


def text_at(index: TraceIndex, file: int, offset: int, length: int) -> str:
    """The JSON at a place of a file of the trace: of a flow or counter, or the end of a pair."""
    return readable(decoded(_source(index.files[file]).read(offset, length)))


def event_args(index: TraceIndex, event: int) -> dict[str, str]:
    """Arguments by name: texts without their quotes, all else as it is written in the file.

    Numbers keep all of their digits and NaN stays NaN; what is nested is JSON.  The end of a pair adds its
    own.
    """
    file, offset, length = index.events.select("file", "offset", "length").row(event)
    try:
        found = arguments_of(text_at(index, file, offset, length))
    except RecursionError as error:
        text = _("The arguments in {file} at byte {byte} are nested too deeply to be shown.")
        raise UnreadableError(text.format(file=index.files[file].path.name, byte=count(offset))) from error
    if len(index.ends):
        import polars as pl

        ends = index.ends.filter((pl.col("file") == file) & (pl.col("offset") == offset))
        for place in ends.select("end_file", "end_offset", "end_length").iter_rows():
            found |= arguments_of(text_at(index, *place))
    return found


def arguments_of(text: str) -> dict[str, str]:
    """The arguments in the JSON text of an event; empty where it has none."""
    found: dict[str, str] = {}
    for key, begin, _end in _members(text, 0):
        if key == "args" and text[begin] == "{":
            found |= {name: _as_written(text[at:stop]) for name, at, stop in _members(text, begin)}
    return found


def _members(text: str, begin: int) -> list[tuple[str, int, int]]:
    """Name, begin and end of each value of the object that begins at ``begin``."""
    members = []
    at = _behind_blank(text, begin + 1)
    while at < len(text) and text[at] == '"':
        key, at = _decode(text, at)
        at = _behind_blank(text, at)
        _value, end = _decode(text, at)
        members.append((str(key), at, end))
        at = _behind_blank(text, end)
    return members


def _behind_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _as_written(value: str) -> str:
    if not value.startswith('"'):
        return value
    return readable(_decode(value)[0])


def _source(file: TraceFile) -> SourceFile:
    source = SourceFile(file.path)
    seen = source.fingerprint
    if (seen.size, seen.mtime_ns, seen.inode) != (file.size, file.mtime_ns, file.inode):
        raise UnreadableError(
            _("{file} was changed since it was read: reload (R) to read it anew.").format(file=file.path.name)
        )
    return source
