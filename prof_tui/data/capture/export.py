"""What a capture holds: its exports, and of the one that is used every table, timeline and other file."""

import os
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from prof_tui.data.capture.content import device_ids_in
from prof_tui.data.capture.file_sets import (
    FileSet,
    UnusedFile,
    kind_order,
    missing_set,
    table_sets,
    timeline_sets,
)
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.capture.layout import MERGED, device_numbers, name_among_neighbours
from prof_tui.data.capture.listing import ExportFile, Role, list_files
from prof_tui.data.capture.packed import how_to_unpack, packed_files, packed_role, packed_type
from prof_tui.data.capture.refusals import unreadable
from prof_tui.errors import UnreadableError, UsageError
from prof_tui.words import _, counted


def split_exports(files: Iterable[ExportFile]) -> list[list[ExportFile]]:
    """The stamped ones among ``files``, one list per export, oldest export first.

    Files follow in stamp order until one comes a second time; the cut is at the largest gap between
    the two, at the later one of equals. The stamps of one export may be seconds apart (formats.md 1.1).
    """
    ordered = sorted(
        (file for file in files if file.name.stamp), key=lambda file: (_stamp(file), file.path.name)
    )
    exports: list[list[ExportFile]] = []
    seen: dict[Hashable, int] = {}
    start = 0
    for place, file in enumerate(ordered):
        before = seen.get(_identity(file), -1)
        if before >= start:
            cut = _largest_gap(ordered, before, place)
            exports.append(ordered[start:cut])
            start = cut
        seen[_identity(file)] = place
    return [*exports, ordered[start:]] if ordered else []


def _identity(file: ExportFile) -> Hashable:
    """What one export writes once; a slice without number is its first."""
    inner = (file.device, file.model, file.iteration, file.name.slice or 0)
    return (file.merged, file.role, file.name.type, *inner)


def _largest_gap(ordered: list[ExportFile], before: int, place: int) -> int:
    """The place after ``before``, up to ``place``, whose stamp is furthest from the one ahead of it."""

    def gap(later: int) -> tuple[int, int]:
        return _seconds(ordered[later]) - _seconds(ordered[later - 1]), later

    return max(range(before + 1, place + 1), key=gap)


def _stamp(file: ExportFile) -> str:
    return file.name.stamp or ""


def _seconds(file: ExportFile) -> int:
    """A stamp as seconds, every month taken as 31 days: enough to compare gaps, for any 14 digits."""
    stamp = _stamp(file)
    year, month, day = int(stamp[:4]), int(stamp[4:6]), int(stamp[6:8])
    hour, minute, second = int(stamp[8:10]), int(stamp[10:12]), int(stamp[12:])
    return ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second


ONLY_TIMELINES = _(
    "Only timelines were exported: msprof --export=on --output=PROF_XXX writes the tables beside them."
)
_TIMELINE = "msprof"
_USUAL_TABLES = tuple(kind.name for kind in KINDS.values() if kind.usual and kind.name != _TIMELINE)

_TELL_DEVICES = ("op_statistic", "op_summary", "step_trace", "task_time")


@dataclass(frozen=True)
class ExportSet:
    """What one run of ``msprof --export=on`` wrote."""

    stamp: str | None
    """``yyyyMMddHHmmss`` of its first file; None for files without a stamp (the old layout)."""
    used: bool
    files: tuple[ExportFile, ...]


@dataclass(frozen=True)
class Export:
    """The files of a capture, sorted; a type stands once in ``tables``, also when it is missing."""

    capture: Path
    name: str
    """The part of its path that tells it from its neighbours."""
    generation: str
    """``new layout``, ``old layout``, ``both layouts`` (formats.md 1), ``loose files`` of a folder under
    another name, or ``nothing exported``."""
    devices: tuple[int, ...]
    exports: tuple[ExportSet, ...]
    """Newest first, files without a stamp last."""
    tables: tuple[FileSet, ...]
    timelines: tuple[FileSet, ...]
    other: tuple[ExportFile, ...]
    """Neither tables nor timelines: README.txt, databases, the exporter's advice."""
    unused: tuple[UnusedFile, ...]
    """Tables and timelines that are there and not read."""
    notices: tuple[str, ...]

    @property
    def root(self) -> Path:
        """The directory that files are named in: the capture, or the one around a file that is one."""
        return self.capture.parent if self.capture.is_file() else self.capture

    def has_table(self, name: str) -> bool:
        """Whether there are files of this table that are read, damaged or not."""
        found = self.table(name)
        return found is not None and bool(found.files)

    @property
    def only_timelines(self) -> bool:
        """Whether timelines were exported, and no table."""
        return any(each.files for each in self.timelines) and not any(each.files for each in self.tables)

    def alternatives(self, name: str) -> tuple[ExportFile, ...]:
        """The files of which each may be this table, where none of them has its name."""
        found = self.table(name)
        return tuple(file for file in found.unread if file.role == "table") if found else ()

    @property
    def only_device(self) -> int | None:
        """The device of a capture that has just one."""
        return self.devices[0] if len(self.devices) == 1 else None

    def table(self, name: str) -> FileSet | None:
        """The table of a type, also a missing one; None for a type that is neither here nor usual."""
        return next((table for table in self.tables if table.name == name), None)


