"""Tables on screens of their own: those of the export as files have them, lists of a timeline's events."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.panes.table.kind import Opening, TableKind, exported
from prof_tui.panes.table.questions import Question

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.tables import EventTable


def file_table(name: str) -> TableKind:
    """One file type, all columns, file order."""
    return TableKind(name, exported(name))


_LARGEST_FIRST = ("gap", "event_duration")
"""Ids of the columns that a list is sorted by at first; sums stand in the order of the lanes."""


def event_table(make: Callable[[], EventTable], zero_ns: int) -> TableKind:
    """A list that ``make`` makes in a worker, which may take long; its times count from ``zero_ns``."""

    def read(capture: OpenCapture, scope: Scope) -> Opening:
        made = make()
        largest = next((column for id_ in _LARGEST_FIRST if (column := made.table.get(id_))), None)
        query = Query(sort=Sort(largest.header, True) if largest else None)
        return Opening(made.table, Question(query, relative=True, zero_ns=zero_ns), made=made)

    return TableKind("", read, own_scope=lambda scope: Scope())
