"""A table of the export as it stands in its files: what the files pane opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.questions import Opening, Question

if TYPE_CHECKING:
    from prof_tui.data.tables.table import Table
    from prof_tui.data.timeline.tables import EventTable


class FileTablePane(TablePane):
    """One file type, all columns, file order."""

    def __init__(self, capture: OpenCapture, table_name: str) -> None:
        super().__init__(capture, pane_id=f"file-{table_name}")
        self.table_name = table_name


_LARGEST_FIRST = ("gap", "event_duration")
"""Ids of the columns that a table is sorted by at first; sums stand in the order of the lanes."""


class EventTablePane(TablePane):
    """``make`` is called in a worker and may take long; ``zero_ns`` is where its times count from."""

    def __init__(self, capture: OpenCapture, make: Callable[[], EventTable], zero_ns: int) -> None:
        super().__init__(capture)
        self._make, self._zero_ns = make, zero_ns
        self.made: EventTable | None = None

    def source(self, scope: Scope) -> Opening:
        self.made = self._make()
        query = self.first_query(self.made.table, scope)
        return Opening(self.made.table, Question(query, relative=True, zero_ns=self._zero_ns))

    def own_scope(self, scope: Scope) -> Scope:
        """It was made for a stretch of time; the scope chooses no rows of it."""
        return Scope()

    def first_query(self, table: Table, scope: Scope) -> Query:
        largest = next((column for id_ in _LARGEST_FIRST if (column := table.get(id_))), None)
        return Query(sort=Sort(largest.header, True) if largest else None)
