"""Sums over ops in the order of time that come slice by slice: unions, and gaps within iterations."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

KEPT_GAPS = 5


@dataclass(frozen=True)
class Gap:
    """Idle time of a device between two ops of an iteration (of the capture, where there are none)."""

    begin_ns: int
    end_ns: int
    row_before: int
    """Row number of an op that ends where the gap begins."""
    row_after: int
    iteration: int | None

    @property
    def length_ns(self) -> int:
        return self.end_ns - self.begin_ns


@dataclass
class Union:
    """The length of the union of spans that come sorted by start."""

    reached_ns: int
    """The latest end so far; before the first span, no later than its start."""
    length_ns: int = 0

    def take(self, start: pl.Series, end: pl.Series) -> pl.Series:
        """Add a slice; the latest end before each of its spans."""
        if not len(start):
            return start
        reached = end.cum_max().clip(self.reached_ns)
        before = reached.shift(1, fill_value=self.reached_ns)
        begin = pl.select(pl.max_horizontal(start, before)).to_series()
        self.length_ns += int((reached - begin).sum())
        self.reached_ns = int(reached[-1])
        return before


@dataclass
class Running:
    """One device's ops so far."""

    begin_ns: int
    """The first start."""
    idle_ns: int = 0
    """Gaps between ops of the same iteration."""
    gaps: list[Gap] = field(default_factory=list)
    """The largest of them, largest first."""
    apart: list[pl.Series] = field(default_factory=list)
    """Per ops next to each other in time in an iteration: next start minus this end, 0 where they overlap."""
    first_rows: list[pl.Series] = field(default_factory=list)
    spoken: list[pl.DataFrame] = field(default_factory=list)
    """``iteration``, ``start`` and ``end`` of the communicating ops."""
    iterations: set[int] = field(default_factory=set)
    """Those that hold ops."""
    _last: int | None = None
    """Iteration of the last task before the slice."""
    _last_op: tuple[int, int] | None = None
    """Iteration and end of the last one that works."""
    _reaching: int = 0
    """Row number of the op that ends last."""

    def __post_init__(self) -> None:
        self.busy, self.computing, self.talking = (Union(self.begin_ns) for _each in range(3))

    def take(self, frame: pl.DataFrame) -> None:
        """A slice: ``row``, ``start``, ``end``, ``iteration``, ``talks``, ``works``; not empty."""
        start, end, iteration = frame["start"], frame["end"], frame["iteration"]
        same = iteration == iteration.shift(1, fill_value=-1 if self._last is None else self._last)
        before = self.busy.take(start, end)
        self._take_gaps(frame, before, same)
        self._take_apart(frame.filter("works"))
        self.first_rows.append(frame["row"].filter(~same))
        for union, part in (
            (self.computing, frame.filter(~pl.col("talks"))),
            (self.talking, frame.filter("talks")),
        ):
            union.take(part["start"], part["end"])
        self.spoken.append(frame.filter("talks").select("iteration", "start", "end"))
        self.iterations.update(iteration.unique())
        self._last = int(iteration[-1])
        if end.max() == self.busy.reached_ns:
            self._reaching = int(frame["row"][int((end == self.busy.reached_ns).arg_true()[-1])])

    def _take_apart(self, ops: pl.DataFrame) -> None:
        if not len(ops):
            return
        start, end, iteration = ops["start"], ops["end"], ops["iteration"]
        last_iteration, last_end = self._last_op or (-1, self.begin_ns)
        same = iteration == iteration.shift(1, fill_value=last_iteration)
        self.apart.append((start - end.shift(1, fill_value=last_end)).clip(0).filter(same))
        self._last_op = int(iteration[-1]), int(end[-1])

    def _take_gaps(self, frame: pl.DataFrame, before: pl.Series, same: pl.Series) -> None:
        width = (frame["start"] - before).alias("gap")
        gaps = width.to_frame().with_row_index("i").filter(same & (width > 0))
        self.idle_ns += int(gaps["gap"].sum())
        for i in gaps.top_k(KEPT_GAPS, by="gap")["i"]:
            begin = int(before[i])
            ending = frame["row"].head(i).filter(frame["end"].head(i) == begin)
            row_before = int(ending[-1]) if len(ending) else self._reaching
            after = frame.row(i, named=True)
            gap = Gap(begin, int(after["start"]), row_before, int(after["row"]), after["iteration"] or None)
            self.gaps.append(gap)
        self.gaps = sorted(self.gaps, key=lambda gap: (-gap.length_ns, gap.begin_ns))[:KEPT_GAPS]
