"""The ways between the screens of a capture, forth and back, and what all of these screens share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from textual import on
from textual.binding import BindingType
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widget import AwaitMount, Widget
from textual.widgets import ContentSwitcher
from textual.worker import Worker, WorkerState

from prof_tui.data.pages.neighbours import neighbour
from prof_tui.data.query.query import OUTSIDE, OneOf, Query, Scope
from prof_tui.panes.pane import CapturePane, CopyWanted, NotFound, Told
from prof_tui.panes.registry import PANES
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.status import unexpected
from prof_tui.screens.copying import copy
from prof_tui.screens.destinations import Destination
from prof_tui.screens.dialogs.help import EVERYWHERE, show_help
from prof_tui.screens.dialogs.table import TABLE_DIALOGS, ask_text_to_find
from prof_tui.screens.working import work
from prof_tui.widgets.keys import key
from prof_tui.widgets.title_bar import Title, TitleBar
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.spans.span import Span
    from prof_tui.panes.timeline.pane import TimelinePane


@dataclass
class Lent:
    """A table pane that shows something for a look, and what was there before."""

    pane: str
    standing: object
    """What the pane showed; None where it was not open."""
    scope: Scope | None = None
    """The scope before; None where the look leaves it as it is."""
    look_scope: Scope | None = None
    """The scope of the look itself."""


@dataclass(frozen=True)
class Visit:
    """A pane with what it showed, to go back to it."""

    pane: str
    standing: object
    """What the pane needs to show the same again; only the pane reads it."""
    scope: Scope
    above: tuple[Destination, ...] = ()
    """What stood above the pane, the lowest first."""
    lent: Lent | None = None
    """What is given back on the way to it."""
    evidence: Lent | None = None
    """The evidence that was looked at then."""


Way: TypeAlias = Callable[[tuple[Destination, ...]], Awaitable[None]]
"""Leads on from the panes; gets what stood above them."""


class Navigator:
    """Knows where the user was, which scope holds, and how one screen leads to the next."""

    def __init__(
        self,
        home: NavigatedScreen,
        capture: OpenCapture,
        scope: Scope,
        make_screen: Callable[[Navigator, Destination], NavigatedScreen],
    ) -> None:
        """``home`` is the screen of the panes, which stays below all others."""
        self.home = home
        self.capture = capture
        self.scope = scope
        self._make_screen = make_screen
        self._visits: list[Visit] = []
        self._evidence: Lent | None = None
        """The pane whose evidence is looked at."""
        self._showing = asyncio.Lock()
        """A pane takes keys once it is there, also where it is asked for again meanwhile."""

    # The panes

    @property
    def pane(self) -> CapturePane | None:
        """The pane in sight at home."""
        switcher = self.home.query_one(ContentSwitcher)
        return switcher.query_one(f"#{switcher.current}", CapturePane) if switcher.current else None

    async def bring(self, name: str) -> CapturePane:
        """Put a pane in sight, for the scope that holds; nothing is remembered of what was shown."""
        async with self._showing:
            switcher = self.home.query_one(ContentSwitcher)
            if not switcher.query(f"#{name}"):
                pane = PANES[name].make(self.capture, self.scope)
                await switcher.add_content(pane, set_current=True)
            switcher.current = name
            pane = switcher.query_one(f"#{name}", CapturePane)
            if pane.scope != self.scope:
                pane.set_scope(self.scope)
            pane.take_focus()
            self.home.say_title()
            return pane

    def set_scope(self, scope: Scope) -> None:
        """Show another scope at home."""
        self.scope = scope
        pane = self.pane
        if pane is not None and pane.scope != scope:
            pane.set_scope(scope)
        self.home.say_title()

    # Forth

    def open(self, to: Destination) -> AwaitMount:
        """Put the screen of a destination above those that are there."""
        return self.home.app.push_screen(self._make_screen(self, to))

    async def show_pane(self, name: str) -> None:
        """Show a pane from wherever the user is; evidence that was looked at is over."""
        above = self._above()
        await self.go_home()
        if above or self.pane is None or self.pane.id != name:
            self._remember(above)
            if self._evidence is not None:
                self._give_back(self._evidence, keep_chosen_scope=True)
                self._evidence = None
        await self.bring(name)

    def show_in_timeline(
        self, event: int | None, span: Span | None = None, *, trace_name: str | None = None
    ) -> None:
        """Go to an event or a stretch of time; ``trace_name`` None for the first timeline of the export."""
        self._lead_to_timeline(lambda pane: pane.show(trace_name, event, span))

    def show_op_in_timeline(self, row: int) -> None:
        """Go to the event of a row of op summary."""
        self._lead_to_timeline(lambda pane: pane.show_op(row))

    def show_timeline(self, trace_name: str) -> None:
        """Show the timeline of a type."""
        self._lead_to_timeline(lambda pane: pane.open(trace_name))

    def _lead_to_timeline(self, then: Callable[[TimelinePane], None]) -> None:
        async def way(above: tuple[Destination, ...]) -> None:
            from prof_tui.panes.timeline.pane import TimelinePane

            if above or self.pane is None or self.pane.id != "timeline":
                self._remember(above)
            pane = await self.bring("timeline")
            if isinstance(pane, TimelinePane):
                then(pane)

        self._lead(way)

    def show_evidence(self, name: str, query: Query) -> None:
        """Show a query and its scope in a table pane, until the user leaves it."""

        async def way(above: tuple[Destination, ...]) -> None:
            evidence = Lent(name, self._standing_of(name), self.scope, query.scope)
            self._remember(above, evidence)
            self._evidence = evidence
            self.scope = query.scope
            pane = await self.bring(name)
            if isinstance(pane, TablePane):
                pane.show_query(query)

        self._lead(way)

    def show_ops(self, conditions: list[OneOf], stated_count: int | None) -> None:
        """Show the ops that conditions leave; ``stated_count`` says op statistic of them."""

        async def way(above: tuple[Destination, ...]) -> None:
            self._remember(above, Lent("op_summary", self._standing_of("op_summary")))
            pane = await self.bring("op_summary")
            if isinstance(pane, TablePane):
                query = Query(filters=tuple(conditions))
                pane.show_query(query, keep_sort=True, stated_count=stated_count)

        self._lead(way)

    def go_to_iteration(self, scope: Scope) -> None:
        """Look at another iteration in the pane in sight."""

        async def way(_above: tuple[Destination, ...]) -> None:
            self.set_scope(scope)

        self._lead(way)

    def _lead(self, way: Way) -> None:
        """Go home, then on; the application leads there, for the screen that asks may end on the way."""
        above = self._above()

        async def lead() -> None:
            await self.go_home()
            await way(above)

        self.home.app.call_later(lead)

    # Back

    async def go_home(self) -> None:
        """Close what stands above the panes."""
        app = self.home.app
        while app.screen is not self.home:
            await app.pop_screen()

    async def go_back(self) -> bool:
        """Show the pane that was shown before, and what stood above it; False where there is none."""
        if not self._visits:
            return False
        visit = self._visits.pop()
        if visit.lent is not None:
            self._give_back(visit.lent)
        if visit.evidence is not None and visit.evidence is not self._evidence:
            self._resume(visit.evidence, visit.scope)
        self._evidence = visit.evidence
        pane = await self.bring(visit.pane)
        if not pane.is_at(visit.standing):
            pane.go_back_to(visit.standing)
        for to in visit.above:
            self.open(to)
        return True

    def _give_back(self, lent: Lent, *, keep_chosen_scope: bool = False) -> None:
        """``keep_chosen_scope``: where the user chose another scope during the look, that one holds."""
        if lent.scope is not None and not (keep_chosen_scope and self.scope != lent.look_scope):
            self.scope = lent.scope
        pane = self._table_pane(lent.pane)
        if pane is not None:
            pane.set_scope(self.scope)
            pane.show_own(lent.standing)

    def _resume(self, evidence: Lent, scope: Scope) -> None:
        """Look again at evidence that was left with ``scope``; what holds now is given back later."""
        evidence.standing = self._standing_of(evidence.pane)
        if scope == evidence.look_scope:
            evidence.scope = self.scope
        self.scope = scope

    def _remember(self, above: tuple[Destination, ...], lent: Lent | None = None) -> None:
        """Keep what is in sight for the way back, on which ``lent`` is given back."""
        pane = self.pane
        if pane is not None and pane.id is not None:
            visit = Visit(pane.id, pane.standing(), self.scope, above, lent, self._evidence)
            self._visits.append(visit)

    def _above(self) -> tuple[Destination, ...]:
        """What leads back to the screens above home as they are now."""
        screens = (screen for screen in self.home.app.screen_stack if isinstance(screen, NavigatedScreen))
        return tuple(screen.destination for screen in screens if screen.destination is not None)

    def _standing_of(self, name: str) -> object:
        pane = self._table_pane(name)
        return None if pane is None or pane.table is None else pane.standing()

    def _table_pane(self, name: str) -> TablePane | None:
        return next(iter(self.home.query(f"#{name}").results(TablePane)), None)

    # The files

    async def reload(self) -> None:
        """Read the files anew, for all panes."""
        await self.go_home()

        def reload_panes(_nothing: None) -> None:
            for pane in self.home.query(CapturePane):
                pane.reload()

        work(self.home, "export", self.capture.forget, reload_panes)


_key = partial(key, "screen")

SCREEN_BINDINGS: list[BindingType] = [
    _key(
        "escape,backspace",
        "back",
        _("Back"),
        _("Close the prompt, cancel the step, or go one step back"),
        show=True,
    ),
    *(_key(str(kind.key), f"pane('{kind.name}')", kind.title, kind.tooltip) for kind in PANES.values()),
    _key(
        "left_square_bracket",
        "iteration(-1)",
        _("Previous iteration"),
        _("The model's iteration before"),
        name="previous-iteration",
    ),
    _key(
        "right_square_bracket",
        "iteration(1)",
        _("Next iteration"),
        _("The model's next iteration"),
        name="next-iteration",
    ),
    _key("0", "clear_scope", _("Clear scope"), _("All devices, models and iterations again")),
    _key("R", "reload", _("Reload"), _("Read the files anew")),
    _key(
        "question_mark",
        "help",
        _("Help"),
        _("The keys of this screen, the column under the cursor, all notices"),
        show=True,
    ),
    _key("q", "app.quit", _("Quit"), _("Leave prof-tui"), show=True),
]
"""Keys that work on every screen of a capture."""


class NavigatedScreen(Screen[None]):
    """A screen over one capture, with the keys that work on all of them."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (9, "-high")]  # noqa: RUF012 - as Textual declares it
    DEFAULT_CSS = """
    NavigatedScreen.-low TitleBar, NavigatedScreen.-low KeyLine { display: none; }
    NavigatedScreen.-low .table--chips, NavigatedScreen.-low .table--notices { height: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = SCREEN_BINDINGS
    BINDING_GROUP_TITLE = EVERYWHERE

    def __init__(self, navigator: Navigator) -> None:
        super().__init__()
        self.navigator = navigator
        self.capture = navigator.capture
        self._steps = 0
        """Iterations to go by the keys pressed since the last answer."""

    @property
    def destination(self) -> Destination | None:
        """What leads back to this screen as it is now; None at home, which is never left."""
        return None

    @property
    def scope(self) -> Scope:
        """What is looked at, and where the keys for other iterations start from."""
        return self.navigator.scope

    def say_title(self, *parts: str, more: str = "", pane: str | None = None) -> None:
        """What this screen shows, behind the capture's name; ``more`` stands on the second line.

        ``pane``: the name of the one in sight.
        """
        places = tuple((f"{kind.key} {kind.title}", kind.name == pane) for kind in PANES.values())
        chips = scope_chips(self.scope)
        self.query_one(TitleBar).title = Title(self.capture.name, parts, chips, places, more)

    # Ways

    async def action_back(self) -> None:
        self.app.pop_screen()

    async def action_pane(self, name: str) -> None:
        await self.navigator.show_pane(name)

    async def action_clear_scope(self) -> None:
        await self.navigator.go_home()
        self.navigator.set_scope(Scope())

    async def action_reload(self) -> None:
        await self.navigator.reload()

    def action_iteration(self, direction: int) -> None:
        """One iteration further than all presses so far, also those that are still being answered."""
        self._steps += direction
        scope, steps = self.scope, self._steps

        def go(found: Scope | None) -> None:
            if steps != self._steps:
                return
            self._steps = 0
            if found is None or found == self.scope:
                said = _("There is no further iteration of this model with ops here.")
                if not self.capture.steps.steps and scope.iteration is None:
                    said = _("No iterations are known here: {why}").format(
                        why=self.capture.why_missing("step_trace")
                    )
                self.notify(said, markup=False)
            else:
                self.go_to_iteration(found)

        work(self, "neighbour", lambda: neighbour(self.capture, scope, steps), go)

    def go_to_iteration(self, scope: Scope) -> None:
        """Look at another iteration."""
        self.navigator.go_to_iteration(scope)

    # Questions and answers

    def asked_pane(self) -> TablePane | None:
        """The table pane that a key is meant for."""
        node = self.focused
        while node is not None and not isinstance(node, TablePane):
            node = node.parent if isinstance(node.parent, Widget) else None
        return node

    def action_ask(self, what: str) -> None:
        """Ask for one of TABLE_DIALOGS."""
        pane = self.asked_pane()
        if pane is not None and pane.table is not None:
            TABLE_DIALOGS[what](pane)

    def action_help(self) -> None:
        pane = self.asked_pane()
        show_help(self, pane, self.other_notices() if pane is None else pane.notices)

    def other_notices(self) -> list[str]:
        """What help says where no table has the focus."""
        return []

    @on(CopyWanted)
    def _copy(self, message: CopyWanted) -> None:
        message.stop()
        copy(self, message.text)

    @on(NotFound)
    @on(Told)
    def _tell(self, message: Told | NotFound) -> None:
        message.stop()
        if isinstance(message, Told):
            severity: SeverityLevel = "error" if message.failed else "information"
            self.notify(message.sentence, severity=severity, markup=False)
        elif self.is_current and message.pane.is_on_screen and isinstance(message.pane, TablePane):
            ask_text_to_find(message.pane, message.sentence)

    @on(Worker.StateChanged)
    def _say_unexpected(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.node is self:
            self.notify(unexpected(event.worker), severity="error", markup=False)


def scope_chips(scope: Scope) -> tuple[str, ...]:
    """The scope as one chip, with the key that clears it; nothing for no scope."""
    parts = []
    if scope.device is not None:
        parts.append(_("device {device}").format(device=scope.device))
    if scope.model is not None:
        parts.append(_("Model ID {model}").format(model=scope.model))
    if scope.iteration == OUTSIDE:
        parts.append(_("outside iterations"))
    elif scope.iteration is not None:
        parts.append(_("iteration {iteration}").format(iteration=scope.iteration))
    return (", ".join([*parts, _("0 clears")]),) if parts else ()
