"""The one place for what prof-tui says: translation, numbers and units as text, glyphs.

Times are Int64 nanoseconds inside and microseconds on the screen, as in msprof's own files.
"""

import gettext
import locale
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

NOT_AVAILABLE = "N/A"
"""msprof's own spelling of a missing value; never the same as 0."""

_catalogue = gettext.translation("prof_tui", Path(__file__).parent / "locale", fallback=True)
_ = _catalogue.gettext
ngettext = _catalogue.ngettext


def counted(one: str, many: str, number: int, /, **values: object) -> str:
    """A message about a number of things, singular or plural; its ``{n}`` is the number with separators."""
    return ngettext(one, many, number).format(**{"n": count(number), **values})


NS_PER_US = 1000


def microseconds(ns: int | None) -> str:
    """Nanoseconds as microseconds with three decimals, no separators: ``15369.160``; N/A for None."""
    if ns is None:
        return NOT_AVAILABLE
    whole, rest = divmod(abs(ns), NS_PER_US)
    return f"{'-' if ns < 0 else ''}{whole}.{rest:03d}"


def separated(ns: int | None) -> str:
    """Microseconds with thousands separators, for a line that names the unit once: ``15,369.160``."""
    if ns is None:
        return NOT_AVAILABLE
    whole, rest = divmod(abs(ns), NS_PER_US)
    return f"{'-' if ns < 0 else ''}{whole:,}.{rest:03d}"


def duration(ns: int | None) -> str:
    """A duration for a sentence, with its unit: ``15,369.160 us``."""
    return NOT_AVAILABLE if ns is None else f"{separated(ns)} us"


def number_text(number: int | None) -> str:
    """An ID or a device as it is, without separators; N/A for None."""
    return NOT_AVAILABLE if number is None else str(number)


def count(number: int) -> str:
    """A count with thousands separators: ``1,204,331``."""
    return f"{number:,}"


def share(part: float, whole: float) -> str:
    """``part`` of ``whole`` as per cent with one decimal: ``12.3 %``; N/A when the whole is 0."""
    return f"{100 * part / whole:.1f} %" if whole else NOT_AVAILABLE


def byte_size(size: int) -> str:
    """A file size: ``412 B``, ``3.6 MB`` (decimal units, as in ``ls --si``)."""
    value, unit = float(size), "B"
    for larger in ("kB", "MB", "GB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


@dataclass(frozen=True)
class Glyphs:
    """Every mark that the screen draws beside text; one cell wide each."""

    ellipsis: str
    """The mark of a cut cell."""
    ascending: str
    descending: str
    cursor: str
    blocks: str
    """Eight heights, lowest first; a height of nothing is a blank."""
    bar: str
    bar_rest: str
    vertical: str
    horizontal: str
    tick: str
    separator: str
    removable: str
    bullet: str
    newline: str
    """Stands for a line break inside a cell."""
    invalid: str
    busy: str


UNICODE = Glyphs(
    ellipsis="…",
    ascending="▲",
    descending="▼",
    cursor="▶",
    blocks="▁▂▃▄▅▆▇█",
    bar="█",
    bar_rest="░",
    vertical="│",
    horizontal="─",
    tick="┬",
    separator="·",
    removable="×",
    bullet="•",
    newline="⏎",
    invalid="‼",
    busy="◌",
)
ASCII = Glyphs(
    ellipsis="~",
    ascending="^",
    descending="v",
    cursor=">",
    blocks=".:-=+*%#",
    bar="#",
    bar_rest=".",
    vertical="|",
    horizontal="-",
    tick="+",
    separator="|",
    removable="x",
    bullet="*",
    newline="/",
    invalid="!",
    busy="o",
)


def terminal_speaks_unicode() -> bool:
    """Whether the locale and the output stream can carry more than ASCII."""
    encodings = (locale.getpreferredencoding(False), getattr(sys.stdout, "encoding", None) or "")
    return all("utf" in name.lower() for name in encodings if name)


_ascii_only = not terminal_speaks_unicode()


def glyphs() -> Glyphs:
    """The table of marks for this terminal."""
    return ASCII if _ascii_only else UNICODE


def ascii_only() -> bool:
    """Whether only ASCII can be shown here."""
    return _ascii_only


def use_ascii(only: bool) -> None:
    """Override what the locale says; for tests and for a caller that knows its terminal."""
    global _ascii_only
    _ascii_only = only


# C0, DEL, C1, bidirectional overrides and isolates, line and paragraph separators, surrogates:
# what a terminal would obey, or what would reorder its neighbours, instead of showing.
_OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def typed_text(word: str) -> str:
    """A word of the command line as UTF-8, also where the locale took its bytes for something else."""
    return os.fsencode(word).decode("utf-8", "replace")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code == 0x0A:
        return glyphs().newline
    return " " if code == 0x09 else f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    """Text from a capture as a terminal may show it: no control characters; ASCII where only that works.

    A line break becomes the newline glyph, a TAB a blank, other control characters an escape.
    """
    if _ascii_only and not text.isascii():
        text = text.encode("ascii", "replace").decode("ascii")
    return text if text.isprintable() else _OBEYED.sub(_escape, text)


Cluster = tuple[int, int, int]
"""Start, stop (indices into the text) and width in terminal cells of what may not be split."""
_JOINER = "\u200d"
CODE_POINTS_PER_CELL = 16
"""A cell of text needs no more; what a very long text has behind that isn't even looked at."""


def cell_width(text: str) -> int:
    """How many terminal cells a text takes: two for a wide character, none for a mark on another."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len  # draws nothing, and the screen measures by it too

    return cell_len(text)


def clusters(text: str) -> list[Cluster]:
    """The parts of ``text`` that stay whole: a base with its marks, a joined emoji, a flag."""
    from rich.cells import split_graphemes

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
    longest = width * CODE_POINTS_PER_CELL
    shown = without_open_join(printable(text[:longest]))
    whole = len(text) <= longest
    if whole and cell_width(shown) <= width:
        return shown
    return beginning(shown, width - 1, whole=whole) + glyphs().ellipsis


def beginning(shown: str, width: int, *, whole: bool = True) -> str:
    """The clusters that fit into ``width`` cells; not the last one where ``shown`` isn't the whole text."""
    if shown.isascii():
        return shown[:width]
    end = used = 0
    for _start, stop, size in clusters(shown)[: None if whole else -1]:
        if used + size > width:
            break
        end, used = stop, used + size
    return without_open_join(shown[:end])


def without_open_join(shown: str) -> str:
    """Without a joiner at the end, which would swallow the blank that pads the cell."""
    return shown.rstrip(_JOINER)
