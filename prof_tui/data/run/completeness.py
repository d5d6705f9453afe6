"""The check of what a capture lacks, part by part: files, iterations, tables of the same ops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prof_tui.data.capture.completeness import Completeness, Unchecked, joined
from prof_tui.data.run.covered_iterations import check_iterations
from prof_tui.data.run.file_ends import check_files
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
    tables = check_tables(capture, progress)
    capture.completeness = joined([check_files(capture.export), iterations, tables])
    return capture.completeness
