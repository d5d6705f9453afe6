"""The timelines of an open capture: each is read once, whoever asks for it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceIndex

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
        from prof_tui.data.timeline.open_trace import trace_names

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
        from prof_tui.data.timeline.open_trace import read_trace

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
