"""What the timelines of a capture hold, settled by reading them: events, span and layers of their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.capture.listing import ExportFile
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.errors import UnreadableError

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.timeline.model import TraceIndex


@dataclass(frozen=True)
class TimelineFacts:
    """What some files of a timeline hold."""

    slices: int
    """Slices and instants."""
    events: int
    """All of them: metadata, counters and flows too."""
    begin_ns: int | None
    """The first moment; None without any."""
    span_ns: int | None
    """From there to the last moment."""
    layers: tuple[str, ...]
    """The layers with an event, in the order in which they are shown."""


class ReadTimelines:
    """The timelines of a capture as far as they were read."""

    def __init__(self, indexes: dict[str, TraceIndex], problems: dict[str, str]) -> None:
        self._indexes = indexes
        self._problems = problems

    def facts(self, name: str, files: Iterable[ExportFile]) -> TimelineFacts | None:
        """What some files of the timeline ``name`` hold; None where it was not read."""
        index = self._indexes.get(name)
        if index is None:
            return None
        paths = {file.path for file in files}
        numbers = [number for number, file in enumerate(index.files) if file.path in paths]
        return _facts(index, numbers) if numbers else None

    def said(self, name: str, files: Iterable[ExportFile]) -> str:
        """Sentences on these files: what is damaged in them, or that there is nothing to show."""
        return " ".join(self._said(name, files))

    def damaged(self, name: str, files: Iterable[ExportFile]) -> bool:
        """Whether any of these files is cut off, damaged, or no timeline at all."""
        index = self._indexes.get(name)
        if index is None:
            return name in self._problems
        broken = {index.files[number].path for number in index.damaged}
        return any(file.path in broken for file in files)

    def _said(self, name: str, files: Iterable[ExportFile]) -> list[str]:
        if name in self._problems:
            return [self._problems[name]]
        index = self._indexes.get(name)
        notices = index.notices if index else ()
        return [notice for notice in notices if any(file.path.name in notice for file in files)]


def read_timelines(
    capture: OpenCapture, progress: Progress = go_on, *, most_bytes: int | None = None
) -> ReadTimelines:
    """Read every timeline of a capture; ``progress``: bytes read and to read, of all of them.

    ``most_bytes``: only so much of them, the small ones first, and those that are in memory anyway.
    """
    names = {each.name for each in capture.export.timelines if each.status == "ok"}
    sizes = {name: capture.traces.size_bytes(name) for name in names}
    wanted = list(_up_to(sizes, most_bytes))
    total, before = sum(sizes[name] for name in wanted), 0
    indexes: dict[str, TraceIndex] = {}
    problems: dict[str, str] = {}
    for name in sorted(names):
        held = capture.traces.get(name)
        if held is not None:
            indexes[name] = held
        elif name in wanted:
            try:
                indexes[name] = capture.traces.read(name, _part_of(progress, before, total))
            except UnreadableError as error:
                problems[name] = str(error)
        before += sizes[name] if name in wanted else 0
    return ReadTimelines(indexes, problems)


def _up_to(sizes: dict[str, int], most_bytes: int | None) -> Iterator[str]:
    left = most_bytes
    for name, size in sorted(sizes.items(), key=lambda item: (item[1], item[0])):
        if left is not None:
            left -= size
            if left < 0:
                return
        yield name


def _part_of(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _all: progress(before + done, total)


def _facts(index: TraceIndex, files: Sequence[int]) -> TimelineFacts:
    import polars as pl

    from prof_tui.data.timeline.carve import Cut, whole_window

    chosen = pl.Series(files, dtype=pl.UInt16).implode()
    frames = {
        name: frame.lazy().filter(pl.col("file").is_in(chosen))
        for name, frame in (("events", index.events), ("flows", index.flows), ("counters", index.counters))
    }
    lanes = pl.concat([frame.select("lane") for frame in frames.values()]).unique().sort("lane").collect()
    window = whole_window(index, Cut((0, 0), files=tuple(files)))
    slices = _length(frames["events"])
    events = slices + _length(frames["flows"]) + _length(frames["counters"].unique(["file", "offset"]))
    events += _length(index.ends.lazy().filter(pl.col("file").is_in(chosen)))
    events += sum(file in files for file, _text in index.metadata)
    if len(files) == len(index.files):
        events = sum(index.phases.values())
    timed = len(lanes) > 0
    return TimelineFacts(
        slices=slices,
        events=events,
        begin_ns=window[0] if timed else None,
        span_ns=window[1] - window[0] - 1 if timed else None,
        layers=tuple(dict.fromkeys(index.lanes[lane].layer for lane in lanes["lane"])),
    )


def _length(frame: pl.LazyFrame) -> int:
    return frame.select("file").collect().height
