"""What the files of a capture are, settled by opening them: for ``prof-tui files`` and the Files pane.

Every table is opened once and its rows are counted; a large capture takes seconds.  What timelines hold is
in ``ReadTimelines``, which may take longer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from prof_tui.data.capture.completeness import Completeness
from prof_tui.data.capture.file_sets import FileSet, Status
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.capture.listing import ExportFile
from prof_tui.data.capture.packed import how_to_unpack, is_packed
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.requests.timeline_facts import ReadTimelines, TimelineFacts
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table
from prof_tui.data.writing.rows import json_text
from prof_tui.data.writing.text import aligned, widest
from prof_tui.errors import UnreadableError
from prof_tui.words import NS_PER_US, _, byte_size, count, microseconds, printable


@dataclass(frozen=True)
class ExportFiles:
    """One run of the exporter; its files are paths within the capture."""

    stamp: str | None
    used: bool
    files: tuple[str, ...]


@dataclass(frozen=True)
class TableFiles:
    """The files of one table; ``rows`` is None where it can't be read."""

    name: str
    device: int | None
    files: tuple[str, ...]
    rows: int | None
    status: Status
    reason: str


@dataclass(frozen=True)
class TimelineFiles:
    """The files of one timeline; what they hold is None where they can't be read."""

    name: str
    device: int | None
    model: int | None
    iteration: int | None
    files: tuple[str, ...]
    bytes: int
    status: Status
    reason: str
    events: int | None
    """All of them, metadata too."""
    slices: int | None
    begin_us: str | None
    """The first moment; no float holds its digits."""
    span_us: float | None
    layers: tuple[str, ...] | None


@dataclass(frozen=True)
class FilesReport:
    """The listing of a capture; fields are named and ordered as in the JSON."""

    capture: str
    generation: str
    devices: tuple[int, ...]
    exports: tuple[ExportFiles, ...]
    tables: tuple[TableFiles, ...]
    timelines: tuple[TimelineFiles, ...]
    completeness: Completeness
    notices: tuple[str, ...]


@dataclass(frozen=True)
class FileRow:
    """One file, or a table or timeline that is missing."""

    name: str
    """The path within the capture; empty for what is missing."""
    type: str
    meaning: str
    """What files of this type hold; empty for an unknown type."""
    device: int | None
    rows: int | None
    """None for what is no readable table, and for a table that isn't used."""
    bytes: int | None
    status: Status
    used: bool
    reason: str
    """Why it isn't used or can't be read, or which collection option makes it."""
    facts: TimelineFacts | None = None
    """What a timeline holds; None for what is none, and where it was not read."""


def files_report(capture: OpenCapture, timelines: ReadTimelines, progress: Progress = go_on) -> FilesReport:
    """The listing of a capture; UnreadableError when the directory can't be listed."""
    from prof_tui.data.run.completeness import read_completeness

    export = capture.export
    opened = [_open(capture, file_set) for file_set in export.tables]
    said = [notice for each in opened if each.table for notice in each.table.notices]
    return FilesReport(
        capture=str(export.capture),
        generation=export.generation,
        devices=export.devices,
        exports=tuple(ExportFiles(one.stamp, one.used, _names(capture, one.files)) for one in export.exports),
        tables=tuple(_table_files(capture, each) for each in opened),
        timelines=tuple(_timeline_files(capture, each, timelines) for each in export.timelines),
        completeness=read_completeness(capture, progress),
        notices=tuple(dict.fromkeys([*export.notices, *said])),
    )


def files_json(report: FilesReport) -> str:
    """The object of ``files --format json``."""
    from prof_tui.data.report.as_json import completeness_object

    whole = asdict(report) | {"completeness": completeness_object(report.completeness)}
    return json_text(whole) + "\n"


