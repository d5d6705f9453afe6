"""The keys that work now, on the screen's last line.

One widget that redraws itself: Textual's Footer builds a widget per key anew whenever a dialog opens or
closes, which took longer than a filter of a million rows.  Where the line is too short, keys of the
middle are left out: the first one, help and quit stay in sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget

from prof_tui.words import printable

_ALWAYS = ("iteration.other-half", "screen.back", "screen.help", "screen.quit")
"""Ids of bindings that are shown however narrow the line is."""


_GAPS = (3, 2, 1)
"""Blanks between two keys: as many as leave room for all, else for most, else for the first."""


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
        return len(self.keys) + (len(self.text) + 1 if self.text else 0)


@dataclass(frozen=True)
class Fitted:
    """What the line shows; an entry without text is its key alone."""

    entries: tuple[Entry, ...]
    gap: int
    """Blanks between two entries."""

    @property
    def width(self) -> int:
        """Cells of the entries and their gaps, with a blank in front."""
        return sum(entry.width + self.gap for entry in self.entries) - self.gap + 1 if self.entries else 0

    def at(self, x: int) -> Entry | None:
        """The entry at a cell of the line, the blanks behind it included."""
        end = 1
        for entry in self.entries:
            end += entry.width + self.gap
            if x < end:
                return entry
        return None


def fitting(entries: Sequence[Entry], width: int) -> Fitted:
    """The entries that fit into ``width`` cells, from the first on, then those that stay at the end.

    Blanks go first, then entries of the middle, then the words of those at the end but for help's.
    """
    whole = Fitted((*_middle(entries), *_last(entries)), _GAPS[0])
    if whole.width <= width:
        return whole
    for gap in _GAPS[1:]:
        fitted = _most(_middle(entries), _last(entries), gap, width)
        if len(fitted.entries) > len(_last(entries)):
            return fitted
    return _bare(entries, width)


def _middle(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if not entry.last]


def _last(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.last]


def _most(middle: Sequence[Entry], last: Sequence[Entry], gap: int, width: int) -> Fitted:
    """The first entries and the last, and as many between them as fit."""
    shown: list[Entry] = []
    for entry in middle:
        if Fitted((*shown, entry, *last), gap).width > width:
            break
        shown.append(entry)
    return Fitted((*shown, *last), gap)


def _bare(entries: Sequence[Entry], width: int) -> Fitted:
    """The first entry and the last; of those the words are left out, one by one, until it fits."""
    middle, last = _middle(entries), _last(entries)
    by_need = sorted(range(len(last)), key=lambda place: last[place].action == "help")
    for place in by_need:
        if Fitted((*middle[:1], *last), _GAPS[-1]).width <= width:
            break
        last[place] = replace(last[place], text="")
    return _most(middle, last, _GAPS[-1], width)


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
        fitted = self._fitted
        for entry in fitted.entries:
            text.append(f" {entry.keys}", style=key)
            text.append(f" {entry.text}" if entry.text else "")
            text.append(" " * (fitted.gap - 1))
        return text

    @property
    def _fitted(self) -> Fitted:
        return fitting(self._entries(), self.size.width)

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
        entry = self._fitted.at(event.x)
        if entry is not None:
            await self._do(entry.action)

    async def _do(self, action: str) -> None:
        """Do what the key does, on the widget whose key it is."""
        for active in self.screen.active_bindings.values():
            if active.binding.action == action:
                await self.app.run_action(action, active.node)
                return
