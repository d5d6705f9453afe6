"""What bounds an op: one word from its pipe ratios, for one row, without polars.

Thresholds: a pipe over 0.8 and *no bound* over 20 us are those of msprof-analyze and of msprof's own rules,
as are memory_bound over 1 and bank conflicts over 4 % (vendor-analyses.md sections 1 and 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from prof_tui.data.tables.cells import to_float, to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.known_columns import BANK_CONFLICTS, ICACHE_MISSES, PIPE
from prof_tui.words import NOT_AVAILABLE

PIPES = ("mac", "vector", "scalar", "mte1", "mte2", "mte3", "fixpipe")
MEMORY, BANKS, ICACHE, NO_BOUND = "memory", "bank conflict", "icache miss", "no bound"
WORDS = (*PIPES, MEMORY, BANKS, ICACHE, NO_BOUND)
"""All words, the stronger claim first; the first that holds is an op's."""

SATURATED = 0.8
MEMORY_BOUND = 1.0
CONFLICTS = 0.04
LEAST_NS = 20_000
"""A shorter op is not called *no bound*: starting it takes as long."""

BOUND = "bound"
"""Header of the column of op_summary that has these words."""


@dataclass(frozen=True)
class PipeColumns:
    """The columns of a table that tell what bounds an op, by what they measure."""

    pipes: Mapping[str, tuple[Column, ...]]
    """By word of ``PIPES``, those of cube and vector cores together; no empty tuples."""
    memory: tuple[Column, ...]
    banks: tuple[Column, ...]
    icache: tuple[Column, ...]

    @property
    def all(self) -> tuple[Column, ...]:
        pipes = (column for columns in self.pipes.values() for column in columns)
        return (*pipes, *(column for columns in self.others for column in columns))

    @property
    def others(self) -> tuple[tuple[Column, ...], ...]:
        return self.memory, self.banks, self.icache


def pipe_columns(columns: Iterable[Column]) -> PipeColumns:
    """Sorted out by header, in every spelling that is known."""
    columns = tuple(columns)
    pipes: dict[str, tuple[Column, ...]] = {}
    for column in columns:
        if (match := PIPE.fullmatch(column.header)) and match[2] == "ratio":
            word = "vector" if match[1] == "vec" else match[1]
            pipes[word] = (*pipes.get(word, ()), column)
    return PipeColumns(
        pipes,
        tuple(column for column in columns if column.id == "memory_bound"),
        tuple(column for column in columns if BANK_CONFLICTS.fullmatch(column.header)),
        tuple(column for column in columns if ICACHE_MISSES.fullmatch(column.header)),
    )


def bound_word(
    pipe: str,
    ratio: float,
    duration_ns: int,
    *,
    memory_bound: float = 0,
    bank_conflicts: float = 0,
    icache_misses: float = 0,
) -> str | None:
    """The word of one op from its fullest pipe, the first of ``PIPES`` with that ratio.  None: none fits.

    A number that is N/A counts as 0.
    """
    if ratio > SATURATED:
        return pipe
    if memory_bound > MEMORY_BOUND:
        return MEMORY
    if bank_conflicts > CONFLICTS:
        return BANKS
    if icache_misses > CONFLICTS:
        return ICACHE
    return NO_BOUND if ratio > 0 and duration_ns > LEAST_NS else None


# As a column


def is_bound(column: Column) -> bool:
    """Whether a column is the one worked out here, and none of the file's."""
    return column.derived and column.id == BOUND


def duration_of(columns: Iterable[Column]) -> Column | None:
    """The column of durations that a word needs; None where there is none, or no pipe was measured."""
    columns = tuple(columns)
    duration = next((column for column in columns if column.id == "task_duration"), None)
    return duration if pipe_columns(columns).pipes else None


def row_words(columns: Sequence[Column]) -> Callable[[Sequence[str]], str | None]:
    """What gives the word of a row from its clean cells under ``columns``.

    N/A where none fits, None where these columns can't tell.
    """
    duration, found = duration_of(columns), pipe_columns(columns)
    if duration is None:
        return lambda cells: None
    place = {column.header: i for i, column in enumerate(columns)}
    names, pipe_places = zip(
        *((word, place[each.header]) for word in PIPES for each in found.pipes.get(word, ())), strict=True
    )
    pipes, memory, banks, icache = (
        _pick(places) for places in (pipe_places, *([place[c.header] for c in own] for own in found.others))
    )
    at, ns_per_unit = place[duration.header], duration.ns_per_unit

    def word_of(cells: Sequence[str]) -> str:
        ratios = [*map(_ratio, pipes(cells))]
        fullest = max(ratios)
        word = bound_word(
            names[ratios.index(fullest)],
            fullest,
            to_ns(cells[at], ns_per_unit) or 0 if fullest > 0 else 0,
            memory_bound=max(map(_ratio, memory(cells)), default=0.0),
            bank_conflicts=max(map(_ratio, banks(cells)), default=0.0),
            icache_misses=max(map(_ratio, icache(cells)), default=0.0),
        )
        return word or NOT_AVAILABLE

    return word_of


def _pick(places: Sequence[int]) -> Callable[[Sequence[str]], Sequence[str]]:
    """The cells at these places of a row."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda cells: [cells[place] for place in places]


@lru_cache(maxsize=1 << 13)
def _ratio(text: str) -> float:
    """The number that a whole column has for this cell, 0 for none.  They repeat: of three or four digits."""
    return to_float(text) or 0.0
