"""A window of a timeline as a small timeline of its own: which events, each as it stands in its file."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.tables.source_file import Fingerprint, SourceFile
from prof_tui.data.tables.stores import Progress, go_on, report_progress
from prof_tui.data.timeline.events import ENDS_NS, in_window
from prof_tui.data.timeline.links import slices_at
from prof_tui.data.timeline.model import TraceFile, TraceIndex
from prof_tui.data.writing.new_files import new_file
from prof_tui.errors import UnreadableError
from prof_tui.words import _, byte_size, count, counted


def touching(index: TraceIndex, flows: pl.DataFrame, window: Span, kept: pl.DataFrame) -> pl.Series:
    """Whether each of the ``flows`` lies within the window, or belongs to one of the ``kept`` slices.

    ``kept``: ``event``, ``lane``, ``start_ns``, ``duration_ns`` of the slices that overlap the window.
    """
    begin, end = window
    inside = flows["at_ns"].is_between(begin, end, closed="left")
    longer = kept.with_columns(ENDS_NS).filter((pl.col("start_ns") < begin) | (pl.col("end_ns") >= end))
    reach = longer.group_by("lane").agg(first=pl.col("start_ns").min(), last=pl.col("end_ns").max())
    near = flows.with_row_index("number").filter(~inside).join(reach, on="lane")
    near = near.filter(pl.col("at_ns").is_between("first", "last"))
    belongs = slices_at(index, near).is_in(longer["event"].implode()).fill_null(False)
    return inside.scatter(near["number"].filter(belongs), True)


def add_other_ends(flows: pl.DataFrame, touched: pl.Series) -> pl.Series:
    """Which of the ``flows`` are part of an arrow of which one is ``touched``.

    One flow may begin several times; an end is of the last beginning before it, as in ``links_of``.  A
    beginning or a step brings all ends with it, an end only the beginning and the steps.
    """
    is_start, is_end = pl.col("phase") == "s", pl.col("phase") == "f"
    arrows = (
        flows.select("flow", "phase", "at_ns")
        .with_columns(touched.alias("touched"))
        .with_row_index("number")
        .sort("flow", "at_ns", ~is_start, maintain_order=True)
        .with_columns(arrow=is_start.cum_sum().over("flow").clip(1))
        .with_columns(
            any=pl.col("touched").any().over("flow", "arrow"),
            begun=(pl.col("touched") & ~is_end).any().over("flow", "arrow"),
        )
    )
    wanted = pl.col("touched") | pl.col("begun") | (pl.col("any") & ~is_end)
    return arrows.select("number", wanted=wanted).sort("number")["wanted"]


def choose_metadata(
    index: TraceIndex, lanes: Collection[int] | None, files: Collection[int] | None
) -> tuple[str, ...]:
    """Texts of the M events of the processes that these lanes are in, in file order; None is all.

    Each text once: the slices of a file repeat them (quirks.md 30).  What names no process, or one without
    any lane, is kept.
    """
    texts = dict.fromkeys(text for file, text in index.metadata if files is None or file in files)
    if lanes is None:
        return tuple(texts)
    parsed = {text: _parse(text) for text in texts}
    processes = _processes(parsed.values())
    left_out = _labels(index, set(range(len(index.lanes))) - set(lanes))
    kept = _labels(index, lanes)
    without = {pid for pid, own in processes.items() if _is_one(own, left_out) and not _is_one(own, kept)}
    return tuple(text for text, event in parsed.items() if str(event.get("pid")) not in without)


def _labels(index: TraceIndex, lanes: Collection[int]) -> dict[str, set[str]]:
    """The labels of each layer among some lanes."""
    labels: dict[str, set[str]] = defaultdict(set)
    for number in lanes:
        labels[index.lanes[number].layer].add(index.lanes[number].label)
    return labels


def _parse(text: str) -> dict[str, Any]:
    event = json.loads(text)
    return event if isinstance(event, dict) else {}


def _processes(events: Iterable[dict[str, Any]]) -> dict[str, tuple[set[str], set[str]]]:
    """Names and labels of each pid; one without a name is called as the lanes are."""
    names: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, set[str]] = defaultdict(set)
    for event in events:
        pid = str(event.get("pid"))
        names[pid] |= _argument(event, "process_name", "name")
        labels[pid] |= _argument(event, "process_labels", "labels")
    return {pid: (said or {f"pid {pid}"}, labels[pid]) for pid, said in names.items()}


def _argument(event: dict[str, Any], name: str, key: str) -> set[str]:
    arguments = event.get("args")
    if event.get("name") != name or not isinstance(arguments, dict) or key not in arguments:
        return set()
    return {str(arguments[key])}


def _is_one(process: tuple[set[str], set[str]], labels: dict[str, set[str]]) -> bool:
    """Whether a process is one of those that some lanes are in, by its name and label."""
    layers, own = process
    known = {label for layer in layers for label in labels.get(layer, ())}
    return bool(known) and (not own or not own.isdisjoint(known))


_PLACE = ("file", "offset", "length")


@dataclass(frozen=True)
class Cut:
    """What to carve out of a timeline."""

    window: Span
    lanes: tuple[int, ...] | None = None
    """Numbers of the lanes to keep; None for all."""
    files: tuple[int, ...] | None = None
    """Numbers of the files to keep; None for all."""


@dataclass(frozen=True)
class Choice:
    """The events of a cut."""

    places: pl.DataFrame
    """file UInt16, offset Int64, length Int32 of each event's text, once each, in file order."""
    metadata: tuple[str, ...]
    """Texts of the M events, once each, in file order."""
    lanes: tuple[int, ...]
    """Lanes with an event among them."""
    slices: int
    """Slices and instants that overlap the window."""
    flow_ends: int
    """Ends of arrows that lie outside of the window."""
    anchors: int
    """Slices outside of the window that such an end is tied to."""
    samples: int
    """Samples of counters before the window."""

    @property
    def events(self) -> int:
        return self.places.height + len(self.metadata)


