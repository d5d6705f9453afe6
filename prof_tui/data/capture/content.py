"""What a file is by its first bytes, whatever its name: a table or timeline of a known type, or foreign.

Columns after formats.md 3.1 and 3.3, in the spelling of every generation: units, case and blanks don't count.
"""

import codecs
import csv
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from prof_tui.data.capture.file_types import KINDS
from prof_tui.words import _, cut

HEAD_BYTES = 16_384
"""What is read of a file to tell what it is: the widest header of op_summary has some 1,500 bytes."""

_MOST_NAMED_CELLS = 60
_UNIT = re.compile(r"\((?:us|ns|ms|s|%|KB|MB|GB|Bytes|kB|MB/s|GB/s|B)\)$")
_KEY = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:')
_EVENT = re.compile(r'"ph"\s*:\s*"')
_DELIMITERS = ",\t;"


def spelling(header: str) -> str:
    """A header as it is compared: case and blanks ignored."""
    return re.sub(r"[\s_]+", " ", header.strip()).casefold()


@dataclass(frozen=True)
class _Marks:
    """The columns of one form of a type, as ``_plain`` spells them."""

    type: str
    required: frozenset[str]
    """All of them together make a table one of this type."""
    usual: frozenset[str] = frozenset()
    """More that a table of this type may have: one of any says that it may be one."""


def _marks(type_: str, required: str, usual: str = "") -> _Marks:
    """Names with `, ` between them."""
    names = (frozenset(name for name in text.split(", ") if name) for text in (required, usual))
    return _Marks(type_, *names)


_MARKS = (
    _marks(
        "op_summary",
        "task duration, task type",
        "op name, op type, op state, task id, stream id, model id, infer id, task start time, "
        "task wait time, block dim, block num, context id, aicore time",
    ),
    _marks("op_statistic", "op type, core type, count, total time", "min time, avg time, max time, ratio"),
    _marks(
        "step_trace",
        "iteration id, iteration end, iteration time",
        "model id, fp start, bp end, fp to bp time, data aug bound",
    ),
    _marks("task_time", "kernel name, task start, task stop", "kernel type, task time, task id, stream id"),
    _marks("task_time", "waiting, running, pending, task id"),
    _marks("api_statistic", "level, api name, time, count", "avg, min, max, variance"),
    _marks("fusion_op", "fusion op, original ops", "model name, model id"),
    _marks("acl", "name, type, start time, duration, process id, thread id"),
    _marks("acl_statistic", "name, type, time, count, process id, thread id"),
    _marks("runtime_api", "name, stream id, calls, process id"),
    _marks("ai_stack_time", "infer id, module, api, start time"),
    _marks("ge_op_execute", "thread id, op type, event type"),
    _marks("communication_statistic", "op type, count, total time, ratio", "min time, avg time, max time"),
    _marks("hccl_statistic", "op type, count, total time, ratio", "min time, avg time, max time"),
    _marks("aicpu", "timestamp, node, compute time, dispatch time", "memcpy time, task time, total time"),
    _marks("aicpu_mi", "node name, start time, queue size"),
    _marks("dp", "timestamp, action, source, cached buffer size"),
    _marks("l2_cache", "hit rate, victim rate", "stream id, task id, op name"),
    _marks("l2_cache", "read, write, victim, allocate"),
    _marks("npu_mem", "event, ddr, hbm, memory"),
    _marks("npu_module_mem", "component, timestamp, total reserved, device"),
    _marks("memory_record", "component, timestamp, total allocated, total reserved", "device"),
    _marks("operator_memory", "name, size, allocation time, release total allocated"),
    _marks("static_op_mem", "op name, graph id, node index start"),
    _marks("nic", "rxpacket/s, txpacket/s, bandwidth"),
    _marks("roce", "rxpacket/s, txpacket/s, bandwidth"),
    _marks("dvpp", "dvpp id, engine type"),
)

_OPERATOR_TUNING = frozenset({"op name", "task duration", "current freq", "rated freq"})
"""OpBasicInfo.csv of ``msprof op``."""

_MAGIC = (
    (b"version https://git-lfs.github.com/", _("a Git LFS pointer: run `git lfs pull` where it lies")),
    (b"\x1f\x8b", _("packed with gzip: unpack it")),
    (b"\x28\xb5\x2f\xfd", _("packed with zstd: unpack it")),
    (b"PK\x03\x04", _("a zip archive or an Excel workbook: unpack it, or save it as CSV")),
    (b"\xd0\xcf\x11\xe0", _("an Excel workbook: save it as CSV")),
    (b"SQLite format 3", _("an SQLite database")),
)
_HTML = re.compile(rb"<(?:!doctype html|html|head|body)\b", re.IGNORECASE)


def read_head(path: Path, size: int = HEAD_BYTES) -> bytes:
    """A file's first ``size`` bytes; empty where the system gives none of them out."""
    try:
        if not path.is_file():
            return b""
        with open(path, "rb") as file:
            return file.read(size)
    except OSError:
        return b""


