"""What a column is: its kind, unit and meaning, whatever generation spelled its header.

Headers are addressed by name, never by position (quirks 12 and 43).  The table itself is in
``known_columns``; a header that is not in it comes along with a kind taken from its unit and values.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["text", "int", "decimal", "time", "duration"]
"""How a cell is read: ``time`` is a point on a clock and ``duration`` a length, both Int64 ns inside."""

Group = Literal["identity", "time", "shapes", "pipes", "other"]

NS_PER_UNIT = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}

_UNIT = re.compile(r"\((us|ns|ms|s|%|KB|MB|GB|Bytes|kB|MB/s|GB/s|B)\)$")


@dataclass(frozen=True)
class ColumnSpec:
    """One column of the export, in every spelling."""

    id: str
    """snake_case, stable over generations: what code asks for."""
    kind: Kind
    headers: tuple[str, ...]
    """All spellings, newest first."""
    meaning: str
    """One sentence for help, `prof-tui help columns` and the op's page."""
    group: Group = "other"


@dataclass(frozen=True)
class Column:
    """A column of an open table."""

    header: str
    """The file's own spelling but for blanks around it and a `` 2`` behind a repeated one."""
    spec: ColumnSpec
    unit: str
    """From the header, else the settled one; empty where the values have none."""
    derived: bool = False
    """Known from the files' names or worked out of other columns, no column of the files."""

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def kind(self) -> Kind:
        return self.spec.kind

    def read_as(self, kind: Kind) -> "Column":
        """This column with another kind, its unit kept."""
        return self if kind == self.kind else replace(self, spec=replace(self.spec, kind=kind))

    @property
    def ns_per_unit(self) -> int:
        """What one in a cell is in ns; 1000 where nothing says otherwise (microseconds)."""
        return NS_PER_UNIT.get(self.unit, 1000)


def unit_of(header: str) -> str:
    """The unit in brackets at a header's end, or an empty text."""
    match = _UNIT.search(header)
    return match.group(1) if match else ""


def tell_apart(headers: Iterable[str]) -> tuple[str, ...]:
    """Headers without blanks around them, a repeated one with `` 2``, `` 3`` behind it (quirks 13 and 45)."""
    result: dict[str, None] = {}
    for raw in headers:
        header = name = raw.strip().strip("\ufeff").strip()
        turn = 1
        while name in result:
            turn += 1
            name = f"{header} {turn}"
        result[name] = None
    return tuple(result)


def base_header(header: str) -> str:
    """The header without the number that tells a repeated one apart."""
    return re.sub(r" \d+$", "", header)
