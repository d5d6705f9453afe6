"""A window of a timeline as a small timeline of its own, every event as it stands in its file."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.tables.source_file import Fingerprint, SourceFile
from prof_tui.data.tables.stores import Progress, go_on, step
from prof_tui.data.timeline.carve_choice import Choice, Cut, choose_events
from prof_tui.data.timeline.model import TraceFile, TraceIndex
from prof_tui.data.writing.new_files import new_file
from prof_tui.errors import UnreadableError
from prof_tui.words import _, byte_size, count, ngettext

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

    window: Span
    layers: tuple[str, ...]
    """Those with an event in it, in the order in which they are shown."""
    events: int
    """All of them, metadata too."""
    bytes: int
    slices: int
    """Those that overlap the window."""
    metadata: int
    flow_ends: int
    """Ends of arrows outside of the window."""
    anchors: int
    """Slices outside of the window that hold such an end."""
    samples: int
    """The last samples before the window."""

    def sentences(self) -> list[str]:
        """What it holds, and what of it lies outside of the window."""
        text = _("{events}, {size}: {slices} and {metadata}; layers: {layers}.")
        said = [
            text.format(
                events=_counted(ngettext("{n} event", "{n} events", self.events), self.events),
                size=byte_size(self.bytes),
                slices=_counted(
                    ngettext("{n} slice in the window", "{n} slices in the window", self.slices), self.slices
                ),
                metadata=_counted(_("{n} of metadata"), self.metadata),
                layers=", ".join(self.layers) or _("none"),
            )
        ]
        if beyond := self._beyond():
            said.append(_("From outside of the window: {parts}.").format(parts=", ".join(beyond)))
        return said

    def _beyond(self) -> list[str]:
        parts = (
            (ngettext("{n} end of an arrow", "{n} ends of arrows", self.flow_ends), self.flow_ends),
            (
                ngettext("{n} slice that one belongs to", "{n} slices that these belong to", self.anchors),
                self.anchors,
            ),
            (
                ngettext("the last sample of {n} counter", "the last samples of {n} counters", self.samples),
                self.samples,
            ),
        )
        return [_counted(text, number) for text, number in parts if number]


def _counted(text: str, number: int) -> str:
    return text.format(n=count(number))


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
    """The same, to a stream that gets all of it or, on an exception, nothing."""
    with tempfile.SpooledTemporaryFile(_HELD_BYTES) as file:
        carved = write_carved(index, cut, file.write, progress)
        file.seek(0)
        shutil.copyfileobj(file, target)
    target.flush()
    return carved


def write_carved(index: TraceIndex, cut: Cut, write: Write, progress: Progress = go_on) -> Carved:
    """The same, to whatever takes the bytes; on an exception some may have been written."""
    choice = choose_events(index, cut)
    total = int(choice.places["length"].cast(pl.Int64).sum())
    size = 0
    before = b"["
    for done, texts in _texts(index, choice):
        step(progress, done, total)
        piece = before + b",\n".join(texts)
        write(piece)
        size, before = size + len(piece), b",\n"
    write(tail := b"]\n" if size else b"[]\n")
    step(progress, total, total)
    return _carved(index, cut, choice, size + len(tail))


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


def _carved(index: TraceIndex, cut: Cut, choice: Choice, size: int) -> Carved:
    return Carved(
        window=cut.window,
        layers=tuple(dict.fromkeys(index.lanes[lane].layer for lane in choice.lanes)),
        events=choice.events,
        bytes=size,
        slices=choice.slices,
        metadata=len(choice.metadata),
        flow_ends=choice.flow_ends,
        anchors=choice.anchors,
        samples=choice.samples,
    )
