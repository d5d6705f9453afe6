"""The screen of an open capture: its panes, what Enter on their rows leads to, and the screens above it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.widgets import ContentSwitcher

from prof_tui.data.query.query import OneOf, Scope
from prof_tui.panes.overview.findings_list import EntryEntered, WholeRun
from prof_tui.panes.pane import CapturePane, Changed, EventEntered, NotFound, SteadyChosen, TimelineRead
from prof_tui.panes.registry import PANES
from prof_tui.panes.table.pane import Entered, TablePane
from prof_tui.screens.destinations import (
    Destination,
    ToEntry,
    ToEvent,
    ToEvents,
    ToFile,
    ToIteration,
    ToRow,
)
from prof_tui.screens.navigation import NavigatedScreen, Navigator
from prof_tui.screens.working import work
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import NOT_AVAILABLE, _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.tables.table import Table
    from prof_tui.panes.overview.pane import OverviewPane
    from prof_tui.panes.timeline.pane import TimelinePane

_OWN_SCREENS = 2
"""Textual's own first screen and this one: what the stack holds where nothing was chosen from."""


@dataclass(frozen=True)
class _First:
    """What to begin with, once the capture's files are known."""

    pane: str
    file_type: str
    """Type of the file that was opened, where it has no pane of its own; else empty."""
    notices: tuple[str, ...]


class CaptureScreen(NavigatedScreen):
    """Panes on number keys, over one capture."""

    DEFAULT_CSS = """
    CaptureScreen ContentSwitcher { height: 1fr; }
    """

    def __init__(self, capture: OpenCapture, *, pane: str | None = None, device: int | None = None) -> None:
        super().__init__(Navigator(self, capture, Scope(device=device), make_screen))
        self._first_pane = pane

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield ContentSwitcher()
        yield KeyLine()

    # The first pane

    def on_mount(self) -> None:
        self.say_title()
        work(self, "export", self._find_first, self._start, refused=self._quit)

    def _find_first(self) -> _First:
        """Runs in a worker."""
        export = self.capture.export
        pane, file_type = self._pane_of_file()
        if self._first_pane is not None:
            pane, file_type = self._first_pane, ""
        return _First(pane, file_type, export.notices)

    def _pane_of_file(self) -> tuple[str, str]:
        """The pane that shows the file that was opened, and its type where that doesn't follow."""
        chosen = self.capture.chosen
        if chosen is not None:
            if chosen.suffix == "json" and chosen.type in self.capture.traces.names():
                return "timeline", chosen.type
            if chosen.type in PANES:
                return chosen.type, ""
            if self.capture.export.table(chosen.type):
                return "files", chosen.type
        return "overview", ""

    def _quit(self, sentence: str) -> None:
        self.app.exit(return_code=1, message=sentence)

    async def _start(self, first: _First) -> None:
        await self.navigator.bring(first.pane)
        if first.file_type and first.pane == "timeline":
            self.navigator.show_timeline(first.file_type)
        elif first.file_type:
            self.navigator.open(ToFile(first.file_type))
        for notice in first.notices:
            self.notify(notice, severity="warning", markup=False)

    # What is in sight

    @property
    def pane(self) -> CapturePane | None:
        """The pane in sight."""
        return self.navigator.pane if self.is_mounted else None

    def say_title(self, *parts: str, more: str = "", pane: str | None = None) -> None:
        shown = self.pane
        if shown is None:
            super().say_title()
        else:
            super().say_title(shown.title, more=", ".join(shown.file_names), pane=shown.id)

    @on(Changed)
    def _follow_pane(self, message: Changed) -> None:
        self.say_title()

    @on(TimelineRead)
    def _tell_panes(self) -> None:
        for pane in self.query(CapturePane):
            pane.take_timeline()

    @on(SteadyChosen)
    def _show_steady(self) -> None:
        """Let the step trace say which iterations count now."""
        for pane in self.query(CapturePane):
            if pane.table_name == "step_trace":
                pane.reload()

    async def action_back(self) -> None:
        """Cancel what runs, else go to where the user was before."""
        if self.pane is not None and self.pane.cancel():
            self.notify(_("Cancelled."), markup=False)
        elif not await self.navigator.go_back() and len(self.app.screen_stack) > _OWN_SCREENS:
            self.app.pop_screen()  # it was chosen from a list

    # Into rows and events

    @on(Entered)
    def _enter_row(self, message: Entered) -> None:
        message.stop()
        pane, row = message.pane, message.row
        table, enter = pane.table, INTO_ROWS.get(pane.table_name)
        if table is not None and enter is not None:
            pane.reader.read_row(row, lambda cells: enter(self.navigator, _by_id(table, cells)))
        elif table is not None:
            self.navigator.open(ToRow(table, row))

    @on(EventEntered)
    def _enter_event(self, message: EventEntered) -> None:
        message.stop()
        self.navigator.open(ToEvent(message.index, message.event))

    # The overview

    def _overview(self) -> OverviewPane | None:
        from prof_tui.panes.overview.pane import OverviewPane

        return next(iter(self.query(OverviewPane)), None)

    @on(EntryEntered)
    async def _enter_entry(self, message: EntryEntered) -> None:
        message.stop()
        await self.navigator.open(ToEntry(tuple(message.entries), message.at))

    async def action_open_entry(self) -> None:
        """Go into the line under the cursor, at once: what is typed next meets its page."""
        pane = self._overview()
        if pane is not None and pane.entry is not None:
            await self.navigator.open(ToEntry(tuple(pane.entries), pane.entries.index(pane.entry)))

    async def action_open_run(self) -> None:
        """Go into the line of the list that holds all that is known of the run."""
        pane = self._overview()
        if pane is None:
            return
        places = [at for at, entry in enumerate(pane.entries) if isinstance(entry, WholeRun)]
        if places:
            await self.navigator.open(ToEntry(tuple(pane.entries), places[0]))
        else:
            self.notify(_("The run is still being read."), markup=False)

    def action_ask_steady_from(self) -> None:
        from prof_tui.screens.dialogs.overview import ask_steady_from

        pane = self._overview()
        if pane is not None:
            ask_steady_from(pane)

    # The timeline

    def _timeline(self) -> TimelinePane | None:
        from prof_tui.panes.timeline.pane import TimelinePane

        return next(iter(self.query(TimelinePane)), None)

    def action_ask_timeline(self, what: str) -> None:
        """Ask for another timeline, or for one of TIMELINE_DIALOGS."""
        from prof_tui.screens.dialogs.timeline import ask_about_timeline

        pane = self._timeline()
        if pane is not None:
            ask_about_timeline(self.navigator, pane, what)

    @on(NotFound)
    def _ask_timeline_again(self, message: NotFound) -> None:
        """Open the prompt anew for what the timeline doesn't have, with the reason."""
        from prof_tui.screens.dialogs.timeline import ask_again

        pane = self._timeline()
        if message.pane is pane and pane is not None and pane.is_on_screen and self.is_current:
            ask_again(self.navigator, pane, message)

    def other_notices(self) -> list[str]:
        pane = self._timeline()
        return pane.notices if pane is not None and pane.is_on_screen else []


