"""Every file in the output folders of a capture, with what its name and its inode say."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from prof_tui.data.capture.file_types import KINDS, NOT_TABLES
from prof_tui.data.capture.layout import OutputFolder, output_folders
from prof_tui.data.capture.refusals import unreadable_file
from prof_tui.words import _

_ENDING = re.compile(
    r"^(?P<head>.+?)(?:_slice_(?P<slice>\d+))?(?:_(?P<stamp>\d{14}))?\.(?P<suffix>csv|json)$"
)
_NUMBER = re.compile(r"^(?P<head>.+)_(?P<number>\d{1,10})$")
_MOST_NUMBERS = 3


@dataclass(frozen=True)
class FileName:
    """The parts of ``{type}[_device[_model]_iteration][_slice_k][_stamp].suffix`` (formats.md 1.2)."""

    type: str
    device: int | None = None
    model: int | None = None
    iteration: int | None = None
    slice: int | None = None
    """None where the name has no slice; the exporter may leave it out of the first one."""
    stamp: str | None = None
    """When it was exported, local time, as ``yyyyMMddHHmmss``."""
    suffix: str = ""
    """``csv`` or ``json``, without the dot; for other files whatever follows the last dot."""


def parse(name: str, *, merged: bool) -> FileName | None:
    """The parts of a CSV or JSON file's name, None for any other file (formats.md 1.2).

    Numbers belong to the type from its right end: one is the device, two are device and iteration,
    three device, model and iteration. ``merged`` is for `mindstudio_profiler_output`, whose files cover
    all devices: there the numbers of an unknown type are a part of it.
    """
    ending = _ENDING.match(name)
    if ending is None:
        return None
    file_type, numbers = _split_numbers(ending["head"])
    if merged and file_type not in KINDS:
        file_type, numbers = ending["head"], []
    inner = numbers[1:]
    return FileName(
        type=file_type,
        device=numbers[0] if numbers else None,
        model=inner[0] if len(inner) == 2 else None,
        iteration=inner[-1] if inner else None,
        slice=None if ending["slice"] is None else int(ending["slice"]),
        stamp=ending["stamp"],
        suffix=ending["suffix"],
    )


def other_name(name: str) -> FileName:
    """A file that is no export, such as ``README.txt``: its whole stem is its type."""
    stem, _, suffix = name.rpartition(".")
    return FileName(type=stem or name, suffix=suffix if stem else "")


def _split_numbers(head: str) -> tuple[str, list[int]]:
    numbers: list[int] = []
    while head not in KINDS and len(numbers) < _MOST_NUMBERS and (match := _NUMBER.match(head)):
        head = match["head"]
        numbers.insert(0, int(match["number"]))
    return head, numbers


Role = Literal["table", "timeline", "other"]


@dataclass(frozen=True)
class ExportFile:
    """One file as it was when the capture was listed."""

    path: Path
    name: FileName
    role: Role
    merged: bool
    """Whether it stands in `mindstudio_profiler_output`."""
    size: int
    """Bytes."""
    mtime_ns: int
    inode: int
    device: int | None
    """None for a file of the host, and for a merged one that covers all devices."""
    model: int | None
    """What its name says; a step trace of the old layout holds all models and iterations none the less."""
    iteration: int | None
    problem: str | None = None
    """One sentence that says why it can't be read; None where it can."""


def list_files(capture: Path) -> tuple[list[ExportFile], list[str]]:
    """The files of the output folders and beside them, and a sentence per folder that can't be listed.

    OSError only for the capture itself.
    """
    files: list[ExportFile] = []
    notices: list[str] = []
    for folder in output_folders(capture):
        try:
            names = sorted(os.listdir(folder.path))
        except OSError as error:
            notices.append(
                _("{path} can't be listed: {cause}.").format(path=folder.path, cause=error.strerror)
            )
        else:
            files.extend(_files_of(folder, names))
    return files, notices


def exported_names(capture: Path) -> list[tuple[FileName, OutputFolder]]:
    """The tables and timelines of a capture by their names alone; OSError when that is why there are none."""
    found = []
    refused: OSError | None = None
    for folder in output_folders(capture):
        try:
            names = sorted(os.listdir(folder.path))
        except OSError as error:
            refused = refused or error
            continue
        for name in (parse(text, merged=folder.kind == "merged") for text in names):
            if name and role_of(name, folder) != "other":
                found.append((name, folder))
    if refused and not found:
        raise refused
    return found


def role_of(name: FileName, folder: OutputFolder) -> Role:
    """Whether a file holds rows or events: by its suffix and folder, where all are merged by its type.

    JSON in ``summary`` is a table written with --summary-format=json (formats.md 1.2).
    """
    kind = KINDS.get(name.type)
    if folder.kind == "beside" or name.suffix not in ("csv", "json") or name.type in NOT_TABLES:
        return "other"
    if name.suffix == "csv" or folder.kind == "summary":
        return "table"
    if folder.kind == "timeline" or (kind and kind.timeline):
        return "timeline"
    return "table" if kind else "other"


def _files_of(folder: OutputFolder, names: list[str]) -> Iterator[ExportFile]:
    for text in names:
        path = folder.path / text
        name = parse(text, merged=folder.kind == "merged") or other_name(text)
        role = role_of(name, folder)
        if role != "other" or not path.is_dir():
            file = _file_of(path, name, role, folder)
            if file:
                yield file


def _file_of(path: Path, name: FileName, role: Role, folder: OutputFolder) -> ExportFile | None:
    """None for a file that went away since its folder was listed."""
    try:
        link = path.lstat()
    except OSError:
        return None
    try:
        status, problem = path.stat(), None
    except OSError as error:
        status, problem = link, unreadable_file(path, error)
    merged = folder.kind == "merged"
    return ExportFile(
        path=path,
        name=name,
        role=role,
        merged=merged,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        inode=status.st_ino,
        device=name.device if merged else folder.device,
        model=name.model,
        iteration=name.iteration,
        problem=problem or _problem(path, status),
    )


def _problem(path: Path, status: os.stat_result) -> str | None:
    """What keeps a file that is there from being read."""
    if not stat.S_ISREG(status.st_mode):
        return _("{name} is not a regular file.").format(name=path.name)
    if os.access(path, os.R_OK):
        return None
    return unreadable_file(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
