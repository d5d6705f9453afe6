"""The application on a capture, for tests: keys go in, what it shows comes out as text."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.worker import WorkerCancelled, WorkerFailed

from prof_tui.app import ProfTuiApp
from prof_tui.data.open_capture import OpenCapture
from prof_tui.panes.overview.findings_list import line
from prof_tui.panes.overview.pane import OverviewPane
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.timeline.pane import TimelinePane
from prof_tui.screens.capture import CaptureScreen
from prof_tui.screens.navigation import NavigatedScreen, Navigator
from prof_tui.screens.pushed import PageScreen
from prof_tui.widgets.timeline.view import LaneView
from prof_tui.widgets.title_bar import Title, TitleBar

_MOST_ROUNDS = 200
_TURNS_TO_IDLE = 10
"""Turns of the event loop until a widget without messages asks for its new layout."""

_TURNS_OF_A_KEY = 20
"""Turns of the event loop that a message takes at most from the terminal to the widget that it changes."""


async def take_turns(*_seconds: float) -> None:
    """What the pilot waits in place of Textual's own ``wait_for_idle``."""
    for _turn in range(_TURNS_OF_A_KEY):
        await asyncio.sleep(0)


def _is_busy(app: ProfTuiApp) -> bool:
    """Whether a widget on any screen has messages or callbacks before it."""
    nodes = [app, *(node for screen in app.screen_stack for node in screen.walk_children(with_self=True))]
    waiting = any(node.message_queue_size or node._next_callbacks for node in nodes)
    return waiting or bool(app.screen._callbacks)


