"""An open capture: its files sorted out, its tables and timelines read when asked for, its iterations.

Methods read files and may take long; call them from a worker, never from the UI thread.  All of them
may be called from several threads.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from prof_tui.data.capture.export import ONLY_TIMELINES, Export, read_export
from prof_tui.data.capture.file_sets import FileSet
from prof_tui.data.capture.listing import FileName
from prof_tui.data.query.query import OUTSIDE, Query, Scope
from prof_tui.data.tables.open_table import open_table
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.units import tick_clock
from prof_tui.errors import UnreadableError
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.capture.completeness import Completeness
    from prof_tui.data.iterations.placement import Placement
    from prof_tui.data.iterations.step_trace import StepTrace
    from prof_tui.data.query.query import View
    from prof_tui.data.timeline.model import Partial, TraceIndex


MOST_BYTES_UNASKED = 200_000_000
"""A timeline up to this size is read where it tells more; a larger one only where the user asked for it."""

_FIRST = "msprof"
"""The timeline of all layers."""


class Traces:
    """The timelines of a capture: each is read once, whoever asks for it; ``read`` takes long."""

    def __init__(self, export: Callable[[], Export]) -> None:
        """``export``: the capture's files as they were listed last."""
        self._export = export
        self._lock = threading.Lock()
        self._reading: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._held: dict[str, TraceIndex] = {}

    def names(self) -> list[str]:
        """Types of the timelines that can be read, the one to show first at the front."""
        return trace_names(self._export())

    def size_bytes(self, name: str) -> int:
        """Bytes of all files of a timeline."""
        sets = (each for each in self._export().timelines if each.name == name)
        return sum(file.size for each in sets for file in each.files)

    def get(self, name: str) -> TraceIndex | None:
        """The whole timeline if it was read."""
        return self._held.get(name)

    @property
    def first(self) -> TraceIndex | None:
        """The first timeline if it was read."""
        return next((self.get(name) for name in self.names()), None)

    def read(self, name: str, progress: Progress = go_on, part: Partial | None = None) -> TraceIndex:
        """The whole timeline; waits where somebody else is reading it.

        UnreadableError when nothing of it can be read, CancelledError when ``progress`` (bytes read, bytes in
        all) gives up; ``part`` gets what is read so far of a long one.
        """
        from prof_tui.data.timeline.read.files import read_trace

        with self._lock:
            reading = self._reading[name]
        with reading:
            held = self._held.get(name)
            if held is None:
                held = self._held[name] = read_trace(self._export(), name, progress=progress, partial=part)
            return held

    def read_unasked(self, progress: Progress = go_on) -> TraceIndex | None:
        """The first timeline: if it was read, or is small enough to be; None otherwise.

        Raises what ``read`` does.
        """
        if self.first is not None:
            return self.first
        small = (name for name in self.names()[:1] if self.size_bytes(name) <= MOST_BYTES_UNASKED)
        return next((self.read(name, progress) for name in small), None)

    @property
    def is_damaged(self) -> bool:
        """Whether part of the first timeline could not be read, as far as that is known."""
        first = self.first
        return first is not None and bool(first.damaged)

    def forget(self) -> None:
        """Read everything anew from now on."""
        with self._lock:
            self._reading.clear()
            self._held.clear()


def trace_names(export: Export) -> list[str]:
    """Types of the timelines that can be read: msprof first, then in the order of ``file_types``."""
    names = dict.fromkeys(each.name for each in export.timelines if each.status == "ok")
    return sorted(names, key=lambda name: name != _FIRST)


