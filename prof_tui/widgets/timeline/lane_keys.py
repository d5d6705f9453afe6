"""The keys of a timeline, each declared once; help, palette and README read them from here."""

from textual.binding import Binding

from prof_tui.words import _

_ZOOM = Binding.Group(_("Zoom"), compact=True)
_PAN = Binding.Group(_("Pan"), compact=True)
_WALK = Binding.Group(_("Walk"), compact=True)
_LONGEST = Binding.Group(_("Longest op, gap"), compact=True)


def _key(
    key: str, action: str, description: str, tooltip: str, group: Binding.Group | None = None
) -> Binding:
    """A key of a group stands on the screen's last line, the others in the help."""
    binding_id = f"timeline-{action.replace('_', '-')}"
    shown = group is not None or action == "enter"
    return Binding(key, action, description, tooltip=tooltip, id=binding_id, group=group, show=shown)


LANE_BINDINGS: list[Binding] = [
    _key("w", "zoom_in", _("Zoom in"), _("Half the time, around the op under the cursor"), _ZOOM),
    _key("s", "zoom_out", _("Zoom out"), _("Twice the time, at most everything"), _ZOOM),
    _key("a", "pan_left", _("Earlier"), _("Move by a quarter of the view to earlier times"), _PAN),
    _key("d", "pan_right", _("Later"), _("Move by a quarter of the view to later times"), _PAN),
    _key("left", "previous_op", _("Previous op"), _("The op that starts before, same lane"), _WALK),
    _key("right", "next_op", _("Next op"), _("The op that starts next, same lane"), _WALK),
    _key("up", "lane_above", _("Lane above"), _("The op nearest in time, one line up"), _WALK),
    _key("down", "lane_below", _("Lane below"), _("The op nearest in time, one line down"), _WALK),
    _key("enter", "enter", _("Details"), _("Open the op under the cursor; on a header, fold or unfold it")),
    _key("z", "undo_zoom", _("Undo zoom"), _("Back to the view before the last zoom")),
    _key("Z", "everything", _("Everything"), _("The whole window; again: all that there is")),
    _key("f", "fit", _("Fit"), _("Zoom to the marked range, else to the chosen gap or op")),
    _key("b", "longer_op", _("Longest op"), _("The longest op; again: the next longest"), _LONGEST),
    _key("B", "longer_gap", _("Longest gap"), _("The longest gap; again: the next longest"), _LONGEST),
    _key("m", "mark", _("Mark range"), _("Begin a range at the op under the cursor; again: end it")),
    _key("M", "clear_mark", _("Clear range"), _("Take the marked range away")),
    _key("space", "fold_group", _("Fold group"), _("Fold or unfold the group under the cursor")),
    _key("minus", "fold_lane", _("Fold rows"), _("All rows of the lane in one line, or apart again")),
    _key("i", "hide_lane", _("Hide lane"), _("Leave the lane under the cursor out")),
    _key("I", "show_hidden", _("Show hidden"), _("Show all hidden lanes again")),
    _key("p", "pin_lane", _("Pin lane"), _("Keep the lane at the top, or put it back")),
]

LANE_ONLY = frozenset(
    {"left", "right", "up", "down", "enter", "f", "m", "M", "space", "minus", "i", "I", "p"}
)
"""The keys that a table may mean otherwise: a screen with both leaves them to the half with the focus."""