def choose_events(index: TraceIndex, cut: Cut) -> Choice:
    """The events of a cut.

    Slices that overlap the window, those without duration and instants within it (touching is no overlap);
    the E of each B.  Flow ends within the window or of such a slice; of their arrows the other ends too,
    and the slice that each belongs to, without which a viewer draws no arrow.  Samples of counters within
    the window, and of each counter the last one before: a viewer draws a value from its sample on, so
    without it nothing is shown up to the next.  All of it in the cut's lanes and files alone: an arrow from
    elsewhere ends in nothing.
    """
    events = _in_cut(index.events.select("lane", "start_ns", "duration_ns", *_PLACE).lazy(), cut, event=True)
    slices = events.filter(in_window(cut.window)).collect()
    flows = _in_cut(index.flows.lazy(), cut).collect()
    seeds = touching(index, flows, cut.window, slices)
    touched = flows["flow"].is_in(flows["flow"].filter(seeds).unique().implode())
    flows, seeds = flows.filter(touched), seeds.filter(touched)
    wanted = add_other_ends(flows, seeds)
    ends = flows.filter(wanted)
    anchors = _anchors(index, cut, ends, slices["event"])
    samples, before = _samples(index, cut)
    parts = [slices, anchors, ends, samples, before]
    places = pl.concat([part.select(_PLACE) for part in parts])
    return Choice(
        places=pl.concat([places, _ends_of(index, places)]).unique().sort("file", "offset"),
        metadata=choose_metadata(index, cut.lanes, cut.files),
        lanes=tuple(pl.concat([part["lane"] for part in parts]).unique().sort()),
        slices=slices.height,
        flow_ends=ends.filter(~pl.col("at_ns").is_between(*cut.window, closed="left")).height,
        anchors=anchors.height,
        samples=before.unique(["file", "offset"]).height,
    )


