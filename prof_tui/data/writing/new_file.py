"""A new file that is there only when it is whole."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from prof_tui.data.writing.new_files import check_new
from prof_tui.errors import UnreadableError
from prof_tui.words import _

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
