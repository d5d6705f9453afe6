"""One iteration: its timeline above, its ops below, one cursor for both.

The lanes come from the trace where it holds the iteration, else from the ops; the title says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from prof_tui.data.pages.iteration import IterationDetail, iteration_detail
from prof_tui.data.query.query import Scope
from prof_tui.errors import ProfTuiError
from prof_tui.panes.other_tables import ITERATION_OPS, TIMELINE_OPS, count_from, go_to
from prof_tui.panes.pages.iteration import header, legend, placed_by, with_overlap, without_ops
from prof_tui.panes.pane import Changed
from prof_tui.panes.table.pane import Entered, TablePane
from prof_tui.panes.timeline.lanes import IterationTrace, iteration_trace, op_lanes
from prof_tui.panes.timeline.texts import heading
from prof_tui.screens.destinations import ToEvent, ToIteration, ToRow
from prof_tui.screens.navigation import NavigatedScreen, Navigator
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.keys import key
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.view import LANE_BINDINGS, LANE_ONLY, LaneView
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _

_FORWARDED: list[BindingType] = [
    key(
        "iteration",
        each.key,
        f"timeline('{each.action}')",
        each.description,
        each.tooltip,
        name=each.action.replace("_", "-"),
    )
    for each in LANE_BINDINGS
    if each.key not in LANE_ONLY
]
"""The timeline's keys that work whichever half has the focus; the others go to the half that has it."""


_LINES_AROUND_LANES = 4
"""Axis and marks above a timeline's lanes, two status lines below."""


