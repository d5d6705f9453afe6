"""Some of a timeline's files alone: those of one iteration, where each iteration has its own."""

from __future__ import annotations

from collections.abc import Sequence

from prof_tui.data.capture.file_sets import FileSet
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.tables.table_source import Progress, go_on
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.read.files import read_files, trace_file


def read_sets(capture: OpenCapture, sets: Sequence[FileSet], progress: Progress = go_on) -> TraceIndex:
    """The index of ``sets`` of one type, each event as it stands in its own file.

    Of all sets of a type it is the capture's own index, where an event that the files of several
    iterations repeat stands once, in the first (quirks.md 25).  UnreadableError and CancelledError as by
    ``read_trace``.
    """
    name = sets[0].name
    if len(sets) == sum(each.name == name and each.status == "ok" for each in capture.export.timelines):
        return capture.traces.read(name, progress)
    files = [
        (trace_file(SourceFile(file.path), file.device, file.model, file.iteration), document)
        for document, each in enumerate(sets)
        for file in each.files
    ]
    devices = capture.export.devices
    return read_files(name, files, devices[0] if len(devices) == 1 else None, progress)