class Driven:
    """What a user does and sees."""

    def __init__(self, app: ProfTuiApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    # Keys

    async def press(self, *keys: str) -> None:
        """Press one key after the other, each settled before the next."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def enter_text(self, text: str) -> None:
        """Put a text into the prompt, in place of what stands there, and take it."""
        self.app.screen.query_one(Input).value = text
        await self.press("enter")

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)
        await self.settle()

    async def go_to(self, *, row: int | None = None, column: str | None = None) -> None:
        """Put the pane's cursor on a row in view order, or on a column."""
        self.pane.frame.move_cursor(row=row, column_id=column)
        await self.settle()
        assert row in (None, self.pane.frame.cursor_row)
        assert column in (None, self.pane.frame.cursor_column_id)

    async def settle(self) -> None:
        """Wait until no worker runs and all that they told has been taken in."""
        quiet = 0
        for _round in range(_MOST_ROUNDS):
            running = [worker for worker in self.app.workers if not worker.is_finished]
            for worker in running:
                try:
                    await worker.wait()
                except (WorkerCancelled, WorkerFailed):
                    continue
            await self.take_in()
            quiet = 0 if running or _is_busy(self.app) else quiet + 1
            if quiet == 2:
                return
        raise AssertionError("the app doesn't come to rest")

    async def take_in(self) -> None:
        """Let every widget in front take in what it has been sent, and draw."""
        await self.pilot._wait_for_screen()
        for _turn in range(_TURNS_TO_IDLE):
            await asyncio.sleep(0)
        self.app.screen._on_timer_update()

    # The screen

    @property
    def screen(self) -> Screen[object]:
        return self.app.screen

    @property
    def screen_name(self) -> str:
        """The class of the screen in front, or of the page that it shows."""
        screen = self.app.screen
        return type(screen.view if isinstance(screen, PageScreen) else screen).__name__

    @property
    def text(self) -> str:
        """All that is on the screen, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)

    @property
    def words(self) -> str:
        """All that is on the screen on one line, blanks and borders left out: wrapped text is found in it."""
        return " ".join(self.text.replace("│", " ").split())

    @property
    def said(self) -> list[str]:
        """The notifications so far, oldest first."""
        return [notification.message for notification in self.app._notifications]

    @property
    def title(self) -> Title:
        return self._front.query_one(TitleBar).title

    @property
    def chip(self) -> str:
        """The scope in the title bar, without the key that clears it."""
        return ", ".join(self.title.chips).removesuffix(", 0 clears")

    @property
    def lanes(self) -> LaneView:
        return self._front.query_one(LaneView)

    @property
    def _front(self) -> Screen[object]:
        """The screen in front that isn't a dialog."""
        return next(screen for screen in reversed(self.app.screen_stack) if screen.query(TitleBar))

    @property
    def navigator(self) -> Navigator:
        front = self._front
        assert isinstance(front, NavigatedScreen)
        return front.navigator

    # The overview

    @property
    def overview(self) -> OverviewPane:
        return self.app.screen_stack[1].query_one(OverviewPane)

    @property
    def verdicts(self) -> list[str]:
        """The lines of the overview's list, whole."""
        return [line(entry).plain for entry in self.overview.entries]

    # The timeline

    @property
    def timeline(self) -> TimelinePane:
        return self.app.screen_stack[1].query_one(TimelinePane)

    @property
    def event_name(self) -> str:
        """The name of the event under the timeline pane's cursor; empty for none."""
        pane = self.timeline
        return "" if pane.index is None or pane.event is None else str(pane.index.events["name"][pane.event])

    # The pane

    @property
    def pane(self) -> TablePane:
        """The table pane in sight, also below a dialog."""
        front = self._front
        pane = front.pane if isinstance(front, CaptureScreen) else front.query_one(TablePane)
        assert isinstance(pane, TablePane), "no table is shown"
        return pane

    @property
    def pane_name(self) -> str:
        front = self._front
        if isinstance(front, CaptureScreen) and front.pane is not None:
            return front.pane.table_name
        return self.pane.table_name

    @property
    def rows(self) -> list[dict[str, str]]:
        """Header to whole cell of the rows in view, also of columns that are scrolled off."""
        first, shown = self.pane.frame.visible_range
        return [self._row(place) for place in range(first, first + shown)]

    def column(self, header: str) -> list[str]:
        return [row[header] for row in self.rows]

    @property
    def headers(self) -> list[str]:
        return [column.title for column in self.pane.frame._columns]

    @property
    def cursor(self) -> dict[str, str]:
        """The row under the cursor."""
        return self._row(self.pane.frame.cursor_row)

    def _row(self, place: int) -> dict[str, str]:
        row = self.pane.frame._pages.row(place)
        assert row is not None, f"row {place} isn't there"
        return dict(zip(self.headers, row.cells, strict=True))

    @property
    def status(self) -> str:
        return self._line("status")

    @property
    def chips(self) -> str:
        """The filters above the table."""
        return self._line("chips")

    @property
    def message(self) -> str:
        """What the pane says in place of its table; empty while the table is shown."""
        return self._line("message")

    @property
    def pane_notices(self) -> str:
        return self._line("notices")

    def _line(self, name: str) -> str:
        line = self.pane.query_one(f".table--{name}", Static)
        return str(line.render()) if line.display else ""


@asynccontextmanager
async def opened(
    capture: OpenCapture | Path,
    *more: Path,
    size: tuple[int, int] = (140, 40),
    pane: str | None = None,
    device: int | None = None,
    file: Path | None = None,
) -> AsyncIterator[Driven]:
    """The app on a capture, or on several to pick from, once its first screen has settled."""
    first = capture.path if isinstance(capture, OpenCapture) else capture
    app = ProfTuiApp([first, *more], pane=pane, device=device, file=file)
    async with app.run_test(size=size, notifications=True) as pilot:
        driven = Driven(app, pilot)
        await driven.settle()
        yield driven


async def until(driven: Driven, told: Callable[[], bool]) -> None:
    """Wait for something while workers run."""
    for _round in range(_MOST_ROUNDS):
        if told():
            return
        await driven.pilot.pause(0.02)
    raise AssertionError("it doesn't come")
