"""Tables damaged in their structure, so that it is known how many rows their file has."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

CELLS = (
    *("", "N/A", "-", "--", "nan", "inf", "-inf", "1e400", "1E+15", "4.29E+09", "0", "-1", "-5.5", "1_000"),
    *("1,234.500", "10,5", "18446744073709551615", "18446744073709550.616", "9" * 40, "0x10", "٣", "½"),
    *(
        "[red]x[/]",
        "\x1b[31mred",
        "a,b",
        'a"b',
        'a""b',
        "x\ty",
        "x\rb",
        "x\x0cb",
        "x\x0bb",
        "x\u2028b",
        "x\0b",
    ),
    *(
        "one\ntwo",
        "one\n\nthree",
        "卷积",
        "e\u0301\u200d",
        "\ufeff",
        "\u202eevil",
        "16,512;" * 30_000,
        " ",
        "\x1f",
    ),
)
"""What may stand in a cell."""
_QUOTED = "\r\n"
"""The csv module quotes a cell with one of these where they end its lines."""
_QUOTING: dict[str, Literal[0, 1]] = {"minimal": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL}


@dataclass
class Sheet:
    """A table as cells, and how its file is written."""

    header: list[str]
    rows: list[list[str]]
    delimiter: str = ","
    quoting: str = "minimal"
    """``minimal`` and ``all`` as spreadsheets quote, ``none`` as msprof doesn't."""
    line_end: str = "\n"
    encoding: str = "utf-8"
    cut: int = 0
    """Characters that the file lacks at its end, its last line end counted; within the last row."""

    def text_and_rows(self) -> tuple[bytes, int]:
        """The file, and how many rows it has behind its header: lines that aren't blank."""
        lines = [self._line(row) for row in self.rows]
        text = self.line_end.join([self._line(self.header), *lines, ""])
        if self.cut and lines:
            text = text[: -min(self.cut, len(lines[-1]) + len(self.line_end) - 1)]
            lines[-1] = lines[-1][: max(1, len(lines[-1]) + len(self.line_end) - self.cut)]
        data = text.encode(self.encoding, "replace")
        return data, sum(1 for line in lines if line.replace("\0", "").strip())

    def _line(self, row: list[str]) -> str:
        """A row; line breaks only where they belong to one cell without a doubt."""
        whole = len(row) == len(self.header) and self.quoting != "none" and not self.cut
        if not whole or self.line_end == "\r":
            row = [cell.replace("\r", " ").replace("\n", " ") for cell in row]
        if self.quoting == "none":
            return self.delimiter.join(row)
        out = io.StringIO()
        quoting = _QUOTING[self.quoting]
        csv.writer(out, delimiter=self.delimiter, quoting=quoting, lineterminator=_QUOTED).writerow(row)
        return out.getvalue().removesuffix(_QUOTED)


def read_sheet(path: Path) -> Sheet:
    """A sound CSV file."""
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return Sheet(header, rows)


def _some(random: Random, sheet: Sheet) -> range:
    """A stretch of rows, maybe empty."""
    first = random.randrange(len(sheet.rows) + 1)
    return range(first, min(len(sheet.rows), first + random.choice((1, 1, 2, 5))))


def drop_rows(random: Random, sheet: Sheet) -> None:
    rows = _some(random, sheet)
    del sheet.rows[rows.start : rows.stop]


def repeat_rows(random: Random, sheet: Sheet) -> None:
    at = random.randrange(len(sheet.rows) + 1)
    rows = _some(random, sheet)
    sheet.rows[at:at] = [list(row) for row in sheet.rows[rows.start : rows.stop]]


def swap_rows(random: Random, sheet: Sheet) -> None:
    random.shuffle(sheet.rows)


def repeat_header(random: Random, sheet: Sheet) -> None:
    sheet.rows.insert(random.randrange(len(sheet.rows) + 1), list(sheet.header))


def blank_line(random: Random, sheet: Sheet) -> None:
    sheet.rows.insert(random.randrange(len(sheet.rows) + 1), [])


def shorten_rows(random: Random, sheet: Sheet) -> None:
    for at in _some(random, sheet):
        del sheet.rows[at][random.randrange(1, len(sheet.header)) :]


def lengthen_rows(random: Random, sheet: Sheet) -> None:
    for at in _some(random, sheet):
        more = random.choice(([""], ["x"], ["7", "8"], ["a,b"], ["1"] * random.choice((3, 400))))
        place = random.randrange(len(sheet.rows[at]) + 1)
        sheet.rows[at][place:place] = more


def odd_cells(random: Random, sheet: Sheet) -> None:
    column = random.randrange(len(sheet.header))
    for row in random.sample(sheet.rows, min(len(sheet.rows), random.choice((1, 2, 100)))):
        if len(row) > column:
            row[column] = random.choice(CELLS)


def same_cells(random: Random, sheet: Sheet) -> None:
    column, cell = random.randrange(len(sheet.header)), random.choice(CELLS)
    for row in sheet.rows:
        if len(row) > column:
            row[column] = cell


def swap_columns(random: Random, sheet: Sheet) -> None:
    first, second = (random.randrange(len(sheet.header)) for _turn in range(2))
    for row in (sheet.header, *sheet.rows):
        if len(row) > max(first, second):
            row[first], row[second] = row[second], row[first]


def drop_column(random: Random, sheet: Sheet) -> None:
    if len(sheet.header) > 2:
        column = random.randrange(len(sheet.header))
        for row in (sheet.header, *sheet.rows):
            del row[column : column + 1]


def repeat_column(random: Random, sheet: Sheet) -> None:
    column = random.randrange(len(sheet.header))
    for row in (sheet.header, *sheet.rows):
        row += row[column : column + 1]


def rename_column(random: Random, sheet: Sheet) -> None:
    sheet.header[random.randrange(len(sheet.header))] = random.choice(
        ("x", "Op Name", "[b]", "卷(us)", "device")
    )


def other_delimiter(random: Random, sheet: Sheet) -> None:
    sheet.delimiter = random.choice("\t;")


def other_quotes(random: Random, sheet: Sheet) -> None:
    sheet.quoting = random.choice(("all", "none"))


def other_line_end(random: Random, sheet: Sheet) -> None:
    sheet.line_end = random.choice(("\r\n", "\r", "\r\r\n"))


def other_encoding(random: Random, sheet: Sheet) -> None:
    sheet.encoding = random.choice(("utf-8-sig", "gbk", "utf-16"))


def cut_end(random: Random, sheet: Sheet) -> None:
    sheet.cut = random.randrange(1, 60)


CHANGES: tuple[Callable[[Random, Sheet], None], ...] = (
    *(drop_rows, repeat_rows, swap_rows, repeat_header, blank_line, shorten_rows, lengthen_rows),
    *(odd_cells, odd_cells, odd_cells, same_cells, swap_columns, drop_column, repeat_column, rename_column),
    *(other_delimiter, other_quotes, other_line_end, other_encoding, cut_end),
)
