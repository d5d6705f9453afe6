"""Pane 5: lanes over time, of an iteration or of the whole capture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from prof_tui.data.query.query import Scope
from prof_tui.data.spans.span import Span
from prof_tui.errors import ProfTuiError
from prof_tui.panes.pane import Changed, CopyWanted, Told
from prof_tui.panes.timeline.reading import EventEntered, EventsFound, OpFound, PlaceFound, TimelineCore
from prof_tui.panes.timeline.texts import event_line
from prof_tui.widgets.keys import key
from prof_tui.widgets.timeline.view import LaneView
from prof_tui.words import _

_key = partial(key, "timeline-pane")
_ask = partial(key, "timeline-pane", priority=True)

_FIND = Binding.Group(_("Find, next"), compact=True)


TIMELINE_PANE_BINDINGS: list[BindingType] = [
    _ask("slash", "screen.ask_timeline('find')", _("Find"), _("Find events by name, over all lanes"), _FIND),
    _key("n", "next_match(1)", _("Next"), _("The next match in time"), _FIND, name="next-match"),
    _key("N", "next_match(-1)", _("Previous"), _("The match before in time"), name="previous-match"),
    _ask(
        "g",
        "screen.ask_timeline('go_to')",
        _("Go to"),
        _("Go to a time, an iteration, or an op by name"),
        show=True,
    ),
    _ask("L", "screen.ask_timeline('longest')", _("Longest"), _("A table of the longest events"), show=True),
    _ask(
        "G",
        "screen.ask_timeline('gaps')",
        _("Gaps"),
        _("A table of the largest gaps of the lane under the cursor"),
    ),
    _ask(
        "S",
        "screen.ask_timeline('sums')",
        _("Sums"),
        _("Events and times of the marked range, else of what is on the screen"),
    ),
    _ask("l", "screen.ask_timeline('legend')", _("Legend"), _("What letters and colours stand for")),
    _ask("T", "screen.ask_timeline('file')", _("File"), _("Choose another timeline of the export")),
    _ask(
        "e",
        "screen.ask_timeline('carve')",
        _("Write"),
        _("Write the events of this window as a small trace JSON"),
    ),
    _key("y", "copy_event", _("Copy"), _("Copy the event under the cursor")),
]


@dataclass(frozen=True)
class Standing:
    """What the pane shows, to go back to it."""

    trace_name: str
    scope: Scope
    event: int | None
    window: Span


_MARGIN = 10
"""Beside a stretch of time a tenth of it is in sight on both sides: what it lies between."""


class TimelinePane(TimelineCore):
    """The timeline pane with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = TIMELINE_PANE_BINDINGS
    BINDING_GROUP_TITLE = _("Timeline pane")

    # As a pane

    def set_scope(self, scope: Scope) -> None:
        self.scope = scope
        self.lay_out_again()

    def standing(self) -> Standing | None:
        if self.index is None:
            return None
        return Standing(self.index.name, self.scope, self.event, self.lanes.window)

    def is_at(self, standing: object) -> bool:
        return standing == self.standing()

    def go_back_to(self, standing: object) -> None:
        if not isinstance(standing, Standing):
            return
        if self.index is None or self.index.name != standing.trace_name:
            self.open(standing.trace_name)

        def look() -> None:
            self.lanes.look_at(*standing.window)
            if standing.event is not None:
                self.lanes.select(standing.event)

        self.when_ready(look)

    def reload(self) -> None:
        self.found = None
        self.open()

    def take_focus(self) -> None:
        self.screen.set_focus(self.lanes)

    @property
    def file_names(self) -> tuple[str, ...]:
        return () if self.index is None else tuple(file.path.name for file in self.index.files)

    # Events

    @property
    def zero_ns(self) -> int:
        """Where times on the screen count from."""
        return 0 if self.shown is None else self.shown.window[0]

    @property
    def lane(self) -> int | None:
        """The number of the lane under the cursor."""
        from prof_tui.panes.timeline.lanes import lane_id

        wanted = self.lanes.cursor_lane_id
        lanes = () if self.index is None else self.index.lanes
        return next((number for number, lane in enumerate(lanes) if lane_id(lane) == wanted), None)

    def show(self, trace_name: str | None, event: int | None, span: Span | None = None) -> None:
        """Put the cursor on an event, and look at a stretch of time, as soon as all of the timeline stands.

        ``trace_name``: None for the first timeline of the export.  Without ``event`` the cursor goes to the
        one that the stretch is about.
        """
        self._choose(trace_name)
        if event is None and span is not None:
            self.when_ready(lambda: self._find_event(span))
        else:
            self.when_ready(lambda: self._show_now(event, span))

    def _choose(self, trace_name: str | None) -> None:
        wanted = trace_name or next(iter(self.capture.traces.names()), None)
        if wanted != self.trace_name and self.trace_name is not None:
            self.open(wanted)

    def _show_now(self, event: int | None, span: Span | None) -> None:
        if event is not None and not self.lanes.select(event):
            self.post_message(Told(self, _("The timeline has no such event."), failed=True))
        if span is not None:
            margin = (span[1] - span[0]) // _MARGIN
            self.lanes.look_at(span[0] - margin, span[1] + margin)

    def _find_event(self, span: Span) -> None:
        index = self.index

        def work() -> None:
            from prof_tui.data.timeline.events import event_of_place

            if index is not None:
                self.post_message(PlaceFound(self, event_of_place(index, span), span))

        self.work("op", work)

    @on(PlaceFound)
    def _show_place(self, message: PlaceFound) -> None:
        self._show_now(message.event, message.span)

    def show_op(self, row: int) -> None:
        """Put the cursor on the event of a row of op summary."""
        self._choose(None)
        self.when_ready(lambda: self._find_op(row))

    def _find_op(self, row: int) -> None:
        index = self.index

        def work() -> None:
            from prof_tui.data.timeline.op_link import event_of_op

            try:
                found = event_of_op(index, self.capture.table("op_summary"), row) if index else None
            except ProfTuiError as error:
                self.post_message(Told(self, str(error), failed=True))
            else:
                if found is not None:
                    self.post_message(OpFound(self, found))

        self.work("op", work)

    @on(OpFound)
    def _show_op_found(self, message: OpFound) -> None:
        if message.match.number is None:
            self.post_message(Told(self, message.match.why, failed=True))
        else:
            self._show_now(message.match.number, None)

    @on(LaneView.Entered)
    def _enter(self, message: LaneView.Entered) -> None:
        message.stop()
        self.post_message(EventEntered(self, message.key))

    @on(LaneView.CursorMoved)
    def _follow_cursor(self, message: LaneView.CursorMoved) -> None:
        message.stop()
        self.say()
        self.post_message(Changed(self))

    def action_copy_event(self) -> None:
        if self.index is not None and self.event is not None:
            self.post_message(CopyWanted(self, event_line(self.index, self.event, self.zero_ns)))

    # Find

    def find(self, text: str) -> None:
        """Look for events by name; the cursor goes to the first from where it is."""
        index = self.index
        self.found = None
        self.say()
        if index is None or not text:
            return

        def work() -> None:
            from prof_tui.data.timeline.events import find_events

            self.post_message(EventsFound(self, index, find_events(index, text)))

        self.work("find", work)

    @on(EventsFound)
    def _show_found(self, message: EventsFound) -> None:
        if message.index is not self.index:
            return
        self.found = message.found
        if self.place_of_cursor() is None:
            self.action_next_match(1)
        self.say()

    def action_next_match(self, direction: int) -> None:
        """The next match in time, from the last one on to the first."""
        found, index = self.found, self.index
        if found is None or index is None or not found.count:
            return
        after = None
        if self.event is not None:
            after = found.step(self.event, int(index.events["start_ns"][self.event]), direction)
        if after is None:
            after = int(found.events[0 if direction > 0 else -1])
        self.lanes.select(after)
        self.say()
