"""Several captures at one path: how they are told apart, and a line for each."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from prof_tui.data.capture.find import Found, find_captures
from prof_tui.data.capture.layout import capture_date, device_numbers
from prof_tui.data.capture.listing import exported_names, list_files, role_of
from prof_tui.data.capture.packed import packed_files
from prof_tui.data.capture.refusals import unreadable
from prof_tui.errors import NothingToOpenError
from prof_tui.words import _, count


@dataclass(frozen=True)
class CaptureSummary:
    """What to choose a capture by."""

    path: Path
    name: str
    """The part of its path that tells it apart."""
    date: datetime | None
    devices: tuple[int, ...]
    tables: tuple[str, ...]
    """File types of its tables, each once, by name."""
    exported: bool
    """Whether there is anything to open; not of packed files alone."""
    packed: bool = False
    problem: str = ""
    """Why it can't be listed."""
    more: tuple[str, ...] = ()
    """What only its files tell, where they were read."""

    def parts(self) -> list[str]:
        """What a line says of it behind its name: date, devices, more, whether it is exported."""
        if self.problem:
            return [self.problem]
        said = [self.date.strftime("%Y-%m-%d %H:%M:%S")] if self.date else []
        if self.devices:
            many = len(self.devices) > 1
            text = _("devices {devices}") if many else _("device {devices}")
            said.append(text.format(devices=", ".join(map(str, self.devices))))
        if self.exported:
            return [*said, *self.more]
        return [*said, _("packed") if self.packed else _("not exported")]


def describe(path: Path, name: str = "") -> CaptureSummary:
    """What a capture holds, by the names of its files; by their content where no name tells."""
    name, date = name or path.name, capture_date(path)
    try:
        devices = device_numbers(os.listdir(path)) if path.is_dir() else ()
        named = list(exported_names(path)) if path.is_dir() else []
        if named:
            tables = {each.type for each, folder in named if role_of(each, folder) == "table"}
            return CaptureSummary(path, name, date, devices, tuple(sorted(tables)), exported=True)
        files = list_files(path)[0]
    except OSError as error:
        problem = unreadable(path.name, error)
        return CaptureSummary(path, name, date, (), (), exported=False, problem=problem)
    tables = {file.name.type for file in files if file.role == "table"}
    exported, packed = any(file.role != "other" for file in files), bool(packed_files(files))
    return CaptureSummary(path, name, date, devices, tuple(sorted(tables)), exported, packed)


def names_apart(paths: Sequence[Path]) -> list[str]:
    """The shortest part of each path that tells it from the others: below the directory of all of them."""
    if len(paths) < 2:
        return [path.name for path in paths]
    common = os.path.commonpath([path.parent for path in paths])
    return [path.relative_to(common).as_posix() for path in paths]


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


def list_alternatives(type_: str, files: Sequence[Path]) -> str:
    """Which files may be a table, one a line."""
    text = _("{count} files are {type}, none under the name that msprof gives; give one of them as PATH:")
    return "\n".join([text.format(count=count(len(files)), type=type_), *(f"  {file}" for file in files)])


def _line(summary: CaptureSummary) -> str:
    said = summary.parts()
    if summary.path.is_file():
        said = list(summary.tables)
    return f"  {summary.path}  {'; '.join(said)}".rstrip()
