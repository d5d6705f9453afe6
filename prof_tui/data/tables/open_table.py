"""Open the files of one table: headers and first rows at once, everything else when it is asked for.

Nothing here needs polars, so that the first rows are on the screen before it is imported.
"""

import json
from collections.abc import Sequence

from prof_tui.data.capture.content import HEAD_BYTES, why_not_its_kind
from prof_tui.data.capture.file_sets import FileSet
from prof_tui.data.capture.listing import ExportFile
from prof_tui.data.tables.cells import MISSING, clean, is_number
from prof_tui.data.tables.columns import Column, Kind, tell_apart, unit_of
from prof_tui.data.tables.csv_rows import (
    COMMA,
    Decoded,
    decode,
    delimiter_of,
    logical_lines,
    rows_of_lines,
    shown_rows,
    split_line,
)
from prof_tui.data.tables.file_store import FileStore
from prof_tui.data.tables.known_columns import column_for, spec_for
from prof_tui.data.tables.repairs import Tally
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.tables.step_trace_file import REDUCE_HEADERS, repair_steps, step_rows
from prof_tui.data.tables.stores import MemoryStore, RowStore, TableSource, reading
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.units import TICKS, settle_units
from prof_tui.errors import ProfTuiError, UnreadableError
from prof_tui.words import _

SMALL_FILE_BYTES = 2_000_000
"""Up to this size a file's rows are held in memory: some 5,000 rows of op_summary, read in 50 ms."""

_HEAD_BYTES = 48_000
"""About 120 rows of op_summary: more than most terminals show, read and understood in 5 ms."""


def open_table(files: FileSet, devices: Sequence[int] = ()) -> Table:
    """The table that these files hold; ``devices`` are those of the capture.

    A file that can't be read costs its rows and is named in the table's notices; UnreadableError when
    none is left.
    """
    sources: list[TableSource] = []
    problems: list[str] = []
    for file in files.files:
        try:
            with reading(file.path.name):
                store = _open_store(files.name, file)
        except ProfTuiError as error:
            problems.append(str(error))
            continue
        device = _device(file, store, devices)
        if files.name == "step_trace":  # holds the whole run, whatever iteration its name says
            sources.append(TableSource(file.path.name, store, device))
        else:
            sources.append(TableSource(file.path.name, store, device, file.model, file.iteration))
    if not sources:
        raise UnreadableError(
            " ".join(problems) or files.reason or _("{table} has no file.").format(table=files.name)
        )
    return Table(files.name, sources, problems)


def _device(file: ExportFile, store: RowStore, devices: Sequence[int]) -> int | None:
    """The device of all rows of a file: from its name or folder, else the capture's only one."""
    if file.device is not None or any(column.id == "device_id" for column in store.columns):
        return file.device
    return devices[0] if len(devices) == 1 else None


def _open_store(table: str, file: ExportFile) -> RowStore:
    source = SourceFile(file.path)
    if not source.size:
        raise UnreadableError(
            _("{file} is empty (0 bytes): the export was cut off; export the capture again.").format(
                file=file.path.name
            )
        )
    if file.name.suffix == "json":
        return _json_store(table, source)
    if source.size <= SMALL_FILE_BYTES or table == "step_trace":
        return _memory_store(table, source)
    return _file_store(table, source)


def _of_its_kind(table: str, source: SourceFile, data: bytes) -> bytes:
    """``data``, a file from its begin on; UnreadableError where it is something else than its name says."""
    if why := why_not_its_kind(table, data[:HEAD_BYTES]):
        text = _("{file} is no table of {table} but {what}.")
        raise UnreadableError(text.format(file=source.path.name, table=table, what=why))
    return data


# CSV


def _memory_store(table: str, source: SourceFile) -> MemoryStore:
    decoded = decode(_of_its_kind(table, source, source.read()))
    headers, lines, delimiter = _header_and_lines(source, decoded)
    if table == "step_trace":
        headers = _add_reduce_headers(headers, lines)
    columns = _columns(headers, [split_line(line) for line in lines[:200]])
    tally = Tally(notes=list(decoded.notices))
    lines = list(rows_of_lines(lines, columns, delimiter, tally))
    rows = shown_rows(lines, columns, tally, ends_open=not decoded.text.endswith("\n"))
    if table == "step_trace":
        repair_steps(columns, rows, tally)
    return MemoryStore(columns, rows, tally)


