"""Screens above the capture's own: number keys and the scope lead back to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from prof_tui.data.query.query import Scope
from prof_tui.panes.registry import PANES
from prof_tui.screens.capture import CaptureScreen
from prof_tui.screens.keys import CAPTURE_BINDINGS
from prof_tui.screens.navigation import DrillDown
from prof_tui.widgets.title_bar import Title, TitleBar
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.spans.span import Span


class PushedScreen(DrillDown):
    """A screen that Escape leaves."""

    BINDINGS: ClassVar[list[BindingType]] = CAPTURE_BINDINGS
    BINDING_GROUP_TITLE = _("Everywhere")

    @property
    def home(self) -> CaptureScreen:
        """The capture's own screen, below this one."""
        return next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, CaptureScreen))

    def say_title(self, *parts: str, more: str = "") -> None:
        """What this screen shows, behind the capture's name; ``more`` stands on the second line."""
        places = tuple((f"{kind.key} {kind.title}", False) for kind in PANES.values())
        chips = tuple(self.scope_chips())
        self.query_one(TitleBar).title = Title(self.capture.path.name, parts, chips, places, more)

    def action_back(self) -> None:
        self.app.pop_screen()

    def again(self) -> PushedScreen:
        """A new screen that shows what this one shows, for the way back to it."""
        raise NotImplementedError

    async def action_pane(self, name: str) -> None:
        home = self.home
        above = self._above()
        await self._go_home()
        await home.go_to_pane(name, above)

    def show_in_timeline(
        self, event: int | None, span: Span | None = None, *, trace_name: str | None = None
    ) -> None:
        home, above = self.home, self._above()
        self._leave(lambda: home.lead_to_timeline(trace_name, event, span, above))

    def show_op_in_timeline(self, row: int) -> None:
        home, above = self.home, self._above()
        self._leave(lambda: home.lead_to_op(row, above))

    def _leave(self, then: Callable[[], Awaitable[None]]) -> None:
        """Go home, then on; the application leads there, for this screen ends on the way."""

        async def lead() -> None:
            await self._go_home()
            await then()

        self.app.call_later(lead)

    def _above(self) -> list[PushedScreen]:
        """New screens that show what those above home show, for the way back."""
        return [screen.again() for screen in self.app.screen_stack if isinstance(screen, PushedScreen)]

    async def action_clear_scope(self) -> None:
        await self._go_home()
        self.home.set_scope(Scope())

    def go_to_iteration(self, scope: Scope) -> None:
        """Look at it from home."""
        home = self.home

        async def look() -> None:
            home.set_scope(scope)

        self._leave(look)

    async def action_reload(self) -> None:
        await self._go_home()
        self.home.action_reload()

    async def _go_home(self) -> None:
        home = self.home
        while self.app.screen is not home:
            await self.app.pop_screen()
