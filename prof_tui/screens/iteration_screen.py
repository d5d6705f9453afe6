"""One iteration: its timeline above, its ops below, one cursor for both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from prof_tui.data.iteration_detail import IterationDetail, iteration_detail
from prof_tui.data.query import Scope
from prof_tui.errors import ProfTuiError
from prof_tui.panes.iteration_lanes import lane_set
from prof_tui.panes.iteration_ops import IterationOpsPane
from prof_tui.panes.iteration_text import header, legend, placed_by, without_ops
from prof_tui.panes.table_messages import Changed, Entered
from prof_tui.screens.pushed import PushedScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.lane_index import LaneIndex
from prof_tui.widgets.lane_keys import LANE_BINDINGS
from prof_tui.widgets.lane_view import LaneView
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture

_ARROWS = ("left", "right", "up", "down", "enter")
_FORWARDED: list[BindingType] = [
    Binding(
        key=key.key,
        action=f"timeline('{key.action}')",
        description=key.description,
        show=False,
        tooltip=key.tooltip,
        id=f"iteration.{key.action.replace('_', '-')}",
    )
    for key in LANE_BINDINGS
    if key.key not in _ARROWS
]
"""The timeline's keys that work whichever half has the focus; arrows go to the half that has it."""


_LINES_AROUND_LANES = 4
"""Axis and marks above a timeline's lanes, two status lines below."""


class IterationScreen(PushedScreen):
    """The half with the focus moves the cursor, the other follows."""

    DEFAULT_CSS = """
    IterationScreen .iteration--header {
        height: auto; max-height: 4; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis;
    }
    IterationScreen .iteration--legend { height: auto; max-height: 2; padding: 0 1; }
    IterationScreen LaneView { height: 9fr; border-left: blank; }
    IterationScreen LaneView:focus { border-left: thick $accent; }
    IterationScreen IterationOpsPane { height: 10fr; border-left: blank; }
    IterationScreen IterationOpsPane:focus-within { border-left: thick $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "tab",
            "other_half",
            _("Other half"),
            tooltip=_("The focus to the other half"),
            id="iteration.other-half",
            priority=True,
        ),
        *_FORWARDED,
    ]

    @dataclass
    class _Read(Message):
        detail: IterationDetail
        index: LaneIndex

    @dataclass
    class _NotRead(Message):
        scope: Scope
        text: Text

    def __init__(
        self, capture: OpenCapture, scope: Scope, *, row: int | None = None, scope_after: Scope | None = None
    ) -> None:
        """``scope_after``: what the scope is after Escape; None to leave it at the iteration."""
        super().__init__(capture, scope)
        self._scope_after = scope_after
        self.detail: IterationDetail | None = None
        self._row = row
        """The row of op_summary on which the cursor is to start."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(classes="iteration--header")
        yield Static(classes="iteration--legend")
        yield LaneView(id="timeline")
        yield IterationOpsPane(self.capture, scope=self.scope, pane_id="iteration-ops")
        yield KeyLine()

    def again(self) -> PushedScreen:
        return IterationScreen(self.capture, self.scope, row=self.ops.row, scope_after=self._scope_after)

    def action_back(self) -> None:
        if self._scope_after is not None:
            self.home.set_scope(self._scope_after)
        super().action_back()

    @property
    def timeline(self) -> LaneView:
        return self.query_one(LaneView)

    @property
    def ops(self) -> IterationOpsPane:
        return self.query_one(IterationOpsPane)

    def on_mount(self) -> None:
        self.ops.frame.focus()
        self._read(self.scope)

    # Reading

    def _read(self, scope: Scope) -> None:
        self.scope = scope
        self.home.set_scope(scope)
        self.say_title(_("reading the iteration"))

        def work() -> None:
            try:
                detail = iteration_detail(self.capture, scope)
            except ProfTuiError as error:
                self.post_message(self._NotRead(scope, without_ops(self.capture, scope, str(error))))
                return
            index = LaneIndex(lane_set(detail))
            self.post_message(self._Read(detail, index))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="iteration")

    @on(_Read)
    def _show(self, message: _Read) -> None:
        detail = message.detail
        if detail.scope != self.scope:
            return
        self.detail = detail
        self.query_one(".iteration--header", Static).update(header(detail))
        self.query_one(".iteration--legend", Static).update(legend(detail))
        self.timeline.display = True
        self.timeline.styles.max_height = len(message.index.rows) + _LINES_AROUND_LANES
        self.timeline.set_index(message.index)
        self.ops.count_from(detail.window[0])
        self.say_title(more=placed_by(detail))

    @on(_NotRead)
    def _show_why_not(self, message: _NotRead) -> None:
        if message.scope == self.scope:
            self.query_one(".iteration--header", Static).update(message.text)
            self.timeline.display = False
            self.say_title()

    # One cursor

    @on(LaneView.CursorMoved)
    def _follow_timeline(self, message: LaneView.CursorMoved) -> None:
        if not self._ops_have_focus:
            self.ops.go_to(message.key)

    @on(Changed)
    def _follow_ops(self, message: Changed) -> None:
        row = self.ops.row
        if row is None or self.detail is None:
            return
        if self._row is not None:
            wanted, self._row = self._row, None
            self.timeline.select(wanted)
            self.ops.go_to(wanted)
        elif self._ops_have_focus:
            self.timeline.select(row)

    @property
    def _ops_have_focus(self) -> bool:
        return self.focused is self.ops.frame

    def action_other_half(self) -> None:
        (self.timeline if self._ops_have_focus else self.ops.frame).focus()

    def action_timeline(self, action: str) -> None:
        """A key of the timeline, pressed in the other half: the table follows."""
        getattr(self.timeline, f"action_{action}")()
        key = self.timeline.cursor_key
        if self._ops_have_focus and key is not None:
            self.ops.go_to(key)

    # On from here

    @on(LaneView.Entered)
    def _enter_op(self, message: LaneView.Entered) -> None:
        self.enter_row(self.ops, message.key)

    @on(Entered)
    def _enter_row(self, message: Entered) -> None:
        message.stop()
        self.enter_row(message.pane, message.row)

    def go_to_iteration(self, scope: Scope) -> None:
        self.detail = None
        self.ops.set_scope(scope)
        self._read(scope)
