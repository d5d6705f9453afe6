"""A table of the export as it stands in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult

from prof_tui.panes.other_tables import FileTablePane
from prof_tui.panes.pane_messages import Changed
from prof_tui.panes.table.messages import Entered
from prof_tui.panes.table.questions import Place, Question
from prof_tui.screens.pushed import PushedScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


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
        yield FileTablePane(self.capture, self.table_name)
        yield KeyLine()

    @property
    def pane(self) -> FileTablePane:
        return self.query_one(FileTablePane)

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