class IterationScreen(NavigatedScreen):
    """The half with the focus moves the cursor, the other follows."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (9, "-short"), (16, "-high")]  # noqa: RUF012 - as Textual declares it
    DEFAULT_CSS = """
    IterationScreen .iteration--header {
        height: auto; max-height: 5; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis;
    }
    IterationScreen .iteration--legend { height: auto; max-height: 2; padding: 0 1; }
    IterationScreen.-low .iteration--header, IterationScreen.-short .iteration--header { max-height: 1; }
    IterationScreen.-low .iteration--legend, IterationScreen.-short .iteration--legend { display: none; }
    IterationScreen LaneView { height: 9fr; border-left: blank; }
    IterationScreen LaneView:focus { border-left: thick $accent; }
    IterationScreen TablePane { height: 10fr; border-left: blank; }
    IterationScreen TablePane:focus-within { border-left: thick $accent; }
    """
    BINDING_GROUP_TITLE = _("This screen")
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "iteration",
            "tab",
            "other_half",
            _("Other half"),
            _("The focus to the other half"),
            show=True,
            priority=True,
        ),
        key(
            "iteration",
            "v",
            "show_event",
            _("Timeline"),
            _("The event under the cursor in the timeline of everything"),
            show=True,
        ),
        *_FORWARDED,
    ]

    @dataclass
    class _OpsRead(Message):
        """The ops of the iteration and their lanes; None where those of the trace are at hand."""

        detail: IterationDetail
        index: LaneIndex | None

    @dataclass
    class _TraceRead(Message):
        """What the trace holds of it; None for nothing."""

        scope: Scope
        trace: IterationTrace | None

    @dataclass
    class _Refused(Message):
        scope: Scope
        text: Text

    def __init__(self, navigator: Navigator, to: ToIteration) -> None:
        super().__init__(navigator)
        self._scope, self._scope_after = to.scope, to.scope_after
        self.detail: IterationDetail | None = None
        self.trace: IterationTrace | None = None
        """What the lanes come from; None while they come from the ops."""
        self._row, self._event = to.row, to.event
        self._has_ops = self.capture.export.has_table("op_summary")

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(classes="iteration--header")
        yield Static(classes="iteration--legend")
        yield LaneView(id="timeline")
        kind = ITERATION_OPS if self._has_ops else TIMELINE_OPS
        yield TablePane(self.capture, kind, scope=self.scope, pane_id="iteration-ops")
        yield KeyLine()

    @property
    def destination(self) -> ToIteration:
        return ToIteration(self.scope, row=self.ops.row, scope_after=self._scope_after)

    @property
    def scope(self) -> Scope:
        """The iteration that this screen shows, whatever stands above it."""
        return self._scope

    async def action_back(self) -> None:
        if self._scope_after is not None:
            self.navigator.set_scope(self._scope_after)
        await super().action_back()

    @property
    def timeline(self) -> LaneView:
        return self.query_one(LaneView)

    @property
    def ops(self) -> TablePane:
        return self.query_one(TablePane)

    def on_mount(self) -> None:
        self.ops.frame.focus()
        self._read(self.scope)

    # Reading

    def _read(self, scope: Scope) -> None:
        self._scope = scope
        self.navigator.set_scope(scope)
        self.say_title(_("reading the iteration"))

        def work() -> None:
            detail = trace = None
            try:
                if self._has_ops:
                    detail = iteration_detail(self.capture, scope)
                    if self.capture.traces.first is not None:
                        trace = iteration_trace(self.capture, scope, detail.ops)
                    self.post_message(self._OpsRead(detail, None if trace else op_lanes(detail)))
                ops = None if detail is None else detail.ops
                self.post_message(self._TraceRead(scope, trace or iteration_trace(self.capture, scope, ops)))
            except ProfTuiError as error:
                if detail is None:
                    said = without_ops(self.capture, scope, str(error))
                    self.post_message(self._Refused(scope, said))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="iteration")

    @on(_OpsRead)
    def _show(self, message: _OpsRead) -> None:
        detail = message.detail
        if detail.scope != self.scope:
            return
        self.detail, self.trace = detail, None
        self._say_header(header(detail))
        self.query_one(".iteration--legend", Static).update(legend(detail))
        count_from(self.ops, detail.window[0])
        if message.index is not None:
            self._set_lanes(message.index)
            self.say_title(more=_lanes_from(self))
            self._start_at_event()

    @on(_TraceRead)
    def _show_trace(self, message: _TraceRead) -> None:
        if message.scope != self.scope:
            return
        if message.trace is None:
            if self.detail is None:
                said = self.capture.why_missing("op_summary")
                self._show_why_not(self._Refused(self.scope, without_ops(self.capture, self.scope, said)))
            return
        trace = self.trace = message.trace
        self._set_lanes(trace.lanes)
        if self.detail is None:
            self._say_header(heading(trace.index, trace.shown, trace.seen))
            self.query_one(".iteration--legend", Static).update(self.timeline.legend())
            count_from(self.ops, trace.shown.window[0])
        else:
            self._say_header(with_overlap(header(self.detail), trace.index, trace.seen))
        self.say_title(more=_lanes_from(self))
        self._start_at_event()

    def _set_lanes(self, index: LaneIndex) -> None:
        self.timeline.display = True
        self.timeline.set_index(index)
        self.timeline.styles.max_height = self.timeline.line_count + _LINES_AROUND_LANES
        self._follow(self.ops.row)

    @on(_Refused)
    def _show_why_not(self, message: _Refused) -> None:
        if message.scope == self.scope:
            self._say_header(message.text)
            self.timeline.display = False
            self.say_title()

    def _say_header(self, text: Text) -> None:
        self.query_one(".iteration--header", Static).update(text)

    # One cursor

    @on(LaneView.CursorMoved)
    def _follow_timeline(self, message: LaneView.CursorMoved) -> None:
        if not self._ops_have_focus:
            self._go_to_key(message.key)

    def _go_to_key(self, key: int) -> None:
        row = _row_of(key, self.trace)
        if row is not None:
            go_to(self.ops, row)

    @on(Changed)
    def _follow_ops(self, message: Changed) -> None:
        row = self.ops.row
        if row is None or (self.detail is None and self.trace is None):
            return
        if self._row is not None:
            wanted, self._row = self._row, None
            self._follow(wanted)
            go_to(self.ops, wanted)
        elif self._ops_have_focus:
            self._follow(row)

    def _follow(self, row: int | None) -> None:
        """Put the timeline's cursor on the event of a row."""
        key = None if row is None else _key_of(row, self.trace)
        if key is not None:
            self.timeline.select(key)

    def _start_at_event(self) -> None:
        """Put both cursors on the event that was asked for, once the trace is there."""
        if self.trace is not None and self._event is not None:
            wanted, self._event = self._event, None
            self.timeline.select(wanted)
            self._row = _row_of(wanted, self.trace)
            self._follow_ops(Changed(self.ops))

    @property
    def _ops_have_focus(self) -> bool:
        return self.focused is self.ops.frame

    def action_other_half(self) -> None:
        (self.timeline if self._ops_have_focus else self.ops.frame).focus()

    async def action_timeline(self, action: str) -> None:
        """A key of the timeline, pressed in the other half: the table follows."""
        await self.timeline.run_action(action)
        key = self.timeline.cursor_key
        if self._ops_have_focus and key is not None:
            self._go_to_key(key)

    # On from here

    @on(LaneView.Entered)
    def _enter_op(self, message: LaneView.Entered) -> None:
        message.stop()
        self._enter_key(message.key)

    @on(Entered)
    def _enter_row(self, message: Entered) -> None:
        message.stop()
        if self._has_ops:
            self._open_row(message.row)
        elif (key := _key_of(message.row, self.trace)) is not None:
            self._enter_key(key)

    def _enter_key(self, key: int) -> None:
        if self.trace is None:
            self._open_row(key)
        else:
            self.navigator.open(ToEvent(self.trace.index, key))

    def _open_row(self, row: int) -> None:
        if self.ops.table is not None:
            self.navigator.open(ToRow(self.ops.table, row))

    def action_show_event(self) -> None:
        key = self.timeline.cursor_key
        if self.trace is not None and key is not None:
            self.navigator.show_in_timeline(key)
        elif self.detail is not None and self.ops.row is not None:
            self.navigator.show_op_in_timeline(self.ops.row)

    def go_to_iteration(self, scope: Scope) -> None:
        self.detail = self.trace = None
        self.ops.set_scope(scope)
        self._read(scope)


def _key_of(row: int, trace: IterationTrace | None) -> int | None:
    """The timeline's key of a row of the table."""
    return row if trace is None else trace.rows.event_of.get(row)


def _row_of(key: int, trace: IterationTrace | None) -> int | None:
    """The row of the table that a key of the timeline stands for."""
    return key if trace is None else trace.rows.row_of.get(key)


def _lanes_from(screen: IterationScreen) -> str:
    """What the lanes come from, and what the ops were placed by."""
    if screen.trace is None:
        said = _("lanes from op_summary")
        if screen.capture.traces.is_damaged:
            said += " " + _("(the timeline is damaged)")
    else:
        said = _("lanes from {files}").format(files=", ".join(screen.trace.file_names))
    return said if screen.detail is None else f"{said}, {placed_by(screen.detail)}"
