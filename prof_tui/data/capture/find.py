"""From the path that a user gave to the captures that it means, or to one sentence why there are none."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from prof_tui.data.capture.content import headers_of, is_operator_tuning, read_head
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.capture.layout import device_number, is_capture, is_prof_name
from prof_tui.data.capture.listing import ExportFile, exported_names, list_files
from prof_tui.data.capture.packed import (
    how_to_unpack,
    how_to_unpack_all,
    is_packed,
    packed_files,
    packed_type,
)
from prof_tui.data.capture.refusals import (
    framework_output,
    no_export,
    not_exported,
    nothing_found,
    operator_tuning,
    too_many_entries,
    unreachable,
)
from prof_tui.errors import NothingToOpenError, UnreadableError
from prof_tui.words import _, counted
from prof_tui.words import count as count_text

_LEVELS_UP = 4
_LEVELS_DOWN = 3
_MOST_ENTRIES = 10_000
_MOST_LOOKED_AT = 1_000
"""CSV and JSON files outside of captures that are opened to see what they are."""
_MOST_REFUSED = 3
"""Directories that can't be listed and are named one by one."""
_FRAMEWORK_OUTPUT = "ASCEND_PROFILER_OUTPUT"
_FRAMEWORK_ENDINGS = ("_ascend_pt", "_ascend_ms")


@dataclass(frozen=True)
class Found:
    """What a path means."""

    captures: tuple[Path, ...]
    """Absolute, sorted by name; never empty. A single one has been exported.

    One may also be a directory of loose exports, or an exported file alone.
    """
    device: int | None = None
    """N where the path was inside ``device_N``."""
    file: Path | None = None
    """The path, absolute, where it was a file inside the capture."""
    notices: tuple[str, ...] = ()


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
    if len(found.captures) > 1:
        return found
    check_exported(found.captures[0])
    files = [] if found.file else _alternatives(found.captures[0])
    return replace(found, captures=tuple(files), notices=(*found.notices, _EACH_ALONE)) if files else found


_EACH_ALONE = _("None of these files has the name that msprof gives its type: each opens alone.")


def check_exported(capture: Path) -> None:
    """Raise the sentence why ``capture`` can't be opened: not exported, packed, not text, not readable."""
    try:
        if capture.is_dir() and any(exported_names(capture)):
            return
        files, _notices = list_files(capture)
        if any(file.role != "other" for file in files):
            return
        packed = sorted(file.path for file in packed_files(files))
        raise NothingToOpenError(how_to_unpack_all(packed)) if packed else not_exported(capture)
    except OSError as error:
        raise unreachable(capture, error) from error


def _alternatives(capture: Path) -> list[Path]:
    """The files of a capture in which no name says what is what, and several are of one type."""
    if capture.is_file() or any(name.type in KINDS for name, _folder in exported_names(capture)):
        return []
    return _each_alone(list_files(capture)[0])


def _each_alone(files: Sequence[ExportFile]) -> list[Path]:
    found = [file for file in files if file.role != "other"]
    types = Counter((file.role, file.name.type) for file in found if file.renamed)
    if all(file.renamed for file in found) and any(number > 1 for number in types.values()):
        return [file.path for file in found]
    return []


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
        return _alone(start)
    search = _Search()
    search.run(top)
    if search.captures:
        captures = sorted(search.captures, key=lambda capture: (capture.name, capture))
        return Found(tuple(captures), notices=tuple(search.notices(path)))
    if start.is_file() and framework is not None and _is_export(start):
        return _alone(start)
    if loose := dict.fromkeys(search.loose()):
        return Found(tuple(loose), notices=tuple(search.notices(path)))
    raise _why_nothing(path, search, framework or search.framework)


def _why_nothing(
    path: Path, search: "_Search", framework: Path | None
) -> NothingToOpenError | UnreadableError:
    if tuning := _tuning_around(path) or search.tuning:
        return operator_tuning(tuning)
    if search.closed:
        return unreachable(path, search.closed)
    if search.stopped:
        return too_many_entries(path, count_text(_MOST_ENTRIES))
    if framework:
        return framework_output(framework)
    return NothingToOpenError(how_to_unpack_all(search.packed)) if search.packed else nothing_found(path)


