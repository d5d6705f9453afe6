"""The rows of a table that are at hand, in pages; the rest is asked for once."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

PAGE_ROWS = 64
PAGES_KEPT = 64


@dataclass(frozen=True)
class Row:
    """A row as it came: one text per shown column, not yet fit for a terminal.

    ``tone`` is "", "muted" or "warning".
    """

    cells: tuple[str, ...]
    tone: str = ""


class RowPages:
    """Rows by position, the pages longest out of use dropped."""

    def __init__(self) -> None:
        self._pages: OrderedDict[int, Sequence[Row]] = OrderedDict()
        self._asked: dict[int, int] = {}
        """Page to the first row of the run it was asked for with."""

    def clear(self) -> None:
        self._pages.clear()
        self._asked.clear()

    def row(self, index: int) -> Row | None:
        """The row, or None while its page isn't there."""
        page, place = divmod(index, PAGE_ROWS)
        rows = self._pages.get(page, ())
        return rows[place] if place < len(rows) else None

    def to_ask_for(self, first: int, count: int, row_count: int) -> list[tuple[int, int]]:
        """Runs (first, count) to ask for so that these rows and a page on each side come.

        A page asked for isn't asked for again until it was answered or the window has moved off it.
        """
        last_page = (min(first + count, row_count) - 1) // PAGE_ROWS + 1
        window = range(max(0, first // PAGE_ROWS - 1), min(last_page, (row_count - 1) // PAGE_ROWS) + 1)
        self._asked = {page: run for page, run in self._asked.items() if page in window}
        missing = []
        for page in window:
            if page in self._pages:
                self._pages.move_to_end(page)
            if page not in self._asked and not self._complete(page, row_count):
                missing.append(page)
        runs = _runs(missing)
        for start, stop in runs:
            self._asked.update(dict.fromkeys(range(start // PAGE_ROWS, stop // PAGE_ROWS), start))
        return [(start, min(stop, row_count) - start) for start, stop in runs]

    def put(self, first: int, rows: Sequence[Row]) -> None:
        """Keep ``rows``, the answer for the page or pages that begin at row ``first``.

        No rows at all mean that the run was given up: its pages may be asked for again.
        """
        if not rows:
            self._asked = {page: run for page, run in self._asked.items() if run != first}
        for start in range(0, len(rows), PAGE_ROWS):
            page = (first + start) // PAGE_ROWS
            self._asked.pop(page, None)
            self._pages[page] = rows[start : start + PAGE_ROWS]
            self._pages.move_to_end(page)
        while len(self._pages) > PAGES_KEPT:
            self._pages.popitem(last=False)

    def _complete(self, page: int, row_count: int) -> bool:
        return len(self._pages.get(page, ())) >= min(PAGE_ROWS, row_count - page * PAGE_ROWS)


def _runs(pages: Sequence[int]) -> list[tuple[int, int]]:
    """Row ranges (start, stop) of neighbouring pages."""
    runs: list[tuple[int, int]] = []
    for page in pages:
        start, stop = page * PAGE_ROWS, (page + 1) * PAGE_ROWS
        if runs and runs[-1][1] == start:
            runs[-1] = (runs[-1][0], stop)
        else:
            runs.append((start, stop))
    return runs
