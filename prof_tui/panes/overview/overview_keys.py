"""The keys of the overview, declared once."""

from textual.binding import Binding, BindingType

from prof_tui.words import _

OVERVIEW_BINDINGS: list[BindingType] = [
    Binding(
        "i",
        "screen.open_run",
        _("The run"),
        tooltip=_("All that stands above the findings, uncut, on a page"),
        id="overview.run",
    ),
    Binding(
        "s",
        "screen.ask_steady_from",
        _("Steady from"),
        tooltip=_("Choose from which Iteration ID on iterations count as steady"),
        id="overview.steady-from",
    ),
    Binding("y,Y", "copy", _("Copy"), tooltip=_("Copy this line"), id="overview.copy", show=False),
]
