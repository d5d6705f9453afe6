"""A table made from a timeline: longest events, gaps, sums of a range."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prof_tui.data.query import Query, Scope
from prof_tui.panes.answers import Opening, Question
from prof_tui.panes.table_pane import TablePane

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.table import Table
    from prof_tui.data.trace.trace_tables import EventTable


class EventTablePane(TablePane):
    """``make`` is called in a worker and may take long."""

    def __init__(self, capture: OpenCapture, make: Callable[[], EventTable]) -> None:
        super().__init__(capture)
        self._make = make
        self.made: EventTable | None = None

    def source(self, scope: Scope) -> Opening:
        self.made = self._make()
        return Opening(self.made.table, Question(self.first_query(self.made.table, scope)))

    def own_scope(self, scope: Scope) -> Scope:
        """It was made for a stretch of time; the scope chooses no rows of it."""
        return Scope()

    def first_query(self, table: Table, scope: Scope) -> Query:
        return Query()
