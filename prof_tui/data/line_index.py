"""Where each line of a large CSV file begins, and which lines are not plainly a row under the header."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.cell_values import PADDING
from prof_tui.data.source_files import SourceFile

_BLOCK_BYTES = 1 << 20
_LINES_AT_ONCE = 20_000

_CELL = r'(?:[^,"\x00]*|"(?:[^"\x00]|"")*")'
_SOUND_QUOTES = re.compile(f"{_CELL}(?:,{_CELL})*")


class DamagedText(Exception):  # noqa: N818 - not an error of the user's: the file is read another way
    """Bytes that are not UTF-8, zero bytes, quotes inside a cell: the file can't be read in place."""


@dataclass(frozen=True)
class LineIndex:
    """The lines behind the header."""

    starts: pl.Series
    """Offset of each line, and of the end: one more than there are lines, UInt32 or UInt64."""
    suspects: Sequence[int]
    """Numbers of the lines that have too many or too few cells, or repeat the header."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def pieces(self, lines: Sequence[int]) -> list[tuple[int, int]]:
        """(offset, length) of each of ``lines``."""
        return [(int(self.starts[n]), int(self.starts[n + 1] - self.starts[n])) for n in lines]

    def suspects_by_piece(self) -> Iterator[Sequence[int]]:
        """The suspects, as many at once as can be held."""
        for at in range(0, len(self.suspects), _LINES_AT_ONCE):
            yield self.suspects[at : at + _LINES_AT_ONCE]


def index_file(source: SourceFile, width: int, first_header: str) -> LineIndex:
    """The lines of a file whose header has ``width`` cells; DamagedText where one can't stand for a row."""
    try:
        lines = _scanned(pl.scan_lines(source.path, glob=False), width, first_header)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DamagedText from error
    found = LineIndex(_line_starts(source, lines["bytes"]), lines["suspect"].slice(1).arg_true().to_list())
    for rows in found.suspects_by_piece():
        for line in source.read_pieces(found.pieces(rows)):
            if not _SOUND_QUOTES.fullmatch(line.decode("utf-8", "replace").rstrip("\r\n")):
                raise DamagedText
    return found


def index_body(body: bytes, width: int, first_header: str) -> LineIndex:
    """The same for well-formed CSV in memory that ends with a line end."""
    lines = _scanned(pl.scan_lines(body), width, first_header)
    starts = pl.Series(_line_ends(body, 0), dtype=_offsets(len(body)))
    return LineIndex(starts, lines["suspect"].slice(1).arg_true().to_list())


def _scanned(lines: pl.LazyFrame, width: int, first_header: str) -> pl.DataFrame:
    """``bytes`` and ``suspect`` of each line, the header too."""
    line = pl.col("line")
    sound = line.str.contains(f"^{_CELL}(?:,{_CELL}){{{width - 1}}}$")
    header = line.str.strip_chars_start(PADDING + "\ufeff").str.starts_with(first_header)
    return lines.select(line.str.len_bytes().alias("bytes"), (~sound | header).alias("suspect")).collect(
        engine="streaming"
    )


def _line_starts(source: SourceFile, line_bytes: pl.Series) -> pl.Series:
    ends_open = source.read(source.size - 1) != b"\n"
    for line_end in (1, 2):
        ends = (line_bytes.cast(_offsets(source.size)) + line_end).cum_sum()
        beyond = line_end if ends_open else 0
        if len(ends) and int(ends[-1]) == source.size + beyond:
            return ends.set(ends > source.size, source.size) if beyond else ends
    return _mixed_line_starts(source)


def _offsets(size: int) -> type[pl.DataType]:
    return pl.UInt32 if size < 1 << 31 else pl.UInt64


def _mixed_line_starts(source: SourceFile) -> pl.Series:
    """The same where lines end now with LF, now with CR LF (quirk 31): the line ends are looked for."""
    ends = array("Q")
    for at in range(0, source.size, _BLOCK_BYTES):
        ends.extend(_line_ends(source.read(at, _BLOCK_BYTES), at))
    if not ends or ends[-1] != source.size:
        ends.append(source.size)
    return pl.Series(ends, dtype=_offsets(source.size))


def _line_ends(block: bytes, offset: int) -> array[int]:
    return array("Q", [offset + match.end() for match in re.finditer(b"\n", block)])