def file_rows(capture: OpenCapture, timelines: ReadTimelines) -> list[FileRow]:
    """Tables with what is missing among them, timelines, then files that aren't used, then other files."""
    export = capture.export
    rows: list[FileRow] = []
    for file_set in export.tables:
        rows += _rows_of_table(capture, _open(capture, file_set))
    for timeline in export.timelines:
        rows += [_timeline_row(capture, timeline, file, timelines) for file in timeline.files]
        if timeline.status == "missing":
            rows.append(_fileless_row(timeline.name, None, timeline.status, timeline.reason))
    rows += [_row(capture, unused.file, used=False, reason=unused.reason) for unused in export.unused]
    for file in export.other:
        rows.append(_row(capture, file, used=False, status="unsupported", reason=_why_other(file)))
    return rows


def _why_other(file: ExportFile) -> str:
    if is_packed(file.path.name):
        return how_to_unpack(file.path)
    return _("Neither a table nor a timeline.")


@dataclass(frozen=True)
class _Opened:
    """A table as it turned out when it was opened."""

    file_set: FileSet
    """Without files for what is missing, also for a step trace that is read from a timeline."""
    table: Table | None
    status: Status
    reason: str

    @property
    def rows(self) -> int | None:
        return None if self.table is None else self.table.total


def _open(capture: OpenCapture, file_set: FileSet) -> _Opened:
    if file_set.status not in ("ok", "missing"):
        return _Opened(file_set, None, file_set.status, file_set.reason)
    try:
        table = capture.table(file_set.name)
        table.prepare()
    except UnreadableError as error:
        if file_set.status == "missing":
            return _Opened(file_set, None, "missing", file_set.reason)
        return _Opened(file_set, None, _damage(file_set.files), str(error))
    if file_set.status == "missing":
        return _Opened(
            file_set, table, "ok", _("Read from {files}.").format(files=", ".join(table.file_names))
        )
    reasons = [part for part in (file_set.reason, *table.problems) if part]
    return _Opened(file_set, table, "ok", " ".join(dict.fromkeys(reasons)))


def _damage(files: Iterable[ExportFile]) -> Status:
    return "unreadable" if any(_is_refused(file.path) for file in files) else "damaged"


