"""Text in lines of so many terminal cells."""

from __future__ import annotations

from collections.abc import Iterator

from prof_tui.data.aligned_text import cell_width


def wrapped(text: str, width: int, *, first: str = "", rest: str = "") -> str:
    """Lines of at most ``width`` cells, the first behind ``first``, the others behind ``rest``.

    Broken at blanks; a word that is longer than a line goes on in the next.
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
    while cell_width(word) > width:
        place = next(at for at in range(len(word), 0, -1) if cell_width(word[:at]) <= width or at == 1)
        yield word[:place]
        word = word[place:]
    yield word
