"""The page of one line of the overview; Enter leads to a finding's evidence."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from prof_tui.data.findings.finding import Evidence, Finding, TableEvidence, TimelineEvidence
from prof_tui.data.query.query import Scope
from prof_tui.panes.pages.finding import entry_page
from prof_tui.screens.destinations import ToEntry, ToIteration
from prof_tui.screens.navigation import Navigator
from prof_tui.screens.pushed import PageView
from prof_tui.widgets.keys import key
from prof_tui.words import _

_key = partial(key, "finding", show=True)


class FindingView(PageView):
    """One line of the overview: a finding, what was not checked, what is missing, the whole run."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key(
            "enter",
            "evidence",
            _("Evidence"),
            _("The rows of the finding in their pane, or its place in the timeline"),
        ),
        _key("p", "other(-1)", _("Before"), _("The line before it"), name="before"),
        _key("n", "other(1)", _("Next"), _("The next line"), name="next"),
        _key("y,Y", "copy", _("Copy"), _("Copy the page"), show=False),
    ]

    def __init__(self, navigator: Navigator, to: ToEntry) -> None:
        super().__init__(navigator)
        self.entries, self.at = to.entries, to.at

    @property
    def destination(self) -> ToEntry:
        return ToEntry(self.entries, self.at)

    @property
    def evidence(self) -> Evidence | None:
        entry = self.entries[self.at]
        return entry.evidence if isinstance(entry, Finding) else None

    def begin(self) -> None:
        self.show(entry_page(self.entries, self.at, self.app.size.width))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what this line can't do."""
        if action == "evidence":
            return self.evidence is not None
        if action == "other":
            return 0 <= self.at + int(str(parameters[0])) < len(self.entries)
        return True

    def action_other(self, direction: int) -> None:
        self.at += direction
        self.begin()

    def action_evidence(self) -> None:
        evidence = self.evidence
        if isinstance(evidence, TableEvidence):
            self.navigator.show_evidence(evidence.pane, evidence.query)
        elif isinstance(evidence, TimelineEvidence):
            self._show_time(evidence)

    def _show_time(self, evidence: TimelineEvidence) -> None:
        """The timeline at that place; its iteration where the export has no timeline."""
        capture = self.navigator.capture
        if capture.traces.names():
            self.navigator.show_in_timeline(None, (evidence.begin_ns, evidence.end_ns))
        elif evidence.iteration is not None:
            scope = Scope(evidence.device, evidence.model, evidence.iteration)
            self.navigator.open(ToIteration(scope, scope_after=self.navigator.scope))
        else:
            self.notify(capture.why_no_timeline(), severity="warning", markup=False)
