"""What explains the screen below: its keys, columns and notices; the letters and colours of a timeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from prof_tui.panes.table.pane import TablePane
from prof_tui.screens.dialogs.forms import Dialog
from prof_tui.widgets.keys import key
from prof_tui.words import _, glyphs, printable

EVERYWHERE = _("Everywhere")
"""Heading of the keys that work on every screen."""


def show_help(screen: Screen[None], pane: TablePane | None, notices: Sequence[str]) -> None:
    """Help for a screen; of ``pane`` with its columns, that under the cursor first."""
    columns = []
    if pane is not None:
        ordered = sorted(pane.columns, key=lambda column: column is not pane.cursor_column)
        columns = [(column.header, column.spec.meaning) for column in ordered]
    screen.app.push_screen(HelpScreen(_active_keys(screen), columns, notices))


def _active_keys(screen: Screen[None]) -> list[tuple[str, str, str]]:
    """(group, key, what it does) of every binding that works now, those of the focus first."""
    rows: dict[str, tuple[str, str, str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id is None or not active.enabled:
            continue
        shown = screen.app.get_key_display(binding)
        if binding.id in rows:
            shown = f"{rows[binding.id][1]} {shown}"
        everywhere = binding.id.startswith(("screen.", "app."))
        group = EVERYWHERE if everywhere else active.node.BINDING_GROUP_TITLE or ""
        rows[binding.id] = (group, shown, binding.tooltip or binding.description)
    return sorted(rows.values(), key=lambda row: row[0] == EVERYWHERE)


class HelpScreen(Dialog[None]):
    """Everything is handed in: this screen knows neither bindings nor tables."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 50%; }
    HelpScreen > VerticalScroll {
        width: 92%; max-width: 110; height: 92%; background: $surface; border: solid $primary; padding: 0 1;
    }
    HelpScreen Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "help",
            "escape,backspace,question_mark,q",
            "dismiss(None)",
            _("Close"),
            _("Close the help"),
            show=True,
        )
    ]

    def __init__(
        self, keys: Sequence[tuple[str, str, str]], columns: Sequence[tuple[str, str]], notices: Sequence[str]
    ) -> None:
        """``keys``: group, key and what it does; groups in the order in which they first come."""
        super().__init__()
        self._keys, self._columns, self._notices = keys, columns, notices

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._text())

    def _text(self) -> Text:
        text = Text()
        self._say_columns(text)
        if self._notices:
            text.append(_("Notices") + "\n", style="bold")
            for notice in self._notices:
                text.append(f"  {glyphs().bullet} {printable(notice)}\n")
            text.append("\n")
        width = max((len(key) for _group, key, _what in self._keys), default=0)
        for group in dict.fromkeys(group for group, _key, _what in self._keys):
            text.append((group or _("Other keys")) + "\n", style="bold")
            for shown, what in (row[1:] for row in self._keys if row[0] == group):
                text.append(f"  {shown.ljust(width)}  ", style="bold")
                text.append(what + "\n")
            text.append("\n")
        text.append(_("Shift+drag selects text with the mouse, past prof-tui.") + "\n", style="dim")
        return text

    def _say_columns(self, text: Text) -> None:
        for place, (header, meaning) in enumerate(self._columns):
            if place == 0:
                text.append(_("The column under the cursor") + "\n", style="bold")
            elif place == 1:
                text.append("\n" + _("Other columns shown") + "\n", style="bold")
            text.append(f"  {printable(header)}", style="bold")
            text.append(f"  {meaning}\n")
        if self._columns:
            text.append("\n")


class LegendScreen(Dialog[None]):
    """What letters and colours of a timeline stand for; the key that opened it closes it too."""

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
