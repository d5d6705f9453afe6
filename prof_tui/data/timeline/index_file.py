"""A trace index as one file: its frames in pieces of Arrow IPC, each with a checksum, then what they are.

Everything is checked before it is believed, so that a damaged file is never more than no file.
"""

from __future__ import annotations

import io
import json
import os
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

FAULTS = (OSError, ValueError, KeyError, TypeError, IndexError, pl.exceptions.PolarsError)
"""What a missing, full or damaged file may lead to."""
_MARK = b"prof-tui trace index\n"
_ROWS = 500_000
_NUMBER = 8
"""Bytes of the length of the description, which stands last but for ``_MARK``."""
_FRAMES = ("events", "flows", "counters", "ends")


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
        events=_with_names(frames["events"], frames["names"]["name"]),
        flows=_with_phases(frames["flows"]),
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


def _with_names(events: pl.DataFrame, names: pl.Series) -> pl.DataFrame:
    texts = names.cast(pl.Categorical(Distinct().categories))
    return events.with_columns(texts.gather(events["name"]).alias("name"))


def _with_phases(flows: pl.DataFrame) -> pl.DataFrame:
    return flows.with_columns(pl.Series(FLOW_PHASES).gather(flows["phase"]).alias("phase"))
