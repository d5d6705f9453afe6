"""A table of the export as it stands in its file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult

from prof_tui.panes.other_tables import event_table, file_table
from prof_tui.panes.pane import Changed
from prof_tui.panes.table.pane import Entered, TablePane
from prof_tui.panes.table.questions import Place, Question
from prof_tui.screens.pushed import PushedScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.tables import EventTable


class FileScreen(PushedScreen):
    """One file type over the whole screen."""

    def __init__(
        self,
        capture: OpenCapture,
        table_name: str,
        *,
        question: Question | None = None,
        place: Place = Place(),
    ) -> None:
        """``question`` instead of all rows in file order, with the cursor at ``place``."""
        super().__init__(capture)
        self.table_name = table_name
        self._question, self._place = question, place

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TablePane(self.capture, file_table(self.table_name), pane_id=f"file-{self.table_name}")
        yield KeyLine()

    @property
    def pane(self) -> TablePane:
        return self.query_one(TablePane)

    def again(self) -> PushedScreen:
        pane = self.pane
        return FileScreen(self.capture, self.table_name, question=pane.question, place=pane.place())

    def on_mount(self) -> None:
        if self._question is not None:
            self.pane.open(self._question, self._place)
        self.pane.frame.focus()
        self.say_title(self.table_name)

    @on(Changed)
    def _say_files(self, message: Changed) -> None:
        table = self.pane.table
        self.say_title(self.table_name, more=", ".join(table.file_names) if table else "")

    @on(Entered)
    def _enter(self, message: Entered) -> None:
        message.stop()
        self.open_detail(message.pane, message.row)


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
        yield TablePane(self.capture, event_table(self._make, self._zero_ns))
        yield KeyLine()

    @property
    def pane(self) -> TablePane:
        return self.query_one(TablePane)

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
        opening = self.pane.reader.opening
        made = None if opening is None else opening.made
        if made is None:
            return
        event = made.events[message.row] if made.events else None
        if event is None and not made.spans:
            self.notify(_("This row is of many events: there is no one place to go to."), markup=False)
            return
        span = made.spans[message.row] if made.spans else None
        self.show_in_timeline(event, span, trace_name=self._trace_name)
