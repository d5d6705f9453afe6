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
    binding_id = f"timeline-{action.replace('_', '-')}"
    return Binding(key, action, description, tooltip=tooltip, id=binding_id, group=group)


LANE_BINDINGS: list[Binding] = [
    _key("w", "zoom_in", _("Zoom in"), _("Half the time, around the op under the cursor"), _ZOOM),
    _key("s", "zoom_out", _("Zoom out"), _("Twice the time, at most the whole window"), _ZOOM),
    _key("a", "pan_left", _("Earlier"), _("Move by a quarter of the view to earlier times"), _PAN),
    _key("d", "pan_right", _("Later"), _("Move by a quarter of the view to later times"), _PAN),
    _key("left", "previous_op", _("Previous op"), _("The op that starts before, same lane"), _WALK),
    _key("right", "next_op", _("Next op"), _("The op that starts next, same lane"), _WALK),
    _key("up", "lane_above", _("Lane above"), _("The op nearest in time, one lane up"), _WALK),
    _key("down", "lane_below", _("Lane below"), _("The op nearest in time, one lane down"), _WALK),
    _key("z", "undo_zoom", _("Undo zoom"), _("Back to the view before the last zoom")),
    _key("Z", "everything", _("Everything"), _("The whole window")),
    _key("b", "longer_op", _("Longest op"), _("The longest op; again: the next longest"), _LONGEST),
    _key("B", "longer_gap", _("Longest gap"), _("The longest gap; again: the next longest"), _LONGEST),
    _key("enter", "enter", _("Details"), _("Open the op under the cursor")),
]
