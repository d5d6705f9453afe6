"""The timelines of an open capture: each is read once, whoever asks for it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.tables.stores import Progress, go_on, step
from prof_tui.errors import UnreadableError
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.capture.export import Export, FileSet
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceFile, TraceIndex
    from prof_tui.data.timeline.read.files import Partial


MOST_BYTES_UNASKED = 200_000_000
"""A timeline up to this size is read where it tells more; a larger one only where the user asked for it."""

ReadOn = Callable[[int, int], bool]
"""Is told how many bytes of how many were read; False gives up."""
TakePart = Callable[["TraceIndex"], None]
"""Is given what was read so far."""


def read_on(done_bytes: int, total_bytes: int) -> bool:
    return True


def no_part(index: TraceIndex) -> None:
    """For those who only want the whole."""


class HeldTraces:
    """Methods may be called from several threads; ``read`` takes long."""

    def __init__(self, capture: OpenCapture) -> None:
        self._capture = capture
        self._lock = threading.Lock()
        self._reading: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._held: dict[str, TraceIndex] = {}

    def names(self) -> list[str]:
        """Types of the timelines that can be read, the one to show first at the front."""

        return trace_names(self._capture.export)

    def size_bytes(self, name: str) -> int:
        """Bytes of all files of a timeline."""
        sets = (each for each in self._capture.export.timelines if each.name == name)
        return sum(file.size for each in sets for file in each.files)

    def held(self, name: str) -> TraceIndex | None:
        """The whole timeline if it was read."""
        return self._held.get(name)

    def read(self, name: str, progress: ReadOn = read_on, part: TakePart = no_part) -> TraceIndex:
        """The whole timeline; waits where somebody else is reading it.

        UnreadableError when nothing of it can be read, CancelledError when ``progress`` gives up.
        """

        with self._lock:
            reading = self._reading[name]
        with reading:
            held = self._held.get(name)
            if held is None:
                held = self._held[name] = read_trace(self._capture, name, progress=progress, partial=part)
            return held

    def read_unasked(self, progress: ReadOn = read_on) -> TraceIndex | None:
        """The first timeline: if it was read, or is small enough to be; None otherwise.

        Raises what ``read`` does.
        """
        names = self.names()
        if not names:
            return None
        held = self.held(names[0])
        if held is None and self.size_bytes(names[0]) <= MOST_BYTES_UNASKED:
            return self.read(names[0], progress)
        return held

    @property
    def at_hand(self) -> bool:
        """Whether the first timeline was read."""
        names = self.names()
        return bool(names) and self.held(names[0]) is not None

    @property
    def is_damaged(self) -> bool:
        """Whether part of the first timeline could not be read, as far as that is known."""
        names = self.names()
        held = self.held(names[0]) if names else None
        return held is not None and bool(held.damaged)

    def forget(self) -> None:
        """Read everything anew from now on."""
        with self._lock:
            self._reading.clear()
            self._held.clear()


_FIRST = "msprof"
"""The timeline of all layers."""


def trace_names(export: Export) -> list[str]:
    """Types of the timelines that can be read: msprof first, then in the order of kinds.py."""
    names = dict.fromkeys(each.name for each in export.timelines if each.status == "ok")
    return sorted(names, key=lambda name: name != _FIRST)


def read_trace(
    capture: OpenCapture, name: str, *, progress: Progress = go_on, partial: Partial | None = None
) -> TraceIndex:
    """The index of all timelines of a type, over devices, models, iterations and slices.

    ``progress`` gets bytes read and bytes in all, and says False to cancel (CancelledError); ``partial``
    gets what is read so far (``complete`` False) while a long file is read.  UnreadableError, with the
    file and the next step, when there is nothing to read.
    """
    from prof_tui.data.timeline.cache import cached_index, keep_index
    from prof_tui.data.timeline.read.files import read_files

    export = capture.export
    sets = [each for each in export.timelines if each.name == name]
    files, faults = _files([each for each in sets if each.status == "ok"])
    if not files:
        raise UnreadableError(_why_nothing(name, sets, faults))
    only = export.devices[0] if len(export.devices) == 1 else None
    key = (name, only, tuple(files))
    step(progress, 0, sum(file.size for file, _document in files))
    index = cached_index(key)
    if index is None:
        index = read_files(name, files, only, progress, partial)
        keep_index(key, index, capture.path)
    return index if not faults else _with_notices(index, faults)


def _files(sets: list[FileSet]) -> tuple[list[tuple[TraceFile, int]], list[str]]:
    """Files with the number of their set, and why some are left out."""
    from prof_tui.data.timeline.read.files import trace_file

    files, faults = [], []
    for document, file_set in enumerate(sets):
        if file_set.reason:
            faults.append(file_set.reason)
        for file in file_set.files:
            try:
                source = SourceFile(file.path)
            except UnreadableError as error:
                faults.append(str(error))
            else:
                files.append((trace_file(source, file.device, file.model, file.iteration), document))
    return files, faults


def _why_nothing(name: str, sets: list[FileSet], faults: list[str]) -> str:
    said = faults or [each.reason for each in sets if each.reason and each.status != "missing"]
    if said:
        return said[0]
    text = _("There is no {name} timeline in this export.").format(name=name)
    return f"{text} {KINDS[name].made_by}" if name in KINDS else text


def _with_notices(index: TraceIndex, notices: list[str]) -> TraceIndex:
    from dataclasses import replace

    return replace(index, notices=(*notices, *index.notices))
