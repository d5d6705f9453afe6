"""The screen of an open capture: its panes, the scope, and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import ContentSwitcher

from prof_tui.data.query.query import OneOf, Query, Scope
from prof_tui.errors import ProfTuiError
from prof_tui.panes.pane import CapturePane, Changed, SteadyChosen, TimelineRead
from prof_tui.panes.registry import PANES
from prof_tui.panes.table.pane import Entered, TablePane
from prof_tui.screens.dialogs.overview import OverviewDialogs
from prof_tui.screens.dialogs.timeline import TimelineDialogs
from prof_tui.screens.keys import CAPTURE_BINDINGS
from prof_tui.screens.navigation import DrillDown, Lent, RowCells, Visit, number
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.title_bar import Title, TitleBar
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.spans.span import Span
    from prof_tui.panes.timeline.pane import TimelinePane


_OWN_SCREENS = 2
"""Textual's own first screen and this one: what the stack holds where nothing was chosen from."""


class CaptureScreen(OverviewDialogs, TimelineDialogs, DrillDown):
    """Panes on number keys, over one capture."""

    DEFAULT_CSS = """
    CaptureScreen ContentSwitcher { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = CAPTURE_BINDINGS
    BINDING_GROUP_TITLE = _("Everywhere")

    @dataclass
    class _Ready(Message):
        """The capture's files are known: ``pane`` is the one to begin with."""

        pane: str
        notices: tuple[str, ...]
        file_type: str = ""
        """Of the file that was opened, where it has no pane of its own."""

    class _ListedAnew(Message):
        """The files were listed again: panes may open theirs."""

    @dataclass
    class _Unreadable(Message):
        sentence: str

    def __init__(self, capture: OpenCapture, *, pane: str | None = None, device: int | None = None) -> None:
        super().__init__(capture)
        self.scope = Scope(device=device)
        self._first_pane = pane
        self._visits: list[Visit] = []
        self._showing = asyncio.Lock()
        """A pane takes keys once it is there, also where it is asked for again meanwhile."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield ContentSwitcher()
        yield KeyLine()

    def on_mount(self) -> None:
        self._say_title()
        self.run_worker(self._read_export, thread=True, exit_on_error=False, group="export")

    def _read_export(self) -> None:
        try:
            export = self.capture.export
        except ProfTuiError as error:
            self.post_message(self._Unreadable(str(error)))
            return
        pane, file_type = self._pane_of_file() or ("overview", "")
        if self._first_pane is not None:
            pane, file_type = self._first_pane, ""
        self.post_message(self._Ready(pane, export.notices, file_type))

    def _pane_of_file(self) -> tuple[str, str] | None:
        """The pane that shows the file that was opened, and its type where that doesn't follow."""
        chosen = self.capture.chosen
        if chosen is None:
            return None
        if chosen.suffix == "json" and chosen.type in self.capture.traces.names():
            return "timeline", chosen.type
        if chosen.type in PANES:
            return chosen.type, ""
        return ("files", chosen.type) if self.capture.export.table(chosen.type) else None

    @on(_Unreadable)
    def _leave(self, message: _Unreadable) -> None:
        self.app.exit(return_code=1, message=message.sentence)

    @on(_Ready)
    async def _start(self, message: _Ready) -> None:
        pane = await self._show_pane(message.pane)
        if message.file_type:
            self._show_file(pane, message.file_type)
        for notice in message.notices:
            self.notify(notice, severity="warning", markup=False)

    def _show_file(self, pane: CapturePane, file_type: str) -> None:
        """Show a file that has no pane of its own: a timeline in the timeline pane, a table on its own."""
        from prof_tui.panes.timeline.pane import TimelinePane
        from prof_tui.screens.tables import FileScreen

        if isinstance(pane, TimelinePane):
            pane.open(file_type)
        else:
            self.app.push_screen(FileScreen(self.capture, file_type))

    # Panes

    @property
    def pane(self) -> CapturePane | None:
        """The pane in sight."""
        switcher = self.query_one(ContentSwitcher)
        return switcher.query_one(f"#{switcher.current}", CapturePane) if switcher.current else None

    async def _show_pane(self, name: str) -> CapturePane:
        async with self._showing:
            return await self._mount_pane(name)

    async def _mount_pane(self, name: str) -> CapturePane:
        switcher = self.query_one(ContentSwitcher)
        if not switcher.query(f"#{name}"):
            pane = PANES[name].make(self.capture, self.scope)
            await switcher.add_content(pane, id=name, set_current=True)
        switcher.current = name
        pane = switcher.query_one(f"#{name}", CapturePane)
        if pane.scope != self.scope:
            pane.set_scope(self.scope)
        pane.take_focus()
        self._say_title()
        return pane

    async def action_pane(self, name: str) -> None:
        await self.go_to_pane(name)

    async def go_to_pane(self, name: str, above: Sequence[Screen[None]] = ()) -> None:
        """Show a pane; back leads to where the user is now, with the screens ``above`` that one."""
        if above or self.pane is None or self.pane.id != name:
            self._remember(above)
            await self._show_pane(name)

    async def look_at(self, name: str, query: Query, above: Sequence[Screen[None]] = ()) -> None:
        """Show a query in a table pane; back gives the scope and what the pane showed back as well."""
        self._remember(above, self._lend(name, self.scope))
        self.set_scope(query.scope)
        pane = await self._show_pane(name)
        if isinstance(pane, TablePane):
            pane.show_query(query)

    def _lend(self, name: str, scope: Scope | None = None) -> Lent:
        pane = self._table_pane(name)
        return Lent(name, None if pane is None or pane.table is None else pane.standing(), scope)

    def _give_back(self, lent: Lent) -> None:
        if lent.scope is not None:
            self.set_scope(lent.scope)
        pane = self._table_pane(lent.pane)
        if pane is not None:
            pane.set_scope(self.scope)
            pane.show_own(lent.standing)

    def _table_pane(self, name: str) -> TablePane | None:
        return next(iter(self.query(f"#{name}").results(TablePane)), None)

    def _remember(self, above: Sequence[Screen[None]] = (), lent: Lent | None = None) -> None:
        pane = self.pane
        if pane is not None and pane.id is not None:
            self._visits.append(Visit(pane.id, pane.standing(), tuple(above), lent))

    async def action_back(self) -> None:
        """Cancel what runs, else go to where the user was before."""
        if self.pane is not None and self.pane.cancel():
            self.notify(_("Cancelled."), markup=False)
        elif self._visits:
            visit = self._visits.pop()
            if visit.lent is not None:
                self._give_back(visit.lent)
            pane = await self._show_pane(visit.pane)
            if not pane.is_at(visit.standing):
                pane.go_back_to(visit.standing)
            for screen in visit.above:
                self.app.push_screen(screen)
        elif len(self.app.screen_stack) > _OWN_SCREENS:  # it was chosen from a list
            self.app.pop_screen()

    def show_in_timeline(
        self, event: int | None, span: Span | None = None, *, trace_name: str | None = None
    ) -> None:
        self.call_later(self.lead_to_timeline, trace_name, event, span)

    def show_op_in_timeline(self, row: int) -> None:
        self.call_later(self.lead_to_op, row)

    async def show_timeline(self, trace_name: str) -> None:
        self._show_file(await self._timeline(()), trace_name)

    async def lead_to_timeline(
        self,
        trace_name: str | None,
        event: int | None,
        span: Span | None,
        above: Sequence[Screen[None]] = (),
    ) -> None:
        """To an event or a stretch of time; back leads to where the user is now, with what stood above."""
        (await self._timeline(above)).show(trace_name, event, span)

    async def lead_to_op(self, row: int, above: Sequence[Screen[None]] = ()) -> None:
        """To the event of a row of op summary."""
        (await self._timeline(above)).show_op(row)

    async def _timeline(self, above: Sequence[Screen[None]]) -> TimelinePane:
        await self.go_to_pane("timeline", above)
        from prof_tui.panes.timeline.pane import TimelinePane

        return self.query_one("#timeline", TimelinePane)

    # Scope

    def set_scope(self, scope: Scope) -> None:
        self.scope = scope
        pane = self.pane
        if pane is not None and pane.scope != scope:
            pane.set_scope(scope)
        self._say_title()

    def action_clear_scope(self) -> None:
        self.set_scope(Scope())

    def go_to_iteration(self, scope: Scope) -> None:
        self.set_scope(scope)

    def action_reload(self) -> None:
        self.run_worker(self._list_anew, thread=True, exclusive=True, exit_on_error=False, group="export")

    def _list_anew(self) -> None:
        try:
            self.capture.forget()
        except ProfTuiError as error:
            self.post_message(self._NotRead(str(error)))
        else:
            self.post_message(self._ListedAnew())

    @on(_ListedAnew)
    def _reload_panes(self) -> None:
        for pane in self.query(CapturePane):
            pane.reload()

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

    @on(Changed)
    def _follow_pane(self, message: Changed) -> None:
        self._say_title()

    def _say_title(self) -> None:
        pane = self.pane if self.is_mounted else None
        current = None if pane is None else pane.id
        places = tuple((f"{kind.key} {kind.title}", kind.name == current) for kind in PANES.values())
        parts = () if pane is None else (pane.title,)
        more = "" if pane is None else ", ".join(pane.file_names)
        chips = tuple(self.scope_chips())
        self.query_one(TitleBar).title = Title(self.capture.path.name, parts, chips, places, more)

    # Drill-down

    @on(Entered)
    async def _enter(self, message: Entered) -> None:
        message.stop()
        name = message.pane.table_name
        if name == "op_statistic":
            self.read_row(message.pane, message.row, self._enter_op_type)
        else:
            self.enter_row(message.pane, message.row)

    def _enter_op_type(self, cells: RowCells) -> None:
        """Op summary filtered to a row's OP Type, Core Type and device."""
        self._remember(lent=self._lend("op_summary"))
        wanted = [
            OneOf(there, (cells[here],))
            for here, there in (
                ("op_type", "op_type"),
                ("core_type", "task_type"),
                ("device_id", "device_id"),
            )
            if here in cells
        ]
        self.call_later(self._show_op_type, wanted, number(cells.get("count")))

    async def _show_op_type(self, wanted: list[OneOf], count: int | None) -> None:
        pane = await self._show_pane("op_summary")
        if isinstance(pane, TablePane):
            pane.show_query(Query(filters=tuple(wanted)), keep_sort=True, stated_count=count)
