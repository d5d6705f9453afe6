"""The time in sight: its window, where zooming and panning lead, and the terminal cells it falls into."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prof_tui.data.spans.span import Span


@dataclass(frozen=True)
class TimeWindow:
    """The stretch of time on the screen."""

    begin_ns: int
    span_ns: int

    @classmethod
    def over(cls, span: Span, columns: int = 1) -> TimeWindow:
        """The window that shows a span, in the middle where it is shorter than a nanosecond per cell."""
        length_ns = max(0, span[1] - span[0])
        span_ns = max(1, columns, length_ns)
        return cls(span[0] - (span_ns - length_ns) // 2, span_ns)

    @property
    def end_ns(self) -> int:
        return self.begin_ns + self.span_ns

    def holds(self, at_ns: int) -> bool:
        """Whether a moment is on the screen."""
        return self.begin_ns <= at_ns < self.end_ns

    def moved_within(self, reach: Span) -> TimeWindow:
        """A window as wide as now, as near as ``reach`` allows."""
        return TimeWindow(max(reach[0], min(self.begin_ns, reach[1] - self.span_ns)), self.span_ns)

    def showing(self, begin_ns: int, end_ns: int) -> TimeWindow:
        """Moved no further than needed to hold the span; of a span wider than this, some part is enough."""
        end_ns = max(end_ns, begin_ns + 1)
        if end_ns - begin_ns > self.span_ns:
            overlaps = begin_ns < self.end_ns and end_ns > self.begin_ns
            return self if overlaps else TimeWindow(begin_ns, self.span_ns)
        return TimeWindow(max(end_ns - self.span_ns, min(begin_ns, self.begin_ns)), self.span_ns)

    def panned(self, direction: int) -> TimeWindow:
        """Earlier (-1) or later (1) by a quarter of the view."""
        return replace(self, begin_ns=self.begin_ns + direction * max(1, self.span_ns // 4))

    def zoomed_in(self, anchor_ns: int, columns: int) -> TimeWindow:
        """Half the time, but not less than a nanosecond per cell."""
        span_ns = max(1, columns, self.span_ns // 2)
        return self._zoomed(span_ns, anchor_ns) if span_ns < self.span_ns else self

    def zoomed_out(self, anchor_ns: int, home: Span, reach: Span) -> TimeWindow:
        """Twice the time; the home window when that is between the two, all of ``reach`` at most."""
        inner, outer = TimeWindow.over(home), TimeWindow.over(reach)
        if (
            self.span_ns < inner.span_ns <= 2 * self.span_ns
            and inner.begin_ns <= self.begin_ns
            and self.end_ns <= inner.end_ns
        ):
            return inner
        fits = 2 * self.span_ns < outer.span_ns
        return self._zoomed(2 * self.span_ns, anchor_ns) if fits else outer

    def _zoomed(self, span_ns: int, anchor_ns: int) -> TimeWindow:
        """A window as wide as ``span_ns``, with ``anchor_ns`` at the same place of the screen."""
        before_ns = (anchor_ns - self.begin_ns) * span_ns // self.span_ns
        return TimeWindow(anchor_ns - before_ns, span_ns)


@dataclass(frozen=True)
class TimeGrid:
    """``columns`` terminal cells of ``cell_ns`` each, the first from ``begin_ns``."""

    begin_ns: int
    cell_ns: int
    columns: int

    @classmethod
    def over(cls, window: TimeWindow, columns: int) -> TimeGrid:
        """The finest grid of whole nanoseconds per cell that holds the window."""
        return cls(window.begin_ns, max(1, -(-window.span_ns // max(1, columns))), columns)

    @property
    def end_ns(self) -> int:
        """Where the last cell ends."""
        return self.begin_ns + self.columns * self.cell_ns

    def bounds_ns(self) -> range:
        """The borders of the cells, one more than there are cells."""
        return range(self.begin_ns, self.end_ns + 1, self.cell_ns)

    def time_ns(self, column: int) -> int:
        """When a cell begins."""
        return self.begin_ns + column * self.cell_ns

    def column(self, at_ns: int) -> int | None:
        """The cell that holds a moment; the very end of the grid counts to the last one."""
        column = (at_ns - self.begin_ns) // self.cell_ns
        if at_ns == self.end_ns:
            column -= 1
        return column if 0 <= column < self.columns else None

    def extent(self, begin_ns: int, end_ns: int) -> range:
        """The cells that a span touches, at least the one that it starts in; empty when out of sight."""
        first = (begin_ns - self.begin_ns) // self.cell_ns
        last = (max(begin_ns, end_ns - 1) - self.begin_ns) // self.cell_ns
        return range(max(0, first), min(self.columns, last + 1))
