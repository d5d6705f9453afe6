"""Lines at the top of a screen: what is looked at, and where one can go."""

from dataclasses import dataclass

from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from prof_tui.words import cut, glyphs, printable

_SHORTEST_NAME = 16


@dataclass(frozen=True)
class Title:
    """What the bar says."""

    name: str = ""
    """Cut where the rest of the line needs the room."""
    parts: tuple[str, ...] = ()
    chips: tuple[str, ...] = ()
    places: tuple[tuple[str, bool], ...] = ()
    """Titles with whether it is the current one."""
    more: str = ""


class TitleBar(Widget):
    """First line: name, parts and chips; second line: places, the current one marked, and what is left."""

    DEFAULT_CSS = """
    TitleBar {
        height: 2; background: $panel; color: $foreground; padding: 0 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    """

    title: reactive[Title] = reactive(Title())

    def render(self) -> Text:
        title, width = self.title, self.content_size.width
        chips = Text()
        for chip in title.chips:
            chips.append("  ").append(f" {printable(chip)} ", style="reverse")
        rest = "".join(f" {glyphs().separator} {printable(part)}" for part in title.parts if part)
        name = cut(printable(title.name), max(_SHORTEST_NAME, width - len(rest) - chips.cell_len))
        first = Text.assemble((name, "bold"), rest, chips)
        second = Text()
        for place, current in title.places:
            second.append(f" {place} ", style="bold reverse" if current else "").append(" ")
        second.append(printable(title.more), style="dim")
        return Text("\n", no_wrap=True, overflow="ellipsis").join([first, second])