def foreign_content(head: bytes) -> str:
    """What a file is that is neither table nor timeline, for ``it is …``; empty where nothing is known."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    found = next((what for magic, what in _MAGIC if start.startswith(magic)), "")
    if not found and _HTML.match(start):
        return _("an HTML page, such as a proxy or a login gives out: copy the file again")
    if not found and start.startswith(b"<?xml"):
        return _("an XML document")
    return found


def _text(head: bytes) -> str:
    """UTF-8, or UTF-16 with its mark, as spreadsheets write it."""
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return head.decode("utf-16" if wide else "utf-8", "replace").removeprefix("\ufeff")


def headers_of(head: bytes) -> frozenset[str]:
    """The columns of a table's first line, or of the first object in a JSON list, in plain spelling."""
    return frozenset(map(_plain, _names(head)))


def _names(head: bytes) -> list[str]:
    start = _text(head).lstrip()
    return _keys(start) if start[:1] in ("[", "{") else _cells(first_line(head))


def _plain(header: str) -> str:
    return spelling(_UNIT.sub("", header.strip()))


def _keys(text: str) -> list[str]:
    """The keys of the first object; of one that goes on behind ``text``, those that are in sight."""
    first = text.find("{")
    try:
        value = json.JSONDecoder().raw_decode(text, first)[0] if first >= 0 else {}
    except (ValueError, RecursionError):
        return _KEY.findall(text)
    return list(value) if isinstance(value, dict) else []


def first_line(head: bytes) -> str:
    """The first line as text, whatever ends it."""
    return re.split(r"[\r\n]", _text(head), maxsplit=1)[0]


def _cells(line: str) -> list[str]:
    delimiter = max(_DELIMITERS, key=line.count)
    return next(csv.reader([line], delimiter=delimiter), [])


def device_ids_of(head: bytes) -> frozenset[str]:
    """What the rows in sight say under Device_id; empty where there is no such column."""
    text = _text(head).lstrip()
    if text[:1] in ("[", "{"):
        return frozenset(re.findall(r'"Device_id"\s*:\s*"?(\w+)', text))
    lines = re.split(r"[\r\n]+", text)
    place = next((at for at, name in enumerate(_cells(lines[0])) if _plain(name) == "device id"), None)
    if place is None:
        return frozenset()
    rows = (_cells(line) for line in lines[1:-1])
    return frozenset(row[place].strip() for row in rows if len(row) > place)


_PIECES = 8
_PIECE_BYTES = 16_384


def device_ids_in(path: Path, size: int) -> frozenset[str]:
    """What the rows of a table say under Device_id; of a large one those of some pieces all over it.

    Exporters write the rows of a device one after the other (formats.md section 3.1), so few pieces tell all.
    """
    head = read_head(path, 2 * _PIECES * _PIECE_BYTES)
    found = device_ids_of(head)
    if not found or size <= len(head):
        return found
    first = head.split(b"\n", 1)[0] + b"\n"
    try:
        with open(path, "rb") as file:
            for piece in range(1, _PIECES + 1):
                file.seek((size - _PIECE_BYTES) * piece // _PIECES)
                rows = file.read(_PIECE_BYTES).partition(b"\n")[2]
                found |= device_ids_of(first + rows)
    except OSError:  # whoever reads the table says so
        pass
    return found


def is_timeline(head: bytes) -> bool:
    """Whether it begins as Chrome-trace JSON with an event in sight."""
    text = _text(head).lstrip()
    return text[:1] in ("[", "{") and _EVENT.search(text) is not None


def timeline_type(stem: str) -> str:
    """The type of a timeline under an unknown name: one that the name holds, else that of all layers."""
    named = [name for name, kind in KINDS.items() if kind.timeline and name in stem.casefold()]
    return max(named, key=len, default="msprof")


def table_type(headers: frozenset[str], stem: str) -> str:
    """The type whose columns ``headers`` are, of equals the one that ``stem`` names; empty for none."""
    fitting = [marks for marks in _MARKS if marks.required <= headers]

    def fit(marks: _Marks) -> tuple[int, bool]:
        return len((marks.required | marks.usual) & headers), marks.type in stem.casefold()

    return max(fitting, key=fit).type if fitting else ""


def is_operator_tuning(headers: frozenset[str]) -> bool:
    """Whether it is the table of ``msprof op`` that stands in each of its outputs."""
    return headers >= _OPERATOR_TUNING


@cache
def _columns_of(type_: str) -> frozenset[str]:
    """All columns that a type is known by; empty where it isn't."""
    return frozenset().union(*(marks.required | marks.usual for marks in _MARKS if marks.type == type_))


def why_not_its_kind(type_: str, head: bytes) -> str:
    """Why a file under the name of a table is none, as the rest of a sentence; empty where it may be one."""
    if what := foreign_content(head):
        return what
    known, names = _columns_of(type_), _names(head)
    if not known or not names or any(_plain(name) in known for name in names) or is_timeline(head):
        return ""
    if other := table_type(headers_of(head), ""):
        return _("a table with the columns of {type}: give it that name").format(type=other)
    line = first_line(head)
    if not line.replace("\t", " ").isprintable():
        return ""
    text = _("something else: its first line, {line!r}, has none of the columns of {type}")
    return text.format(line=cut(line, _MOST_NAMED_CELLS), type=type_)
