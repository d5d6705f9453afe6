"""Where each line of a large CSV file begins."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from prof_tui.data.tables.source_file import DamagedText, SourceFile

_BLOCK_BYTES = 1 << 20
_QUOTE_INSIDE = '[^,"]"+[^,"]'
"""Quotes that neither begin nor end a cell: polars and the csv module may read such a line differently."""
_BEHIND_DIGITS = chr(ord("9") + 1)
"""Texts that begin with a digit or a sign sort before it, words behind it."""


@dataclass(frozen=True)
class LineIndex:
    """The lines behind the header."""

    starts: pl.Series
    """Offset of each line, and of the end: one more than there are lines, UInt32 or UInt64."""
    ending_in_comma: pl.Series = field(default_factory=lambda: pl.Series([], dtype=pl.UInt32))
    """Numbers of lines (UInt32) whose last cell is empty: it may be one too many."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def pieces(self, lines: Sequence[int]) -> list[tuple[int, int]]:
        """(offset, length) of each of ``lines``."""
        return [(int(self.starts[n]), int(self.starts[n + 1] - self.starts[n])) for n in lines]


def index_file(source: SourceFile) -> LineIndex:
    """The lines of a file; DamagedText where bytes or quotes keep it from being read in place."""
    line = pl.col("line")
    odd = line.str.contains("\0", literal=True) | line.str.contains(_QUOTE_INSIDE)
    lines = _scan_lines(source, [odd.alias("odd"), _ends_in_comma(line)])
    if lines["odd"].any():
        raise DamagedText
    return LineIndex(_line_starts(source, lines["bytes"]), lines["comma"].slice(1).arg_true())


def starts_and_numbers(source: SourceFile, place: int, witness: int) -> tuple[pl.Series, pl.Series | None]:
    """Where the lines start and, in the same pass, the numbers of the cells at ``place`` (Float64).

    Cells are counted from the left at plain commas, so the numbers are given only where no line has
    a shift before them: then the cell at ``witness``, a number behind a text, would be a word.
    """
    fields = pl.col("line").str.splitn(",", place + 2).struct
    number = fields.field(f"field_{place}").cast(pl.Float64, strict=False)
    shifted = fields.field(f"field_{witness}") >= _BEHIND_DIGITS
    lines = _scan_lines(source, [number.alias("number"), shifted.alias("shifted")])
    behind = lines.slice(1)
    sound = not behind["shifted"].any() and not behind["number"].null_count()
    return _line_starts(source, lines["bytes"]), behind["number"] if sound else None


def _scan_lines(source: SourceFile, more: Sequence[pl.Expr]) -> pl.DataFrame:
    """``bytes`` of each line, the header too, and more."""
    size = pl.col("line").str.len_bytes().alias("bytes")
    try:
        return pl.scan_lines(source.path, glob=False).select(size, *more).collect(engine="streaming")
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DamagedText from error


def index_body(body: bytes) -> LineIndex:
    """The lines of well-formed CSV in memory that ends with a line end."""
    commas = pl.scan_lines(body).select(_ends_in_comma(pl.col("line"))).collect(engine="streaming")["comma"]
    starts = pl.Series(_line_ends(body, 0), dtype=_offsets(len(body)))
    return LineIndex(starts, commas.slice(1).arg_true())


def _ends_in_comma(line: pl.Expr) -> pl.Expr:
    return line.str.strip_chars_end(" \t").str.ends_with(",").alias("comma")


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
    """Where lines start that end now with LF, now with CR LF (quirk 31): the line ends are looked for."""
    ends = array("Q")
    for at in range(0, source.size, _BLOCK_BYTES):
        ends.extend(_line_ends(source.read(at, _BLOCK_BYTES), at))
    if not ends or ends[-1] != source.size:
        ends.append(source.size)
    return pl.Series(ends, dtype=_offsets(source.size))


def _line_ends(block: bytes, offset: int) -> array[int]:
    return array("Q", [offset + match.end() for match in re.finditer(b"\n", block)])