class OpenCapture:
    """One PROF directory, a directory of loose exports, or one exported file alone."""

    def __init__(self, path: Path, *, chosen: Path | None = None, name: str = "") -> None:
        """``chosen``: the file in it that was opened; ``name``: what it is called among others."""
        self.path = path
        self._chosen, self._name = chosen, name
        self.steady_from: int | None = None
        """The first Iteration ID that counts as steady in everything asked for; None for the usual one."""
        self._lock = threading.RLock()
        self._tables: dict[str, Table] = {}
        self._placements: dict[Table, Placement] = {}
        self._computed: dict[tuple[Scope, str], Table] = {}
        self.completeness: Completeness | None = None
        """What the capture lacks; None until all of that was checked."""
        self.traces = Traces(lambda: self.export)

    @cached_property
    def export(self) -> Export:
        """The capture's files; UnreadableError when the directory can't be listed."""
        return read_export(self.path, chosen=self._chosen)

    @property
    def name(self) -> str:
        """What it is called; never waits for the file system."""
        listed: Export | None = self.__dict__.get("export")
        return self._name or (listed.name if listed else self.path.name)

    def forget(self) -> None:
        """List the files anew, and read everything else anew from now on.

        UnreadableError when the directory can't be listed: then everything stays as it is.
        """
        export = read_export(self.path, chosen=self._chosen)
        with self._lock:
            self._tables.clear()
            self._placements.clear()
            self._computed.clear()
            self.completeness = None
            self.traces.forget()
            self.__dict__.pop("_read_steps", None)
            self.__dict__["export"] = export  # never absent: the screen asks for it too

    @property
    def chosen(self) -> FileName | None:
        """What the name of the file says that was opened; None where none was."""
        if self._chosen is None:
            return None
        wanted = os.path.realpath(self._chosen)
        files = (file for one in self.export.exports for file in one.files)
        return next((file.name for file in files if os.path.realpath(file.path) == wanted), None)

    def table(self, name: str) -> Table:
        """The table of a type; UnreadableError when it is missing or none of its files can be read."""
        with self._lock:
            if name not in self._tables:
                self._tables[name] = open_table(self._file_set(name), self.export.devices)
            return self._tables[name]

    def _file_set(self, name: str) -> FileSet:
        found = self.export.table(name)
        if found is not None and found.files:
            return found
        if name == "step_trace" and (timelines := self._step_timelines()):
            return replace(timelines[0], files=tuple(file for each in timelines for file in each.files))
        raise UnreadableError(self.why_missing(name))

    def _step_timelines(self) -> list[FileSet]:
        return [each for each in self.export.timelines if each.name == "step_trace" and each.files]

    def why_missing(self, name: str) -> str:
        """One or two sentences: that the export has no such table, and what makes it."""
        found = self.export.table(name)
        if found is not None and found.status == "unsupported":
            return found.reason
        said = _("There is no {table} in this export.").format(table=name)
        if self.export.only_timelines:
            serves = _SERVES if name == "op_summary" and self.traces.names() else ""
            return " ".join(filter(None, (said, ONLY_TIMELINES, serves)))
        return f"{said} {found.reason}" if found is not None and found.reason else said

    def why_no_timeline(self) -> str:
        """That the export has no timeline that can be read, and what is wrong or what makes one."""
        reasons = [each.reason for each in self.export.timelines if each.reason]
        return " ".join([_("There is no timeline in this export that can be read."), *dict.fromkeys(reasons)])

    @property
    def steps(self) -> StepTrace:
        """The iterations; empty where the export has no readable step trace."""
        return self._read_steps.counted_from(self.steady_from)

    @cached_property
    def _read_steps(self) -> StepTrace:
        from prof_tui.data.iterations.step_trace import StepTrace, read_steps

        try:
            table = self.table("step_trace")
        except UnreadableError:
            return StepTrace()
        return read_steps(table, lambda device: tick_clock(self.path, device))

    def placement(self, table: Table) -> Placement:
        """Which iteration each row of an ops table is in."""
        from prof_tui.data.iterations.placement import place_ops

        with self._lock:
            if table not in self._placements:
                self._placements[table] = place_ops(table, self.steps)
            return self._placements[table]

    def view(self, table: Table, query: Query, progress: Progress = go_on, *, soon: bool = False) -> View:
        """The rows of ``table`` that answer ``query``; UsageError where it names what isn't there.

        ``soon``: before damaged rows are judged, where that is quicker.
        """
        from prof_tui.data.query.view import answer_query

        if table.name == "step_trace":
            return answer_query(table, query, step_placement, progress)
        return answer_query(table, query, self.placement, progress, soon=soon)

    def op_statistic(self, scope: Scope, *, own_file: bool = True) -> tuple[Table, str]:
        """op_statistic for a scope, and what it was computed from: op_summary, a timeline; empty for a file.

        msprof's own file serves while the scope isn't narrower than what the file covers.  One that is
        there and can't be read is UnreadableError then: it costs its own pane.  ``own_file``: False to
        compute it anyway.
        """
        if not own_file:
            return self._computed_statistic(replace(scope, device=None), "")
        why = ""
        try:
            table = self.table("op_statistic")
        except UnreadableError as error:
            if self.export.has_table("op_statistic") and scope == Scope(device=scope.device):
                raise
            why = str(error)
        else:
            if _covers(table, scope):
                return table, ""
        return self._computed_statistic(replace(scope, device=None), why)

    def _computed_statistic(self, scope: Scope, why: str) -> tuple[Table, str]:
        """``why``: what keeps msprof's own file from being shown; it becomes a notice."""
        missing = not self.export.has_table("op_summary") and not self.export.alternatives("op_summary")
        index = self.traces.read_unasked() if missing else None
        if missing and index is None and self.traces.names():
            raise UnreadableError(" ".join(filter(None, (why, _ONLY_WHEN_READ))))
        with self._lock:
            if (scope, why) not in self._computed:
                made = (
                    self._summed_ops(scope, why) if index is None else self._summed_tasks(index, scope, why)
                )
                self._computed[scope, why] = made
            made = self._computed[scope, why]
        return made, "op_summary" if index is None else _("timeline {name}").format(name=index.name)

    def _summed_ops(self, scope: Scope, why: str) -> Table:
        from prof_tui.data.query.op_statistic import computed_op_statistic

        try:
            ops = self.table("op_summary")
        except UnreadableError as error:
            raise UnreadableError(why or str(error)) from error
        table = computed_op_statistic(ops, self.view(ops, Query(scope)).rows, scope, why)
        if table is None:
            raise UnreadableError(" ".join(filter(None, (why, _NOTHING_TO_SUM))))
        if scope == Scope() and not table.row_count:
            raise UnreadableError(" ".join(filter(None, (why, _NO_TYPE))))
        return table

    def _summed_tasks(self, index: TraceIndex, scope: Scope, why: str) -> Table:
        from prof_tui.data.timeline.op_statistic import traced_op_statistic

        table = traced_op_statistic(index, self.steps, scope, why)
        if scope == Scope() and not table.row_count:
            raise UnreadableError(why or _NO_TASKS)
        return table


