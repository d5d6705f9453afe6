"""Pane 6: every file of the export: what it is, rows, which one is used and why, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prof_tui.data.query.query import Scope
from prof_tui.data.requests.files import FileRow, file_rows
from prof_tui.data.requests.timeline_facts import read_timelines
from prof_tui.data.run.file_ends import check_files
from prof_tui.data.tables.columns import Column, ColumnSpec, Kind, unit_of
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.panes.table.kind import Cells, DrawRow, Opening, TableKind
from prof_tui.panes.table.questions import Question
from prof_tui.widgets.table.table import Row
from prof_tui.words import NOT_AVAILABLE, _, microseconds, number_text

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


def _column(id_: str, kind: Kind, header: str, meaning: str) -> Column:
    return Column(header, ColumnSpec(id_, kind, (header,), meaning), unit_of(header))


COLUMNS = (
    _column("file", "text", _("file"), _("The file's path within the capture; N/A for what is missing.")),
    _column("type", "text", _("type"), _("The file type, as msprof names it.")),
    _column("status", "text", _("status"), _("ok, empty, damaged, unreadable, missing or unsupported.")),
    _column("rows", "int", _("rows"), _("Rows of a table that is used.")),
    _column("bytes", "int", _("bytes"), _("The file's size.")),
    _column(
        "events", "int", _("events"), _("Events of a timeline; N/A until it was opened, if it is large.")
    ),
    _column("span", "duration", _("span(us)"), _("From a timeline's first moment to its last.")),
    _column("device", "int", _("device"), _("The device that the file is of; N/A where it covers several.")),
    _column("used", "text", _("used"), _("Whether prof-tui reads the file.")),
    _column("why", "text", _("why"), _("Why it is not used or not readable, or which option makes it.")),
    _column("layers", "text", _("layers"), _("The layers of a timeline that have events.")),
    _column("holds", "text", _("what it holds"), _("What files of this type hold.")),
)
_STATUS = 2
_TONES = {"ok": "", "damaged": "warning", "unreadable": "warning", "empty": "warning"}
"""The tone of a status; others are muted."""
_MOST_TIMELINE_BYTES = 20_000_000
"""Timelines up to here are read before the files are shown: a tenth of a second."""


def _read(capture: OpenCapture, scope: Scope) -> Opening:
    rows = file_rows(capture, read_timelines(capture, most_bytes=_MOST_TIMELINE_BYTES))
    store = MemoryStore(COLUMNS, [_cells(row) for row in rows])
    table = Table("files", [TableSource(capture.path.name, store)])
    known = capture.completeness or check_files(capture.export)
    line = _("Whole: {line}").format(line=known.line)
    return Opening(table, Question(), notices=(line, *capture.export.notices))


def _cells(row: FileRow) -> list[str]:
    return [
        row.name or NOT_AVAILABLE,
        row.type,
        row.status,
        number_text(row.rows),
        number_text(row.bytes),
        number_text(row.facts.events if row.facts else None),
        microseconds(row.facts.span_ns if row.facts else None),
        number_text(row.device),
        _("yes") if row.used else _("no"),
        row.reason,
        ", ".join(row.facts.layers) if row.facts else NOT_AVAILABLE,
        row.meaning,
    ]


def _draw_status(opening: Opening, columns: Sequence[Column]) -> DrawRow:
    """Files that can't be used stand out, those that are not used stand back."""

    def draw(row: Row, cells: Cells) -> Row:
        return replace(row, tone=_TONES.get(cells[_STATUS] or "", "muted"))

    return draw


FILES = TableKind("files", _read, own_scope=lambda scope: Scope(), draw_rows=_draw_status)
