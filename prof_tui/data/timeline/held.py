"""The timelines of an open capture: each is read once, whoever asks for it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from prof_tui.data.tables.stores import Progress, go_on

if TYPE_CHECKING:
    from prof_tui.data.capture.export import Export
    from prof_tui.data.timeline.model import Partial, TraceIndex


MOST_BYTES_UNASKED = 200_000_000
"""A timeline up to this size is read where it tells more; a larger one only where the user asked for it."""

_FIRST = "msprof"
"""The timeline of all layers."""


class HeldTraces:
    """Methods may be called from several threads; ``read`` takes long."""

    def __init__(self, export: Callable[[], Export]) -> None:
        """``export``: the capture's files as they were listed last."""
        self._export = export
        self._lock = threading.Lock()
        self._reading: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._held: dict[str, TraceIndex] = {}

    def names(self) -> list[str]:
        """Types of the timelines that can be read, the one to show first at the front."""
        return trace_names(self._export())

    def size_bytes(self, name: str) -> int:
        """Bytes of all files of a timeline."""
        sets = (each for each in self._export().timelines if each.name == name)
        return sum(file.size for each in sets for file in each.files)

    def get(self, name: str) -> TraceIndex | None:
        """The whole timeline if it was read."""
        return self._held.get(name)

    @property
    def first(self) -> TraceIndex | None:
        """The first timeline if it was read."""
        return next((self.get(name) for name in self.names()), None)

    def read(self, name: str, progress: Progress = go_on, part: Partial | None = None) -> TraceIndex:
        """The whole timeline; waits where somebody else is reading it.

        UnreadableError when nothing of it can be read, CancelledError when ``progress`` (bytes read, bytes in
        all) gives up; ``part`` gets what is read so far of a long one.
        """
        from prof_tui.data.timeline.read.files import read_trace

        with self._lock:
            reading = self._reading[name]
        with reading:
            held = self._held.get(name)
            if held is None:
                held = self._held[name] = read_trace(self._export(), name, progress=progress, partial=part)
            return held

    def read_unasked(self, progress: Progress = go_on) -> TraceIndex | None:
        """The first timeline: if it was read, or is small enough to be; None otherwise.

        Raises what ``read`` does.
        """
        if self.first is not None:
            return self.first
        small = (name for name in self.names()[:1] if self.size_bytes(name) <= MOST_BYTES_UNASKED)
        return next((self.read(name, progress) for name in small), None)

    @property
    def is_damaged(self) -> bool:
        """Whether part of the first timeline could not be read, as far as that is known."""
        first = self.first
        return first is not None and bool(first.damaged)

    def forget(self) -> None:
        """Read everything anew from now on."""
        with self._lock:
            self._reading.clear()
            self._held.clear()


def trace_names(export: Export) -> list[str]:
    """Types of the timelines that can be read: msprof first, then in the order of ``file_types``."""
    names = dict.fromkeys(each.name for each in export.timelines if each.status == "ok")
    return sorted(names, key=lambda name: name != _FIRST)
