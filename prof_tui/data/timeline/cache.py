"""Finished indexes kept under the user's cache directory, so that a large trace is read once.

An index is found by the path, size, time and inode of all of its files.  Nothing here is ever an error: a
full or read-only disk costs only speed, and a file that is damaged is read past and replaced.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tempfile
import threading
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import IO, Any

import polars as pl

from prof_tui.data.tables.typed_columns import Distinct
from prof_tui.data.timeline.model import TraceFile, TraceIndex, TraceLane
from prof_tui.data.timeline.read.parts import FLOW_PHASES
from prof_tui.data.writing.new_files import cache_folder

FAULTS = (OSError, ValueError, KeyError, TypeError, IndexError, pl.exceptions.PolarsError)
"""What a missing, full or damaged file may lead to."""
_MARK = b"prof-tui trace index\n"
_ROWS = 500_000
_NUMBER = 8
"""Bytes of the length of the description, which stands last but for ``_MARK``."""


def save_index(file: IO[bytes], index: TraceIndex) -> None:
    """Write a complete index to a file that is open for it."""
    sections: list[tuple[str, int, int, int]] = []
    file.write(_MARK)
    at = len(_MARK)
    for name, frame in _frames(index).items():
        for row in range(0, max(len(frame), 1), _ROWS):
            buffer = io.BytesIO()
            frame[row : row + _ROWS].write_ipc(buffer, compression="uncompressed")
            data = buffer.getbuffer()
            file.write(data)
            sections.append((name, at, len(data), zlib.adler32(data)))
            at += len(data)
    text = json.dumps({"sections": sections, **_description(index)}).encode()
    file.write(text + zlib.adler32(text).to_bytes(_NUMBER) + len(text).to_bytes(_NUMBER) + _MARK)


def _frames(index: TraceIndex) -> dict[str, pl.DataFrame]:
    """The frames with plain columns: names as codes into a frame of their own."""
    dtype = index.events.schema["name"]
    if not isinstance(dtype, pl.Categorical):
        raise TypeError("names are not categorical")
    names = dtype.categories.to_series()
    files, texts = zip(*index.metadata, strict=True) if index.metadata else ((), ())
    return {
        "events": index.events.with_columns(pl.col("name").to_physical()),
        "flows": index.flows.with_columns(pl.col("phase").cast(pl.Enum(FLOW_PHASES)).to_physical()),
        "counters": index.counters,
        "ends": index.ends,
        "names": pl.DataFrame({"name": names}),
        "metadata": pl.DataFrame(
            {"file": files, "text": texts}, schema={"file": pl.Int64, "text": pl.String}
        ),
    }


def _description(index: TraceIndex) -> dict[str, Any]:
    return {
        "name": index.name,
        "lanes": [asdict(lane) for lane in index.lanes],
        "kinds": index.kinds,
        "phases": index.phases,
        "notices": index.notices,
        "read_bytes": index.read_bytes,
        "damaged": index.damaged,
        "span": index.span,
        "lane_events": index.lane_events,
    }


def load_index(path: Path, files: Sequence[TraceFile]) -> TraceIndex:
    """The index of ``files`` that was written; one of ``FAULTS`` where it can't be had."""
    with open(path, "rb") as file:
        said = _read_description(file)
        sections: dict[str, list[list[int]]] = {}
        for name, *place in said["sections"]:
            sections.setdefault(name, []).append(place)
        read = partial(_read_section, file.fileno())
        with ThreadPoolExecutor(2, thread_name_prefix="trace") as pool:
            frames = {
                name: pl.concat(pool.map(read, places), rechunk=True) for name, places in sections.items()
            }
    return TraceIndex(
        name=said["name"],
        files=tuple(files),
        lanes=tuple(TraceLane(**lane) for lane in said["lanes"]),
        kinds=tuple(said["kinds"]),
        events=_add_names(frames["events"], frames["names"]["name"]),
        flows=_add_phases(frames["flows"]),
        counters=frames["counters"],
        ends=frames["ends"],
        metadata=tuple(frames["metadata"].iter_rows()),
        phases=said["phases"],
        notices=tuple(said["notices"]),
        read_bytes=said["read_bytes"],
        damaged=tuple(said["damaged"]),
        span=tuple(said["span"]),
        lane_events=tuple((begin, end) for begin, end in said["lane_events"]),
    )


def _read_description(file: IO[bytes]) -> dict[str, Any]:
    if file.read(len(_MARK)) != _MARK:
        raise ValueError("not an index")
    behind = 2 * _NUMBER + len(_MARK)
    end = file.seek(-behind, io.SEEK_END)
    tail = file.read()
    length = int.from_bytes(tail[_NUMBER : 2 * _NUMBER])
    if tail[2 * _NUMBER :] != _MARK or length > end:
        raise ValueError("not an index")
    file.seek(end - length)
    text = file.read(length)
    if zlib.adler32(text) != int.from_bytes(tail[:_NUMBER]):
        raise ValueError("damaged")
    said: dict[str, Any] = json.loads(text)
    return said


def _read_section(fd: int, place: Sequence[int]) -> pl.DataFrame:
    offset, length, checksum = place
    data = os.pread(fd, length, offset)
    if zlib.adler32(data) != checksum:
        raise ValueError("damaged")
    return pl.read_ipc(io.BytesIO(data))


def _add_names(events: pl.DataFrame, names: pl.Series) -> pl.DataFrame:
    texts = names.cast(pl.Categorical(Distinct().categories))
    return events.with_columns(texts.gather(events["name"]).alias("name"))


def _add_phases(flows: pl.DataFrame) -> pl.DataFrame:
    return flows.with_columns(pl.Series(FLOW_PHASES).gather(flows["phase"]).alias("phase"))


Key = tuple[str, int | None, tuple[tuple[TraceFile, int], ...]]
"""Type of the timeline, the capture's only device, and each file with its document."""

SMALLEST_BYTES = 20_000_000
"""A smaller trace is read again in no time."""
MOST_BYTES = 2_000_000_000
"""Room for all indexes together; the one not used for longest goes first."""
_FREE_BYTES = 1_000_000_000
"""What is left free on the disk."""
_FORMAT = 2
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
    folder = cache_folder()
    return None if folder is None else folder / (_digest(key) + _SUFFIX)


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