def _is_refused(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            file.read(1)
    except OSError:
        return True
    return False


def _table_files(capture: OpenCapture, opened: _Opened) -> TableFiles:
    file_set = opened.file_set
    files = file_set.files
    if opened.table and not files:
        timelines = (each for each in capture.export.timelines if each.name == file_set.name)
        files = tuple(file for each in timelines for file in each.files)
    names = _names(capture, files or file_set.unread)
    return TableFiles(file_set.name, file_set.device, names, opened.rows, opened.status, opened.reason)


def _timeline_files(capture: OpenCapture, timeline: FileSet, timelines: ReadTimelines) -> TimelineFiles:
    named = timeline.name, timeline.files
    facts = timelines.facts(*named)
    begin_ns = facts.begin_ns if facts else None
    span_ns = facts.span_ns if facts else None
    return TimelineFiles(
        name=timeline.name,
        device=timeline.device,
        model=timeline.model,
        iteration=timeline.iteration,
        files=_names(capture, timeline.files),
        bytes=sum(file.size for file in timeline.files),
        status=_damage(timeline.files) if timelines.damaged(*named) else timeline.status,
        reason=" ".join(part for part in (timeline.reason, timelines.said(*named)) if part),
        events=facts.events if facts else None,
        slices=facts.slices if facts else None,
        begin_us=None if begin_ns is None else microseconds(begin_ns),
        span_us=None if span_ns is None else span_ns / NS_PER_US,
        layers=facts.layers if facts else None,
    )


def _timeline_row(
    capture: OpenCapture, timeline: FileSet, file: ExportFile, timelines: ReadTimelines
) -> FileRow:
    named = timeline.name, [file]
    status = _damage([file]) if timelines.damaged(*named) else None
    row = _row(capture, file, status=status, reason=timelines.said(*named))
    facts = timelines.facts(*named)
    return replace(row, facts=facts, used=row.used or facts is not None)


def _names(capture: OpenCapture, files: Iterable[ExportFile]) -> tuple[str, ...]:
    return tuple(_name(capture, file) for file in files)


def _name(capture: OpenCapture, file: ExportFile) -> str:
    return file.path.relative_to(capture.export.root).as_posix()


def _rows_of_table(capture: OpenCapture, opened: _Opened) -> Iterator[FileRow]:
    """A row per file of a table, each with its own share of the rows."""
    counted = {}
    for source in opened.table.sources if opened.table else ():
        counted[source.file_name] = source.store.row_count - len(source.store.left_out)
    for file in opened.file_set.files:
        rows = counted.get(file.path.name)
        if rows is not None:
            yield _row(capture, file, rows=rows)
        elif opened.file_set.status == "ok":
            yield _row(capture, file, status=_damage([file]), reason=opened.reason)
        else:
            yield _row(capture, file, reason=opened.reason)
    if not opened.file_set.files:
        yield _fileless_row(opened.file_set.name, opened.rows, opened.status, opened.reason)


def _fileless_row(name: str, rows: int | None, status: Status, reason: str) -> FileRow:
    return FileRow("", name, _meaning(name), None, rows, None, status, status == "ok", reason)


def _row(
    capture: OpenCapture,
    file: ExportFile,
    *,
    used: bool = True,
    rows: int | None = None,
    status: Status | None = None,
    reason: str = "",
) -> FileRow:
    file_type = file.name.type
    return FileRow(
        name=_name(capture, file),
        type=file_type,
        meaning=_meaning(file_type),
        device=file.device,
        rows=rows,
        bytes=file.size,
        status=status or _status(file),
        used=used and (status or _status(file)) == "ok",
        reason=reason or file.problem or "",
    )


def _status(file: ExportFile) -> Status:
    """What its inode tells."""
    if file.problem:
        return "unreadable"
    return "ok" if file.size else "empty"


def _meaning(name: str) -> str:
    return KINDS[name].meaning if name in KINDS else ""


def files_text(report: FilesReport, rows: Iterable[FileRow]) -> Iterator[str]:
    """The capture, a line per file, and a line per timeline that was read."""
    devices = ", ".join(map(str, report.devices)) or _("none")
    yield _("Capture: {path}\n").format(path=printable(report.capture))
    yield _("Layout: {generation}, devices: {devices}\n").format(
        generation=report.generation, devices=devices
    )
    yield _("Whole: {line}\n").format(line=report.completeness.line)
    for one in report.exports:
        text = _("Export: {stamp}, shown\n") if one.used else _("Export: {stamp}, not shown\n")
        yield text.format(stamp=one.stamp or _("without a stamp"))
    head = [_("file"), _("type"), _("device"), _("rows"), _("size"), _("status"), _("used"), ""]
    yield from _lines([head, *(_cells(row) for row in rows)], "  >>>   ")
    read = [timeline for timeline in report.timelines if timeline.events is not None]
    if read:
        head = [_("timeline"), _("device"), _("model"), _("iteration"), _("events"), _("slices")]
        head += [_("begin(us)"), _("span(us)"), _("layers")]
        yield from _lines([head, *(_timeline_cells(timeline) for timeline in read)], " >>>>>>> ")


def _lines(cells: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """An empty line and the cells below each other; ``sides`` has a ``>`` for each column at its right."""
    widths = widest(cells, [0] * len(sides))
    yield "\n"
    yield from (aligned(line, widths, [side == ">" for side in sides], None) for line in cells)


def _timeline_cells(timeline: TimelineFiles) -> list[str]:
    return [
        printable(timeline.name),
        *("" if number is None else str(number) for number in (timeline.device, timeline.model)),
        "" if timeline.iteration is None else str(timeline.iteration),
        *(count(number) for number in (timeline.events or 0, timeline.slices or 0)),
        timeline.begin_us or "",
        "" if timeline.span_us is None else f"{timeline.span_us:,.3f}",
        printable(", ".join(timeline.layers or ())),
    ]


def _cells(row: FileRow) -> list[str]:
    return [
        printable(row.name) or "-",
        printable(row.type),
        "" if row.device is None else str(row.device),
        "" if row.rows is None else count(row.rows),
        "" if row.bytes is None else byte_size(row.bytes),
        row.status,
        _("yes") if row.used else _("no"),
        printable(row.reason or row.meaning),
    ]
