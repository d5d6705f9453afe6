"""The tables that no number key leads to: ops of an iteration, lists of events, files opened from Files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.shown_columns import default_columns
from prof_tui.data.tables.table import Table
from prof_tui.errors import UnreadableError
from prof_tui.panes.op_summary import mark_invalid
from prof_tui.panes.table.kind import Opening, TableKind, exported
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.questions import Question
from prof_tui.words import _

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


def go_to(pane: TablePane, row: int) -> None:
    """Put the cursor on a row number, if the view has it."""
    if pane.answer is None or pane.row == row:
        return
    from prof_tui.data.query.query import place_of

    place = place_of(pane.answer.view, row)
    if place is not None:
        pane.frame.move_cursor(row=place)


def count_from(pane: TablePane, zero_ns: int) -> None:
    """Show times from the iteration's start on; also before the table is open."""
    pane.reader.change(lambda asked: replace(asked, relative=True, zero_ns=zero_ns), kept=None)


def _sort_by_start(table: Table) -> Query:
    start = table.get("task_start")
    return Query(sort=Sort(start.header, False) if start else None)


_FIRST = ("op_name", "task_start", "task_duration", "task_type", "stream_id")
"""Columns that belong to a timeline, before op summary's own choice."""


def _timeline_columns_first(table: Table, several_devices: bool) -> tuple[Column, ...]:
    first = [column for id_ in _FIRST if (column := table.get(id_))]
    others = default_columns(table, several_devices=several_devices)
    return (*first, *(column for column in others if column not in first))


def _read_timeline_ops(capture: OpenCapture, scope: Scope) -> Opening:
    from prof_tui.data.pages.iteration import tasks_of_window
    from prof_tui.data.timeline.tables import ops_table
    from prof_tui.data.timeline.windows import scope_window

    index = capture.traces.read_unasked()
    if index is None:
        raise UnreadableError(_("The timeline is not read yet: 5 reads it."))
    shown = scope_window(capture.steps, index, scope)
    table = ops_table(index, tasks_of_window(index, shown.window, scope.device)).table
    return Opening(table, Question(_sort_by_start(table)))


ITERATION_OPS = TableKind(
    "op_summary",
    exported("op_summary", _sort_by_start),
    own_columns=_timeline_columns_first,
    draw_rows=mark_invalid,
)
"""Op summary of one iteration, by start."""
TIMELINE_OPS = TableKind("timeline_ops", _read_timeline_ops, opens_anew=True)
"""The stream tasks of one iteration, as the timeline has them, by start."""
