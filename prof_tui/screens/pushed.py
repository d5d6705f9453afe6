"""Screens that show one thing above the panes: a page of text, or a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from rich.console import RenderableType
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from prof_tui.data.query.query import Scope
from prof_tui.panes.pages.page import Page
from prof_tui.panes.pane import Changed
from prof_tui.panes.table.pane import Entered, TablePane
from prof_tui.screens.copying import copy
from prof_tui.screens.destinations import Destination, ToEvents, ToFile, ToRow
from prof_tui.screens.navigation import NavigatedScreen, Navigator
from prof_tui.screens.working import work
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _, printable

Found = TypeVar("Found")


class PageView(Vertical):
    """A page about one thing, read by a worker; each kind has keys of its own."""

    DEFAULT_CSS = """
    PageView > VerticalScroll { height: 1fr; padding: 0 1; }
    PageView > VerticalScroll > Static { height: auto; }
    """
    BINDING_GROUP_TITLE = _("This screen")

    @dataclass
    class Titled(Message):
        """What the page is about, and on the title's second line where it is from."""

        title: tuple[str, ...]
        subtitle: str = ""

    def __init__(self, navigator: Navigator) -> None:
        super().__init__()
        self.navigator = navigator
        self.page: Page | None = None
        """What is shown; None until it is read."""

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static()

    @property
    def destination(self) -> Destination:
        """What leads back to the page as it is now."""
        raise NotImplementedError

    @property
    def focused_part(self) -> Widget:
        """What takes the keys."""
        return self.query_one(VerticalScroll)

    def begin(self) -> None:
        """Read and show it."""
        raise NotImplementedError

    def read(self, do: Callable[[], Found], then: Callable[[Found], None]) -> None:
        """Call ``do`` in a worker, then ``then``; a refusal is shown in place of the page."""
        work(self, "page", do, then, refused=self.refuse)

    def show(self, page: Page) -> None:
        """Show a page from its beginning."""
        self.page = page
        self._update(page.draw())
        self.post_message(self.Titled(page.title, page.subtitle))
        self.refresh_bindings()

    def refuse(self, sentence: str) -> None:
        """Say why there is no page."""
        self._update(printable(sentence))
        self.post_message(self.Titled(()))

    def _update(self, shown: RenderableType) -> None:
        self.query_one(Static).update(shown)
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_copy(self) -> None:
        if self.page is not None:
            copy(self, self.page.copied)


class PageScreen(NavigatedScreen):
    """A page over the whole screen."""

    def __init__(self, navigator: Navigator, view: PageView) -> None:
        super().__init__(navigator)
        self.view = view

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield self.view
        yield KeyLine()

    @property
    def destination(self) -> Destination:
        return self.view.destination

    def on_mount(self) -> None:
        self.set_focus(self.view.focused_part)
        self.view.begin()

    @on(PageView.Titled)
    def _follow_page(self, message: PageView.Titled) -> None:
        self.say_title(*message.title, more=message.subtitle)


class TableScreen(NavigatedScreen):
    """A table over the whole screen: of a file, or made from a timeline."""

    def __init__(self, navigator: Navigator, to: ToFile | ToEvents, pane: TablePane) -> None:
        super().__init__(navigator)
        self._to, self.pane = to, pane

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield self.pane
        yield KeyLine()

    @property
    def destination(self) -> Destination:
        return replace(self._to, question=self.pane.question, cursor=self.pane.place())

    @property
    def scope(self) -> Scope:
        """A file is shown whole."""
        return Scope() if isinstance(self._to, ToFile) else super().scope

    def on_mount(self) -> None:
        if self._to.question is not None:
            self.pane.open(self._to.question, self._to.cursor)
        self.pane.frame.focus()
        self.say_title(self._to.title)

    @on(Changed)
    def _say_files(self, message: Changed) -> None:
        self.say_title(self._to.title, more=", ".join(self.pane.file_names))

    @on(Entered)
    def _enter(self, message: Entered) -> None:
        message.stop()
        if isinstance(self._to, ToEvents):
            self._enter_event(self._to, message.row)
        elif self.pane.table is not None:
            self.navigator.open(ToRow(self.pane.table, message.row))

    def _enter_event(self, to: ToEvents, row: int) -> None:
        opening = self.pane.reader.opening
        made = None if opening is None else opening.made
        if made is None:
            return
        event = made.events[row] if made.events else None
        if event is None and not made.spans:
            self.notify(_("This row is of many events: there is no one place to go to."), markup=False)
            return
        span = made.spans[row] if made.spans else None
        self.navigator.show_in_timeline(event, span, trace_name=to.trace_name)