def no_device(device: int, known: Iterable[int | None]) -> UsageError:
    """For a device that is none of those ``known``."""
    text = _("There is no device {device} in this capture; it has: {known}.")
    return UsageError(text.format(device=device, known=join_numbers(known)))


def join_numbers(numbers: Iterable[int | None]) -> str:
    """Devices or models for a sentence, each once and in order."""
    known = {number for number in numbers if number is not None}
    return ", ".join(map(str, sorted(known))) or _("none")


def read_export(capture: Path, *, chosen: Path | None = None) -> Export:
    """Sort the files of ``capture``; of several exports the newest is used, or the one that holds ``chosen``.

    UnreadableError when the directory can't be listed. A file that can't be read never raises.
    """
    try:
        listed, notices = list_files(capture)
        names = os.listdir(capture) if capture.is_dir() else []
    except OSError as error:
        raise UnreadableError(unreadable(str(capture), error)) from error
    if alone := _opened_alone(listed, chosen):
        listed, notices = [alone], [_about_alone(alone, capture)]
    stamped = split_exports(listed)
    used = _used(stamped, chosen)
    others = [export for export in stamped if export is not used]
    current = [*used, *(file for file in listed if not file.name.stamp)]
    tables, unused_tables = table_sets(file for file in current if file.role == "table")
    timelines, unused_timelines = timeline_sets(file for file in current if file.role == "timeline")
    packed = packed_files(listed)
    tables = _add_missing(tables, _USUAL_TABLES, others, packed, "table")
    timelines = _add_missing(timelines, (_TIMELINE,), others, packed, "timeline")
    unused = [*unused_tables, *unused_timelines]
    copies = [item for item in unused if item.file.renamed]
    left_out = {item.file for item in copies}
    either = {file for each in (*tables, *timelines) for file in each.unread}
    notices += [*_about_exports(others, used), *_about_unused(unused, listed)]
    notices += _about_copies([item for item in copies if item.file not in either])
    notices += [*_about_sets(tables, others, "table"), *_about_sets(timelines, others, "timeline")]
    return Export(
        capture=capture,
        name=name_among_neighbours(capture),
        generation=_generation(listed),
        devices=_devices(names, listed),
        exports=tuple(_export_sets(stamped, used, [each for each in listed if each not in left_out])),
        tables=tuple(tables),
        timelines=tuple(timelines),
        other=tuple(file for file in listed if file.role == "other"),
        unused=(*unused, *_outdated(others, used)),
        notices=tuple(notices),
    )


def _opened_alone(listed: list[ExportFile], chosen: Path | None) -> ExportFile | None:
    """The chosen file where it is a copy beside the proper one, or one of several without the proper name."""
    if chosen is None:
        return None
    wanted = os.path.realpath(chosen)
    file = next((each for each in listed if each.renamed and os.path.realpath(each.path) == wanted), None)
    if file is None:
        return None
    rivals = [each for each in listed if (each.role, each.name.type) == (file.role, file.name.type)]
    return replace(file, renamed=False) if len(rivals) > 1 else None


def _used(stamped: list[list[ExportFile]], chosen: Path | None) -> list[ExportFile]:
    if chosen is not None:
        wanted = os.path.realpath(chosen)
        for export in stamped:
            if any(os.path.realpath(file.path) == wanted for file in export):
                return export
    return stamped[-1] if stamped else []


