"""What stands above a timeline: what it is, what of it is shown, how busy each device was; and its status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from prof_tui.data.query.query import OUTSIDE, Scope
from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.words import (
    NOT_AVAILABLE,
    _,
    byte_size,
    count,
    counted,
    duration,
    glyphs,
    microseconds,
    printable,
    separated,
    share,
)

if TYPE_CHECKING:
    from prof_tui.data.timeline.events import FoundEvents
    from prof_tui.data.timeline.windows import DeviceOverlap, ScopeWindow

_MOST_DEVICES = 4
"""Devices with a line of their own; more would leave the lanes no room."""


def heading(index: TraceIndex, shown: ScopeWindow) -> Text:
    """The timeline and its window on one line, then a line per device."""
    lines = [_what_line(index, shown), *overlap_lines(index, shown)]
    left = len(shown.overlaps) - _MOST_DEVICES
    if left > 0:
        lines.append(
            counted(
                "{n} more device: choose it by an iteration of its own",
                "{n} more devices: choose one by an iteration of its own",
                left,
            )
        )
    return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


def overlap_lines(index: TraceIndex, shown: ScopeWindow) -> list[str]:
    """How much each device computed, communicated and idled within the window."""
    complete = index.complete and not index.damaged
    several = len(shown.overlaps) > 1
    return [
        _overlap_line(each, shown.window, several=several, complete=complete)
        for each in shown.overlaps[:_MOST_DEVICES]
    ]


def _what_line(index: TraceIndex, shown: ScopeWindow) -> str:
    begin_ns, end_ns = shown.window
    events = counted("{n} event", "{n} events", len(index.events))
    if not index.complete:
        events = _("{events} of the first {size}").format(events=events, size=byte_size(index.read_bytes))
    parts = [
        index.name,
        events,
        _("{scope}: {window}").format(
            scope=scope_words(shown.scope, complete=index.complete), window=duration(end_ns - begin_ns)
        ),
    ]
    if shown.step is not None:
        parts.append(_("period {period}").format(period=duration(shown.step.period_ns)))
    return f" {glyphs().separator} ".join(map(printable, parts))


def scope_words(scope: Scope, *, complete: bool) -> str:
    """The window in words; ``complete``: whether all of the timeline was read."""
    if scope.iteration is None or scope.iteration == OUTSIDE:
        return _("whole timeline") if complete else _("what was read of it")
    model = NOT_AVAILABLE if scope.model is None else scope.model
    return _("iteration {iteration} of Model ID {model}").format(iteration=scope.iteration, model=model)


def _overlap_line(of: DeviceOverlap, window: Span, *, several: bool, complete: bool) -> str:
    """Shares first: a narrow screen cuts the line from behind."""
    own, whole = of.own, of.own.window[1] - of.own.window[0]
    parts_ns = (own.computing_ns, own.communication_ns, own.not_overlapped_ns, own.free_ns)
    shares = _("{device}computing {0}, communication {1}, not overlapped {2}, free {3}").format(
        *(share(ns, whole) for ns in parts_ns),
        device=_("device {n}: ").format(n=of.device) if several and of.device is not None else "",
    )
    parts = _("{parts} us").format(parts=" / ".join(map(separated, parts_ns)))
    if own.window != window:
        text = _("{parts} of the {length} from the device's first op to its last")
        parts = text.format(parts=parts, length=duration(whole))
    said = [shares, parts] if complete else [_("of what could be read: {said}").format(said=shares), parts]
    if of.check is not None:
        said.append(of.check.sentence)
    return f" {glyphs().separator} ".join(said)


def progress_line(done_bytes: int, total_bytes: int) -> str:
    """How much of the file is read."""
    return _("reading {done} of {total} ({share}); Escape cancels").format(
        done=byte_size(done_bytes), total=byte_size(total_bytes), share=share(done_bytes, total_bytes)
    )


def found_line(found: FoundEvents, at: int | None) -> str:
    """How many events hold the text that was looked for, and which one the cursor is on."""
    if at is None:
        return counted(
            "{n} event with {text!r}", "{n} events with {text!r}", found.count, text=printable(found.text)
        )
    return _("event {at} of {n} with {text!r}; n next, N previous").format(
        at=count(at + 1), n=count(found.count), text=printable(found.text)
    )


def event_line(index: TraceIndex, event: int, zero_ns: int) -> str:
    """An event as it is copied: name, lane, start and duration."""
    return " ".join(_event_words(index, event, zero_ns))


def _event_words(index: TraceIndex, event: int, zero_ns: int) -> Iterator[str]:
    lane, name, start_ns, length_ns = index.events.select("lane", "name", "start_ns", "duration_ns").row(
        event
    )
    told = index.lanes[lane]
    yield str(name)
    yield f"[{told.layer} / {told.thread}]"
    yield _("start {start} us ({absolute} us)").format(
        start=microseconds(start_ns - zero_ns), absolute=microseconds(start_ns)
    )
    yield _("duration {duration}").format(duration=duration(length_ns))
