"""From a header, or a word that somebody typed, to the column that it means."""

import difflib
import re
from collections.abc import Sequence
from functools import cache

from prof_tui.data.tables.columns import Column, ColumnSpec, Group, Kind, base_header, spelling, unit_of
from prof_tui.data.tables.known_columns import SPECS
from prof_tui.errors import UsageError
from prof_tui.words import _

_PIPES = {
    "mac": (
        _("How long the cube unit (mac) computed."),
        _("The share of the core's time that the cube unit (mac) computed, 0 to 1."),
    ),
    "vec": (
        _("How long the vector unit computed."),
        _("The share of the core's time that the vector unit computed, 0 to 1."),
    ),
    "scalar": (
        _("How long the scalar unit computed."),
        _("The share of the core's time that the scalar unit computed, 0 to 1."),
    ),
    "mte1": (
        _("How long MTE1 moved data from L1 to L0."),
        _("The share of the core's time that MTE1 moved data from L1 to L0, 0 to 1."),
    ),
    "mte2": (
        _("How long MTE2 moved data from memory into the core."),
        _("The share of the core's time that MTE2 moved data from memory into the core, 0 to 1."),
    ),
    "mte3": (
        _("How long MTE3 moved data from the core into memory."),
        _("The share of the core's time that MTE3 moved data from the core into memory, 0 to 1."),
    ),
    "fixpipe": (
        _("How long FixPipe moved results out of L0C."),
        _("The share of the core's time that FixPipe moved results out of L0C, 0 to 1."),
    ),
}
_PIPE = re.compile(
    r"(?:(?:aic|aiv)_)?(mac|vec|scalar|mte1|mte2|mte3|fixpipe)(?:_exe)?_(time|ratio)(?:\(us\))?"
)
_METRICS: tuple[tuple[re.Pattern[str], Kind, str], ...] = (
    (re.compile(r".*cycles"), "int", _("Clock cycles that the task took, over all cores.")),
    (re.compile(r".*icache_miss_rate"), "decimal", _("Instruction cache misses over reads, 0 to 1.")),
    (re.compile(r".*(ratio|rate)"), "decimal", _("A share of the core's time or accesses, 0 to 1.")),
    (re.compile(r".*\(GB/s\)"), "decimal", _("A bandwidth in GB per second.")),
)


def _made_up(header: str, kind: Kind, meaning: str, group: Group = "other") -> ColumnSpec:
    return ColumnSpec(spelling(header), kind, (header,), meaning, group)


def _pipe_spec(header: str) -> ColumnSpec | None:
    match = _PIPE.fullmatch(header)
    if not match:
        return None
    pipe, what = match.groups()
    time_meaning, ratio_meaning = _PIPES[pipe]
    if what == "time":
        return _made_up(header, "duration", time_meaning, "pipes")
    return _made_up(header, "decimal", ratio_meaning, "pipes")


def _metric_spec(header: str) -> ColumnSpec | None:
    for pattern, kind, meaning in _METRICS:
        if pattern.fullmatch(header):
            return _made_up(header, kind, meaning, "pipes")
    return None


_UNIT_KINDS: dict[str, Kind] = {"us": "duration", "ns": "duration", "ms": "duration"}


def _other_spec(header: str) -> ColumnSpec:
    unit = unit_of(header)
    kind: Kind = _UNIT_KINDS.get(unit, "decimal" if unit else "text")
    meaning = _("As msprof wrote it; this column is not described here.")
    return _made_up(header, kind, meaning)


@cache
def _by_spelling() -> dict[str, ColumnSpec]:
    return {spelling(header): spec for spec in SPECS for header in spec.headers}


def spec_for(header: str) -> ColumnSpec:
    """What the column with this header is; one made up from the header's form where the table has none."""
    base = base_header(header)
    known = _by_spelling().get(spelling(base))
    return known or _pipe_spec(base) or _metric_spec(base) or _other_spec(base)


def column_for(header: str, *, unit: str = "", kind: Kind | None = None, derived: bool = False) -> Column:
    """A column of an open table; ``unit`` settles what a header without one leaves open."""
    spec = spec_for(header)
    if kind and kind != spec.kind:
        spec = ColumnSpec(spec.id, kind, spec.headers, spec.meaning, spec.group)
    stated = unit_of(base_header(header))
    default = "us" if spec.kind in ("time", "duration") else ""
    return Column(header, spec, stated or unit or default, derived)


def find_column(columns: Sequence[Column], word: str) -> Column:
    """The column that ``word`` names: a header as in the file, or any generation's spelling of it.

    Raises UsageError with near names when there is none.
    """
    wanted = spelling(word)
    for column in columns:
        if spelling(column.header) == wanted or column.id == word:
            return column
    number = re.search(r" \d+$", word)
    for column in columns:
        suffix = re.search(r" \d+$", column.header)
        same_turn = (suffix.group() if suffix else "") == (number.group() if number else "")
        spellings = {spelling(header) for header in column.spec.headers}
        if same_turn and spelling(base_header(word)) in spellings:
            return column
    raise UsageError(_unknown_column(columns, word))


def _unknown_column(columns: Sequence[Column], word: str) -> str:
    by_spelling = {spelling(column.header): column.header for column in columns}
    near = difflib.get_close_matches(spelling(word), by_spelling, n=4, cutoff=0.5)
    near += [key for key in by_spelling if spelling(word) and spelling(word) in key and key not in near][:4]
    if not near:
        names = ", ".join(column.header for column in columns)
        return _("No column {word!r} in this table; it has: {names}.").format(word=word, names=names)
    names = ", ".join(repr(by_spelling[key]) for key in near)
    return _("No column {word!r} in this table; near: {names}.").format(word=word, names=names)
