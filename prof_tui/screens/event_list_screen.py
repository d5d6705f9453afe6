"""A table made from the timeline over the whole screen; Enter leads back to the place of a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult

from prof_tui.panes.event_table import EventTablePane
from prof_tui.panes.pane_messages import Changed
from prof_tui.panes.table.messages import Entered
from prof_tui.panes.table.questions import Place, Question
from prof_tui.screens.pushed import PushedScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.tables import EventTable


class EventListScreen(PushedScreen):
    """``title`` says what the rows are; ``make`` is called in a worker, times count from ``zero_ns``.

    ``trace_name``: the timeline that its events are of.
    """

    def __init__(
        self,
        capture: OpenCapture,
        title: str,
        make: Callable[[], EventTable],
        zero_ns: int,
        trace_name: str,
        *,
        question: Question | None = None,
        place: Place = Place(),
    ) -> None:
        super().__init__(capture)
        self._list_title, self._make, self._zero_ns = title, make, zero_ns
        self._trace_name = trace_name
        self._question, self._place = question, place

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield EventTablePane(self.capture, self._make, self._zero_ns)
        yield KeyLine()

    @property
    def pane(self) -> EventTablePane:
        return self.query_one(EventTablePane)

    def again(self) -> PushedScreen:
        pane = self.pane
        return EventListScreen(
            self.capture,
            self._list_title,
            self._make,
            self._zero_ns,
            self._trace_name,
            question=pane.question,
            place=pane.place(),
        )

    def on_mount(self) -> None:
        self.scope = self.home.scope
        if self._question is not None:
            self.pane.open(self._question, self._place)
        self.pane.frame.focus()
        self.say_title(self._list_title)

    @on(Changed)
    def _say_files(self, message: Changed) -> None:
        self.say_title(self._list_title, more=", ".join(self.pane.file_names))

    @on(Entered)
    def _enter(self, message: Entered) -> None:
        message.stop()
        made = self.pane.made
        if made is None:
            return
        event = made.events[message.row] if made.events else None
        if event is None and not made.spans:
            self.notify(_("This row is of many events: there is no one place to go to."), markup=False)
            return
        span = made.spans[message.row] if made.spans else None
        self.show_in_timeline(event, span, trace_name=self._trace_name)