_SERVES = _("The timeline has the ops: 5, then S sums them by name; op_statistic is computed from it.")
_NOTHING_TO_SUM = _("op_statistic can't be computed: op_summary has no OP Type, Task Type or Task Duration.")
_NO_TYPE = _(
    "Nor can it be computed from op_summary: no op there has an OP Type and a Task Duration, as with "
    "--task-time=l0."
)
_ONLY_WHEN_READ = _("It can be computed from the timeline once that is read, as 5 does.")
_NO_TASKS = _("op_statistic can't be computed: no op is in the timeline.")


def _covers(table: Table, scope: Scope) -> bool:
    """Whether msprof's file answers for the scope's model and iteration: it does when its name says them."""
    if scope.iteration == OUTSIDE:
        return False
    if scope.iteration is None and scope.model is None:
        return True
    held = {(source.model, source.iteration) for source in table.sources}
    if scope.iteration is None:
        return {model for model, _iteration in held} == {scope.model}
    return (scope.model, scope.iteration) in held


def step_placement(table: Table) -> Placement:
    """The rows of a step trace as placed ops: each is in its own iteration."""
    import polars as pl

    from prof_tui.data.iterations.placement import Placement
    from prof_tui.data.tables.table import model_numbers

    nothing = pl.Series([None], dtype=pl.Int64).new_from_index(0, table.row_count)
    column = table.get("iteration_id")
    iteration = nothing if column is None else table.numbers(column).cast(pl.Int64)
    return Placement(iteration, model_numbers(table), nothing.cast(pl.UInt8))
