"""Exported files that were packed or saved as a workbook: what they hold, and how to get at it."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.capture.listing import ExportFile, FileName, Role, parse
from prof_tui.words import _, counted

_TAR = "tar -xf {file} -C {folder}"
_UNPACK = {
    ".tar": _TAR,
    ".tar.gz": _TAR,
    ".tgz": _TAR,
    ".tar.bz2": _TAR,
    ".tar.xz": _TAR,
    ".tar.zst": _TAR,
    ".gz": "gunzip -k {file}",
    ".zst": "zstd -d {file}",
    ".bz2": "bunzip2 -k {file}",
    ".xz": "unxz -k {file}",
    ".zip": "unzip {file} -d {folder}",
}
"""Endings and the commands that unpack such a file beside itself; the longer ones first."""
_WORKBOOKS = (".xlsx", ".xls", ".ods")


def is_packed(name: str) -> bool:
    """Whether a file is an archive or a workbook, by its name."""
    return _ending(name) != ""


def packed_type(name: str) -> str:
    """The file type that a packed file holds, by its name; empty where that names none."""
    found = _inner_name(name)
    return found.type if found else ""


def packed_role(name: str) -> Role:
    """Whether a packed file holds a table or a timeline, by its name."""
    found = _inner_name(name)
    if found is None:
        return "other"
    return "timeline" if found.suffix == "json" and KINDS[found.type].timeline else "table"


def _inner_name(name: str) -> FileName | None:
    """What the name within ``op_summary_….csv.gz`` or ``op_summary_….xlsx`` says; None for no known type."""
    inner = name[: -len(_ending(name))] if is_packed(name) else ""
    found = parse(inner if inner.endswith((".csv", ".json")) else f"{inner}.csv", merged=True)
    return found if found and found.type in KINDS else None


def how_to_unpack(path: Path) -> str:
    """One sentence: that a file is packed or a workbook, and what makes it readable."""
    ending = _ending(path.name)
    if ending in _WORKBOOKS:
        text = _("{file} is a workbook, and prof-tui reads CSV: save the sheet as CSV (UTF-8) beside it.")
        return text.format(file=path.name)
    command = _UNPACK[ending].format(file=shlex.quote(str(path)), folder=shlex.quote(str(path.parent)))
    return _("{file} is packed; this unpacks it: {command}").format(file=path.name, command=command)


def how_to_unpack_all(paths: Sequence[Path]) -> str:
    """The sentence for the first of several packed files, and how many more there are."""
    said = how_to_unpack(paths[0])
    if len(paths) == 1:
        return said
    return f"{said} " + counted("({n} more file is packed.)", "({n} more files are packed.)", len(paths) - 1)


def packed_files(files: Sequence[ExportFile]) -> list[ExportFile]:
    """Those that hold CSV or JSON by their names, and archives, which may hold a whole folder."""
    return [file for file in files if file.role == "other" and _may_hold_exports(file.path.name)]


def _may_hold_exports(name: str) -> bool:
    ending = _ending(name)
    is_text = name.casefold().removesuffix(ending).endswith((".csv", ".json"))
    return ending != "" and (is_text or packed_type(name) != "" or "{folder}" in _UNPACK.get(ending, ""))


def _ending(name: str) -> str:
    lower = name.casefold()
    return next((ending for ending in (*_UNPACK, *_WORKBOOKS) if lower.endswith(ending)), "")
