"""A view as one JSON object, written row by row.

Numbers stand as the file has them, digit by digit, never through a float; times and integers that a
JSON reader would round are decimal strings.
"""

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import lru_cache

from prof_tui.data.tables.cells import MISSING, is_number
from prof_tui.data.tables.columns import Column
from prof_tui.data.writing.written_view import WrittenView, row_chunks

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
        return _text
    return _time if column.kind == "time" else _number


@_remembered
def _text(cell: str | None) -> str:
    return json_text(cell)


def _time(cell: str | None) -> str:
    return "null" if cell is None or cell in MISSING else json_text(cell)


@_remembered
def _number(cell: str | None) -> str:
    """A cell as a JSON number; what is none in a column of numbers (``host`` as a device) as its text."""
    if cell is None or cell in MISSING:
        return "null"
    if _JSON_NUMBER.fullmatch(cell):
        return json_text(cell) if _is_rounded(cell) else cell
    if is_number(cell) and "e" not in cell.lower():
        plain = f"{Decimal(cell):f}"
        return json_text(plain) if _is_rounded(plain) else plain
    return json_text(cell)


def _is_rounded(number: str) -> bool:
    digits = number.removeprefix("-")
    return digits.isdigit() and (len(digits) > _MOST_DIGITS or int(digits) > _LARGEST_EXACT)
