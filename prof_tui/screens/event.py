"""The page of one event of a timeline, and the places that it leads to."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from prof_tui.data.query.query import Scope
from prof_tui.panes.pages.event import event_page
from prof_tui.panes.pages.page import Jump, Page
from prof_tui.screens.destinations import ToEvent, ToIteration, ToRow
from prof_tui.screens.navigation import Navigator
from prof_tui.screens.pushed import PageView
from prof_tui.widgets.keys import key
from prof_tui.words import _, printable

_key = partial(key, "event", show=True)


class EventView(PageView):
    """One event, with a list of the places that it leads to."""

    DEFAULT_CSS = """
    EventView OptionList { height: auto; max-height: 40vh; padding: 0 1; }
    EventView OptionList, EventView OptionList:focus { border: none; border-top: solid $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("enter", "jump", _("Go there"), _("To the place of the list that is marked"), priority=True),
        _key("v", "timeline", _("Timeline"), _("This event in the timeline")),
        _key("space", "scroll", _("Page down"), _("Scroll the page above the list"), show=False),
        _key("y,Y", "copy", _("Copy"), _("Copy it with all arguments"), show=False),
    ]

    def __init__(self, navigator: Navigator, to: ToEvent) -> None:
        super().__init__(navigator)
        self._to = to
        self.event_scope = Scope()
        """The iteration that the event is in."""

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield Static()
        yield OptionList()

    @property
    def focused_part(self) -> OptionList:
        return self.query_one(OptionList)

    @property
    def destination(self) -> ToEvent:
        return replace(self._to, marked=self.query_one(OptionList).highlighted or 0)

    @property
    def jumps(self) -> tuple[Jump, ...]:
        return () if self.page is None else self.page.jumps

    def begin(self) -> None:
        self.post_message(self.Titled((_("reading the event"),)))
        self.read(self._make_page, self._show_event)

    def _make_page(self) -> tuple[Page, Scope]:
        """Runs in a worker."""
        from prof_tui.data.pages.event import event_detail

        detail = event_detail(self.navigator.capture, self._to.index, self._to.event)
        return event_page(detail, self._to.index), detail.place.scope

    def _show_event(self, made: tuple[Page, Scope]) -> None:
        page, self.event_scope = made
        self.show(page)
        places = self.query_one(OptionList)
        places.add_options(
            Option(Text(printable(jump.text), no_wrap=True, overflow="ellipsis")) for jump in self.jumps
        )
        places.highlighted = min(self._to.marked, len(self.jumps) - 1)

    def action_scroll(self) -> None:
        self.query_one(VerticalScroll).scroll_page_down(animate=False)

    # Jumps

    @on(OptionList.OptionSelected)
    def _go(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        self._jump(self.jumps[message.option_index])

    def action_jump(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and self.jumps:
            self._jump(self.jumps[at])

    def action_timeline(self) -> None:
        self.navigator.show_in_timeline(self._to.event, trace_name=self._to.index.name)

    def _jump(self, jump: Jump) -> None:
        if jump.to == "timeline":
            self.navigator.show_in_timeline(jump.number, trace_name=self._to.index.name)
        elif jump.to == "event":
            self.navigator.open(ToEvent(self._to.index, jump.number))
        elif jump.to == "op":
            self.navigator.open(ToRow(self.navigator.capture.table("op_summary"), jump.number))
        else:
            scope_after = self.navigator.scope
            self.navigator.open(ToIteration(self.event_scope, event=self._to.event, scope_after=scope_after))