def _is_export(file: Path) -> bool:
    return any(each.role != "other" for each in list_files(file)[0])


def _alone(file: Path) -> Found:
    """A file outside of any capture, as a capture of its own."""
    if _is_export(file):
        return Found((file,), file=file)
    if tuning := _tuning_around(file):
        raise operator_tuning(tuning)
    if is_packed(file.name):
        raise NothingToOpenError(how_to_unpack(file))
    raise no_export(file, read_head(file))


_TUNING = "OPPROF_"
_TUNING_TABLE = "OpBasicInfo.csv"
"""What ``msprof op`` calls its directories, and the table that each of them has."""


def _tuning_around(path: Path) -> Path | None:
    """The output of ``msprof op`` that ``path`` is or lies in."""
    start = Path(os.path.abspath(path))
    if start.is_file() and is_operator_tuning(headers_of(read_head(start))):
        return start
    for directory in [start, *start.parents][: _LEVELS_UP + 1]:
        if directory.name.startswith(_TUNING) or (directory / _TUNING_TABLE).is_file():
            return directory
    return None


def _is_framework(directory: Path) -> bool:
    return directory.name == _FRAMEWORK_OUTPUT or directory.name.endswith(_FRAMEWORK_ENDINGS)


@dataclass
class _Search:
    """A walk downwards, breadth first."""

    captures: list[Path] = field(default_factory=list)
    framework: Path | None = None
    """The first directory that looks like a framework's output."""
    refused: list[OSError] = field(default_factory=list)
    """Why directories could not be listed."""
    closed: OSError | None = None
    """Why the top, or a directory called PROF_*, could not be."""
    tuning: Path | None = None
    """The first output of ``msprof op``."""
    packed: list[Path] = field(default_factory=list)
    """Archives and workbooks that seem to hold exports."""
    _with_tables: list[tuple[Path, int]] = field(default_factory=list)
    """Directories with CSV and JSON files, and how many."""
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
        for error in self.refused[:_MOST_REFUSED]:
            yield str(unreachable(path, error))
        if (more := len(self.refused) - _MOST_REFUSED) > 0:
            yield counted(
                "{n} more directory below {path} can't be read.",
                "{n} more directories below {path} can't be read.",
                more,
                path=path,
            )
        if self.tuning:
            yield str(operator_tuning(self.tuning))

    def loose(self) -> Iterator[Path]:
        """Directories outside of captures that hold exported files, or the PROF directories around them."""
        left = _MOST_LOOKED_AT
        for directory, number in self._with_tables:
            left -= number
            if left < 0:
                return
            if any(file.role != "other" for file in list_files(directory)[0]):
                yield directory.parent if is_prof_name(directory.parent.name) else directory

    def _enter(self, directory: Path, top: Path) -> Iterator[Path]:
        """The directories in ``directory``, real ones before links, unless it is a capture or known."""
        if self.stopped or not self._is_new(directory):
            return
        try:
            with os.scandir(directory) as listing:
                entries = list(islice(listing, self._entries_left + 1))
        except OSError as error:
            self.refused.append(error)
            if directory == top or directory.name.startswith("PROF_"):
                self.closed = self.closed or error
            return
        self._entries_left -= len(entries)
        names = [entry.name for entry in entries]
        if is_capture(directory, names):
            self.captures.append(directory)
            return
        if directory.name.startswith(_TUNING) or _TUNING_TABLE in names:
            self.tuning = self.tuning or directory
        self._note_files(directory, names)
        entries.sort(key=lambda entry: (entry.is_symlink(), entry.name))
        yield from (directory / entry.name for entry in entries if _is_directory(entry))

    def _note_files(self, directory: Path, names: list[str]) -> None:
        if _is_framework(directory):
            self.framework = self.framework or directory
            return
        if number := sum(name.lower().endswith((".csv", ".json")) for name in names):
            self._with_tables.append((directory, number))
        self.packed += [
            directory / name
            for name in sorted(names)
            if is_packed(name) and (packed_type(name) or name.startswith("PROF_"))
        ]

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
