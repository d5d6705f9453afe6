"""Pane 6: every file of the export: what it is, rows, which one is used and why, what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from prof_tui.data.column_lookup import column_for
from prof_tui.data.files_report import FileRow, file_rows
from prof_tui.data.query import Scope
from prof_tui.data.row_stores import MemoryStore
from prof_tui.data.table import Table, TableSource
from prof_tui.panes.answers import Opening, Question
from prof_tui.panes.table_pane import TablePane
from prof_tui.words import NOT_AVAILABLE, _

COLUMNS = (
    column_for(_("file"), kind="text"),
    column_for(_("type"), kind="text"),
    column_for(_("status"), kind="text"),
    column_for(_("rows"), kind="int"),
    column_for(_("bytes"), kind="int"),
    column_for(_("device"), kind="int"),
    column_for(_("used"), kind="text"),
    column_for(_("why"), kind="text"),
    column_for(_("what it holds"), kind="text"),
)
_FILE, _TYPE, _STATUS = 0, 1, 2


class FilesPane(TablePane):
    """Files as rows; Enter opens one as a table."""

    table_name = "files"

    def source(self, scope: Scope) -> Opening:
        rows = file_rows(self.capture)
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
        _number(row.rows),
        _number(row.bytes),
        _number(row.device),
        _("yes") if row.used else _("no"),
        row.reason,
        row.meaning,
    ]


def _number(value: int | None) -> str:
    return NOT_AVAILABLE if value is None else str(value)
