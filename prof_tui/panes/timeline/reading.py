"""Reads a timeline, lays out its lanes and looks for events, in workers that answer with messages.

An answer carries what it answers, and lanes of another scope than the one wanted are laid out anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from prof_tui.data.query.query import Scope
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError
from prof_tui.words import _, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.spans.span import Span
    from prof_tui.data.timeline.events import FoundEvents
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.op_link import Match
    from prof_tui.data.timeline.windows import ScopeWindow, Seen
    from prof_tui.widgets.timeline.index import LaneIndex

Start = Callable[[str, Callable[[], None]], object]
"""Does work in a worker of a group, in place of what the group did before."""


@dataclass
class ReadSoFar(Message):
    """How much of the file is read."""

    done_bytes: int
    total_bytes: int


@dataclass
class Refused(Message):
    """The timeline can't be read."""

    sentence: str


@dataclass
class LanesReady(Message):
    """The lanes of a scope, of what was read so far."""

    index: TraceIndex
    shown: ScopeWindow
    seen: Seen
    lanes: LaneIndex


@dataclass
class MatchesFound(Message):
    """The events whose name holds a text."""

    index: TraceIndex
    found: FoundEvents


@dataclass
class EventFound(Message):
    """The event of an op, or the one that a stretch of time is about."""

    event: int | None
    """None where there is none."""
    span: Span | None = None
    """The stretch of time."""
    why_none: str = ""
    said: str = ""
    """A sentence where the timeline places the op elsewhere than op_summary does."""
    host: str = ""
    """What the host did in it, as a sentence."""


@dataclass
class WindowSeen(Message):
    """What is on the screen."""

    index: TraceIndex
    seen: Seen


