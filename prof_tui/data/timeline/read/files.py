"""Reading all files of one timeline into one index, with progress, cancel and what is read so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.tables.stores import Progress, step
from prof_tui.data.timeline.model import TraceFile, TraceIndex
from prof_tui.data.timeline.read.blocks import FileParts
from prof_tui.data.timeline.read.build_index import build_index
from prof_tui.data.timeline.read.gathered import Gathered
from prof_tui.errors import UnreadableError
from prof_tui.words import _, count, counted

Partial = Callable[[TraceIndex], None]

FIRST_LOOK = 32 << 20
"""Bytes read before a first index is handed out; then each time that they have doubled."""
_LARGEST_LOOK = 0.25
"""Share of all bytes behind which no more is handed out, as that and the whole would be in memory at once."""
_MOST_FILES = (1 << 16) - 1
_WORKERS = 2
_SETTLES_MALLOC = 31 << 20
"""A piece so large is got and freed once: glibc then keeps the blocks that are freed later for the next
ones.  Given back to the system and got again page by page, they cost a tenth of the time."""


def trace_file(
    source: SourceFile,
    device: int | None = None,
    model: int | None = None,
    iteration: int | None = None,
) -> TraceFile:
    """The file as it is now."""
    seen = source.fingerprint
    return TraceFile(source.path, seen.size, seen.mtime_ns, seen.inode, device, model, iteration)


def read_files(
    name: str,
    files: Sequence[tuple[TraceFile, int]],
    only_device: int | None,
    progress: Progress,
    partial: Partial | None = None,
) -> TraceIndex:
    """Files and for each its document: those of one document share their pids.

    UnreadableError when one was changed or none holds a timeline; CancelledError when ``progress`` (bytes
    read, bytes in all) says so.
    """
    dropped = files[_MOST_FILES:]
    files = files[:_MOST_FILES]
    gathered = Gathered(name, [file for file, _number in files], [each[1] for each in files], only_device)
    faults = _gather(gathered, progress, partial)
    if faults and not gathered.phases:
        raise UnreadableError(faults[0])
    gathered.notices += faults
    if dropped:
        gathered.notices.append(
            counted(
                "{count} file too many was left out.",
                "{count} files too many were left out.",
                len(dropped),
                count=count(len(dropped)),
            )
        )
    return build_index(gathered, complete=True)


def _gather(gathered: Gathered, progress: Progress, partial: Partial | None) -> list[str]:
    """Read all files; one sentence for each that holds no timeline."""
    total = sum(file.size for file in gathered.files)
    faults, done, look = [], 0, FIRST_LOOK
    if total > _SETTLES_MALLOC:
        bytes(_SETTLES_MALLOC)
    step(progress, 0, total)
    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="trace") as pool:
        for number, file in enumerate(gathered.files):
            parts = FileParts(_opened(file), gathered.known, pool)
            try:
                for part in parts:
                    gathered.add(number, part.columns)
                    gathered.read_bytes = done + part.end
                    step(progress, gathered.read_bytes, total)
                    if partial is not None and look <= gathered.read_bytes <= _LARGEST_LOOK * total:
                        partial(build_index(gathered, complete=False))
                        look = 2 * gathered.read_bytes
            finally:
                parts.close()
            done += file.size
            gathered.read_bytes = done
            gathered.notices += parts.notices
            if parts.damaged:
                gathered.damaged.append(number)
            if parts.nothing:
                faults.append(parts.nothing)
            step(progress, done, total)
    return faults


def _opened(file: TraceFile) -> SourceFile:
    source = SourceFile(file.path)
    if trace_file(source, file.device, file.model, file.iteration) != file:
        raise UnreadableError(
            _("{file} was changed while it was open: reload (R) to read it anew.").format(file=file.path.name)
        )
    return source
