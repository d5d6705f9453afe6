"""Keys that work on every screen of a capture, declared once."""

from textual.binding import Binding, BindingType

from prof_tui.panes.registry import PANES
from prof_tui.words import _


def _key(key: str, action: str, name: str, description: str, tooltip: str, *, show: bool = False) -> Binding:
    return Binding(key, action, description, show=show, tooltip=tooltip, id=f"screen.{name}")


CAPTURE_BINDINGS: list[BindingType] = [
    _key(
        "escape,backspace",
        "back",
        "back",
        _("Back"),
        _("Close the prompt, cancel the step, or go one step back"),
        show=True,
    ),
    *(
        _key(str(kind.key), f"pane('{kind.name}')", kind.name.replace("_", "-"), kind.title, kind.tooltip)
        for kind in PANES.values()
    ),
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
