"""Pane 6: every file of the export: what it is, rows, which one is used and why, what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from prof_tui.data.query.query import Scope
from prof_tui.data.requests.files import FileRow, file_rows
from prof_tui.data.requests.timeline_facts import read_timelines
from prof_tui.data.tables.columns import Column, ColumnSpec, Kind, unit_of
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.questions import Opening, Question
from prof_tui.words import NOT_AVAILABLE, _, microseconds, number_text


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
_MOST_TIMELINE_BYTES = 20_000_000
"""Timelines up to here are read before the files are shown: a tenth of a second."""


class FilesPane(TablePane):
    """Files as rows; Enter opens one as a table."""

    table_name = "files"

    def source(self, scope: Scope) -> Opening:
        timelines = read_timelines(self.capture, most_bytes=_MOST_TIMELINE_BYTES)
        rows = file_rows(self.capture, timelines)
        table = Table(
            "files",
            [TableSource(self.capture.path.name, MemoryStore(COLUMNS, [_cells(row) for row in rows]))],
        )
        return Opening(table, Question(), notices=self.capture.export.notices)

    def own_scope(self, scope: Scope) -> Scope:
        return Scope()

    def tone(self, cells: Sequence[str | None]) -> str:
        status = cells[_STATUS]
        if status in ("damaged", "unreadable", "empty"):
            return "warning"
        return "" if status == "ok" else "muted"


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
