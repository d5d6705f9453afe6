"""Keys that work on every screen of a capture, declared once."""

from functools import partial

from textual.binding import BindingType

from prof_tui.panes.registry import PANES
from prof_tui.widgets.keys import key
from prof_tui.words import _

_key = partial(key, "screen")

CAPTURE_BINDINGS: list[BindingType] = [
    _key(
        "escape,backspace",
        "back",
        _("Back"),
        _("Close the prompt, cancel the step, or go one step back"),
        show=True,
    ),
    *(_key(str(kind.key), f"pane('{kind.name}')", kind.title, kind.tooltip) for kind in PANES.values()),
    _key(
        "left_square_bracket",
        "iteration(-1)",
        _("Previous iteration"),
        _("The model's iteration before"),
        name="previous-iteration",
    ),
    _key(
        "right_square_bracket",
        "iteration(1)",
        _("Next iteration"),
        _("The model's next iteration"),
        name="next-iteration",
    ),
    _key("0", "clear_scope", _("Clear scope"), _("All devices, models and iterations again")),
    _key("R", "reload", _("Reload"), _("Read the files anew")),
    _key(
        "question_mark",
        "help",
        _("Help"),
        _("The keys of this screen, the column under the cursor, all notices"),
        show=True,
    ),
    _key("q", "app.quit", _("Quit"), _("Leave prof-tui"), show=True),
]