def make_screen(navigator: Navigator, to: Destination) -> NavigatedScreen:
    """The screen that shows a destination; its module is imported when it is first shown."""
    from prof_tui.screens.pushed import PageScreen, TableScreen

    if isinstance(to, ToRow):
        from prof_tui.screens.row import RowView

        return PageScreen(navigator, RowView(navigator, to))
    if isinstance(to, ToEvent):
        from prof_tui.screens.event import EventView

        return PageScreen(navigator, EventView(navigator, to))
    if isinstance(to, ToEntry):
        from prof_tui.screens.finding import FindingView

        return PageScreen(navigator, FindingView(navigator, to))
    if isinstance(to, ToIteration):
        from prof_tui.screens.iteration import IterationScreen

        return IterationScreen(navigator, to)
    from prof_tui.panes.other_tables import event_table, file_table

    kind = event_table(to.make, to.zero_ns) if isinstance(to, ToEvents) else file_table(to.title)
    return TableScreen(navigator, to, TablePane(navigator.capture, kind))


# What Enter on a row leads to

RowCells: TypeAlias = "dict[str, str]"
"""A row's cells by column id; N/A where the row has none."""


def _by_id(table: Table, cells: Sequence[str | None]) -> RowCells:
    """The cells of a row; of columns with the same id the first."""
    pairs = reversed(list(zip(table.columns, cells, strict=True)))
    return {column.id: NOT_AVAILABLE if cell is None else cell for column, cell in pairs}


def _enter_iteration(navigator: Navigator, cells: RowCells) -> None:
    iteration = _number(cells.get("iteration_id"))
    if iteration is not None:
        known = navigator.capture.export.devices
        device = _number(cells.get("device_id"))
        only = known[0] if device is None and len(known) == 1 else device
        navigator.open(ToIteration(Scope(only, _number(cells.get("model_id")), iteration)))


def _enter_op_type(navigator: Navigator, cells: RowCells) -> None:
    """Op summary filtered to a row's OP Type, Core Type and device."""
    named = {"op_type": "op_type", "core_type": "task_type", "device_id": "device_id"}
    conditions = [OneOf(there, (cells[here],)) for here, there in named.items() if here in cells]
    navigator.show_ops(conditions, _number(cells.get("count")))


def _enter_file(navigator: Navigator, cells: RowCells) -> None:
    capture, app = navigator.capture, navigator.home.app
    name, status = cells.get("type", ""), cells.get("status")
    found = capture.export.table(name)
    if found is None and name in capture.traces.names():
        navigator.show_timeline(name)
    elif found is None or status not in ("ok", "damaged"):
        app.notify(cells.get("why") or _("This is not a table."), severity="warning", markup=False)
    elif cells.get("used") != _("yes"):
        app.notify(_("This file is not used: {why}").format(why=cells.get("why")), markup=False)
    else:
        navigator.open(ToFile(name))


def _number(text: str | None) -> int | None:
    """An id as a number; None for N/A."""
    try:
        return int(text or "")
    except ValueError:
        return None


INTO_ROWS: dict[str, Callable[[Navigator, RowCells], None]] = {
    "step_trace": _enter_iteration,
    "op_statistic": _enter_op_type,
    "files": _enter_file,
}
"""What Enter on a row of a pane leads to; in a pane that isn't named, to the page of the row."""