class TraceReader:
    """What is read of a timeline; it knows no widget.

    ``start`` does work in a worker; ``post`` takes the answers and may be called from any thread.
    """

    def __init__(
        self,
        capture: OpenCapture,
        scope: Scope,
        trace_name: str | None,
        start: Start,
        post: Callable[[Message], object],
    ) -> None:
        self.capture = capture
        self.scope = scope
        self.trace_name = trace_name
        """The type of the timeline; None until the first that can be read is known."""
        self.index: TraceIndex | None = None
        """What was read when lanes were last laid out."""
        self.shown: ScopeWindow | None = None
        self.is_reading = False
        self.why_none = ""
        """Why there is no timeline, while there is none."""
        self._trouble = ""
        """What went wrong with the reading that was asked for last."""
        self._start, self._post = start, post
        self._cancelled = threading.Event()
        self._wanted: Callable[[], None] | None = None
        """What is to be done once the whole timeline stands."""

    # Reading

    def open(self, trace_name: str | None = None) -> None:
        """Read a timeline; None for the same again."""
        self.trace_name = trace_name or self.trace_name
        self.give_up()
        cancelled = self._cancelled = threading.Event()
        self.is_reading, self._trouble = True, ""

        def go_on(done_bytes: int, total_bytes: int) -> bool:
            self._post(ReadSoFar(done_bytes, total_bytes))
            return not cancelled.is_set()

        def work() -> None:
            try:
                name = self.trace_name = self.trace_name or self._first_name()
                traces = self.capture.traces
                self._lay_out(traces.get(name) or traces.read(name, go_on, self._lay_out))
            except CancelledError:
                return
            except ProfTuiError as error:
                self._post(Refused(str(error)))

        self._start("trace", work)

    def give_up(self) -> None:
        """Read no further: nobody waits for it any more."""
        self._cancelled.set()

    def cancel(self) -> bool:
        """Stay with what is read; False when nothing is being read."""
        if not self.is_reading or self._cancelled.is_set():
            return False
        self.give_up()
        self.is_reading = False
        if self.index is None:
            self.why_none = _("Not read: R reads it.")
        elif not self.index.complete:
            self._trouble = _("Given up: this is only what was read by then. R reads all of it.")
        return True

    def take_refusal(self, sentence: str) -> bool:
        """The timeline can't be read; whether one that was read before is still there."""
        self.is_reading = False
        if self.index is not None:
            self._trouble = _("Not read anew, this is as it was: {why}").format(why=sentence)
            return True
        others = [name for name in self.capture.traces.names() if name != self.trace_name]
        if others:
            names = ", ".join(others)
            sentence += "\n" + _("T shows another timeline of the export: {names}.").format(names=names)
        self.why_none = "\n".join(map(printable, sentence.split("\n")))
        return False

    def _first_name(self) -> str:
        names = self.capture.traces.names()
        if not names:
            raise UnreadableError(self.capture.why_no_timeline())
        return names[0]

    @property
    def notices(self) -> list[str]:
        """All that is to be said of the events."""
        found = [self._trouble] if self._trouble else []
        if self.shown is not None:
            found += self.shown.notices
            checks = [of.check for of in self.shown.overlaps if of.check]
            found += [check.sentence for check in checks if check.differences or check.beside]
        if self.index is not None:
            found += self.index.notices
        return found

    # Lanes

    def set_scope(self, scope: Scope) -> None:
        """Lay out the lanes of another scope."""
        self.scope = scope
        index = self.index
        if index is not None:
            self._start("lanes", lambda: self._lay_out(index))

    def _lay_out(self, index: TraceIndex) -> None:
        """In a worker: the lanes of the scope that is wanted now."""
        from prof_tui.data.timeline.windows import scope_window, see
        from prof_tui.panes.timeline.lanes import trace_lanes

        shown = scope_window(self.capture.steps, index, self.scope)
        seen = see(index, shown, shown.window)
        self._post(LanesReady(index, shown, seen, trace_lanes(index, shown)))

    def take_lanes(self, message: LanesReady) -> bool:
        """Whether the lanes are to be shown: not those of a reading given up, or of another scope."""
        if self._is_late(message.index):
            return False
        self.index = message.index
        self.trace_name = message.index.name
        if message.index.complete:
            self.is_reading = False
        if message.shown.scope != self.scope:
            self.set_scope(self.scope)
            return False
        self.shown = message.shown
        return True

    def _is_late(self, index: TraceIndex) -> bool:
        """Whether it is part of a reading that was given up, or of one behind what is shown."""
        if index is self.index or index.complete:
            return False
        return self._cancelled.is_set() or (self.index is not None and self.index.complete)

    # When the whole timeline stands

    def when_ready(self, wanted: Callable[[], None]) -> None:
        """Do it now, or as soon as the whole timeline is shown."""
        ready = self.index is not None and self.index.complete and self.index.name == self.trace_name
        if ready and self.shown is not None and self.shown.scope == self.scope:
            wanted()
        else:
            self._wanted = wanted

    def do_wanted(self) -> None:
        """Do what waited, if the whole timeline is shown now."""
        if self._wanted is not None and self.index is not None and self.index.complete:
            wanted, self._wanted = self._wanted, None
            wanted()

    # Events

    def find(self, text: str) -> None:
        """Look for events by name, in what is read."""
        index = self.index
        if index is None or not text:
            return

        def work() -> None:
            from prof_tui.data.timeline.events import find_events

            self._post(MatchesFound(index, find_events(index, text)))

        self._start("find", work)

    def find_place(self, span: Span, event: int | None) -> None:
        """Look for what the host did in a stretch of time, and for the event it is about if none is told."""
        index = self.index

        def work() -> None:
            from prof_tui.data.timeline.events import event_of_place
            from prof_tui.data.timeline.gaps import host_sentence

            if index is not None:
                found = event_of_place(index, span) if event is None else event
                self._post(EventFound(found, span, host=host_sentence(index, span)))

        self._start("op", work)

    def see(self, window: Span) -> None:
        """Sum what is on the screen."""
        index, shown = self.index, self.shown

        def work() -> None:
            from prof_tui.data.timeline.windows import see

            if index is not None and shown is not None:
                self._post(WindowSeen(index, see(index, shown, window)))

        self._start("see", work)

    def find_op(self, row: int) -> None:
        """Look for the event of a row of op summary."""
        index = self.index

        def work() -> None:
            from prof_tui.data.timeline.op_link import event_of_op

            if index is None:
                return
            try:
                found = event_of_op(index, self.capture.table("op_summary"), row)
            except ProfTuiError as error:
                self._post(EventFound(None, why_none=str(error)))
            else:
                self._post(EventFound(found.number, why_none=found.why, said=_about(found)))

        self._start("op", work)


def _about(found: Match) -> str:
    from prof_tui.data.tables.same_tasks import apart_text

    apart = apart_text(found.apart_ns, _("the timeline"))
    return _("The op is {apart}.").format(apart=apart) if apart else ""
