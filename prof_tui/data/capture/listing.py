"""Every file in the output folders of a capture, with what its name and its inode say."""

import errno
import os
import re
import stat
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from prof_tui.data.capture.content import (
    device_ids_of,
    headers_of,
    is_timeline,
    read_head,
    table_type,
    timeline_type,
)
from prof_tui.data.capture.file_types import KINDS, NOT_TABLES
from prof_tui.data.capture.layout import OutputFolder, loose_folders, output_folders
from prof_tui.data.capture.refusals import unreadable_file
from prof_tui.words import _, count

_ENDING = re.compile(
    r"^(?P<head>.+?)(?:_slice_(?P<slice>\d+))?(?:_(?P<stamp>\d{14}))?\.(?P<suffix>csv|json)$"
)
_NUMBER = re.compile(r"^(?P<head>.+)_(?P<number>\d{1,10})$")
_MOST_NUMBERS = 3
_MOST_LOOKED_AT = 500
"""Files of a folder that are opened to see what they are; others are what their names say."""


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
    renamed: bool = False
    """Whether its content says what it is, as its name isn't the one that msprof gives."""


def list_files(capture: Path) -> tuple[list[ExportFile], list[str]]:
    """The files of the output folders and beside them, and a sentence per folder that can't be listed.

    Where the usual folders hold no table and no timeline, those that lie loose in the capture or in any
    folder of it. Of a ``capture`` that is a file: that file. OSError only for the capture itself.
    """
    if capture.is_file():
        notices: list[str] = []
        return list(_files_of(OutputFolder(capture.parent, "loose"), [capture.name], notices)), notices
    files, notices = _list(output_folders(capture))
    if any(file.role != "other" for file in files):
        return files, notices
    loose, more = _list(loose_folders(capture))
    if any(file.role != "other" for file in loose):
        return loose, [*notices, *more]
    return files, notices


def _list(folders: Sequence[OutputFolder]) -> tuple[list[ExportFile], list[str]]:
    files: list[ExportFile] = []
    notices: list[str] = []
    for folder in folders:
        try:
            names = sorted(os.listdir(folder.path))
        except OSError as error:
            notices.append(
                _("{path} can't be listed: {cause}.").format(path=folder.path, cause=error.strerror)
            )
        else:
            files.extend(_files_of(folder, names, notices))
    return files, notices


def exported_names(capture: Path) -> Iterator[tuple[FileName, OutputFolder]]:
    """The tables and timelines of a capture by their names alone; OSError when that is why there are none."""
    found = False
    refused: OSError | None = None
    for folder in output_folders(capture):
        try:
            names = sorted(os.listdir(folder.path))
        except OSError as error:
            refused = refused or error
            continue
        beside = frozenset(names)
        for name in (_by_name(text, folder, beside).name for text in names):
            if role_of(name, folder) != "other":
                found = True
                yield name, folder
    if refused and not found:
        raise refused


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


@dataclass(frozen=True)
class _Identity:
    """What a file is: by its name, and by its content where that says more."""

    name: FileName
    role: Role
    renamed: bool = False


def _files_of(folder: OutputFolder, names: Sequence[str], notices: list[str]) -> Iterator[ExportFile]:
    """The files of a folder; ``notices`` gets a sentence where some were not looked into."""
    beside, looks = frozenset(names), 0
    for text in names:
        path = folder.path / text
        found = _by_name(text, folder, beside)
        if _is_worth_a_look(found, text, folder):
            looks += 1
            if looks <= _MOST_LOOKED_AT:
                found = _by_content(found, path, folder)
            elif folder.kind == "loose":
                found = _Identity(found.name, "other")
        if found.role != "other" or not path.is_dir():
            file = _file_of(path, found, folder)
            if file:
                yield file
    if looks > _MOST_LOOKED_AT:
        text = _("{path} holds {count} files under odd names; only the first {most} were looked into.")
        notices.append(text.format(path=folder.path, count=count(looks), most=count(_MOST_LOOKED_AT)))


def _by_name(text: str, folder: OutputFolder, beside: Container[str]) -> _Identity:
    """Capitals are taken for a copy of the name beside it, else for a file system that knows no others."""
    lower = text.lower()
    spelled = lower if text != lower and lower not in beside else text
    name = parse(spelled, merged=folder.is_of_all_devices)
    if name is None or (spelled != text and name.type not in KINDS):
        name = parse(text, merged=folder.is_of_all_devices) or other_name(text)
    return _Identity(name, role_of(name, folder))


def _is_worth_a_look(found: _Identity, text: str, folder: OutputFolder) -> bool:
    """Whether the content may say more: of CSV and JSON under an odd name, or where any name may stand."""
    if folder.kind == "beside" or not text.lower().endswith((".csv", ".json")):
        return False
    name = found.name
    if folder.kind == "loose" or name.type not in KINDS:
        return name.type not in NOT_TABLES
    return folder.is_of_all_devices and name.device is not None


def _by_content(found: _Identity, path: Path, folder: OutputFolder) -> _Identity:
    """``found``, or what the content says; a number in the name is no device where a column has it."""
    name, head = found.name, read_head(path)
    headers, known = headers_of(head), name.type in KINDS
    suffix = path.suffix.lower().lstrip(".")
    if not known and (type_ := table_type(headers, path.stem)):
        return _Identity(FileName(type_, suffix=suffix), "table", renamed=True)
    if not known and suffix == "json" and is_timeline(head):
        return _Identity(FileName(timeline_type(path.stem), suffix=suffix), "timeline", renamed=True)
    if known and name.device is not None and device_ids_of(head) - {str(name.device)}:
        return _Identity(FileName(name.type, suffix=suffix), found.role, renamed=True)
    fits = name.stamp or table_type(headers, "") or is_timeline(head)
    if folder.kind == "loose" and not (known and fits):
        return _Identity(name, "other")
    return found


def _file_of(path: Path, found: _Identity, folder: OutputFolder) -> ExportFile | None:
    """None for a file that went away since its folder was listed."""
    name = found.name
    try:
        link = path.lstat()
    except OSError:
        return None
    try:
        status, problem = path.stat(), None
    except OSError as error:
        status, problem = link, unreadable_file(path, error)
    merged = folder.is_of_all_devices
    return ExportFile(
        path=path,
        name=name,
        role=found.role,
        merged=merged,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        inode=status.st_ino,
        device=name.device if merged else folder.device,
        model=name.model,
        iteration=name.iteration,
        problem=problem or _problem(path, status),
        renamed=found.renamed,
    )


def _problem(path: Path, status: os.stat_result) -> str | None:
    """What keeps a file that is there from being read."""
    if not stat.S_ISREG(status.st_mode):
        return _("{name} is not a regular file.").format(name=path.name)
    if os.access(path, os.R_OK):
        return None
    return unreadable_file(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
