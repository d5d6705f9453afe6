"""One event of a timeline: all that its page says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.iterations.placement import rule_text
from prof_tui.data.pages.op import Rank
from prof_tui.data.spans.span import Span
from prof_tui.data.tables.same_tasks import apart_text
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.timeline.links import Link, Links, Means, links_of
from prof_tui.data.timeline.model import TraceFile, TraceIndex, TraceLane
from prof_tui.data.timeline.op_link import Match, op_of_event
from prof_tui.data.timeline.read.event_texts import decode_piece, readable
from prof_tui.data.timeline.read.json_scan import decoder
from prof_tui.data.timeline.windows import EventPlace, place_event
from prof_tui.errors import UnreadableError
from prof_tui.words import _, count

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


_BLANK = re.compile(r"[ \t\r\n,:]*")
_decode = decoder().raw_decode


def text_at(index: TraceIndex, file: int, offset: int, length: int) -> str:
    """The JSON at a place of a file of the trace; UnreadableError when the file was changed since."""
    return readable(decode_piece(_source(index.files[file]).read(offset, length)))


def event_args(index: TraceIndex, event: int) -> dict[str, str]:
    """Arguments by name: texts without their quotes, all else as it is written in the file.

    Numbers keep all of their digits and NaN stays NaN; what is nested is JSON.  The end of a pair adds its
    own.
    """
    file, offset, length = index.events.select("file", "offset", "length").row(event)
    try:
        found = arguments_of(text_at(index, file, offset, length))
    except RecursionError as error:
        text = _("The arguments in {file} at byte {byte} are nested too deeply to be shown.")
        raise UnreadableError(text.format(file=index.files[file].path.name, byte=count(offset))) from error
    if len(index.ends):
        import polars as pl

        ends = index.ends.filter((pl.col("file") == file) & (pl.col("offset") == offset))
        for place in ends.select("end_file", "end_offset", "end_length").iter_rows():
            found |= arguments_of(text_at(index, *place))
    return found


def arguments_of(text: str) -> dict[str, str]:
    """The arguments in the JSON text of an event; empty where it has none."""
    found: dict[str, str] = {}
    for key, begin, _end in _members(text, 0):
        if key == "args" and text[begin] == "{":
            found |= {name: _as_written(text[at:stop]) for name, at, stop in _members(text, begin)}
    return found


def _members(text: str, begin: int) -> list[tuple[str, int, int]]:
    """Name, begin and end of each value of the object that begins at ``begin``."""
    members = []
    at = _behind_blank(text, begin + 1)
    while at < len(text) and text[at] == '"':
        key, at = _decode(text, at)
        at = _behind_blank(text, at)
        _value, end = _decode(text, at)
        members.append((str(key), at, end))
        at = _behind_blank(text, end)
    return members


def _behind_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _as_written(value: str) -> str:
    if not value.startswith('"'):
        return value
    return readable(_decode(value)[0])


def _source(file: TraceFile) -> SourceFile:
    source = SourceFile(file.path)
    seen = source.fingerprint
    if (seen.size, seen.mtime_ns, seen.inode) != (file.size, file.mtime_ns, file.inode):
        raise UnreadableError(
            _("{file} was changed since it was read: reload (R) to read it anew.").format(file=file.path.name)
        )
    return source


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
    """The Task Type on a stream, else the layer."""
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
    """The window of the iteration that it is in."""
    rank: Rank
    """Among all events of its name and kind on this timeline."""
    launched_by: tuple[LinkedEvent, ...]
    launched: tuple[LinkedEvent, ...]
    """At most ``MOST_LINKED`` of each; ``links`` has all."""
    links: Links
    op: Match
    """The row of op_summary that is the same op."""

    @property
    def is_invalid(self) -> bool:
        return self.duration_ns < 0

    @property
    def apart(self) -> str:
        """``placed 0.100 us later in op_summary``; empty where both files say the same."""
        return apart_text(self.op.apart_ns, "op_summary")

    @property
    def from_iteration_ns(self) -> int | None:
        """Start of the event from the begin of its iteration; None outside of one."""
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
        _read_links(index, links.launched_by),
        _read_links(index, links.launched),
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
    return None if step is None else step.window


def _read_links(index: TraceIndex, links: Sequence[Link]) -> tuple[LinkedEvent, ...]:
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
