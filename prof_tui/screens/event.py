"""The page of one event of a timeline, and the places that it leads to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from prof_tui.data.query.query import Scope
from prof_tui.errors import ProfTuiError
from prof_tui.panes.pages.event import event_page
from prof_tui.panes.pages.page import Jump, Page
from prof_tui.screens.pushed import PushedScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.keys import key
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceIndex

_key = partial(key, "event", show=True)


class EventScreen(PushedScreen):
    """``event`` is an event number of ``index``."""

    DEFAULT_CSS = """
    EventScreen VerticalScroll { height: 1fr; padding: 0 1; }
    EventScreen VerticalScroll Static { height: auto; }
    EventScreen OptionList { height: auto; max-height: 40%; padding: 0 1; }
    EventScreen OptionList, EventScreen OptionList:focus { border: none; border-top: solid $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("enter", "jump", _("Go there"), _("To the place of the list that is marked"), priority=True),
        _key("v", "timeline", _("Timeline"), _("This event in the timeline")),
        _key("space", "scroll", _("Page down"), _("Scroll the page above the list"), show=False),
        _key("y,Y", "copy", _("Copy"), _("Copy it with all arguments"), show=False),
    ]

    @dataclass
    class _Read(Message):
        page: Page
        scope: Scope

    @dataclass
    class _Refused(Message):
        sentence: str

    def __init__(
        self, capture: OpenCapture, index: TraceIndex, event: int, *, scope: Scope = Scope(), at: int = 0
    ) -> None:
        """``at``: which place of the list is marked at first."""
        super().__init__(capture, scope)
        self.index, self.event = index, event
        self.page: Page | None = None
        self.jumps: tuple[Jump, ...] = ()
        self.event_scope = Scope()
        """The iteration that the event is in."""
        self._at = at

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with VerticalScroll(can_focus=False):
            yield Static(classes="event--text")
        yield OptionList()
        yield KeyLine()

    def again(self) -> PushedScreen:
        at = self.query_one(OptionList).highlighted or 0
        return EventScreen(self.capture, self.index, self.event, scope=self.scope, at=at)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.say_title(_("reading the event"))

        def work() -> None:
            from prof_tui.data.pages.event import event_detail

            try:
                detail = event_detail(self.capture, self.index, self.event)
                self.post_message(self._Read(event_page(detail, self.index), detail.place.scope))
            except ProfTuiError as error:
                self.post_message(self._Refused(str(error)))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="event")

    @on(_Read)
    def _show(self, message: _Read) -> None:
        self.page, self.jumps, self.event_scope = message.page, message.page.jumps, message.scope
        self.query_one(".event--text", Static).update(message.page.draw())
        places = self.query_one(OptionList)
        places.add_options(
            Option(Text(printable(jump.text), no_wrap=True, overflow="ellipsis")) for jump in self.jumps
        )
        places.highlighted = min(self._at, len(self.jumps) - 1)
        self.say_title(*message.page.title, more=message.page.subtitle)

    @on(_Refused)
    def _say_why_not(self, message: _Refused) -> None:
        self.query_one(".event--text", Static).update(printable(message.sentence))
        self.say_title()

    def action_scroll(self) -> None:
        self.query_one(VerticalScroll).scroll_page_down(animate=False)

    def action_copy(self) -> None:
        if self.page is not None:
            self.copy(self.page.copied)

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
        self.show_in_timeline(self.event, trace_name=self.index.name)

    def _jump(self, jump: Jump) -> None:
        if jump.to == "timeline":
            self.show_in_timeline(jump.number, trace_name=self.index.name)
        elif jump.to == "event":
            self.app.push_screen(EventScreen(self.capture, self.index, jump.number, scope=self.scope))
        elif jump.to == "op":
            self._show_op(jump.number)
        else:
            self.show_iteration(self.event_scope, event=self.event, scope_after=self.home.scope)

    def _show_op(self, row: int) -> None:
        from prof_tui.screens.row import RowScreen

        self.app.push_screen(RowScreen(self.capture, self.capture.table("op_summary"), row))
