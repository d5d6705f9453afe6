"""A list of which some lines are marked, told apart without colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from prof_tui.widgets.keys import key
from prof_tui.words import _, printable


class MarkedList(OptionList):
    """Lines with keys; Space or a click marks one or takes its mark off."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("list", "space", "mark", _("Mark"), _("Mark this line, or take its mark off"), show=True),
    ]

    def __init__(self, lines: Sequence[tuple[str, str]], marked: Iterable[str]) -> None:
        """``lines``: key and text of each."""
        self._entries = list(lines)
        self._chosen = set(marked)
        super().__init__(*self._all_options())

    def _all_options(self) -> list[Option]:
        return [Option(self._prompt(key, text)) for key, text in self._entries]

    def _prompt(self, key: str, text: str) -> Text:
        return Text(f"[{'x' if key in self._chosen else ' '}] {printable(text)}")

    @property
    def marked(self) -> tuple[str, ...]:
        """Keys of the marked lines, in the order of the list."""
        return tuple(key for key, _text in self._entries if key in self._chosen)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, in order."""
        return tuple(key for key, _text in self._entries)

    def action_mark(self) -> None:
        if self.highlighted is not None:
            self._chosen ^= {self._entries[self.highlighted][0]}
            self._draw(self.highlighted)

    @on(OptionList.OptionSelected)
    def _mark_clicked(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        self.action_mark()

    def mark_all(self) -> None:
        """Mark all lines, or none where any is marked."""
        self._chosen = set() if self._chosen else set(self.keys)
        for place in range(len(self._entries)):
            self._draw(place)

    def move(self, direction: int) -> None:
        """Exchange the cursor's line with the one before (-1) or behind (1) it."""
        at = self.highlighted
        if at is None or not 0 <= at + direction < len(self._entries):
            return
        self._entries[at], self._entries[at + direction] = self._entries[at + direction], self._entries[at]
        self._draw(at)
        self._draw(at + direction)
        self.highlighted = at + direction

    def _draw(self, place: int) -> None:
        self.replace_option_prompt_at_index(place, self._prompt(*self._entries[place]))
