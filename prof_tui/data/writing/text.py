"""Lines of aligned columns and of sentences, measured in terminal cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prof_tui.words import beginning, cell_width, cut


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
    return (line if width is None else cut(line, width)) + "\n"


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
        most = len(beginning(word, width)) or 1
        place = next((at for at in range(most, 0, -1) if word[at - 1] in _JOINTS), most)
        yield word[:place]
        word = word[place:]
    yield word
