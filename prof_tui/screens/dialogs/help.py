"""Help for the screen below: its keys, its columns, its notices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from prof_tui.screens.dialogs.prompt import Dialog
from prof_tui.widgets.keys import key
from prof_tui.words import _, glyphs, printable


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
