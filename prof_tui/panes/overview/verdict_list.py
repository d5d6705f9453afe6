"""The list of findings: one line each, with a cursor."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from prof_tui.words import _


class VerdictList(OptionList):
    """Lines that are cut, not wrapped; Enter goes into one."""

    DEFAULT_CSS = """
    VerdictList, VerdictList:focus {
        padding: 0 1; border: none; scrollbar-size: 1 1; text-wrap: nowrap; text-overflow: ellipsis;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "screen.open_entry",
            _("Open"),
            tooltip=_("The finding's page: its rule, its rows, what to try"),
            id="overview.enter",
        ),
        Binding("j", "cursor_down", _("Down"), tooltip=_("The next line"), id="overview.down", show=False),
        Binding("k", "cursor_up", _("Up"), tooltip=_("The line before"), id="overview.up", show=False),
        Binding("g", "first", _("First line"), tooltip=_("The first line"), id="overview.first", show=False),
        Binding("G", "last", _("Last line"), tooltip=_("The last line"), id="overview.last", show=False),
    ]
    BINDING_GROUP_TITLE = _("Overview pane")
