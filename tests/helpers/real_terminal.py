"""The real program in a real pseudo terminal; every wait ends with what is waited for, or fails."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

PROGRAM = (sys.executable, "-m", "prof_tui")
_REPOSITORY = Path(__file__).parents[2]
_LONGEST_WAIT_S = 20
_NOT_INHERITED = ("COLORTERM", "NO_COLOR", "TMUX", "LC_ALL", "LC_CTYPE", "COLUMNS", "LINES")
_SEQUENCE = re.compile(r"\x1b(\[[0-9;?<>=$:]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()].|.)")


class RealTerminal:
    """A command in a terminal of ``size`` (rows, columns); ``environment`` on top of a plain one."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        size: tuple[int, int] = (24, 80),
        environment: dict[str, str] | None = None,
    ) -> None:
        plain = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
        plain |= {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONPATH": str(_REPOSITORY)}
        self.process, self._terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            self._set_size(0, *size)
            os.execvpe(command[0], list(command), plain | (environment or {}))
        self.output = b""
        """All that was written so far."""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process:
            os.kill(self.process, 9)
            os.waitpid(self.process, 0)
        if self._terminal >= 0:
            os.close(self._terminal)

    def send(self, keys: bytes) -> None:
        self._seen = len(self.output)
        os.write(self._terminal, keys)

    def resize(self, rows: int, columns: int) -> None:
        self._seen = len(self.output)
        self._set_size(self._terminal, rows, columns)

    @property
    def since(self) -> str:
        """What was written since the last key or change of size, without escape sequences."""
        return _SEQUENCE.sub("", self.output[self._seen :].decode("utf-8", "replace"))

    def wait_for(self, text: str, *, again: bytes = b"") -> str:
        """Read until ``text`` was written since the last key; what was written since.

        ``again`` is a key that is sent over and over meanwhile, as a user does who sees no answer.
        """
        end_s = time.monotonic() + _LONGEST_WAIT_S
        while text not in self.since:
            left_s = end_s - time.monotonic()
            if again and left_s > 0:
                os.write(self._terminal, again)
                self._read(min(0.3, left_s))
            else:
                assert self._read(left_s), f"{text!r} did not come, but {self.since!r}"
        return self.since

    def status(self) -> int:
        """Read until the program has ended; its exit status, negative for a signal."""
        end_s = time.monotonic() + _LONGEST_WAIT_S
        while self._read(end_s - time.monotonic()):
            pass
        assert time.monotonic() < end_s, f"the program did not end: {self.since!r}"
        _pid, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)

    def hang_up(self) -> int:
        """Take the terminal away, as a lost connection does; the program's exit status."""
        os.close(self._terminal)
        self._terminal = -1
        end_s = time.monotonic() + _LONGEST_WAIT_S
        pid = 0
        while not pid:
            assert time.monotonic() < end_s, "the program did not end"
            pid, status = os.waitpid(self.process, os.WNOHANG)
            select.select([], [], [], 0.05)
        self.process = 0
        return os.waitstatus_to_exitcode(status)

    def _read(self, longest_s: float) -> bool:
        """Whether anything came; nothing comes any more once the program has ended."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, longest_s))
        if not ready:
            return False
        try:
            data = os.read(self._terminal, 65536)
        except OSError:
            return False
        self.output += data
        return bool(data)

    @staticmethod
    def _set_size(terminal: int, rows: int, columns: int) -> None:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