def slices_overlapping(index: TraceIndex, cut: Cut) -> int:
    """How many slices and instants of a cut overlap its window."""
    events = _in_cut(index.events.lazy(), cut).filter(in_window(cut.window))
    return int(events.select(pl.len()).collect().item())


def whole_window(index: TraceIndex, cut: Cut) -> Span:
    """From the first to behind the last moment of a cut's lanes and files, stray times too."""
    slices = _in_cut(index.events.lazy(), cut).select(first=pl.col("start_ns").min(), last=ENDS_NS.max())
    points = [
        _in_cut(frame.lazy(), cut).select(first=pl.col("at_ns").min(), last=pl.col("at_ns").max())
        for frame in (index.flows, index.counters)
    ]
    found = pl.concat([slices, *points]).select(pl.col("first").min(), pl.col("last").max()).collect()
    first, last = found.row(0)
    return (0, 0) if first is None else (first, last + 1)


def _in_cut(frame: pl.LazyFrame, cut: Cut, *, event: bool = False) -> pl.LazyFrame:
    """The rows of the cut's lanes and files; ``event`` adds their numbers as a column."""
    if event:
        frame = frame.with_row_index("event")
    for column, numbers in (("lane", cut.lanes), ("file", cut.files)):
        if numbers is not None:
            frame = frame.filter(pl.col(column).is_in(pl.Series(numbers, dtype=pl.UInt16).implode()))
    return frame


def _anchors(index: TraceIndex, cut: Cut, ends: pl.DataFrame, kept: pl.Series) -> pl.DataFrame:
    """The slices around flow ends that are not kept as it is."""
    around = slices_at(index, ends).drop_nulls().unique()
    missing = around.filter(~around.is_in(kept.implode())).sort()
    return _in_cut(index.events[missing].lazy(), cut).collect()


