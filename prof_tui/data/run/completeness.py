"""The check of what a capture lacks, part by part: files, iterations, tables of the same ops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prof_tui.data.capture.completeness import Completeness, Lack, Unchecked, joined
from prof_tui.data.run.covered_iterations import check_iterations
from prof_tui.data.run.file_ends import check_files, clause
from prof_tui.data.run.ops import Ops
from prof_tui.data.run.twin_tables import check_tables
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.errors import UnreadableError
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


def read_completeness(capture: OpenCapture, progress: Progress = go_on) -> Completeness:
    """All of it, the first time; reads columns of op_summary and of its twins, and a small timeline."""
    if capture.completeness is not None:
        return capture.completeness
    try:
        ops, why = Ops(capture, capture.table("op_summary"), (), progress), ""
    except UnreadableError as error:
        ops, why = None, str(error)
    return finish_check(capture, covered_iterations(capture, ops, why), progress)


def covered_iterations(capture: OpenCapture, ops: Ops | None, why_none: str) -> Completeness:
    """Which iterations ``ops`` cover only in part; ``why_none``: why there are no ops."""
    if ops is None:
        return Completeness(unchecked=(Unchecked("incomplete_iterations", _("iterations"), why_none),))
    return check_iterations(ops, capture.placement(ops.table), capture.steps)


def finish_check(capture: OpenCapture, iterations: Completeness, progress: Progress = go_on) -> Completeness:
    """With what only the tables tell, and a second look at the files; the capture keeps it."""
    files, tables = check_files(capture.export), check_tables(capture, progress)
    known = {name for lack in files.lacks for name in lack.tables}
    opened = Completeness(tuple(lack for lack in _opened(capture) if not known.issuperset(lack.tables)))
    capture.completeness = joined([files, opened, iterations, tables])
    return capture.completeness


_OF_OPS = ("step_trace", "op_summary", "op_statistic", "task_time")


def _opened(capture: OpenCapture) -> Iterator[Lack]:
    """What only reading tells: tables that can't be, rows that are cut, and a table gone beside its twin."""
    for name in _OF_OPS:
        there = capture.export.table(name)
        if there is None or not there.files:
            continue
        try:
            sources = capture.table(name).sources
        except UnreadableError as error:
            yield Lack("incomplete_files", clause(str(error)), 1, (name,))
        else:
            cut = [each.file_name for each in sources if each.store.tally.last_line_cut]
            text = _("{name} ends within a row: it is cut")
            yield from (Lack("incomplete_files", text.format(name=each), 1, (name,)) for each in cut)
    summary, statistic = (capture.export.table(name) for name in ("op_summary", "op_statistic"))
    if statistic is not None and statistic.files and summary is not None and summary.status == "missing":
        text = _("op_summary is not there, though op_statistic is, which is made of the same ops")
        yield Lack("incomplete_files", text, 1, ("op_summary",))
