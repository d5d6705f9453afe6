"""One event of a timeline: all that its page says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.iterations.placement import rule_text
from prof_tui.data.pages.event_text import event_args
from prof_tui.data.pages.op import Rank
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.links import Link, Links, Means, links_of
from prof_tui.data.timeline.model import TraceIndex, TraceLane
from prof_tui.data.timeline.op_link import Match, op_of_event
from prof_tui.data.timeline.trace_steps import EventPlace, place_event, window_of
from prof_tui.errors import UnreadableError

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture

_MODEL_ARGS = ("Model Id", "model id", "Model ID")
MOST_LINKED = 1000
"""Events that are listed of what one event launched: a host call may launch a whole graph."""


@dataclass(frozen=True)
class LinkedEvent:
    """An event on the other side of a launch."""

    event: int
    name: str
    lane: TraceLane
    start_ns: int
    duration_ns: int
    means: tuple[Means, ...]


@dataclass(frozen=True)
class EventDetail:
    """Everything that an event's page says; times in ns, absolute unless said otherwise."""

    event: int
    name: str
    kind: str
    """Its Task Type on a stream, else its layer."""
    lane: TraceLane
    start_ns: int
    duration_ns: int
    """Negative in a broken record, which takes no time on the lane."""
    args: tuple[tuple[str, str], ...]
    """In the file's order and spelling."""
    args_problem: str
    """A sentence where they can't be read from the file; empty where they can."""
    place: EventPlace
    window: Span | None
    """Of the iteration that it is in."""
    rank: Rank
    """Among all events of its name and kind on this timeline."""
    launched_by: tuple[LinkedEvent, ...]
    launched: tuple[LinkedEvent, ...]
    """At most ``MOST_LINKED`` of each; ``links`` has all."""
    links: Links
    op: Match
    """Its row of op_summary."""

    @property
    def is_invalid(self) -> bool:
        return self.duration_ns < 0

    @property
    def from_iteration_ns(self) -> int | None:
        """Its start from the begin of its iteration; None outside of one."""
        return None if self.window is None else self.start_ns - self.window[0]

    @property
    def rule(self) -> str:
        """What placed it in its iteration; empty outside."""
        return "" if self.place.rule is None else rule_text(self.place.rule)


def event_detail(capture: OpenCapture, index: TraceIndex, event: int) -> EventDetail:
    """The page of one event; reads its file, and columns of op_summary that weren't read yet."""
    lane, start_ns, duration_ns, kind = index.events.select("lane", "start_ns", "duration_ns", "kind").row(
        event
    )
    args, problem = _args(index, event)
    place = place_event(index, capture.steps, event, _model(args))
    links = links_of(index, event)
    return EventDetail(
        event,
        str(index.events["name"][event]),
        index.kinds[kind],
        index.lanes[lane],
        start_ns,
        duration_ns,
        args,
        problem,
        place,
        _window(capture, place),
        rank_of(index, event),
        _linked(index, links.launched_by),
        _linked(index, links.launched),
        links,
        _op(capture, index, event),
    )


def rank_of(index: TraceIndex, event: int) -> Rank:
    """Which longest an event is of its name and kind; those of the same length share the better place."""
    columns = index.events.select("name", "kind", "duration_ns")
    code, kind = columns["name"][event : event + 1].to_physical()[0], columns["kind"][event]
    same = (pl.col("name").to_physical() == code) & (pl.col("kind") == kind)
    durations = columns.lazy().filter(same).select("duration_ns").collect()["duration_ns"]
    longer = int((durations > columns["duration_ns"][event]).sum())
    return Rank(longer + 1, len(durations), int(durations.clip(0).sum()))


def _args(index: TraceIndex, event: int) -> tuple[tuple[tuple[str, str], ...], str]:
    try:
        return tuple(event_args(index, event).items()), ""
    except UnreadableError as error:
        return (), str(error)


def _model(args: Sequence[tuple[str, str]]) -> int | None:
    named = dict(args)
    text = next((named[name] for name in _MODEL_ARGS if name in named), "")
    return int(text) if text.isascii() and text.isdigit() else None


def _window(capture: OpenCapture, place: EventPlace) -> Span | None:
    scope = place.scope
    if not isinstance(scope.iteration, int):
        return None
    step = capture.steps.find(scope.device, scope.model, scope.iteration)
    return None if step is None else window_of(step)


def _linked(index: TraceIndex, links: Sequence[Link]) -> tuple[LinkedEvent, ...]:
    some = links[:MOST_LINKED]
    rows = pl.Series([link.event for link in some], dtype=pl.UInt32)
    events = index.events.select("lane", "start_ns", "duration_ns", "name")[rows]
    return tuple(
        LinkedEvent(link.event, str(name), index.lanes[lane], start_ns, duration_ns, link.means)
        for link, (lane, start_ns, duration_ns, name) in zip(some, events.iter_rows(), strict=True)
    )


def _op(capture: OpenCapture, index: TraceIndex, event: int) -> Match:
    try:
        return op_of_event(index, capture.table("op_summary"), event)
    except UnreadableError as error:
        return Match(None, str(error))
