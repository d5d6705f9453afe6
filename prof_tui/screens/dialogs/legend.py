"""What the letters and colours of a timeline stand for."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from prof_tui.screens.dialogs.prompt import Dialog
from prof_tui.widgets.keys import key
from prof_tui.words import _


class LegendScreen(Dialog[None]):
    """Closed by the key that opened it too."""

    DEFAULT_CSS = """
    LegendScreen { align: center middle; background: $background 0%; }
    LegendScreen VerticalScroll {
        width: 76; max-width: 96%; height: auto; max-height: 90%;
        background: $surface; border: solid $primary; padding: 0 1;
    }
    LegendScreen Static { width: 1fr; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key("legend", "escape,l,enter", "dismiss(None)", _("Close"), _("Close the legend"), show=True)
    ]

    def __init__(self, kinds: Text) -> None:
        super().__init__()
        self._kinds = kinds

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(
                _("Letters and colours: Task Types of streams, else layers; l or Escape closes"), markup=False
            )
            yield Static(self._kinds)
            yield Static(
                _(
                    "A cell that several events share is filled as high as it is busy, in the colour of the "
                    "kind that takes most of it."
                ),
                markup=False,
            )
