"""The panes on the number keys, each registered once: key, title, what it answers, how it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.query.query import Scope
    from prof_tui.panes.pane import CapturePane


@dataclass(frozen=True)
class PaneKind:
    """One pane that a number key leads to."""

    name: str
    """The file type that it shows, where it shows one; also its widget's id and what ``--pane`` takes."""
    key: int
    title: str
    tooltip: str
    """The question that the pane answers."""
    make: Callable[[OpenCapture, Scope], CapturePane]
    """Makes the pane.  Its module is imported when it is first shown, which saves 40 ms of the start."""


def _make_overview(capture: OpenCapture, scope: Scope) -> CapturePane:
    from prof_tui.panes.overview.pane import OverviewPane

    return OverviewPane(capture, scope=scope, pane_id="overview")


def _make_step_trace(capture: OpenCapture, scope: Scope) -> CapturePane:
    from prof_tui.panes.step_trace import STEP_TRACE
    from prof_tui.panes.table.pane import TablePane

    return TablePane(capture, STEP_TRACE, scope=scope, pane_id=STEP_TRACE.name)


def _make_op_statistic(capture: OpenCapture, scope: Scope) -> CapturePane:
    from prof_tui.panes.op_statistic import OP_STATISTIC
    from prof_tui.panes.table.pane import TablePane

    return TablePane(capture, OP_STATISTIC, scope=scope, pane_id=OP_STATISTIC.name)


def _make_op_summary(capture: OpenCapture, scope: Scope) -> CapturePane:
    from prof_tui.panes.op_summary import OP_SUMMARY
    from prof_tui.panes.table.pane import TablePane

    return TablePane(capture, OP_SUMMARY, scope=scope, pane_id=OP_SUMMARY.name)


def _make_timeline(capture: OpenCapture, scope: Scope) -> CapturePane:
    from prof_tui.panes.timeline.pane import TimelinePane

    return TimelinePane(capture, scope=scope, pane_id="timeline")


def _make_files(capture: OpenCapture, scope: Scope) -> CapturePane:
    from prof_tui.panes.files import FILES
    from prof_tui.panes.table.pane import TablePane

    return TablePane(capture, FILES, scope=scope, pane_id=FILES.name)


_KINDS = (
    PaneKind(
        "overview",
        1,
        _("Overview"),
        _("What the run was, where its time goes, what to do next"),
        _make_overview,
    ),
    PaneKind(
        "step_trace",
        2,
        _("Step trace"),
        _("Which model and iterations: computing or gaps"),
        _make_step_trace,
    ),
    PaneKind("op_statistic", 3, _("Op statistic"), _("Which OP Type takes the time"), _make_op_statistic),
    PaneKind("op_summary", 4, _("Op summary"), _("Which operator takes the time"), _make_op_summary),
    PaneKind("timeline", 5, _("Timeline"), _("What ran when, on which lane"), _make_timeline),
    PaneKind("files", 6, _("Files"), _("Every file of the export, and what is missing"), _make_files),
)
PANES = {kind.name: kind for kind in _KINDS}
"""The panes by name, in the order of their keys."""
