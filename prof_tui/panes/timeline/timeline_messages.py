"""What the timeline pane tells: to its screen what the user did, to itself what a worker found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.panes.pane_messages import FromPane

if TYPE_CHECKING:
    from prof_tui.data.spans.span import Span
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.op_link import Match
    from prof_tui.data.timeline.trace_find import FoundEvents
    from prof_tui.data.timeline.windows import ScopeWindow
    from prof_tui.panes.timeline.reading import TimelineCore
    from prof_tui.widgets.timeline.index import LaneIndex


@dataclass
class FromTimeline(FromPane):
    """Whatever the timeline pane tells."""

    pane: TimelineCore


@dataclass
class EventEntered(FromTimeline):
    """The user goes into an event."""

    event: int


@dataclass
class TraceProgress(FromTimeline):
    done_bytes: int
    total_bytes: int


@dataclass
class TraceRefused(FromTimeline):
    sentence: str


@dataclass
class LanesReady(FromTimeline):
    """The lanes of a scope, of what was read so far."""

    index: TraceIndex
    shown: ScopeWindow
    lanes: LaneIndex


@dataclass
class EventsFound(FromTimeline):
    index: TraceIndex
    found: FoundEvents


@dataclass
class OpFound(FromTimeline):
    """The event of a row of op summary."""

    match: Match


@dataclass
class PlaceFound(FromTimeline):
    """The event that a stretch of time is about."""

    event: int | None
    """None where there is none."""
    span: Span
