"""The files of one export grouped into what is read together, each row in exactly one of them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.capture.listing import ExportFile
from prof_tui.words import _

_KIND_PLACES = {name: place for place, name in enumerate(KINDS)}

Status = Literal["ok", "empty", "damaged", "unreadable", "missing", "unsupported"]


@dataclass(frozen=True)
class FileSet:
    """The files of one table or one timeline, in the order in which they are joined."""

    name: str
    """The file type, such as ``op_summary``."""
    device: int | None
    """None where the files cover several devices, or the host."""
    files: tuple[ExportFile, ...]
    """Only readable files with content while ``status`` is ``ok``."""
    status: Status
    """What names and inodes tell; a reader finds out what is damaged."""
    reason: str = ""
    """Sentences: what is wrong, or which files were left out."""
    model: int | None = None
    """None where the files cover several, all, or say nothing; so is ``iteration``."""
    iteration: int | None = None
    unread: tuple[ExportFile, ...] = ()
    """What would be this table while ``status`` is ``unsupported``: alternatives, or packed files."""


@dataclass(frozen=True)
class UnusedFile:
    """A file that belongs to no table or timeline shown, and one sentence that says why."""

    file: ExportFile
    reason: str


Sorted = tuple[list[FileSet], list[UnusedFile]]


def table_sets(files: Iterable[ExportFile]) -> Sorted:
    """One set per type over all devices, iterations and slices."""
    return _sort_out(files, lambda file: ())


def timeline_sets(files: Iterable[ExportFile]) -> Sorted:
    """One set per type, device, model and iteration, slices joined."""
    return _sort_out(files, _place)


def missing_set(name: str) -> FileSet:
    """The place of a type that is not in this export, with the option that makes it."""
    return FileSet(name, None, (), "missing", KINDS[name].made_by if name in KINDS else "")


def kind_order(name: str) -> tuple[int, str]:
    """Sort key: known types as ``file_types`` lists them, then the others by name."""
    return _KIND_PLACES.get(name, len(_KIND_PLACES)), name


def _sort_out(files: Iterable[ExportFile], part_of: Callable[[ExportFile], tuple[int, ...]]) -> Sorted:
    sets: list[FileSet] = []
    unused: list[UnusedFile] = []
    for _type, of_type in groupby(sorted(files, key=_order), lambda file: file.name.type):
        proper, copies = _tell_copies(list(of_type))
        unused += copies
        if not proper:
            sets.append(_alternatives(copies))
            continue
        kept, left_out = _leave_out_covered(proper)
        kept, repeated = _leave_out_repeated(kept)
        unused += left_out + repeated
        for _part, part in groupby(kept, part_of):
            file_set, faulty = _file_set(list(part))
            sets.append(file_set)
            unused += faulty
    return sets, unused


def _tell_copies(files: list[ExportFile]) -> tuple[list[ExportFile], list[UnusedFile]]:
    """Files that are read, and those under other names beside them, which are never added.

    The only file of a type is read whatever its name; of several of which none has the proper name, none.
    """
    proper = [file for file in files if not file.renamed]
    renamed = [file for file in files if file.renamed]
    if not proper and len(renamed) == 1:
        return renamed, []
    name = proper[0].path.name if proper else ""
    said = _why_copy(files[0].name.type, name, len(renamed))
    return proper, [UnusedFile(file, f"{file.path.name} {said}") for file in renamed]


def _why_copy(type_: str, proper: str, number: int) -> str:
    """What is said behind the name of a file that is of a type too; ``proper``: the name of the one read."""
    if proper:
        text = _("is {type} too, beside {name}: never added; it opens alone by its own path.")
    else:
        text = _("is one of {count} files that are {type}, none under its name: each opens alone.")
    return text.format(type=type_, name=proper, count=number)


def _alternatives(copies: list[UnusedFile]) -> FileSet:
    files = tuple(each.file for each in copies)
    text = _("{count} files are {type}, none under the name that msprof gives: give one of them as PATH.")
    said = text.format(count=len(files), type=files[0].name.type)
    return FileSet(files[0].name.type, None, (), "unsupported", said, unread=files)


def _order(file: ExportFile) -> tuple[tuple[int, str], tuple[int, ...], int]:
    return kind_order(file.name.type), _place(file), file.name.slice or 0


def _place(file: ExportFile) -> tuple[int, ...]:
    """(device, model, iteration), -1 for none, so that they sort as numbers, none first."""
    return tuple(-1 if number is None else number for number in (file.device, file.model, file.iteration))


def _leave_out_covered(files: list[ExportFile]) -> tuple[list[ExportFile], list[UnusedFile]]:
    """Leave out what a better file holds: merged ones first, those of all devices first, CSV first."""

    def rank(file: ExportFile) -> tuple[bool, bool, bool]:
        return not file.merged, file.device is not None, file.name.suffix != "csv"

    kept: list[ExportFile] = []
    unused: list[UnusedFile] = []
    for _rank, equals in groupby(sorted(files, key=rank), rank):
        better = list(kept)
        for file in equals:
            cover = next((other for other in better if _covers(other, file)), None)
            if cover is None:
                kept.append(file)
            else:
                unused.append(UnusedFile(file, _("{name} holds the same.").format(name=cover.path.name)))
    return sorted(kept, key=_order), unused


def _covers(better: ExportFile, file: ExportFile) -> bool:
    if better.merged:
        return better.device is None or better.device == file.device
    return _place(better) == _place(file)


def _leave_out_repeated(files: list[ExportFile]) -> tuple[list[ExportFile], list[UnusedFile]]:
    """One step trace per device: each file of an iteration repeats the whole run (quirks.md 25)."""
    if not files or not _repeats_the_run(files[0]):
        return files, []
    kept: list[ExportFile] = []
    unused: list[UnusedFile] = []
    for _device, same in groupby(files, lambda file: file.device):
        repeated = list(same)
        best = max(repeated, key=lambda file: (file.problem is None, file.size))
        reason = _("{name} holds the same: a step trace repeats the whole run.").format(name=best.path.name)
        kept.append(best)
        unused += [UnusedFile(file, reason) for file in repeated if file is not best]
    return kept, unused


def _repeats_the_run(file: ExportFile) -> bool:
    return file.name.type == "step_trace" and not file.merged


def _file_set(files: list[ExportFile]) -> tuple[FileSet, list[UnusedFile]]:
    """The set of ``files``, and those of them that have nothing to read while others have."""
    good = [file for file in files if _fault(file) is None]
    faulty = [UnusedFile(file, fault) for file in files if (fault := _fault(file))]
    whole_run = _repeats_the_run(files[0])
    file_set = FileSet(
        name=files[0].name.type,
        device=_only({file.device for file in files}),
        files=tuple(good or files),
        status="ok" if good else "unreadable" if any(file.problem for file in files) else "empty",
        reason=" ".join(unused.reason for unused in faulty),
        model=None if whole_run else _only({file.model for file in files}),
        iteration=None if whole_run else _only({file.iteration for file in files}),
    )
    return file_set, faulty if good else []


def _fault(file: ExportFile) -> str | None:
    if file.problem or file.size:
        return file.problem
    return _("{name} is empty (0 bytes).").format(name=file.path.name)


def _only(numbers: set[int | None]) -> int | None:
    return next(iter(numbers)) if len(numbers) == 1 else None
