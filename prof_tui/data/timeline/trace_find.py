"""Events by a part of their name, over all lanes, in time order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.query.conditions import containing
from prof_tui.data.timeline.events import names_dictionary, numbered
from prof_tui.data.timeline.model import TraceIndex


@dataclass(frozen=True)
class FoundEvents:
    """The events whose name contains a text, by start; those of the same start by number (lane, then row)."""

    text: str
    events: pl.Series
    """Event numbers, UInt32."""
    starts_ns: pl.Series

    @property
    def count(self) -> int:
        return len(self.events)

    def place(self, event: int, start_ns: int) -> int | None:
        """Which of them an event is, from 0; None for one that is not among them."""
        at = self._first_not_before(event, start_ns)
        return at if at < self.count and self.events[at] == event else None

    def step(self, event: int, start_ns: int, direction: int) -> int | None:
        """The next (1) or the previous (-1) one seen from an event, which need not be among them."""
        at = self._first_not_before(event, start_ns)
        if direction < 0:
            return self._event(at - 1)
        return self._event(at + 1 if at < self.count and self.events[at] == event else at)

    def _event(self, at: int) -> int | None:
        return int(self.events[at]) if 0 <= at < self.count else None

    def _first_not_before(self, event: int, start_ns: int) -> int:
        begin, end = (int(self.starts_ns.search_sorted(start_ns, side=side)) for side in ("left", "right"))
        return begin + int(self.events[begin:end].search_sorted(event, side="left"))


def find_events(index: TraceIndex, text: str, lanes: Sequence[int] | None = None) -> FoundEvents:
    """Events of some lanes (None: of all) whose name contains ``text``, case ignored; none for no text."""
    names = names_dictionary(index)
    wanted = containing(names, text) if text else pl.Series([False]).new_from_index(0, len(names))
    codes = pl.Series(wanted.arg_true(), dtype=pl.UInt32)
    events = numbered(index, ("start_ns", "name"), lanes)
    matching = events.filter(pl.col("name").to_physical().is_in(codes.implode())).drop("name")
    ordered = matching.sort("start_ns", "event")
    return FoundEvents(text, ordered["event"], ordered["start_ns"])
