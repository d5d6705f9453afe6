"""Indexes kept between two openings: found again, replaced, never in the way."""

import os
import threading
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.timeline import cache as trace_cache
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.read import files as read_files
from prof_tui.data.timeline.read.files import read_trace
from tests.helpers.trace_reading import array, metadata, names_of, task, timeline_capture

NAME = "msprof_20260921101601.json"
EVENTS = [
    *metadata(),
    task("a", "100", 1.5, args={"connection_id": 7}),
    task("b", "103", 1.0),
    {"name": "f", "pid": 1, "tid": 1, "ph": "s", "cat": "c", "id": "1", "ts": "1790000000000100"},
    {"name": "C", "pid": 1, "tid": 1, "ph": "C", "args": {"v": 1.5}, "ts": "1790000000000100"},
    {"name": "p", "pid": 1, "tid": 1, "ph": "B", "ts": "1790000000000100"},
    {"name": "p", "pid": 1, "tid": 1, "ph": "E", "ts": "1790000000000101"},
    {"name": "x", "pid": 1, "tid": 1, "ph": "X", "dur": 1},
]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of indexes, in which small ones are kept too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(trace_cache, "SMALLEST_BYTES", 0)
    return tmp_path / "cache" / "prof-tui"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One item for each time that files are read."""
    seen: list[str] = []
    original = read_files._gather

    def counted(*args: object) -> list[str]:
        seen.append("read")
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(read_files, "_gather", counted)
    return seen


def opened(capture: OpenCapture) -> TraceIndex:
    """The index, once it is kept."""
    index = read_trace(capture.export, "msprof")
    for thread in threading.enumerate():
        if thread.name == "trace-cache":
            thread.join()
    return index


def kept(cache: Path) -> list[Path]:
    return sorted(cache.iterdir())


def test_a_second_opening_reads_no_file(tmp_path: Path, cache: Path, reads: list[str]) -> None:
    capture = timeline_capture(tmp_path, {NAME: array(*EVENTS)})
    first, second = opened(capture), opened(capture)
    assert reads == ["read"]
    assert [path.suffix for path in kept(cache)] == [".trace"]
    plain = [index.events.with_columns(pl.col("name").cast(pl.String)) for index in (first, second)]
    assert_frame_equal(*plain)
    for name in ("flows", "counters", "ends"):
        assert_frame_equal(getattr(first, name), getattr(second, name))
    for name in ("name", "files", "lanes", "kinds", "metadata", "phases", "notices", "span", "lane_events"):
        assert getattr(first, name) == getattr(second, name)
    assert (second.complete, second.read_bytes) == (True, first.total_bytes)
    assert isinstance(second.events.schema["name"], pl.Categorical)


def test_a_changed_file_is_read_anew(tmp_path: Path, reads: list[str]) -> None:
    capture = timeline_capture(tmp_path, {NAME: array(*EVENTS)})
    opened(capture)
    path = capture.path / "mindstudio_profiler_output" / NAME
    path.write_text(array(*EVENTS[:4]))
    assert names_of(opened(OpenCapture(capture.path))) == ["a"]
    os.utime(path, ns=(1, 1))
    opened(OpenCapture(capture.path))
    assert reads == ["read"] * 3


@pytest.mark.parametrize("place", [0, 30, 300, -300, -40, -30, -1])
def test_a_damaged_index_is_replaced(tmp_path: Path, cache: Path, reads: list[str], place: int) -> None:
    capture = timeline_capture(tmp_path, {NAME: array(*EVENTS)})
    opened(capture)
    (path,) = kept(cache)
    data = bytearray(path.read_bytes())
    data[place] ^= 0xFF
    path.write_bytes(data)
    assert names_of(opened(capture)) == ["a", "b", "p"]
    opened(capture)
    assert reads == ["read"] * 2


def test_a_cut_index_is_replaced(tmp_path: Path, cache: Path, reads: list[str]) -> None:
    capture = timeline_capture(tmp_path, {NAME: array(*EVENTS)})
    opened(capture)
    (path,) = kept(cache)
    for size in (0, 10, path.stat().st_size - 5):
        os.truncate(path, size)
        assert names_of(opened(capture)) == ["a", "b", "p"]
    assert len(reads) == 4


def test_small_traces_are_not_kept(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_cache, "SMALLEST_BYTES", 20_000_000)
    opened(timeline_capture(tmp_path, {NAME: array(*EVENTS)}))
    assert not cache.exists()


def test_what_was_used_longest_ago_makes_room(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    captures = [timeline_capture(tmp_path / name, {NAME: array(*EVENTS)}) for name in "abc"]
    for number, capture in enumerate(captures[:2]):
        before = set(kept(cache)) if cache.exists() else set()
        opened(capture)
        (path,) = set(kept(cache)) - before
        os.utime(path, (1000 + number, 1000 + number))
    oldest = min(kept(cache), key=lambda path: path.stat().st_mtime)
    abandoned = cache / "x.part"
    abandoned.write_bytes(b"")
    os.utime(abandoned, (0, 0))
    monkeypatch.setattr(trace_cache, "MOST_BYTES", oldest.stat().st_size * 2)
    opened(captures[2])
    assert len(kept(cache)) == 2
    assert oldest not in kept(cache)


@pytest.mark.parametrize("folder", ["", "relative", "/proc/nowhere", "a file"])
def test_no_place_for_it_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str], folder: str
) -> None:
    if folder == "a file":
        (tmp_path / folder).write_text("")
        folder = str(tmp_path / folder)
    monkeypatch.setenv("XDG_CACHE_HOME", folder)
    monkeypatch.setenv("HOME", "/proc/nowhere")
    capture = timeline_capture(tmp_path, {NAME: array(*EVENTS)})
    assert names_of(opened(capture)) == ["a", "b", "p"]
    assert names_of(opened(capture)) == ["a", "b", "p"]
    assert reads == ["read"] * 2


def test_never_within_the_capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = timeline_capture(tmp_path, {NAME: array(*EVENTS)})
    monkeypatch.setenv("XDG_CACHE_HOME", str(capture.path / "host"))
    before = sorted(capture.path.rglob("*"))
    opened(capture)
    assert sorted(capture.path.rglob("*")) == before


def test_a_full_disk(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_cache, "_FREE_BYTES", 1 << 60)
    assert names_of(opened(timeline_capture(tmp_path, {NAME: array(*EVENTS)}))) == ["a", "b", "p"]
    assert kept(cache) == []
