"""Pane 5: lanes over time, of an iteration or of the whole capture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from prof_tui.data.query.query import Scope
from prof_tui.data.spans.span import Span
from prof_tui.panes.pane import (
    CapturePane,
    Changed,
    CopyWanted,
    EventEntered,
    NotFound,
    TimelineRead,
    Told,
)
from prof_tui.panes.table import status
from prof_tui.panes.timeline.reading import (
    EventFound,
    LanesReady,
    MatchesFound,
    ReadSoFar,
    Refused,
    TraceReader,
    WindowSeen,
)
from prof_tui.panes.timeline.texts import event_line, found_line, heading, progress_line
from prof_tui.widgets.keys import key
from prof_tui.widgets.timeline.view import LaneView, look_at_gap, shaded
from prof_tui.words import _, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.events import FoundEvents
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.windows import ScopeWindow, Seen

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


class Heading(Static):
    """Lines above the lanes that are made for the width there is."""

    def show(self, make: Callable[[int], Text]) -> None:
        """``make`` gets the cells of a line."""
        self._make = make
        self.on_resize()

    def on_resize(self) -> None:
        if self._make is not None:
            self.update(self._make(max(1, self.app.size.width - 2)))

    _make: Callable[[int], Text] | None = None


class TimelinePane(CapturePane):
    """The lanes of a timeline with what is said above and below them, shown as far as it is read."""

    BINDINGS: ClassVar[list[BindingType]] = TIMELINE_PANE_BINDINGS
    BINDING_GROUP_TITLE = _("Timeline pane")
    DEFAULT_CSS = """
    TimelinePane > Static { height: auto; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    TimelinePane > .timeline--message { height: 1fr; padding: 1 2; display: none; text-wrap: wrap; }
    TimelinePane > .timeline--status { height: 1; color: $text-muted; display: none; }
    TimelinePane > .timeline--notices { height: 1; color: $text-warning; display: none; }
    """
    table_name = "timeline"

    def __init__(
        self,
        capture: OpenCapture,
        *,
        scope: Scope = Scope(),
        pane_id: str | None = None,
        trace_name: str | None = None,
    ) -> None:
        """``trace_name``: the type of the timeline to show; None for the first that can be read."""
        super().__init__(capture, scope=scope, pane_id=pane_id)
        self.reader = TraceReader(
            capture,
            scope,
            trace_name,
            start=lambda group, work: self.run_worker(
                work, thread=True, exclusive=True, exit_on_error=False, group=group
            ),
            post=self.post_message,
        )
        self.lanes = LaneView()
        self.found: FoundEvents | None = None
        self._asked = "find"
        """The dialog that asked for what is looked for."""
        self._host: tuple[Span, str] | None = None
        """A stretch of time, and what the host did in it."""
        self._progress = ""

    def compose(self) -> ComposeResult:
        yield Heading(classes="timeline--heading", markup=False)
        yield self.lanes
        yield Static(classes="timeline--message", markup=False)
        yield Static(classes="timeline--status", markup=False)
        yield Static(classes="timeline--notices", markup=False)

    def on_mount(self) -> None:
        self.open()

    def on_unmount(self) -> None:
        self.reader.give_up()  # else quitting waits for the whole file

    # As a pane

    def set_scope(self, scope: Scope) -> None:
        self.scope = scope
        self.reader.set_scope(scope)

    def standing(self) -> Standing | None:
        if self.index is None:
            return None
        return Standing(self.index.name, self.scope, self.event, self.lanes.window)

    def go_back_to(self, standing: object) -> None:
        if not isinstance(standing, Standing):
            return
        if self.index is None or self.index.name != standing.trace_name:
            self.open(standing.trace_name)

        def look() -> None:
            self.lanes.look_at(*standing.window)
            if standing.event is not None:
                self.lanes.select(standing.event)

        self.reader.when_ready(look)

    def reload(self) -> None:
        self.found = None
        self.open()

    def cancel(self) -> bool:
        was_reading = self.reader.cancel()
        self.say()
        return was_reading

    def take_focus(self) -> None:
        self.screen.set_focus(self.lanes)

    @property
    def file_names(self) -> tuple[str, ...]:
        return () if self.index is None else tuple(file.path.name for file in self.index.files)

    # What is read

    @property
    def index(self) -> TraceIndex | None:
        """The timeline, as far as it is read; None while nothing is."""
        return self.reader.index

    @property
    def shown(self) -> ScopeWindow | None:
        """The part of the timeline that the scope stands for."""
        return self.reader.shown

    def open(self, trace_name: str | None = None) -> None:
        """Read a timeline and show it; None for the same again."""
        self._progress = _("opening")
        self.reader.open(trace_name)
        self.say()

    @on(ReadSoFar)
    def _show_progress(self, message: ReadSoFar) -> None:
        if self.reader.is_reading:
            self._progress = progress_line(message.done_bytes, message.total_bytes)
            self.say()

    @on(Refused)
    def _show_refusal(self, message: Refused) -> None:
        if self.reader.take_refusal(message.sentence):
            self.post_message(Told(self, message.sentence, failed=True))
        self.say()

    @on(Worker.StateChanged)
    def _say_unexpected(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            self._show_refusal(Refused(status.unexpected(event.worker)))

    @on(LanesReady)
    def _show_lanes(self, message: LanesReady) -> None:
        index, shown, was_reading = self.index, self.shown, self.reader.is_reading
        fits = self.reader.take_lanes(message)
        if was_reading and not self.reader.is_reading:
            self.post_message(TimelineRead(self))
        if not fits:
            return
        same_trace = index is not None and index.name == message.index.name
        same_scope = shown is not None and shown.scope == message.shown.scope
        self.lanes.set_index(message.lanes, keep=same_scope and same_trace)
        self._say_heading(message.seen)
        if self.lanes.window != message.shown.window:
            self.reader.see(self.lanes.window)
        self.say()
        self.post_message(Changed(self))
        self.reader.do_wanted()

    @on(LaneView.Looked)
    def _see(self, message: LaneView.Looked) -> None:
        message.stop()
        self.reader.see(message.window)

    @on(WindowSeen)
    def _take_seen(self, message: WindowSeen) -> None:
        if message.index is self.index and message.seen.window == self.lanes.window:
            self._say_heading(message.seen)

    def _say_heading(self, seen: Seen) -> None:
        if self.index is not None and self.shown is not None:
            self.query_one(Heading).show(partial(heading, self.index, self.shown, seen))

    # Events

    @property
    def event(self) -> int | None:
        """The number of the event under the cursor."""
        return self.lanes.cursor_key

    @property
    def zero_ns(self) -> int:
        """Where times on the screen count from."""
        return 0 if self.shown is None else self.shown.window[0]

    def show(self, trace_name: str | None, event: int | None, span: Span | None = None) -> None:
        """Put the cursor on an event, and look at a stretch of time, as soon as all of the timeline stands.

        ``trace_name``: None for the first timeline of the export.  Without ``event`` the cursor goes to the
        one that the stretch is about.
        """
        _choose(self, trace_name)
        if span is not None:
            self.reader.when_ready(lambda: self.reader.find_place(span, event))
        else:
            self.reader.when_ready(lambda: self._show_now(event))

    def show_op(self, row: int) -> None:
        """Put the cursor on the event of a row of op summary."""
        _choose(self, None)
        self.reader.when_ready(lambda: self.reader.find_op(row))

    def _show_now(self, event: int | None) -> None:
        if event is not None and not self.lanes.select(event):
            self.post_message(Told(self, _("The timeline has no such event."), failed=True))

    @on(EventFound)
    def _show_event(self, message: EventFound) -> None:
        if message.why_none:
            self.post_message(Told(self, message.why_none, failed=True))
        elif message.span is None:
            self._show_now(message.event)
            if message.said:
                self.post_message(Told(self, message.said))
        else:
            look_at_gap(self.lanes, message.span, key=message.event)
            self._host = (message.span, message.host)
            self.say()

    @on(LaneView.Entered)
    def _enter(self, message: LaneView.Entered) -> None:
        message.stop()
        if self.index is not None:
            self.post_message(EventEntered(self, self.index, message.key))

    @on(LaneView.CursorMoved)
    def _follow_cursor(self, message: LaneView.CursorMoved) -> None:
        message.stop()
        self.say()
        self.post_message(Changed(self))

    def action_copy_event(self) -> None:
        if self.index is not None and self.event is not None:
            self.post_message(CopyWanted(self, event_line(self.index, self.event, self.zero_ns)))

    # Find

    def find(self, text: str, asked: str = "find") -> None:
        """Look for events by name; the cursor goes to the first from where it is.

        ``asked``: the dialog that opens anew where there is none.
        """
        self.found, self._asked = None, asked
        self.say()
        self.reader.find(text)

    @on(MatchesFound)
    def _show_matches(self, message: MatchesFound) -> None:
        if message.index is not self.index:
            return
        if not message.found.count:
            why = _("No event's name contains {text!r}.").format(text=printable(message.found.text))
            self.post_message(NotFound(self, why, asked=self._asked, text=message.found.text))
            return
        self.found = message.found
        if _place(message.found, message.index, self.event) is None:
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

    # Lines

    @property
    def notices(self) -> list[str]:
        """All that is to be said of the events."""
        return self.reader.notices

    def say(self) -> None:
        """Bring the lines around the lanes up to date."""
        reader = self.reader
        message = self.query_one(".timeline--message", Static)
        message.display = reader.index is None and not reader.is_reading
        if message.content != reader.why_none:
            message.update(reader.why_none)
        self.lanes.display = reader.index is not None
        said = [self._progress] if reader.is_reading else []
        if self._host is not None and shaded(self.lanes) == self._host[0]:
            said.append(self._host[1])
        if self.found is not None:
            said.append(found_line(self.found, _place(self.found, self.index, self.event)))
        _set_line(self.query_one(".timeline--status", Static), "  ".join(said))
        _set_line(self.query_one(".timeline--notices", Static), status.notices(self.notices))


def _choose(pane: TimelinePane, trace_name: str | None) -> None:
    """Open a timeline where another one is shown; None: the first of the export."""
    wanted = trace_name or next(iter(pane.capture.traces.names()), None)
    if pane.reader.trace_name not in (None, wanted):
        pane.open(wanted)


def _place(found: FoundEvents, index: TraceIndex | None, event: int | None) -> int | None:
    """Which of the events that were found an event is, from 0."""
    if index is None or event is None:
        return None
    return found.place(event, int(index.events["start_ns"][event]))


def _set_line(line: Static, text: str) -> None:
    if line.content != text:
        line.update(text, layout=False)  # a line high whatever it says; laying out draws all lanes again
    line.display = bool(text)
