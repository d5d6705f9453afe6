"""Text cut and padded by terminal cells, never by characters, and the ink that can be read on a colour."""

import re

from prof_tui.words import (
    CODE_POINTS_PER_CELL,
    cell_width,
    clusters,
    cut,
    glyphs,
    printable,
    without_open_join,
)


def cut_start(text: str, width: int) -> str:
    """Like ``cut``, but what is left is the end: of a path it is what tells it from others."""
    if width <= 0:
        return ""
    longest = width * CODE_POINTS_PER_CELL
    shown = without_open_join(printable(text[-longest:]))
    whole = len(text) <= longest
    if whole and cell_width(shown) <= width:
        return shown
    return glyphs().ellipsis + _tail(shown, width - 1, whole)


def cut_middle(text: str, width: int) -> str:
    """Like ``cut``, but what is left is the beginning and the end."""
    whole = cut(text, width)
    if width < 3 or not whole.endswith(glyphs().ellipsis) or whole == printable(text):
        return whole
    end = (width - 1) // 2
    return cut(text, width - end) + cut_start(text, end + 1).removeprefix(glyphs().ellipsis)


def fit(text: str, width: int, right: bool = False, *, keep_end: bool = False) -> str:
    """``text`` in exactly ``width`` cells, cut or padded; ``right`` pads on the left."""
    shown = cut_start(text, width) if keep_end else cut(text, width)
    blanks = " " * (width - cell_width(shown))
    return blanks + shown if right else shown + blanks


def found_spans(shown: str, needle: re.Pattern[str]) -> list[tuple[int, int]]:
    """Start and stop of each match of ``needle`` in ``shown``, grown to whole clusters."""
    spans = [match.span() for match in needle.finditer(shown) if match.group()]
    if not spans or shown.isascii():
        return spans
    parts = clusters(shown)
    grown: list[tuple[int, int]] = []
    for start, stop in spans:
        whole_start = max(first for first, _, _ in parts if first <= start)
        whole_stop = min(last for _, last, _ in parts if last >= stop)
        grown.append((max(whole_start, grown[-1][1] if grown else 0), whole_stop))
    return [(start, stop) for start, stop in grown if start < stop]


def _tail(shown: str, width: int, whole: bool) -> str:
    """The last clusters that fit into ``width`` cells; not the first one when that may be incomplete."""
    if shown.isascii():
        return shown[len(shown) - width :] if width else ""
    start, used = len(shown), 0
    for first, _, size in reversed(clusters(shown)[0 if whole else 1 :]):
        if used + size > width:
            break
        start, used = first, used + size
    return shown[start:]


_TAKES_LIGHT_TEXT = {"black", "red", "blue", "magenta", "bright_black"}
"""The colours, of the 16, on which black can't be read."""


def ink_on(colour: str) -> str:
    """The colour of text on one of the 16 colours."""
    return "bright_white" if colour in _TAKES_LIGHT_TEXT else "black"
