"""The keys of the timeline pane besides those of its lanes, each declared once."""

from textual.binding import Binding, BindingType

from prof_tui.words import _

_FIND = Binding.Group(_("Find, next"), compact=True)


def _key(
    key: str,
    action: str,
    name: str,
    description: str,
    tooltip: str,
    *,
    group: Binding.Group | None = None,
    show: bool = False,
) -> Binding:
    """Keys that ask have priority: what is typed behind them is meant for what they open."""
    return Binding(
        key,
        action,
        description,
        show=show,
        tooltip=tooltip,
        id=f"timeline-pane.{name}",
        group=group,
        priority=action.startswith("screen.ask"),
    )


def _ask(
    key: str,
    what: str,
    description: str,
    tooltip: str,
    *,
    group: Binding.Group | None = None,
    show: bool = False,
) -> Binding:
    return _key(
        key,
        f"screen.ask_timeline('{what}')",
        what.replace("_", "-"),
        description,
        tooltip,
        group=group,
        show=show,
    )


TIMELINE_PANE_BINDINGS: list[BindingType] = [
    _ask("slash", "find", _("Find"), _("Find events by name, over all lanes"), group=_FIND, show=True),
    _key("n", "next_match(1)", "next-match", _("Next"), _("The next match in time"), group=_FIND, show=True),
    _key("N", "next_match(-1)", "previous-match", _("Previous"), _("The match before in time")),
    _ask("g", "go_to", _("Go to"), _("Go to a time, an iteration, or an op by name"), show=True),
    _ask("L", "longest", _("Longest"), _("A table of the longest events"), show=True),
    _ask("G", "gaps", _("Gaps"), _("A table of the largest gaps of the lane under the cursor")),
    _ask("S", "sums", _("Sums"), _("Events and times of the marked range, else of what is on the screen")),
    _ask("l", "legend", _("Legend"), _("What letters and colours stand for")),
    _ask("T", "file", _("File"), _("Choose another timeline of the export")),
    _ask("e", "carve", _("Write"), _("Write the events of this window as a small trace JSON")),
    _key("y", "copy_event", "copy", _("Copy"), _("Copy the event under the cursor")),
]
