"""A page as a value: what it is about, its sections, where it leads, and its text for a copy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prof_tui.words import printable

To = Literal["timeline", "event", "op", "iteration"]


@dataclass(frozen=True)
class Jump:
    """A line of the list below the page: where it leads."""

    to: To
    number: int
    """An event number, or the row number in op_summary; of an iteration its Iteration ID."""
    text: str


@dataclass(frozen=True)
class Section:
    """Parts below each other, below a title."""

    title: str
    """Empty for parts that need none."""
    parts: tuple[RenderableType, ...]


@dataclass(frozen=True)
class Page:
    """All that a page shows."""

    title: tuple[str, ...]
    """For the title line, behind the capture's name."""
    subtitle: str
    """For the line below it: the files that the page is from."""
    sections: tuple[Section, ...]
    """A blank line stands between two of them."""
    copied: str
    """The page as plain text."""
    jumps: tuple[Jump, ...] = ()

    def draw(self) -> Group:
        """The sections below each other."""
        drawn: list[RenderableType] = []
        for place, section in enumerate(self.sections):
            if section.title or place:
                blank = "\n" if section.title and place else ""
                drawn.append(Text(blank + section.title, style="bold underline"))
            drawn += section.parts
        return Group(*drawn)


def indent(part: RenderableType) -> Padding:
    """A part as it stands below the title of its section."""
    return Padding(part, (0, 0, 0, 2))


def paragraphs(texts: Iterable[str]) -> Padding:
    """Texts below each other, each broken where it is longer than a line."""
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1, overflow="fold")
    for text in texts:
        grid.add_row(Text(printable(text)))
    return indent(grid)
