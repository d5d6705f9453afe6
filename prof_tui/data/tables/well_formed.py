"""A whole file put into well-formed CSV, where its bytes or quotes keep it from being read in place."""

import csv
import io

from prof_tui.data.tables.csv_rows import decode, logical_lines, split_line
from prof_tui.data.tables.repairs import Tally
from prof_tui.data.tables.source_file import SourceFile


def well_formed(source: SourceFile, width: int, tally: Tally) -> bytes:
    """The file as UTF-8, each row on one line, with its header; ``tally`` takes up what was wrong.

    ``width``: cells of a whole row.  A cell's own line breaks become LINE_BREAK.
    """
    decoded = decode(source.read())
    if decoded.notice:
        tally.notes.append(decoded.notice)
    lines = decoded.text.split("\n")
    del decoded
    tally.ends_open = bool(lines[-1])
    if not tally.ends_open:
        lines.pop()
    rows = bytearray()
    line, begin = "", 0
    for line in logical_lines(lines, width):
        begin = len(rows)
        rows += (_quoted(line) if '"' in line else line).encode("utf-8", "replace") + b"\n"
    if tally.ends_open and line.count('"') % 2:
        tally.last_line_cut, tally.ends_open = True, False
        del rows[begin:]
    return bytes(rows)


def _quoted(line: str) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="", quoting=csv.QUOTE_ALL).writerow(split_line(line))
    return out.getvalue()
