"""Events of a piece of a file as a frame of texts, quickly or exactly.

Both ways give the same columns: name, ph, cat, pid, tid, ts, dur, id, connection_id, task and task_id (the
arguments Task Type and Task Id) as they stand in the file, and offset and length of the event's own JSON in
bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from prof_tui.data.tables.cells import to_ns
from prof_tui.data.timeline.read.json_scan import Found, decoder
from prof_tui.words import NS_PER_US

_FIELDS = ("name", "ph", "cat", "pid", "tid", "ts", "dur", "id")
_ARGUMENTS = {"connection_id": "connection_id", "task": "Task Type", "task_id": "Task Id"}
_QUICK_SCHEMA = {
    **dict.fromkeys(_FIELDS, pl.String()),
    "args": pl.Struct(dict.fromkeys(_ARGUMENTS.values(), pl.String())),
}
_EXACT_SCHEMA = {
    **dict.fromkeys((*_FIELDS, *_ARGUMENTS), pl.String()),
    "offset": pl.Int64(),
    "length": pl.Int32(),
}


@dataclass(frozen=True)
class EventTexts:
    """Events of one piece of a file."""

    events: pl.DataFrame
    piece: bytes
    begin: int
    """Where ``piece`` stands in the file."""

    def json_of(self, events: pl.DataFrame) -> pl.Series:
        """The JSON text of some of the events."""
        places = events.select("offset", "length").iter_rows()
        pieces = (self.piece[at - self.begin : at - self.begin + length] for at, length in places)
        return pl.Series("text", [readable(decode_piece(each)) for each in pieces], dtype=pl.String)


def separated(data: bytes, gaps: Iterable[bytes]) -> bytes:
    """``data`` of the same length with one event a line, where only ``gaps`` stand between events."""
    if b"\n" in data or b"\r" in data:
        data = data.translate(_NO_BREAKS)
    for gap in gaps:
        blank = b" " * (len(gap) - 1)
        data = data.replace(b"}%b{" % gap.translate(_NO_BREAKS), b"}%b\n{" % blank)
    return data


_NO_BREAKS = bytes.maketrans(b"\r\n", b"  ")


def quick_texts(data: bytes, offset: int, gaps: Sequence[bytes]) -> EventTexts | None:
    """The events of ``data``, which begins and ends with one; None where that can't be told so simply.

    A comma between braces within an event breaks it into lines that are no JSON, so that nothing is
    ever read askew.  Whole numbers are exact; a fraction is the shortest text of its Float64.
    """
    lines = separated(data, gaps)
    own = pl.col("line").str.strip_chars_end(" ").str.len_bytes()
    try:
        events = pl.read_ndjson(lines, schema=_QUICK_SCHEMA)
        taken = pl.scan_lines(lines).select(line=pl.col("line").str.len_bytes(), own=own).collect()
    except pl.exceptions.PolarsError:
        return None
    if len(taken) != len(events):
        return None
    arguments = [pl.col("args").struct.field(argument).alias(name) for name, argument in _ARGUMENTS.items()]
    begins = taken["line"].cast(pl.Int64) + 1
    begins = begins.cum_sum() - begins + offset
    length = taken["own"].cast(pl.Int32)
    return EventTexts(events.select(*_FIELDS, *arguments, offset=begins, length=length), data, offset)


def exact_texts(piece: bytes, text: str, offset: int, found: Sequence[Found]) -> EventTexts:
    """Texts of events that were scanned in ``text``, which is ``piece`` decoded."""
    begins, ends = byte_places(piece, text, [(each.begin, each.end) for each in found])
    rows = [[_as_text(each.values.get(name)) for name in _FIELDS] for each in found]
    columns: dict[str, Any] = {name: [row[i] for row in rows] for i, name in enumerate(_FIELDS)}
    for name, argument in _ARGUMENTS.items():
        columns[name] = [_as_text(_argument(each.values, argument)) for each in found]
    columns["offset"] = [offset + begin for begin in begins]
    columns["length"] = [end - begin for begin, end in zip(begins, ends, strict=True)]
    return EventTexts(pl.DataFrame(columns, schema=_EXACT_SCHEMA), piece, offset)


def byte_places(piece: bytes, text: str, spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Where spans of characters begin and end in bytes; ``spans`` in order."""
    if len(piece) == len(text):
        return [begin for begin, _end in spans], [end for _begin, end in spans]
    begins, ends, at, done = [], [], 0, 0
    for begin, end in spans:
        at += len(text[done:begin].encode("utf-8", "surrogateescape"))
        begins.append(at)
        at += len(text[begin:end].encode("utf-8", "surrogateescape"))
        ends.append(at)
        done = end
    return begins, ends


