"""What makes a directory a capture: its output folders, devices and date, from names only."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Literal

MERGED = "mindstudio_profiler_output"
_PROF_NAME = re.compile(r"^PROF_\d+_(\d{14})\d*_[0-9A-Z]+$")
_DEVICE = re.compile(r"^device_(\d{1,4})$")
_DATABASE = re.compile(r"^msprof_\d+\.db$")
_INSIDE_DEVICE = ("summary", "timeline", "data", "sqlite", "log", "info.json", "sample.json", "start_info")
_INSIDE_HOST = ("summary", "timeline", "info.json", "sample.json", "start_info")

_RAW = ("host", "data", "sqlite", "log", "query", "mindstudio_profiler_log")
"""Folders of raw data and logs."""
_MOST_NEIGHBOURS = 200
"""Directories beside a capture's own in which one of the same name is looked for."""
_MOST_FOLDERS = 50
"""Folders of a capture that are looked into where the usual ones hold nothing."""


@dataclass(frozen=True)
class OutputFolder:
    """A folder of a capture that holds exported files, or files to be shown beside them."""

    path: Path
    kind: Literal["merged", "summary", "timeline", "loose", "beside"]
    """``loose`` is one under any name, in which content says what a file is."""
    device: int | None = None
    """None for the host and for folders of all devices."""

    @property
    def is_of_all_devices(self) -> bool:
        """Whether its files cover all devices, unless their names say otherwise."""
        return self.kind in ("merged", "loose")


def is_prof_name(name: str) -> bool:
    """Whether a directory is called as msprof calls its own: ``PROF_{number}_{time}_{letters}``."""
    return _PROF_NAME.match(name) is not None


def device_number(name: str) -> int | None:
    """N of a directory called ``device_N``."""
    match = _DEVICE.match(name)
    return int(match[1]) if match else None


def device_numbers(names: Iterable[str]) -> tuple[int, ...]:
    """The devices among the names of a capture's entries, in numeric order."""
    return tuple(sorted({number for name in names if (number := device_number(name)) is not None}))


def database_names(names: Iterable[str]) -> list[str]:
    """The ``msprof_*.db`` among the names of a capture's entries, oldest first (formats.md 5)."""
    return sorted(name for name in names if _DATABASE.match(name))


def is_capture(directory: Path, names: Iterable[str]) -> bool:
    """Whether ``directory``, which holds ``names``, is a capture under any name (formats.md 1.1)."""
    entries = set(names)
    if MERGED in entries and (directory / MERGED).is_dir():
        return True
    if is_prof_name(directory.name) and (database_names(entries) or device_numbers(entries)):
        return True
    if any(_holds(directory / name, _INSIDE_DEVICE) for name in entries if device_number(name) is not None):
        return True
    return "host" in entries and _holds(directory / "host", _INSIDE_HOST)


def output_folders(capture: Path) -> list[OutputFolder]:
    """The folders that may hold exported files, merged first; OSError when ``capture`` can't be listed."""
    names = set(os.listdir(capture))
    folders = [OutputFolder(capture / MERGED, "merged")] if MERGED in names else []
    parts: list[tuple[str, int | None]] = [(f"device_{device}", device) for device in device_numbers(names)]
    if "host" in names:
        parts.append(("host", None))
    for part, device in parts:
        folders.append(OutputFolder(capture / part / "summary", "summary", device))
        folders.append(OutputFolder(capture / part / "timeline", "timeline", device))
    folders.append(OutputFolder(capture, "beside"))
    folders.append(OutputFolder(capture / "analyze", "beside"))
    return [folder for folder in folders if os.path.isdir(folder.path)]


def loose_folders(directory: Path) -> list[OutputFolder]:
    """``directory`` itself, and of a capture the folders in it that msprof has no name for.

    OSError when it can't be listed.
    """
    names = sorted(os.listdir(directory))
    inner = [name for name in names if name not in _RAW and device_number(name) is None]
    is_whole = is_prof_name(directory.name) or is_capture(directory, names)
    folders = [directory / name for name in inner] if is_whole else []
    found = [path for path in folders if os.path.isdir(path)][:_MOST_FOLDERS]
    return [OutputFolder(path, "loose") for path in (directory, *found)]


def capture_date(path: Path) -> datetime | None:
    """When the capture was collected, in the server's local time, from its name or the name it links to."""
    for name in (path.name, Path(os.path.realpath(path)).name):
        match = _PROF_NAME.match(name)
        if match:
            try:
                return datetime.strptime(match[1], "%Y%m%d%H%M%S")
            except ValueError:
                continue
    return None


def name_among_neighbours(capture: Path) -> str:
    """A capture's name, with its directory's where one beside that holds a capture of the same name.

    So it is with ``rank0/PROF_…`` and ``rank1/PROF_…`` that were copied from machines with equal names.
    """
    path = Path(os.path.abspath(capture))
    try:
        with os.scandir(path.parent.parent) as entries:
            beside = [entry.name for entry in islice(entries, _MOST_NEIGHBOURS)]
    except OSError:
        return path.name
    others = (path.parent.parent / name / path.name for name in beside if name != path.parent.name)
    same = path.is_dir() and any(other.is_dir() for other in others)
    return f"{path.parent.name}/{path.name}" if same else path.name


def _holds(directory: Path, markers: tuple[str, ...]) -> bool:
    try:
        names = os.listdir(directory)
    except OSError:
        return False
    return any(name == marker or name.startswith(f"{marker}.") for name in names for marker in markers)
