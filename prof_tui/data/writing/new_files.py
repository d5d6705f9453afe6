"""Where a file that the user asks for is written: never into a capture, never over another file."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from prof_tui.data.capture.layout import is_capture
from prof_tui.errors import UnreadableError, UsageError
from prof_tui.words import _


def inside_capture(path: Path) -> bool:
    """Whether a path is a capture or inside one."""
    resolved = Path(os.path.realpath(path))
    return any(is_capture(folder, _names(folder)) for folder in (resolved, *resolved.parents))


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def folder_for_files(start: Path) -> Path:
    """The start directory unless that is inside a capture or read-only; then home, then the temporary one."""
    for folder in (start, Path.home(), Path(tempfile.gettempdir())):
        if folder.is_dir() and os.access(folder, os.W_OK) and not inside_capture(folder):
            return folder
    raise UnreadableError(
        _("There is no directory to write to: neither here, nor at home, nor a temporary one.")
    )


def cache_folder() -> Path | None:
    """The program's own directory below the user's cache directory; None where there is no place for it."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(os.path.realpath(folder), "prof-tui") if os.path.isabs(folder) else None


def folder_for_copies() -> Path:
    """The cache directory, made if it is missing, unless it is inside a capture; else the temporary one."""
    folder = cache_folder()
    if folder is not None and not inside_capture(folder):
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return Path(tempfile.gettempdir())


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """``folder/stem.suffix``, with ``-2``, ``-3`` before the suffix while that exists."""
    path, number = folder / f"{stem}.{suffix}", 1
    while os.path.lexists(path):
        number += 1
        path = folder / f"{stem}-{number}.{suffix}"
    return path


def check_new(path: Path) -> None:
    """UsageError with the reason why no new file can be made there."""
    if path.name in ("", ".", ".."):
        raise UsageError(_("Write the name of a new file."))
    if os.path.lexists(path):
        raise UsageError(_("{path} exists and is not overwritten: choose another name.").format(path=path))
    if inside_capture(path.parent):
        raise UsageError(
            _("{path} is inside a capture, where nothing is written: choose another place.").format(path=path)
        )
    if not path.parent.is_dir():
        raise UsageError(_("There is no directory {path}: choose another place.").format(path=path.parent))
    if not os.access(path.parent, os.W_OK):
        raise UsageError(_("{path} can't be written to: choose another place.").format(path=path.parent))


def write_new(path: Path, chunks: Iterable[str]) -> None:
    """Write a new file; UsageError as by ``check_new``, UnreadableError when writing fails."""
    check_new(path)
    try:
        with open(path, "x", encoding="utf-8", newline="") as file:
            file.writelines(chunks)
    except OSError as error:
        raise UnreadableError(
            _("{path} can't be written: {why}.").format(path=path, why=error.strerror)
        ) from error


_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL, errno.EACCES)
"""How file systems without hard links refuse one."""


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which is called ``path`` once the block has ended without an exception.

    UsageError as by ``check_new``, also when the name was taken meanwhile; UnreadableError when the system
    refuses.  Nothing is left of it on any exception.
    """
    check_new(path)
    temporary = path.parent / f".prof-tui-{secrets.token_hex(8)}.tmp"
    try:
        with open(temporary, "xb") as file:
            yield file
        _name(temporary, path)
    except OSError as error:
        text = _("{path} can't be written: {why}.")
        raise UnreadableError(text.format(path=path, why=error.strerror)) from error
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _name(temporary: Path, path: Path) -> None:
    """Give a file its name without ever overwriting another."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        check_new(path)
        raise
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with open(path, "xb"):
            """The name is taken, by an empty file that is replaced next."""
        os.replace(temporary, path)
