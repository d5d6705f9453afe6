"""Finished indexes kept under the user's cache directory, so that a large trace is read once.

An index is found by the path, size, time and inode of all of its files.  Nothing here is ever an error: a
full or read-only disk costs only speed, and a file that is damaged is read past and replaced.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from prof_tui.data.timeline.index_file import FAULTS, load_index, save_index
from prof_tui.data.timeline.model import TraceFile, TraceIndex

Key = tuple[str, int | None, tuple[tuple[TraceFile, int], ...]]
"""Type of the timeline, the capture's only device, and each file with its document."""

SMALLEST_BYTES = 20_000_000
"""A smaller trace is read again in no time."""
MOST_BYTES = 2_000_000_000
"""Of all indexes together; the one not used for longest goes first."""
_FREE_BYTES = 1_000_000_000
"""What is left free on the disk."""
_FORMAT = 1
_SUFFIX = ".trace"
_HALF_WRITTEN = ".part"
_ABANDONED_SECONDS = 24 * 3600


def cached_index(key: Key) -> TraceIndex | None:
    """The index of these files as they are now, when it was kept."""
    path = _path(key)
    if path is None or not path.exists():
        return None
    try:
        index = load_index(path, [file for file, _document in key[2]])
        os.utime(path)
    except FAULTS:
        return None
    return index


def keep_index(key: Key, index: TraceIndex, capture: Path) -> threading.Thread | None:
    """Keep a large index, in the background; never within the capture."""
    path = _path(key)
    if path is None or not index.complete or index.total_bytes < SMALLEST_BYTES:
        return None
    if path.is_relative_to(os.path.realpath(capture)):
        return None
    # Not a daemon: the interpreter must not end while polars runs in it.
    thread = threading.Thread(target=_keep, args=(path, index), name="trace-cache")
    thread.start()
    return thread


def _keep(path: Path, index: TraceIndex) -> None:
    size = sum(frame.estimated_size() for frame in (index.events, index.flows, index.counters))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if size > MOST_BYTES or shutil.disk_usage(path.parent).free < size + _FREE_BYTES:
            return
        _make_room(path.parent, int(size))
        handle, part = tempfile.mkstemp(suffix=_HALF_WRITTEN, dir=path.parent)
    except FAULTS:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            save_index(file, index)
        os.replace(part, path)
    except FAULTS:
        pass
    finally:
        _remove(part)


def _make_room(folder: Path, size: int) -> None:
    """Remove what was used longest ago, and what a program that was ended left behind."""
    kept = []
    for entry in os.scandir(folder):
        seen = entry.stat(follow_symlinks=False)
        if entry.name.endswith(_SUFFIX):
            kept.append((seen.st_mtime, seen.st_size, entry.path))
        elif entry.name.endswith(_HALF_WRITTEN) and seen.st_mtime < time.time() - _ABANDONED_SECONDS:
            _remove(entry.path)
    total = size + sum(bytes_of for _used, bytes_of, _path in kept)
    for _used, bytes_of, path in sorted(kept):
        if total <= MOST_BYTES:
            return
        _remove(path)
        total -= bytes_of


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass


def _path(key: Key) -> Path | None:
    """None where there is no place for it."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(folder):
        return None
    return Path(os.path.realpath(folder), "prof-tui", _digest(key) + _SUFFIX)


def _digest(key: Key) -> str:
    name, only_device, files = key
    return hashlib.sha256(
        repr((_FORMAT, name, only_device, _identities(files))).encode("utf-8", "surrogatepass")
    ).hexdigest()


def _identities(files: Sequence[tuple[TraceFile, int]]) -> list[tuple[object, ...]]:
    return [
        (
            os.path.realpath(each.path),
            each.size,
            each.mtime_ns,
            each.inode,
            each.device,
            each.model,
            each.iteration,
            document,
        )
        for each, document in files
    ]
