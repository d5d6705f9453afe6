"""The timeline of an iteration out of a trace, tied to the rows of the table below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.pages.iteration import TimedOp
from prof_tui.data.query.query import Scope

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.pages.iteration_events import RowEvents
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.windows import ScopeWindow
    from prof_tui.widgets.timeline.index import LaneIndex


@dataclass(frozen=True)
class IterationTrace:
    """What an iteration screen shows of a trace."""

    index: TraceIndex
    shown: ScopeWindow
    lanes: LaneIndex
    rows: RowEvents

    @property
    def file_names(self) -> list[str]:
        """The files that are this iteration's alone; all of them where none is."""
        own = [file for file in self.index.files if file.iteration == self.shown.scope.iteration]
        return [file.path.name for file in own or self.index.files]


def iteration_trace(
    capture: OpenCapture, scope: Scope, ops: Sequence[TimedOp] | None
) -> IterationTrace | None:
    """In a worker: the trace's lanes for an iteration; None where no trace holds anything of it.

    None too where part of the trace could not be read and op summary has the ops.

    ``ops`` are the rows below; None where they are the trace's own tasks in the order of
    ``tasks_of_window``.  UnreadableError when the trace can't be read.
    """
    from prof_tui.data.pages.iteration_events import RowEvents, events_of_ops, tasks_of_window
    from prof_tui.data.timeline.windows import scope_window
    from prof_tui.panes.timeline.lanes import trace_lanes

    index = capture.traces.read_unasked()
    if index is None or (ops is not None and index.damaged):
        return None
    shown = scope_window(capture, index, scope)
    tasks = tasks_of_window(index, shown.window, scope.device)
    if shown.is_whole or tasks.is_empty():
        return None
    rows = RowEvents.in_order(tasks.to_list()) if ops is None else events_of_ops(index, ops, scope.device)
    return IterationTrace(index, shown, trace_lanes(index, shown), rows)