def _add_missing(
    present: list[FileSet],
    usual: tuple[str, ...],
    others: list[list[ExportFile]],
    packed: list[ExportFile],
    role: Role,
) -> list[FileSet]:
    """In the order of ``file_types``; a set too for each type that a usual export or another one here has."""
    held = {packed_type(file.path.name): file for file in packed if packed_role(file.path.name) == role}
    wanted = {
        *usual,
        *held,
        *(file.name.type for export in others for file in export if file.role == role),
    }
    lacking = wanted - {file_set.name for file_set in present}
    missing = [_packed_set(name, held[name]) if name in held else missing_set(name) for name in lacking]
    return sorted([*present, *missing], key=lambda file_set: kind_order(file_set.name))


def _packed_set(name: str, file: ExportFile) -> FileSet:
    return FileSet(name, None, (), "unsupported", how_to_unpack(file.path), unread=(file,))


def _export_sets(
    stamped: list[list[ExportFile]], used: list[ExportFile], listed: Iterable[ExportFile]
) -> Iterator[ExportSet]:
    for export in reversed(stamped):
        yield ExportSet(export[0].name.stamp, export is used, tuple(export))
    unstamped = tuple(file for file in listed if file.role != "other" and not file.name.stamp)
    if unstamped:
        yield ExportSet(None, True, unstamped)


def _outdated(others: list[list[ExportFile]], used: list[ExportFile]) -> Iterator[UnusedFile]:
    for file in (file for export in others for file in export if file.role != "other"):
        yield UnusedFile(file, _("The export of {stamp} is shown instead.").format(stamp=used[0].name.stamp))


def _generation(listed: list[ExportFile]) -> str:
    layouts = {file.merged for file in listed if file.role != "other"}
    if len(layouts) == 2:
        return "both layouts"
    if layouts and not any(file.path.parent.name == MERGED for file in listed) and True in layouts:
        return "loose files"
    return "new layout" if True in layouts else "old layout" if layouts else "nothing exported"


def _devices(names: list[str], listed: list[ExportFile]) -> tuple[int, ...]:
    named = {file.device for file in listed if file.role != "other" and file.device is not None}
    return tuple(sorted({*device_numbers(names), *named, *_devices_in_rows(listed)}))


def _devices_in_rows(listed: list[ExportFile]) -> set[int]:
    """What the rows of tables say of devices, of those whose names say nothing."""
    found = {
        device
        for file in listed
        if file.role == "table" and file.name.type in _TELL_DEVICES and file.device is None
        for device in device_ids_in(file.path, file.size)
    }
    return {int(device) for device in found if re.fullmatch(r"\d{1,4}", device)}


def _about_exports(others: list[list[ExportFile]], used: list[ExportFile]) -> Iterator[str]:
    if others:
        stamps = ", ".join(export[0].name.stamp or "" for export in reversed(others))
        text = _("Several exports are in this capture: that of {stamp} is shown, not shown are {others}.")
        yield text.format(stamp=used[0].name.stamp, others=stamps)


def _about_sets(file_sets: list[FileSet], others: list[list[ExportFile]], role: Role) -> Iterator[str]:
    """What a set lacks although it can be shown, and where one that is missing stands instead."""
    for file_set in file_sets:
        if file_set.status in ("ok", "unsupported") and file_set.reason:
            yield file_set.reason
        wanted = (role, file_set.name)
        elsewhere = [file for export in others for file in export if (file.role, file.name.type) == wanted]
        if file_set.status == "missing" and elsewhere:
            text = _("{table} is not in the export that is shown; {name} of another export has it.")
            yield text.format(table=file_set.name, name=elsewhere[-1].path.name)


def _about_alone(file: ExportFile, capture: Path) -> str:
    text = _("{name} is open alone: the other files of {capture} are left out.")
    return text.format(name=file.path.name, capture=capture.name)


def _about_copies(copies: list[UnusedFile]) -> Iterator[str]:
    """The first file under another name beside the proper one, and how many more there are."""
    if copies:
        yield copies[0].reason
    if len(copies) > 1:
        yield counted(
            "{n} more file is such a copy: Files (6) has it.",
            "{n} more files are such copies: Files (6) has them.",
            len(copies) - 1,
        )


def _about_unused(unused: list[UnusedFile], listed: list[ExportFile]) -> Iterator[str]:
    merged = {(file.role, file.name.type) for file in listed if file.merged}
    count = sum(not item.file.merged and (item.file.role, item.file.name.type) in merged for item in unused)
    if count:
        yield counted(
            "{n} file of device_N is not used: {folder} holds its rows.",
            "{n} files of device_N are not used: {folder} holds their rows.",
            count,
            folder=MERGED,
        )