def decode_piece(piece: bytes) -> str:
    """Bytes as text from which they can be had again, whatever their encoding."""
    return piece.decode("utf-8", "surrogateescape")


def readable(text: str) -> str:
    """``decode_piece`` text for people: bytes that are no UTF-8 as GBK where they are, else as marks."""
    if text.isascii():
        return text
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a character, as an escape
        data = text.encode("utf-8", "surrogatepass")
    for encoding in ("utf-8", "gbk"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def _as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else readable(value)
    return readable(json.dumps(value, ensure_ascii=False))


def _argument(event: dict[str, Any], name: str) -> Any:
    arguments = event.get("args")
    return arguments.get(name) if isinstance(arguments, dict) else None


_EXACT_US = float(1 << 40)
"""Below it a Float64 of microseconds is far nearer than half a nanosecond."""
_HALF = 1e-3
"""The file's own digits have to be seen so close to half a ns."""
_SURE = 20
"""A text so long, three decimals among it, is none of a Float64 but the file's own."""
_PLAIN = r"^-?\d{1,16}(\.\d{1,3})?$"
"""Digits that the quick reading can't get wrong."""


def exact_ns(events: pl.DataFrame, column: str, json_of: Callable[[pl.DataFrame], pl.Series]) -> pl.Series:
    """Int64 of ``column`` (``ts`` or ``dur``) of events; null where it is not a number.

    ``json_of`` gives the JSON text of some of the events.
    """
    read = events.select(text=pl.col(column), ns=_quick_ns(column))
    if not read["ns"].null_count() and read.select(_OWN_FORM.all()).item():
        return read["ns"]
    judged = read.select("ns", doubtful=_doubtful())
    rows = judged["doubtful"].arg_true()
    if not len(rows):
        return judged["ns"]
    doubtful = events[rows]
    found = pl.DataFrame({"read": doubtful[column], "text": json_of(doubtful)}).with_columns(
        raw=pl.col("text").str.extract(rf'"{column}"\s*:\s*"?\s*([^",\}}\s]+)')
    )
    settled = (pl.col("raw") == pl.col("read")) & pl.col("raw").str.contains(_PLAIN)
    odd = found.select(settled.fill_null(False).not_()).to_series().arg_true()
    if not len(odd):
        return judged["ns"]
    exact = [_ns(raw, read, text, column) for read, text, raw in found[odd].iter_rows()]
    return judged["ns"].scatter(rows.gather(odd), pl.Series(exact, dtype=pl.Int64))


def _quick_ns(column: str) -> pl.Expr:
    return (pl.col(column).cast(pl.Decimal(38, 3), strict=False) * NS_PER_US).cast(pl.Int64, strict=False)


_OWN_FORM = (pl.col("text").str.len_bytes() >= _SURE) & (pl.col("text").str.slice(-4, 1) == ".")
"""Whether a time is of the exporter's own form, which is too long for a Float64's text."""


def _doubtful() -> pl.Expr:
    """Whether a text may not be the file's own, or lie half way between two nanoseconds."""
    number = pl.col("text").cast(pl.Float64, strict=False)
    ns = number * NS_PER_US
    beside_half = ((ns - ns.floor()) - 0.5).abs() < _HALF
    doubtful = pl.when(number.abs() < _EXACT_US).then(beside_half).otherwise(~_OWN_FORM)
    return (doubtful | pl.col("ns").is_null()).fill_null(True) & pl.col("text").is_not_null()


def _ns(raw: str | None, read: str, text: str, column: str) -> int | None:
    """From the digits of the first key of that name, or of the event's own where that one is nested."""
    if raw is None or not _same(raw, read):
        raw = own_text(text, column)
    return None if raw is None else to_ns(raw.strip(), NS_PER_US)


def _same(raw: str, read: str) -> bool:
    try:
        return raw == read or float(raw) == float(read)
    except ValueError:
        return False


def own_text(text: str, key: str) -> str | None:
    """The text of a value of the event itself; None where it isn't there or no JSON."""
    try:
        value: Any = decoder().decode(text).get(key)
    except (json.JSONDecodeError, AttributeError):
        return None
    return value if isinstance(value, str) else None
