"""Reading all files of a capture's timeline into one index, with progress, cancel and what is read so far."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from prof_tui.data.capture.export import Export
from prof_tui.data.capture.file_sets import FileSet
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.capture.listing import ExportFile
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.tables.stores import Progress, go_on, report_progress
from prof_tui.data.timeline.cache import cached_index, keep_index
from prof_tui.data.timeline.model import Partial, TraceFile, TraceIndex
from prof_tui.data.timeline.read.blocks import FileParts
from prof_tui.data.timeline.read.build_index import build_index
from prof_tui.data.timeline.read.gathered import Gathered
from prof_tui.errors import UnreadableError
from prof_tui.words import _, counted

FIRST_LOOK = 32 << 20
"""Bytes read before a first index is handed out; then each time that they have doubled."""
_LARGEST_LOOK = 0.25
"""Share of all bytes behind which no more is handed out, as that and the whole would be in memory at once."""
_MOST_FILES = (1 << 16) - 1
_WORKERS = 2
_SETTLES_MALLOC = 31 << 20
"""A piece so large is got and freed once: glibc then keeps the blocks that are freed later for the next
ones.  Given back to the system and got again page by page, they cost a tenth of the time."""


def read_trace(
    export: Export, name: str, *, progress: Progress = go_on, partial: Partial | None = None
) -> TraceIndex:
    """The index of all timelines of a type, over devices, models, iterations and slices.

    ``progress`` gets bytes read and bytes in all, and says False to cancel (CancelledError); ``partial``
    gets what is read so far (``complete`` False) while a long file is read.  UnreadableError, with the
    file and the next step, when there is nothing to read.
    """
    sets = [each for each in export.timelines if each.name == name]
    files, faults = _files_of([each for each in sets if each.status == "ok"])
    if not files:
        raise UnreadableError(_why_nothing(name, sets, faults))
    key = (name, export.only_device, tuple(files))
    report_progress(progress, 0, sum(file.size for file, _document in files))
    index = cached_index(key)
    if index is None:
        index = read_files(name, files, export.only_device, progress, partial)
        keep_index(key, index, export.capture)
    return replace(index, notices=(*faults, *index.notices)) if faults else index


def _files_of(sets: Sequence[FileSet]) -> tuple[list[tuple[TraceFile, int]], list[str]]:
    """Files with the number of their set, and why some are left out."""
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
                files.append((trace_file(source, file), document))
    return files, faults


def _why_nothing(name: str, sets: Sequence[FileSet], faults: Sequence[str]) -> str:
    said = faults or [each.reason for each in sets if each.reason and each.status != "missing"]
    if said:
        return said[0]
    text = _("There is no {name} timeline in this export.").format(name=name)
    return f"{text} {KINDS[name].made_by}" if name in KINDS else text


def trace_file(source: SourceFile, named: ExportFile | TraceFile) -> TraceFile:
    """The file as it is now, of what its name says."""
    seen, of = source.fingerprint, (named.device, named.model, named.iteration)
    return TraceFile(source.path, seen.size, seen.mtime_ns, seen.inode, *of)


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
                "{n} file too many was left out.",
                "{n} files too many were left out.",
                len(dropped),
            )
        )
    return build_index(gathered, complete=True)


def _gather(gathered: Gathered, progress: Progress, partial: Partial | None) -> list[str]:
    """Read all files; one sentence for each that holds no timeline."""
    total = sum(file.size for file in gathered.files)
    faults, done, look = [], 0, FIRST_LOOK
    if total > _SETTLES_MALLOC:
        bytes(_SETTLES_MALLOC)
    report_progress(progress, 0, total)
    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="trace") as pool:
        for number, file in enumerate(gathered.files):
            parts = FileParts(_open(file), gathered.known, pool)
            try:
                for part in parts:
                    gathered.add(number, part.columns)
                    gathered.read_bytes = done + part.end
                    report_progress(progress, gathered.read_bytes, total)
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
            report_progress(progress, done, total)
    return faults


def _open(file: TraceFile) -> SourceFile:
    source = SourceFile(file.path)
    if trace_file(source, file) != file:
        raise UnreadableError(
            _("{file} was changed while it was open: reload (R) to read it anew.").format(file=file.path.name)
        )
    return source
