"""The page of one line of the overview; Enter leads to a finding's evidence."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from prof_tui.data.findings.finding import Evidence, Finding, TableEvidence, TimelineEvidence
from prof_tui.data.query.query import Scope
from prof_tui.panes.overview.findings_list import Entry
from prof_tui.panes.pages.finding import entry_page
from prof_tui.panes.pages.page import Page
from prof_tui.screens.pushed import PushedScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.keys import key
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture

_key = partial(key, "finding", show=True)


class FindingScreen(PushedScreen):
    """``entries`` are the lines of the overview, ``at`` is the one shown."""

    DEFAULT_CSS = """
    FindingScreen VerticalScroll { height: 1fr; padding: 0 1; }
    FindingScreen VerticalScroll Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        _key(
            "enter",
            "evidence",
            _("Evidence"),
            _("The rows of the finding in their pane, or its place in the timeline"),
        ),
        _key("p", "other(-1)", _("Before"), _("The line before it"), name="before"),
        _key("n", "other(1)", _("Next"), _("The next line"), name="next"),
        _key("y,Y", "copy_page", _("Copy"), _("Copy the page"), show=False),
    ]

    def __init__(self, capture: OpenCapture, entries: tuple[Entry, ...], at: int) -> None:
        super().__init__(capture)
        self.entries, self.at = entries, at

    @property
    def entry(self) -> Entry:
        return self.entries[self.at]

    @property
    def _page(self) -> Page:
        return entry_page(self.entries, self.at, self.size.width)

    @property
    def evidence(self) -> Evidence | None:
        return self.entry.evidence if isinstance(self.entry, Finding) else None

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with VerticalScroll():
            yield Static(classes="finding--text")
        yield KeyLine()

    def again(self) -> PushedScreen:
        return FindingScreen(self.capture, self.entries, self.at)

    def on_mount(self) -> None:
        self.scope = self.home.scope
        self.set_focus(self.query_one(VerticalScroll))
        self._show()

    def _show(self) -> None:
        page = self._page
        self.query_one(".finding--text", Static).update(page.draw())
        self.query_one(VerticalScroll).scroll_home(animate=False)
        self.say_title(*page.title)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what this line can't do."""
        if action == "evidence":
            return self.evidence is not None
        if action == "other":
            return 0 <= self.at + int(str(parameters[0])) < len(self.entries)
        return True

    def action_other(self, direction: int) -> None:
        self.at += direction
        self._show()

    def action_copy_page(self) -> None:
        self.copy(self._page.copied)

    # Evidence

    def action_evidence(self) -> None:
        evidence = self.evidence
        if isinstance(evidence, TableEvidence):
            self._show_table(evidence)
        elif isinstance(evidence, TimelineEvidence):
            self._show_time(evidence)

    def _show_table(self, evidence: TableEvidence) -> None:
        home, above = self.home, self._above()
        self._leave(lambda: home.look_at(evidence.pane, evidence.query, above))

    def _show_time(self, evidence: TimelineEvidence) -> None:
        """The timeline at that place; its iteration where the export has no timeline."""
        if self.capture.traces.names():
            self.show_in_timeline(None, (evidence.begin_ns, evidence.end_ns))
        elif evidence.iteration is not None:
            scope = Scope(evidence.device, evidence.model, evidence.iteration)
            self.show_iteration(scope, scope_after=self.home.scope)
        else:
            self.notify(self.capture.why_no_timeline(), severity="warning", markup=False)
