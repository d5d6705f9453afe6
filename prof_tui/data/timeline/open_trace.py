"""Opening a timeline of a capture: all files of a type, from the cache where they were read before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.tables.table_source import Progress, go_on, step
from prof_tui.errors import UnreadableError
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.capture.export import Export, FileSet
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceFile, TraceIndex
    from prof_tui.data.timeline.read.files import Partial

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
