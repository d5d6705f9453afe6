"""What the overview asks the user: from which iteration on iterations count."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from prof_tui.data.iterations.step_trace import FIRST_STEADY
from prof_tui.errors import UsageError
from prof_tui.screens.dialogs.forms import PromptScreen
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.panes.overview.pane import OverviewPane


def ask_steady_from(pane: OverviewPane) -> None:
    """Ask for the first Iteration ID that counts as steady."""
    if pane.has_no_iterations:
        text = _("There are no iterations to choose from: the export has no step trace.")
        pane.notify(text, severity="warning", markup=False)
        return
    first = pane.asked.steady_from
    title = _("The first Iteration ID that counts as steady; empty for the usual {first}")
    pane.app.push_screen(
        PromptScreen(
            title.format(first=FIRST_STEADY),
            value="" if first is None else str(first),
            replace=True,
            accept=partial(_count_from, pane),
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
