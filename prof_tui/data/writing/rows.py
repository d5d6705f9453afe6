"""The rows of a view as text, CSV, JSON or Markdown, in pieces: what ``table`` prints and a pane writes."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Literal

from prof_tui.data.writing.text import aligned, widest
from prof_tui.data.writing.written_json import write_json
from prof_tui.data.writing.written_view import WrittenView, row_chunks
from prof_tui.words import NOT_AVAILABLE, printable

Format = Literal["text", "csv", "json", "md"]
FORMATS: tuple[Format, ...] = ("text", "csv", "json", "md")


def write_rows(written: WrittenView, format_: Format, *, width: int | None = None) -> Iterator[str]:
    """The view as text in pieces, each of whole lines.

    ``width`` (terminal cells) cuts the lines of ``text``; None leaves them whole.  The first piece has the
    first rows.  UnreadableError when a file can't be read, or was changed meanwhile.
    """
    if format_ == "json":
        return write_json(written)
    if format_ == "csv":
        return _csv(written)
    return _markdown(written) if format_ == "md" else _text(written, width)


def _csv(written: WrittenView) -> Iterator[str]:
    header: list[list[str]] = [_titles(written)]
    for chunk in row_chunks(written):
        piece = io.StringIO(newline="")
        csv.writer(piece, lineterminator="\n").writerows(header + [_shown(cells) for cells in chunk])
        header = []
        yield piece.getvalue()


def _markdown(written: WrittenView) -> Iterator[str]:
    rules = ["---" if column.kind == "text" else "---:" for column in written.columns]
    head = _markdown_line(_titles(written)) + f"| {' | '.join(rules)} |\n"
    for chunk in row_chunks(written):
        yield head + "".join(_markdown_line(_shown(cells)) for cells in chunk)
        head = ""


def _markdown_line(cells: Sequence[str]) -> str:
    escaped = (printable(cell).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |\n"


def _text(written: WrittenView, width: int | None) -> Iterator[str]:
    """Aligned columns; a later piece with longer cells has wider columns from there on."""
    right = [column.kind != "text" for column in written.columns]
    head = [_titles(written)]
    widths = [0] * len(right)
    for chunk in row_chunks(written):
        lines = [[printable(cell) for cell in cells] for cells in head + [_shown(cells) for cells in chunk]]
        widths = widest(lines, widths)
        yield "".join(aligned(cells, widths, right, width) for cells in lines)
        head = []


def _titles(written: WrittenView) -> list[str]:
    return [column.header for column in written.columns]


def _shown(cells: Sequence[str | None]) -> list[str]:
    """A cell of a column that the row's file lacks is N/A."""
    return [NOT_AVAILABLE if cell is None else cell for cell in cells]