def _samples(index: TraceIndex, cut: Cut) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Samples within the window, and the last one before it of each counter."""
    begin, end = cut.window
    counters = _in_cut(index.counters.lazy(), cut)
    inside = counters.filter(pl.col("at_ns").is_between(begin, end, closed="left"))
    before = counters.filter(pl.col("at_ns") < begin).group_by("lane", maintain_order=True).last()
    return inside.collect(), before.select(index.counters.columns).collect()


def _ends_of(index: TraceIndex, places: pl.DataFrame) -> pl.DataFrame:
    """The places of the E events of the B events among ``places``."""
    ends = index.ends.join(places, on=["file", "offset"], how="semi")
    return ends.select(file="end_file", offset="end_offset", length="end_length").cast(places.schema)


_GAP_BYTES = 1 << 14
"""What lies between two events is read with them up to here: it costs less than another read."""
_READ_BYTES = 1 << 22
_ROWS_AT_ONCE = 1 << 15
_HELD_BYTES = 1 << 24
"""What is held in memory before a temporary file is made."""

Write = Callable[[bytes], object]


@dataclass(frozen=True)
class Carved:
    """What was written."""

    choice: Choice
    layers: tuple[str, ...]
    """The layers with an event in it, in the order in which they are shown."""
    bytes: int

    @property
    def events(self) -> int:
        """All of them, metadata too."""
        return self.choice.events

    def sentences(self) -> list[str]:
        """What it holds, and what of it lies outside of the window."""
        chosen, metadata = self.choice, len(self.choice.metadata)
        said = [
            _("{events}, {size}: {slices} and {metadata}; layers: {layers}.").format(
                events=counted("{n} event", "{n} events", self.events),
                size=byte_size(self.bytes),
                slices=counted("{n} slice in the window", "{n} slices in the window", chosen.slices),
                metadata=_("{n} of metadata").format(n=count(metadata)),
                layers=", ".join(self.layers) or _("none"),
            )
        ]
        if beyond := self._beyond():
            said.append(_("From outside of the window: {parts}.").format(parts=", ".join(beyond)))
        return said

    def _beyond(self) -> list[str]:
        ends, anchors, samples = self.choice.flow_ends, self.choice.anchors, self.choice.samples
        parts = (
            (ends, counted("{n} end of an arrow", "{n} ends of arrows", ends)),
            (anchors, counted("{n} slice that one belongs to", "{n} slices that these belong to", anchors)),
            (
                samples,
                counted("the last sample of {n} counter", "the last samples of {n} counters", samples),
            ),
        )
        return [text for number, text in parts if number]


def carve(index: TraceIndex, cut: Cut, target: Path, progress: Progress = go_on) -> Carved:
    """Write a cut to a new file; which events, ``choose_events`` says.

    The JSON is a bare array, as msprof writes it, an event on a line: metadata first, the others in the
    order of their files.  ``progress``: bytes written and to write.  UsageError where no new file can be
    made, UnreadableError when a file was changed since it was indexed or the system refuses,
    CancelledError when ``progress`` says so; then nothing is left.
    """
    with new_file(target) as file:
        return write_carved(index, cut, file.write, progress)


def carve_whole(index: TraceIndex, cut: Cut, target: IO[bytes], progress: Progress = go_on) -> Carved:
    """Write a cut to a stream that gets all of it or, on an exception, nothing."""
    with tempfile.SpooledTemporaryFile(_HELD_BYTES) as file:
        carved = write_carved(index, cut, file.write, progress)
        file.seek(0)
        shutil.copyfileobj(file, target)
    target.flush()
    return carved


def write_carved(index: TraceIndex, cut: Cut, write: Write, progress: Progress = go_on) -> Carved:
    """Write a cut to whatever takes the bytes; on an exception some may have been written."""
    choice = choose_events(index, cut)
    total = int(choice.places["length"].cast(pl.Int64).sum())
    size = 0
    before = b"["
    for done, texts in _texts(index, choice):
        report_progress(progress, done, total)
        piece = before + b",\n".join(texts)
        write(piece)
        size, before = size + len(piece), b",\n"
    write(tail := b"]\n" if size else b"[]\n")
    report_progress(progress, total, total)
    layers = dict.fromkeys(index.lanes[lane].layer for lane in choice.lanes)
    return Carved(choice, tuple(layers), size + len(tail))


def _texts(index: TraceIndex, choice: Choice) -> Iterator[tuple[int, list[bytes]]]:
    """Bytes of events read so far, and the texts that come next."""
    if choice.metadata:
        yield 0, [text.encode("utf-8", "surrogateescape") for text in choice.metadata]
    done = 0
    for (number,), places in choice.places.group_by("file", maintain_order=True):
        source = _source(index.files[int(number)])
        for offset, pieces in _runs(places):
            texts = _texts_at(source, offset, pieces)
            yield done, texts
            done += sum(map(len, texts))


def _source(file: TraceFile) -> SourceFile:
    source = SourceFile(file.path)
    if source.fingerprint != Fingerprint(file.size, file.mtime_ns, file.inode):
        raise _changed(file.path)
    return source


def _changed(path: Path) -> UnreadableError:
    return UnreadableError(_("{file} was changed since it was read: read it anew.").format(file=path.name))


def _runs(places: pl.DataFrame) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Neighbours to read at once: where they begin, and begin and end of each from there."""
    first, pieces = 0, list[tuple[int, int]]()
    for rows in places.select("offset", "length").iter_slices(_ROWS_AT_ONCE):
        for offset, length in rows.iter_rows():
            begin = offset - first
            if pieces and (begin - pieces[-1][1] > _GAP_BYTES or begin + length > _READ_BYTES):
                yield first, pieces
                pieces = []
            if not pieces:
                first, begin = offset, 0
            pieces.append((begin, begin + length))
    if pieces:
        yield first, pieces


def _texts_at(source: SourceFile, offset: int, pieces: list[tuple[int, int]]) -> list[bytes]:
    data = source.read(offset, max(end for _begin, end in pieces))
    texts = [data[begin:end] for begin, end in pieces]
    if not all(text[:1] == b"{" and text[-1:] == b"}" for text in texts):
        raise _changed(source.path)
    return texts
