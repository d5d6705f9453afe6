"""Text cut and padded by terminal cells, never by characters."""

import re

from rich.cells import cell_len, split_graphemes

from prof_tui.words import glyphs, printable

_JOINER = "\u200d"
_CODE_POINTS_PER_CELL = 16
"""A cell of text needs no more; what a very long text has behind that isn't even looked at."""

Cluster = tuple[int, int, int]
"""Start, stop (indices into the text) and width in cells of what may not be split."""


def clusters(text: str) -> list[Cluster]:
    """The parts of ``text`` that stay whole: a base with its marks, a joined emoji, a flag."""
    parts: list[Cluster] = []
    half_flag = False
    for start, stop, width in split_graphemes(text)[0]:
        regional = "\U0001f1e6" <= text[start] <= "\U0001f1ff"
        if regional and half_flag:
            parts[-1] = (parts[-1][0], stop, parts[-1][2] + width)
        else:
            parts.append((start, stop, width))
        half_flag = regional and not half_flag
    return parts


def cut(text: str, width: int) -> str:
    """``text`` as a terminal may show it, in at most ``width`` cells, with an ellipsis where it was cut."""
    if width <= 0:
        return ""
    longest = width * _CODE_POINTS_PER_CELL
    shown = _without_open_join(printable(text[:longest]))
    whole = len(text) <= longest
    if whole and cell_len(shown) <= width:
        return shown
    return _head(shown, width - 1, whole) + glyphs().ellipsis


def cut_start(text: str, width: int) -> str:
    """Like ``cut``, but what is left is the end: of a path it is what tells it from others."""
    if width <= 0:
        return ""
    longest = width * _CODE_POINTS_PER_CELL
    shown = _without_open_join(printable(text[-longest:]))
    whole = len(text) <= longest
    if whole and cell_len(shown) <= width:
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
    blanks = " " * (width - cell_len(shown))
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


def _head(shown: str, width: int, whole: bool) -> str:
    """The clusters that fit into ``width`` cells; not the last one when that may be incomplete."""
    if shown.isascii():
        return shown[:width]
    end = used = 0
    for _, stop, size in clusters(shown)[: None if whole else -1]:
        if used + size > width:
            break
        end, used = stop, used + size
    return _without_open_join(shown[:end])


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


def _without_open_join(shown: str) -> str:
    """A joiner at the end would swallow the blank that pads the cell."""
    return shown.rstrip(_JOINER)
