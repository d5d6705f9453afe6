"""A timeline on the screen: read and laid out by workers, shown as far as it is read.

Workers answer with messages that carry what they answer,
and an answer for another scope is laid out anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from prof_tui.data.query.query import Scope
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError
from prof_tui.panes.pane import CapturePane, Changed, FromPane, TimelineRead, Told
from prof_tui.panes.table import status
from prof_tui.panes.timeline.texts import found_line, heading, progress_line
from prof_tui.widgets.timeline.view import LaneView
from prof_tui.words import _, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.spans.span import Span
    from prof_tui.data.timeline.events import FoundEvents
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.op_link import Match
    from prof_tui.data.timeline.windows import ScopeWindow
    from prof_tui.widgets.timeline.index import LaneIndex


@dataclass
class FromTimeline(FromPane):
    """Whatever the timeline pane tells."""

    pane: TimelineCore


@dataclass
class EventEntered(FromTimeline):
    """The user goes into an event."""

    event: int


@dataclass
class TraceProgress(FromTimeline):
    done_bytes: int
    total_bytes: int


@dataclass
class TraceRefused(FromTimeline):
    sentence: str


@dataclass
class LanesReady(FromTimeline):
    """The lanes of a scope, of what was read so far."""

    index: TraceIndex
    shown: ScopeWindow
    lanes: LaneIndex


@dataclass
class EventsFound(FromTimeline):
    index: TraceIndex
    found: FoundEvents


@dataclass
class OpFound(FromTimeline):
    """The event of a row of op summary."""

    match: Match


@dataclass
class PlaceFound(FromTimeline):
    """The event that a stretch of time is about."""

    event: int | None
    """None where there is none."""
    span: Span


class TimelineCore(CapturePane):
    """What the timeline pane does without being asked by a key."""

    DEFAULT_CSS = """
    TimelineCore > Static { height: auto; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    TimelineCore > .timeline--message { height: 1fr; padding: 1 2; display: none; text-wrap: wrap; }
    TimelineCore > .timeline--status { height: 1; color: $text-muted; display: none; }
    TimelineCore > .timeline--notices { height: 1; color: $text-warning; display: none; }
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
        self.trace_name = trace_name
        self.index: TraceIndex | None = None
        self.shown: ScopeWindow | None = None
        self.found: FoundEvents | None = None
        self._cancelled = threading.Event()
        self._progress = ""
        self._trouble = ""
        """What went wrong with the reading that was asked for last."""
        self._wanted: Callable[[], None] | None = None
        """What is to be done once the whole timeline stands."""
        self._find_first = False
        """Whether the cursor goes to the first event that is found."""

    def compose(self) -> ComposeResult:
        yield Static(classes="timeline--heading", markup=False)
        yield LaneView()
        yield Static(classes="timeline--message", markup=False)
        yield Static(classes="timeline--status", markup=False)
        yield Static(classes="timeline--notices", markup=False)

    @property
    def lanes(self) -> LaneView:
        return self.query_one(LaneView)

    def on_unmount(self) -> None:
        self._cancelled.set()  # else quitting waits for the whole file

    def on_mount(self) -> None:
        self.open()

    # Reading

    def open(self, trace_name: str | None = None) -> None:
        """Read a timeline and show it; None for the same again."""
        self.trace_name = trace_name or self.trace_name
        self._cancelled.set()
        cancelled = self._cancelled = threading.Event()
        self._progress, self._trouble = _("opening"), ""
        self.say()

        def progress(done_bytes: int, total_bytes: int) -> bool:
            self.post_message(TraceProgress(self, done_bytes, total_bytes))
            return not cancelled.is_set()

        def work() -> None:
            try:
                name = self.trace_name = self.trace_name or self._first_name()
                traces = self.capture.traces
                self._lay_out(traces.held(name) or traces.read(name, progress, self._lay_out))
            except CancelledError:
                return
            except ProfTuiError as error:
                self.post_message(TraceRefused(self, str(error)))

        self.work("trace", work)

    def _first_name(self) -> str:
        names = self.capture.traces.names()
        if not names:
            raise UnreadableError(self.capture.why_no_timeline())
        return names[0]

    def _lay_out(self, index: TraceIndex) -> None:
        """In a worker: the lanes of the scope that is wanted now."""
        from prof_tui.data.timeline.windows import scope_window
        from prof_tui.panes.timeline.lanes import trace_lanes

        shown = scope_window(self.capture.steps, index, self.scope)
        lanes = trace_lanes(index, shown)
        self.post_message(LanesReady(self, index, shown, lanes))

    def work(self, group: str, work: Callable[[], None]) -> None:
        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group=group)

    @on(TraceProgress)
    def _show_progress(self, message: TraceProgress) -> None:
        if self._progress:
            self._progress = progress_line(message.done_bytes, message.total_bytes)
            self.say()

    @on(TraceRefused)
    def _show_refusal(self, message: TraceRefused) -> None:
        self._progress = ""
        if self.index is None:
            self._refuse(message.sentence)
        else:
            self._trouble = _("Not read anew, this is as it was: {why}").format(why=message.sentence)
            self.post_message(Told(self, message.sentence, failed=True))
        self.say()

    def _refuse(self, sentence: str) -> None:
        others = [name for name in self.capture.traces.names() if name != self.trace_name]
        if others:
            sentence += "\n" + _("T shows another timeline of the export: {names}.").format(
                names=", ".join(others)
            )
        lines = "\n".join(map(printable, sentence.split("\n")))
        self.query_one(".timeline--message", Static).update(lines)

    @on(LanesReady)
    def _show_lanes(self, message: LanesReady) -> None:
        if self._is_late(message.index):
            return
        same_trace = self.index is not None and self.index.name == message.index.name
        self.index = message.index
        self.trace_name = message.index.name
        if message.index.complete and self._progress:
            self._progress = ""
            self.post_message(TimelineRead(self))
        if message.shown.scope != self.scope:
            self.lay_out_again()
            return
        same_scope = self.shown is not None and self.shown.scope == message.shown.scope
        self.shown = message.shown
        self.lanes.set_index(message.lanes, keep=same_scope and same_trace)
        self.query_one(".timeline--heading", Static).update(heading(message.index, message.shown))
        self.say()
        self.post_message(Changed(self))
        if self._wanted is not None and message.index.complete:
            wanted, self._wanted = self._wanted, None
            wanted()

    def _is_late(self, index: TraceIndex) -> bool:
        """Whether it is part of a reading that was given up, or of one behind what is shown."""
        if index is self.index or index.complete:
            return False
        return self._cancelled.is_set() or (self.index is not None and self.index.complete)

    def lay_out_again(self) -> None:
        index = self.index
        if index is not None:
            self.work("lanes", lambda: self._lay_out(index))

    def when_ready(self, wanted: Callable[[], None]) -> None:
        """Do it now, or as soon as the whole timeline stands."""
        ready = self.index is not None and self.index.complete and self.index.name == self.trace_name
        if ready and self.shown is not None and self.shown.scope == self.scope:
            wanted()
        else:
            self._wanted = wanted

    def cancel(self) -> bool:
        if not self._progress or self._cancelled.is_set():
            return False
        self._cancelled.set()
        self._progress = ""
        if self.index is None:
            text = _("Not read: R reads it.")
            self.query_one(".timeline--message", Static).update(text)
        elif not self.index.complete:
            self._trouble = _("Given up: this is only what was read by then. R reads all of it.")
        self.say()
        return True

    @on(Worker.StateChanged)
    def _say_unexpected(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            self._progress = ""
            self.post_message(TraceRefused(self, status.unexpected(event.worker)))

    @property
    def event(self) -> int | None:
        """The number of the event under the cursor."""
        return self.lanes.cursor_key

    def place_of_cursor(self) -> int | None:
        """Which of the events that were found the cursor is on, from 0."""
        if self.found is None or self.index is None or self.event is None:
            return None
        return self.found.place(self.event, int(self.index.events["start_ns"][self.event]))

    # Lines

    def say(self) -> None:
        message = self.query_one(".timeline--message", Static)
        message.display = self.index is None and not self._progress
        self.lanes.display = self.index is not None
        said = [self._progress] if self._progress else []
        if self.found is not None:
            said.append(found_line(self.found, self.place_of_cursor()))
        self._say_line("status", "  ".join(said))
        self._say_line("notices", status.notices(self.notices))

    def _say_line(self, name: str, text: str) -> None:
        line = self.query_one(f".timeline--{name}", Static)
        if line.content != text:
            line.update(text, layout=False)  # a line high whatever it says; laying out draws all lanes again
        line.display = bool(text)

    @property
    def notices(self) -> list[str]:
        """All that is to be said of the events."""
        found = [self._trouble] if self._trouble else []
        if self.shown is not None:
            found += self.shown.notices
            found += [of.check.sentence for of in self.shown.overlaps if of.check and of.check.differences]
        if self.index is not None:
            found += self.index.notices
        return found
