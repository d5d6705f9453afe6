"""What the overview asks for: the page of a line, and from which iteration on iterations count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.screen import Screen

from prof_tui.data.iterations.step_trace import FIRST_STEADY
from prof_tui.errors import UsageError
from prof_tui.panes.overview.findings_list import Entry, EntryEntered, WholeRun
from prof_tui.screens.dialogs.prompt import PromptScreen
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.panes.overview.pane import OverviewPane


class OverviewDialogs(Screen[None]):
    """A screen that may have the overview."""

    capture: OpenCapture

    @on(EntryEntered)
    async def _enter_entry(self, message: EntryEntered) -> None:
        message.stop()
        await self._open_entry(message.entries, message.at)

    async def action_open_entry(self) -> None:
        """Go into the line under the cursor, at once: what is typed next meets its page."""
        pane = self._overview
        if pane is not None and pane.entry is not None:
            await self._open_entry(pane.entries, pane.entries.index(pane.entry))

    async def action_open_run(self) -> None:
        """Go into the line of the list that holds all that is known of the run."""
        pane = self._overview
        if pane is None:
            return
        places = [at for at, entry in enumerate(pane.entries) if isinstance(entry, WholeRun)]
        if places:
            await self._open_entry(pane.entries, places[0])
        else:
            self.notify(_("The run is still being read."), markup=False)

    async def _open_entry(self, entries: Sequence[Entry], at: int) -> None:
        from prof_tui.screens.finding import FindingScreen

        await self.app.push_screen(FindingScreen(self.capture, tuple(entries), at))

    @property
    def _overview(self) -> OverviewPane | None:
        from prof_tui.panes.overview.pane import OverviewPane

        return next(iter(self.query(OverviewPane)), None)

    def action_ask_steady_from(self) -> None:
        """Ask from which Iteration ID on iterations count."""
        pane = self._overview
        if pane is None:
            return
        if pane.has_no_iterations:
            text = _("There are no iterations to choose from: the export has no step trace.")
            self.notify(text, severity="warning", markup=False)
            return
        first = pane.asked.steady_from
        title = _("The first Iteration ID that counts as steady; empty for the usual {first}")
        self.app.push_screen(
            PromptScreen(
                title.format(first=FIRST_STEADY),
                value="" if first is None else str(first),
                replace=True,
                accept=lambda text: _count_from(pane, text),
            )
        )


def _count_from(pane: OverviewPane, text: str) -> None:
    """UsageError where that is no Iteration ID, or no iteration is left."""
    text = text.strip()
    if not text:
        pane.count_from(None)
        return
    if not text.isdecimal():
        raise UsageError(_("{text!r} is not an Iteration ID.").format(text=text))
    if int(text) < 1:
        raise UsageError(_("{text} is less than 1").format(text=text) + ".")
    pane.check_steady_from(int(text))
    pane.count_from(int(text))
