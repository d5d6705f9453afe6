"""Lines of aligned columns, measured in terminal cells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from prof_tui.words import glyphs


def widest(lines: Sequence[Sequence[str]], at_least: Sequence[int]) -> list[int]:
    """Per column: how many terminal cells its longest cell takes."""
    return [
        max(least, *(cell_width(line[place]) for line in lines)) if lines else least
        for place, least in enumerate(at_least)
    ]


def aligned(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool], width: int | None) -> str:
    """One line: cells two blanks apart, numbers to the right, cut to ``width`` terminal cells."""
    padded = []
    for cell, wide, to_the_right in zip(cells, widths, right, strict=True):
        blanks = " " * (wide - cell_width(cell))
        padded.append(blanks + cell if to_the_right else cell + blanks)
    line = "  ".join(padded).rstrip()
    return (line if width is None else cut_to(line, width)) + "\n"


def cell_width(text: str) -> int:
    """Terminal cells of printable text: two for a wide character, none for a mark on another."""
    return len(text) if text.isascii() else sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut_to(text: str, width: int) -> str:
    """``text`` in at most ``width`` terminal cells, with an ellipsis where it was cut."""
    if cell_width(text) <= width:
        return text
    used = 0
    for place, character in enumerate(text):
        used += _character_width(character)
        if used > width - 1:
            return text[:place] + glyphs().ellipsis
    return text


_JOINTS = "/-_,"
"""Op names are broken behind one of these."""
_WHOLE = re.compile(r"^--|\.(?:csv|json|db)\W*$")
"""Options of a command and names of files: of use only in one piece."""


def wrapped(text: str, width: int, *, first: str = "", rest: str = "") -> str:
    """Lines of at most ``width`` cells, the first behind ``first``, the others behind ``rest``.

    Broken at blanks; a word that is longer than a line goes on in the next, broken behind a joint where it
    has one.  Names of files and options of commands are never broken, even where they are too long.
    """
    lines: list[str] = []
    line, empty = first, True
    for word in text.split():
        for piece in _pieces(word, max(1, width - cell_width(rest))):
            if not empty and cell_width(line) + 1 + cell_width(piece) > width:
                lines.append(line)
                line, empty = rest, True
            line += piece if empty else f" {piece}"
            empty = False
    lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def _pieces(word: str, width: int) -> Iterator[str]:
    while cell_width(word) > width and not _WHOLE.search(word):
        most = next(at for at in range(len(word), 0, -1) if cell_width(word[:at]) <= width or at == 1)
        place = next((at for at in range(most, 0, -1) if word[at - 1] in _JOINTS), most)
        yield word[:place]
        word = word[place:]
    yield word
