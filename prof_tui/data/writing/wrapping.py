"""Text in lines of so many terminal cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prof_tui.data.writing.text import cell_width

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
