"""The keys that work now, on the screen's last line.

One widget that redraws itself: Textual's Footer builds a widget per key anew whenever a dialog opens or
closes, which took longer than a filter of a million rows.  Where the line is too short, keys of the
middle are left out, so that help and quit stay in sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget

from prof_tui.words import printable

_ALWAYS = ("iteration.other-half", "screen.back", "screen.help", "screen.quit")
"""Ids of bindings that are shown however narrow the line is."""


@dataclass(frozen=True)
class Entry:
    """One key, or several of a group, with what they do."""

    keys: str
    text: str
    action: str
    """What a click does."""
    last: bool
    """Whether it stands at the end and is never left out."""

    @property
    def width(self) -> int:
        return len(self.keys) + len(self.text) + 4


def fitting(entries: Sequence[Entry], width: int) -> list[Entry]:
    """The entries that fit into ``width`` cells, those that stay last at the end."""
    last = [entry for entry in entries if entry.last]
    room = width - sum(entry.width for entry in last)
    shown = []
    for entry in (entry for entry in entries if not entry.last):
        if entry.width > room:
            break
        room -= entry.width
        shown.append(entry)
    return shown + last


class KeyLine(Widget):
    """Key and description of each binding that says it wants to be shown."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyLine { dock: bottom; height: 1; background: $footer-background; color: $footer-foreground; }
    KeyLine > .key-line--key { color: $footer-key-foreground; text-style: bold; }
    """
    COMPONENT_CLASSES = {"key-line--key"}  # noqa: RUF012 - as Textual declares it

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self.refresh()

    def render(self) -> Text:
        key = self.get_component_rich_style("key-line--key")
        text = Text(no_wrap=True)
        for entry in fitting(self._entries(), self.size.width):
            text.append(f" {entry.keys} ", style=key)
            text.append(f"{entry.text}  ")
        return text

    def _entries(self) -> list[Entry]:
        shown: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show and active.enabled:
                shown.setdefault(active.binding.action, active.binding)
        entries = []
        for group, members in groupby(shown.values(), lambda binding: binding.group):
            together = list(members)
            if group is not None and len(together) > 1:
                keys = "".join(self.app.get_key_display(binding) for binding in together)
                entries.append(Entry(keys, printable(group.description), together[0].action, False))
            else:
                entries += [self._entry(binding) for binding in together]
        return entries

    def _entry(self, binding: Binding) -> Entry:
        key = self.app.get_key_display(binding)
        return Entry(key, printable(binding.description), binding.action, binding.id in _ALWAYS)

    async def on_click(self, event: events.Click) -> None:
        at = 0
        for entry in fitting(self._entries(), self.size.width):
            if at <= event.x < at + entry.width:
                await self._do(entry.action)
                return
            at += entry.width

    async def _do(self, action: str) -> None:
        """Do what the key does, on the widget whose key it is."""
        for active in self.screen.active_bindings.values():
            if active.binding.action == action:
                await self.app.run_action(action, active.node)
                return
