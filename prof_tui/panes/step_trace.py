"""Pane 2: one row per iteration, with a bar of its period; steady iterations told from warm-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prof_tui.data.pages.step_table import STEADY, WARM_UP, step_table
from prof_tui.data.query.query import OneOf, Query, Scope
from prof_tui.data.tables.cells import to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.errors import UnreadableError
from prof_tui.panes.table.kind import Cells, DrawRow, Opening, TableKind, column_place
from prof_tui.panes.table.questions import Question
from prof_tui.widgets.sparkline import bar
from prof_tui.widgets.table.table import ColumnView, Row
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.iterations.step_trace import StepTrace
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.overlap import Overlap

_NAME = "step_trace"
_BAR_CELLS = 10


def _read(capture: OpenCapture, scope: Scope) -> Opening:
    """The step trace of the main model; other models are a filter away."""
    try:
        table = capture.table(_NAME)
    except UnreadableError as error:
        raise UnreadableError(_why_none(capture, str(error))) from error
    trace = capture.steps
    shown = step_table(table, trace, _read_overlaps(capture, trace))
    steady = [step for key in trace.models() for step in trace.steady(key) if trace.is_main(step)]
    longest_ns = max((step.period_ns or 0 for step in steady or trace.steps), default=0)
    filters = (OneOf("phase", (STEADY, WARM_UP)),) if shown.get("phase") else ()
    notices = list(trace.notices)
    if capture.traces.is_damaged:
        notices.append(
            _("The timeline is damaged: computing, communication and free time are not taken from it.")
        )
    return Opening(shown, Question(Query(filters=filters)), notices=tuple(notices), longest_ns=longest_ns)


def _read_overlaps(capture: OpenCapture, trace: StepTrace) -> Sequence[Overlap | None]:
    """The overlap of each step where a timeline was read; the pane doesn't wait for one."""
    index = capture.traces.first
    if index is None:
        return ()
    from prof_tui.data.timeline.windows import step_overlaps

    return step_overlaps(index, trace)


def _why_none(capture: OpenCapture, error: str) -> str:
    if capture.export.has_table(_NAME):
        return error
    causes = _(
        "{missing}\n\nEither iteration traces were not collected (training_trace off), or there are no "
        "iterations: a single-operator or PyTorch run has no step_trace."
    ).format(missing=error)
    if not capture.export.has_table("op_summary"):
        return causes
    return causes + "\n\n" + _("Op summary (4) shows the whole run.")


def _bar_place(columns: Sequence[Column]) -> int | None:
    """Where the bar is drawn: right of the period; None while that isn't shown."""
    place = column_place(columns, "period")
    return None if place is None else place + 1


def _add_bar(columns: Sequence[Column], views: list[ColumnView]) -> list[ColumnView]:
    at = _bar_place(columns)
    if at is None:
        return views
    bar_view = ColumnView(id="period-bar", title=_("of longest"), width=_BAR_CELLS, right=False)
    return [*views[:at], bar_view, *views[at:]]


def _draw_phase_and_bar(opening: Opening, columns: Sequence[Column]) -> DrawRow:
    """Only steady iterations are bright; a bar is the period's share of the longest."""
    phase, period = (column_place(opening.table.columns, id_) for id_ in ("phase", "period"))
    at = _bar_place(columns)

    def draw(row: Row, cells: Cells) -> Row:
        tone = "" if phase is None or cells[phase] == STEADY else "muted"
        if period is None or at is None:
            return replace(row, tone=tone)
        drawn = _bar(cells[period], opening.longest_ns)
        return Row((*row.cells[:at], drawn, *row.cells[at:]), tone)

    return draw


def _bar(period: str | None, longest_ns: int) -> str:
    ns = to_ns(period or "", 1000)
    return "" if ns is None or ns < 0 else bar(min(ns, longest_ns), longest_ns, _BAR_CELLS)


STEP_TRACE = TableKind(
    _NAME,
    _read,
    # All iterations stay in sight, whichever is looked at.
    own_scope=lambda scope: scope if scope.iteration is None else Scope(),
    add_columns=_add_bar,
    draw_rows=_draw_phase_and_bar,
    lacks_timeline=lambda table: table.get("free") is None,
)
