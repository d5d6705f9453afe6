"""Where each line of a large CSV file begins."""

import re
from array import array

import polars as pl

from prof_tui.data.source_files import SourceFile

_BLOCK_BYTES = 1 << 20


class DamagedText(Exception):  # noqa: N818 - not an error of the user's: the file is read another way
    """The bytes are not UTF-8, or quotes don't pair on a line: the file can't be read in place."""


def line_starts(source: SourceFile | bytes) -> pl.Series:
    """Offset of each line after the header, and of the end: one more than there are rows, UInt32 or UInt64.

    Raises DamagedText where a line can't stand for a row.
    """
    target = source if isinstance(source, bytes) else source.path
    size = len(source) if isinstance(source, bytes) else source.size
    line = pl.col("line")
    try:
        lines = (
            pl.scan_lines(target)
            .select(
                line.str.len_bytes().alias("bytes"),
                (line.str.count_matches('"', literal=True) % 2 == 1).alias("open"),
                line.str.contains("\0", literal=True).alias("zero"),
            )
            .collect(engine="streaming")
        )
    except pl.exceptions.PolarsError as error:
        raise DamagedText from error
    if lines["open"].any() or lines["zero"].any():
        raise DamagedText
    wide = pl.UInt32 if size < 1 << 32 else pl.UInt64
    last = source[-1:] if isinstance(source, bytes) else source.read(max(0, size - 1), 1)
    for line_end in (1, 2):
        ends = (lines["bytes"].cast(wide) + line_end).cum_sum()
        beyond = 0 if last == b"\n" else line_end
        if len(ends) and int(ends[-1]) == size + beyond:
            return ends.set(ends > size, size) if beyond else ends
    return _mixed_line_starts(source, wide)


def _mixed_line_starts(source: SourceFile | bytes, wide: type[pl.DataType]) -> pl.Series:
    """The same where lines end now with LF, now with CR LF (quirk 31): the line ends are looked for."""
    size = len(source) if isinstance(source, bytes) else source.size
    ends = array("Q")
    for at in range(0, size, _BLOCK_BYTES):
        block = source[at : at + _BLOCK_BYTES] if isinstance(source, bytes) else source.read(at, _BLOCK_BYTES)
        ends.extend([at + match.end() for match in re.finditer(b"\n", block)])
    if not ends or ends[-1] != size:
        ends.append(size)
    return pl.Series(ends, dtype=wide)
