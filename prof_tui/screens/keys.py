"""Keys that work on every screen of a capture, declared once."""

from textual.binding import Binding, BindingType

from prof_tui.words import _


def _key(key: str, action: str, name: str, description: str, tooltip: str, *, show: bool = False) -> Binding:
    return Binding(key, action, description, show=show, tooltip=tooltip, id=f"screen.{name}")


PANE_TITLES = {
    "overview": (1, _("Overview")),
    "step_trace": (2, _("Step trace")),
    "op_statistic": (3, _("Op statistic")),
    "op_summary": (4, _("Op summary")),
    "timeline": (5, _("Timeline")),
    "files": (6, _("Files")),
}
"""Pane id to its number key and title; a pane that doesn't exist yet has no number."""

CAPTURE_BINDINGS: list[BindingType] = [
    _key(
        "escape,backspace",
        "back",
        "back",
        _("Back"),
        _("Close the prompt, cancel the step, or go one step back"),
        show=True,
    ),
    _key(
        "1",
        "pane('overview')",
        "overview",
        _("Overview"),
        _("What the run was, where its time goes, what to do next"),
    ),
    _key(
        "2",
        "pane('step_trace')",
        "step-trace",
        _("Step trace"),
        _("Which model and iterations: computing or gaps"),
    ),
    _key("3", "pane('op_statistic')", "op-statistic", _("Op statistic"), _("Which OP Type takes the time")),
    _key("4", "pane('op_summary')", "op-summary", _("Op summary"), _("Which operator takes the time")),
    _key("5", "pane('timeline')", "timeline", _("Timeline"), _("What ran when, on which lane")),
    _key("6", "pane('files')", "files", _("Files"), _("Every file of the export, and what is missing")),
    _key(
        "left_square_bracket",
        "iteration(-1)",
        "previous-iteration",
        _("Previous iteration"),
        _("The model's iteration before"),
    ),
    _key(
        "right_square_bracket",
        "iteration(1)",
        "next-iteration",
        _("Next iteration"),
        _("The model's next iteration"),
    ),
    _key("0", "clear_scope", "clear-scope", _("Clear scope"), _("All devices, models and iterations again")),
    _key("R", "reload", "reload", _("Reload"), _("Read the files anew")),
    _key(
        "question_mark",
        "help",
        "help",
        _("Help"),
        _("The keys of this screen, the column under the cursor, all notices"),
        show=True,
    ),
    _key("q", "app.quit", "quit", _("Quit"), _("Leave prof-tui"), show=True),
]
