"""Lines above the findings, and which of them stay where there is no room for all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto

from rich.text import Text

HEADING_LINES = 2
"""The heading of the findings, with the line above it."""
LOW_LINES = 12
"""Pane heights below which the heading has no line above it."""
_FEWEST_FINDINGS = 3
_FINDINGS_SHARE = 3
"""A third of the pane at least belongs to the findings."""


class Need(IntEnum):
    """What a line is for; the last ones go first."""

    PERIOD = auto()
    WHOLE = auto()
    TITLE = auto()
    OUTLIERS = auto()
    ITERATION_TIME = auto()
    PARTS = auto()
    BAR = auto()
    BUSY = auto()
    DEVICES = auto()
    TYPES = auto()
    NOTES = auto()
    MODELS = auto()
    WHEN = auto()
    CHIPS = auto()
    EXPORT = auto()


@dataclass(frozen=True)
class Line:
    """One line above the findings."""

    need: Need
    text: Text


def count_room(height: int, findings: int | None) -> int:
    """Lines that are left above the findings in a pane of ``height``.

    ``findings``: the lines of the list, where they are all known: it gets no more than it fills.
    """
    heading = HEADING_LINES if height >= LOW_LINES else HEADING_LINES - 1
    wanted = max(_FEWEST_FINDINGS, height // _FINDINGS_SHARE)
    if findings is not None:
        wanted = max(_FEWEST_FINDINGS, min(wanted, findings))
    return max(0, height - heading - wanted)


def fit_lines(lines: Sequence[Line], room: int) -> list[Line]:
    """The lines needed most that there is room for, in their order."""
    by_need = sorted(range(len(lines)), key=lambda place: lines[place].need)
    return [lines[place] for place in sorted(by_need[: max(0, room)])]


def join_lines(lines: Iterable[Line]) -> Text:
    """One text of the lines, each cut where it is too long."""
    text = Text("\n").join(line.text for line in lines)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
