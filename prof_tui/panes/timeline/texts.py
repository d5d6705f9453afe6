"""What stands above a timeline: what it is, what of it is shown, how busy each device was; and its status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len
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
    from prof_tui.data.timeline.windows import DeviceOverlap, ScopeWindow, Seen

_MOST_DEVICES = 4
"""Devices with a line of their own; more would leave the lanes no room."""


def heading(index: TraceIndex, shown: ScopeWindow, seen: Seen, width: int | None = None) -> Text:
    """The timeline and what of it is on the screen on one line, then a line per device, or two.

    ``width``: cells, where what shares are of must not be cut.
    """
    lines = [_what_line(index, shown, seen), *overlap_lines(index, seen, width)]
    left = len(seen.overlaps) - _MOST_DEVICES
    if left > 0:
        lines.append(
            counted(
                "{n} more device: choose it by an iteration of its own",
                "{n} more devices: choose one by an iteration of its own",
                left,
            )
        )
    return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


def overlap_lines(index: TraceIndex, seen: Seen, width: int | None = None) -> list[str]:
    """How much each device computed, communicated and idled in what is on the screen."""
    complete = index.complete and not index.damaged
    several = len(seen.overlaps) > 1
    return [
        _overlap_line(each, seen.window, several=several, complete=complete, width=width)
        for each in seen.overlaps[:_MOST_DEVICES]
    ]


def _what_line(index: TraceIndex, shown: ScopeWindow, seen: Seen) -> str:
    events = counted("{n} event", "{n} events", seen.events)
    if not index.complete:
        events = _("{events} of the first {size}").format(events=events, size=byte_size(index.read_bytes))
    whole = duration(shown.window[1] - shown.window[0])
    scope = scope_words(shown.scope, complete=index.complete)
    if seen.window == shown.window:
        what = _("{scope}: {window}").format(scope=scope, window=whole)
    else:
        what = _("on the screen {window}; {scope}: {whole}").format(
            window=duration(seen.window[1] - seen.window[0]), scope=scope, whole=whole
        )
    parts = [index.name, events, what]
    if shown.step is not None:
        parts.append(_("period {period}").format(period=duration(shown.step.period_ns)))
    return f" {glyphs().separator} ".join(map(printable, parts))


def scope_words(scope: Scope, *, complete: bool) -> str:
    """The window in words; ``complete``: whether all of the timeline was read."""
    if scope.iteration is None or scope.iteration == OUTSIDE:
        return _("whole timeline") if complete else _("what was read of it")
    model = NOT_AVAILABLE if scope.model is None else scope.model
    return _("iteration {iteration} of Model ID {model}").format(iteration=scope.iteration, model=model)


def _overlap_line(
    of: DeviceOverlap, window: Span, *, several: bool, complete: bool, width: int | None
) -> str:
    """Shares first, and what they are of: a narrow screen cuts the line from behind."""
    own, whole = of.own, of.own.window[1] - of.own.window[0]
    parts_ns = (own.computing_ns, own.communication_ns, own.not_overlapped_ns, own.free_ns)
    shares = _("{device}computing {0}, communication {1}, not overlapped {2}, free {3}").format(
        *(share(ns, whole) for ns in parts_ns),
        device=_("device {n}: ").format(n=of.device) if several and of.device is not None else "",
    )
    if not complete:
        shares = _("of what could be read: {said}").format(said=shares)
    base = _("of {length}") if own.window == window else _("of {length} from the first op to the last")
    base = base.format(length=duration(whole))
    fits = width is None or cell_len(f"{shares} {base}") <= width
    said = [f"{shares} {base}" if fits else f"{shares}\n  {base}"]
    said.append(_("{parts} us").format(parts=" / ".join(map(separated, parts_ns))))
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
