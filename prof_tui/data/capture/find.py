"""From the path that a user gave to the captures that it means, or to one sentence why there are none."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path

from prof_tui.data.capture.layout import capture_date, device_number, device_numbers, is_capture
from prof_tui.data.capture.listing import exported_names, role_of
from prof_tui.data.capture.refusals import (
    framework_output,
    not_exported,
    nothing_found,
    too_many_entries,
    unreachable,
)
from prof_tui.errors import NothingToOpenError
from prof_tui.words import _, count
from prof_tui.words import count as count_text

_LEVELS_UP = 4
_LEVELS_DOWN = 3
_MOST_ENTRIES = 10_000
_FRAMEWORK_OUTPUT = "ASCEND_PROFILER_OUTPUT"
_FRAMEWORK_ENDINGS = ("_ascend_pt", "_ascend_ms")


@dataclass(frozen=True)
class Found:
    """What a path means."""

    captures: tuple[Path, ...]
    """Absolute, sorted by name; never empty. A single one has been exported."""
    device: int | None = None
    """N where the path was inside ``device_N``."""
    file: Path | None = None
    """The path, absolute, where it was a file inside the capture."""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaptureSummary:
    """One line to choose a capture by, from names only."""

    path: Path
    date: datetime | None
    devices: tuple[int, ...]
    tables: tuple[str, ...]
    """File types of its tables, each once, by name."""
    exported: bool


def find_captures(path: Path) -> Found:
    """The captures that ``path`` means: itself, the one around it, or those up to three levels below.

    NothingToOpenError when there is none, or only one that was not exported; UnreadableError when the
    system refuses. Links are followed once, no capture is entered, and one reached twice is listed once.
    """
    try:
        os.stat(path)
        found = _around(path) or _below_or_beside(path)
    except OSError as error:
        raise unreachable(path, error) from error
    if len(found.captures) == 1:
        check_exported(found.captures[0])
    return found


def check_exported(capture: Path) -> None:
    """Raise the sentence why ``capture`` can't be opened: not exported, a database only, not readable."""
    try:
        if not exported_names(capture):
            raise not_exported(capture)
    except OSError as error:
        raise unreachable(capture, error) from error


def describe(path: Path) -> CaptureSummary:
    """What a capture holds, by the names of its files; one that can't be listed counts as not exported."""
    try:
        names = exported_names(path)
        devices = set(device_numbers(os.listdir(path)))
    except OSError:
        names, devices = [], set()
    tables = {name.type for name, folder in names if role_of(name, folder) == "table"}
    return CaptureSummary(
        path, capture_date(path), tuple(sorted(devices)), tuple(sorted(tables)), bool(names)
    )


def _around(path: Path) -> Found | None:
    """The capture that is ``path`` or holds it, as written or where its links lead."""
    for written in dict.fromkeys((os.path.abspath(path), os.path.realpath(path))):
        inner = Path(written)
        innermost = inner if inner.is_dir() else inner.parent
        for directory in [innermost, *innermost.parents][: _LEVELS_UP + 1]:
            if is_capture(directory, _names(directory, required=directory == innermost)):
                part = inner.relative_to(directory).parts
                device = device_number(part[0]) if part else None
                return Found((directory,), device, None if inner == innermost else inner)
    return None


def _names(directory: Path, *, required: bool) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        if required:
            raise
        return []


def _below_or_beside(path: Path) -> Found:
    """The captures below ``path``; inside a framework's output, those of the whole output."""
    start = Path(os.path.abspath(path))
    framework = next((part for part in (start, *start.parents) if _is_framework(part)), None)
    top = start if framework is None else framework
    if top.name == _FRAMEWORK_OUTPUT:
        top = top.parent
    if not top.is_dir():
        raise nothing_found(path)
    search = _Search()
    search.run(top)
    if search.captures:
        captures = sorted(search.captures, key=lambda capture: (capture.name, capture))
        return Found(tuple(captures), notices=tuple(search.notices(path)))
    if search.refused:
        raise search.refused[0]
    if search.stopped:
        raise too_many_entries(path, count_text(_MOST_ENTRIES))
    framework = framework or search.framework
    raise framework_output(framework) if framework else nothing_found(path)


def _is_framework(directory: Path) -> bool:
    return directory.name == _FRAMEWORK_OUTPUT or directory.name.endswith(_FRAMEWORK_ENDINGS)


@dataclass
class _Search:
    """A walk downwards, breadth first."""

    captures: list[Path] = field(default_factory=list)
    framework: Path | None = None
    """The first directory that looks like a framework's output."""
    refused: list[OSError] = field(default_factory=list)
    """Why the top, and directories called PROF_*, could not be listed."""
    _entries_left: int = field(default_factory=lambda: _MOST_ENTRIES)
    _seen: set[tuple[int, int]] = field(default_factory=set)

    @property
    def stopped(self) -> bool:
        """Whether there were more entries than are looked at."""
        return self._entries_left < 0

    def run(self, top: Path) -> None:
        level = [top]
        for _depth in range(_LEVELS_DOWN + 1):
            level = [inner for directory in level for inner in self._enter(directory, top)]

    def notices(self, path: Path) -> Iterator[str]:
        """What the list of captures may lack."""
        if self.stopped:
            text = _("The search below {path} stopped after {count} entries; there may be more captures.")
            yield text.format(path=path, count=count_text(_MOST_ENTRIES))
        for error in self.refused:
            yield str(unreachable(path, error))

    def _enter(self, directory: Path, top: Path) -> Iterator[Path]:
        """The directories in ``directory``, real ones before links, unless it is a capture or known."""
        if self.stopped or not self._is_new(directory):
            return
        try:
            with os.scandir(directory) as listing:
                entries = list(islice(listing, self._entries_left + 1))
        except OSError as error:
            if directory == top or directory.name.startswith("PROF_"):
                self.refused.append(error)
            return
        self._entries_left -= len(entries)
        if is_capture(directory, [entry.name for entry in entries]):
            self.captures.append(directory)
            return
        if _is_framework(directory):
            self.framework = self.framework or directory
        entries.sort(key=lambda entry: (entry.is_symlink(), entry.name))
        yield from (directory / entry.name for entry in entries if _is_directory(entry))

    def _is_new(self, directory: Path) -> bool:
        try:
            status = directory.stat()
        except OSError:
            return False
        identity = (status.st_dev, status.st_ino)
        new = identity not in self._seen
        self._seen.add(identity)
        return new


def _is_directory(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def single_capture(path: Path) -> Found:
    """What ``path`` means, with exactly one capture.

    NothingToOpenError where there is none, or several: then with a line for each; UnreadableError when the
    system refuses.
    """
    found = find_captures(path)
    if len(found.captures) > 1:
        text = _("There are {count} captures in {path}; give one of them:")
        lines = [text.format(count=count(len(found.captures)), path=path)]
        lines += [_line(describe(capture)) for capture in found.captures]
        raise NothingToOpenError("\n".join([*lines, *found.notices]))
    return found


def _line(summary: CaptureSummary) -> str:
    said = [summary.date.strftime("%Y-%m-%d %H:%M:%S")] if summary.date else []
    if summary.devices:
        said.append(_("device {devices}").format(devices=", ".join(map(str, summary.devices))))
    if not summary.exported:
        said.append(_("not exported"))
    return f"  {summary.path}  {'; '.join(said)}".rstrip()