def _file_store(table: str, source: SourceFile) -> FileStore:
    data = _of_its_kind(table, source, source.read(0, _HEAD_BYTES))
    data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1] or data
    decoded = decode(data)
    headers, lines, delimiter = _header_and_lines(source, decoded)
    columns = _columns(headers, [split_line(line) for line in lines])
    lines = list(rows_of_lines(lines, columns, delimiter, Tally()))
    head = shown_rows(lines, columns, Tally(), ends_open=False)
    in_place = decoded.has_own_lines and delimiter == COMMA
    return FileStore(source, columns, head, None if in_place else delimiter)


def _header_and_lines(source: SourceFile, decoded: Decoded) -> tuple[tuple[str, ...], list[str], str]:
    """The header's names, the logical lines behind it, with commas, and what separates cells in the file.

    UnreadableError when this is no table.
    """
    lines = decoded.text.split("\n")
    first = lines[0].rstrip("\r")
    delimiter = delimiter_of(first)
    headers = tell_apart(split_line(first, delimiter))
    if not first.strip() or not first.replace("\t", "").isprintable() or "�" in first:
        raise UnreadableError(
            _("{file} is not a CSV table (its first line, from byte 0 on): export or copy it again.").format(
                file=source.path.name
            )
        )
    body = lines[1:] if lines[-1] else lines[1:-1]
    return headers, list(logical_lines(body, len(headers), delimiter)), delimiter


def _add_reduce_headers(headers: tuple[str, ...], lines: Sequence[str]) -> tuple[str, ...]:
    """More reduce pairs where rows have more than the header, which is the first device's (quirk 14)."""
    extra = max((len(split_line(line)) for line in lines), default=0) - len(headers)
    if extra <= 0 or extra % 2 or len(headers) < 2:
        return headers
    base = [header.rsplit(" ", 1)[0] if header.rsplit(" ", 1)[-1].isdigit() else header for header in headers]
    pair = base[-2:] if spec_for(base[-2]).id == "reduce_start" else list(REDUCE_HEADERS)
    return tell_apart([*base, *pair * (extra // 2)])


def _columns(headers: Sequence[str], first_rows: Sequence[Sequence[str]]) -> tuple[Column, ...]:
    """The columns under ``headers``; sound rows settle what the headers leave open."""
    least = next(
        (i for i, header in enumerate(headers) if spec_for(header).id == "reduce_start"), len(headers)
    )
    sound = [row for row in first_rows if least <= len(row) <= len(headers)]
    sample = [row for row in sound if row[0] != headers[0] or tell_apart(row) != headers[: len(row)]]
    units = settle_units(headers, sample)
    return tuple(
        column_for(header, unit=units.get(header, ""), kind=_kind(header, i, units.get(header, ""), sample))
        for i, header in enumerate(headers)
    )


def _kind(header: str, place: int, unit: str, sample: Sequence[Sequence[str]]) -> Kind | None:
    """What values say of a column that the table of columns doesn't know; None to take its word."""
    if unit == TICKS:
        return "int"
    spec = spec_for(header)
    if spec.kind != "text" or spec.group != "other" or unit_of(header):
        return None
    values = [clean(row[place]) for row in sample if len(row) > place]
    values = [value for value in values if value not in MISSING]
    if not values or not all(is_number(value) for value in values):
        return None
    return "int" if all(value.lstrip("+-").isdigit() for value in values) else "decimal"


# JSON


def _json_store(table: str, source: SourceFile) -> MemoryStore:
    """A summary written with --summary-format=json, or the step trace of a JSON timeline."""
    decoded = decode(_of_its_kind(table, source, source.read()))
    try:
        headers, rows = step_rows(decoded.text) if table == "step_trace" else _json_rows(decoded.text)
    except ValueError as error:
        raise UnreadableError(_json_damage(source, error)) from error
    columns = _columns(tell_apart(headers), rows[:200])
    tally = Tally(notes=list(decoded.notices))
    rows = [[clean(cell) for cell in row] for row in rows]
    if table == "step_trace":
        repair_steps(columns, rows, tally)
    return MemoryStore(columns, rows, tally)


def _json_rows(text: str) -> tuple[list[str], list[list[str]]]:
    loaded = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    if not isinstance(loaded, list) or not all(isinstance(item, dict) for item in loaded):
        raise ValueError(_("it holds no list of rows"))
    headers = list(dict.fromkeys(key for item in loaded for key in item))
    return headers, [
        ["" if item.get(key) is None else str(item.get(key, "")) for key in headers] for item in loaded
    ]


def _json_damage(source: SourceFile, error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return _(
            "{file} is damaged at line {line}, column {column}: {why}; export the capture again."
        ).format(file=source.path.name, line=error.lineno, column=error.colno, why=error.msg)
    return _("{file} can't be read: {why}; export the capture again.").format(
        file=source.path.name, why=error
    )
