"""What a timeline is made of.

Times are absolute int nanoseconds, intervals half open: one that ends where another starts only touches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from prof_tui.data.spans.span import Span

if TYPE_CHECKING:
    import polars as pl


class Interval(NamedTuple):
    """One op or event; ``kind`` is an index into ``LaneSet.kinds``."""

    start_ns: int
    duration_ns: int
    """Negative in a broken record: such an interval is shown at its start and is never busy time."""
    kind: int
    name: str

    @property
    def end_ns(self) -> int:
        """Where it stops taking up room: its start when it has no valid length."""
        return self.start_ns + max(0, self.duration_ns)


@dataclass(frozen=True)
class Lane:
    """A stream or thread, or the curve of a counter."""

    id: str
    """What folding, hiding and pinning go by, over all lane sets of a timeline."""
    title: str
    group: str = ""
    """Id of a ``LaneGroup``; lanes of no group come before the groups."""
    is_busy: bool = True
    """Whether its intervals count as work: what gaps are looked for between, and the longest ops among."""
    is_plot: bool = False
    """Whether it has samples and not intervals."""
    unit: str = ""
    """The unit of its samples."""


@dataclass(frozen=True)
class LaneGroup:
    """Lanes under one header."""

    id: str
    title: str
    folded: bool = False
    """At first, until the user folds or unfolds it."""


@dataclass(frozen=True)
class Mark:
    """A point in time with a title: FP Start, BP End, Iteration End."""

    at_ns: int
    title: str


@dataclass(frozen=True)
class Kind:
    """What intervals are told apart by: ``colour`` is one of the 16 (``blue`` or ``ansi_blue``),
    ``letter`` one cell wide and enough where there is no colour."""

    title: str
    letter: str
    colour: str
    is_work: bool = True
    """Whether such an interval is work, in a lane that counts as work."""


@dataclass(frozen=True, eq=False)
class LaneSet:
    """Everything that a timeline shows; its home window is from ``begin_ns`` to ``end_ns``.

    The frames are neither copied nor sorted, so that many lane sets may share them.
    """

    begin_ns: int
    end_ns: int
    lanes: Sequence[Lane] = ()
    intervals: pl.DataFrame | None = None
    """Sorted by lane, row, start_ns: lane (index into ``lanes``), row (0 topmost), start_ns Int64,
    duration_ns Int64, kind, name (String or Categorical).  Those of one lane and row never overlap."""
    keys: pl.Series | None = None
    """The caller's number for each interval; None where that is the row number in ``intervals``."""
    marks: Sequence[Mark] = ()
    kinds: Sequence[Kind] = ()
    groups: Sequence[LaneGroup] = ()
    """The headers, in the order in which they are shown."""
    samples: pl.DataFrame | None = None
    """Sorted by lane, at_ns: lane, at_ns Int64, value Float64 (null where there is none)."""
    whole: Span | None = None
    """What *everything* means beyond the home window; None for all that there is."""
