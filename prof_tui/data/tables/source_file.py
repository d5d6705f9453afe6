"""Reading a file of the export by plain reads, and noticing when it is no longer the same file.

Never mmap: a mapped file that shrinks ends the program with SIGBUS (performance.md, the design).
"""

import os
from dataclasses import dataclass
from pathlib import Path

from prof_tui.data.capture.refusals import unreadable_file
from prof_tui.errors import UnreadableError
from prof_tui.words import _


class DamagedText(Exception):  # noqa: N818 - not an error of the user's: the file is read another way
    """Bytes that are not UTF-8, zero bytes, quotes inside a cell: the file can't be read in place."""


@dataclass(frozen=True)
class Fingerprint:
    """What tells whether a path still holds the same bytes."""

    size: int
    mtime_ns: int
    inode: int


class SourceFile:
    """A file that is read in pieces while its fingerprint stays the same."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fingerprint = self._stat()

    def _stat(self) -> Fingerprint:
        try:
            stat = os.stat(self.path)
        except OSError as error:
            raise UnreadableError(unreadable_file(self.path, error)) from error
        return Fingerprint(stat.st_size, stat.st_mtime_ns, stat.st_ino)

    @property
    def size(self) -> int:
        return self.fingerprint.size

    def check(self) -> None:
        """Raise UnreadableError when the file was changed since it was opened."""
        if self._stat() != self.fingerprint:
            raise self._changed()

    def _whole(self, piece: bytes, length: int) -> bytes:
        if len(piece) < length:
            raise self._changed()
        return piece

    def _changed(self) -> UnreadableError:
        return UnreadableError(
            _("{file} was changed while it was open: reload (R) to read it anew.").format(file=self.path.name)
        )

    def read(self, offset: int = 0, length: int = -1) -> bytes:
        """``length`` bytes from ``offset``, or all that follow."""
        self.check()
        try:
            with open(self.path, "rb", buffering=0) as file:
                file.seek(offset)
                wanted = self.size - offset if length < 0 else length
                return self._whole(_read_fully(file.fileno(), wanted), min(wanted, self.size - offset))
        except OSError as error:
            raise UnreadableError(unreadable_file(self.path, error)) from error

    def read_pieces(self, pieces: list[tuple[int, int]]) -> list[bytes]:
        """Several (offset, length) pieces, opening the file once."""
        self.check()
        try:
            fd = os.open(self.path, os.O_RDONLY)
            try:
                return [self._whole(os.pread(fd, length, offset), length) for offset, length in pieces]
            finally:
                os.close(fd)
        except OSError as error:
            raise UnreadableError(unreadable_file(self.path, error)) from error


def _read_fully(fd: int, length: int) -> bytes:
    pieces = []
    while length > 0 and (piece := os.read(fd, min(length, 1 << 24))):
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
