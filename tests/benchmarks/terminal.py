"""A program in a pseudo terminal: keys in, and how long until the screen shows what was asked for."""

import fcntl
import math
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

COLUMNS, LINES = 120, 40
FULL_FRAME = re.escape(f"\x1b[{LINES};1H")
"""What a terminal gets when every line is drawn: the move to the last one."""
_TIMEOUT_S = 60.0
_SAMPLE_S = 0.02
_STILL_S = 0.06
"""A picture that is written in parts has shorter breaks than this."""
_IDLE_S, _IDLE_TICKS = 0.3, 1
_NOT_INHERITED = ("COLORTERM", "COLUMNS", "LINES", "NO_COLOR", "TMUX")


class Terminal:
    """Starts a program; times count from its start or from the last key, in seconds.

    A moment is that of the read which brought the last byte that was waited for.
    """

    def __init__(
        self, command: list[str], directory: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        """``environment`` is laid over that of this process."""
        inherited = {key: value for key, value in os.environ.items() if key not in _NOT_INHERITED}
        given = {**inherited, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(environment or {})}
        self.peak_anonymous = 0
        """Bytes, the most that was seen by looking every 20 ms."""
        self._since = self._last_read = time.perf_counter()
        self._sampled = 0.0
        self._output = bytearray()
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            os.chdir(directory)
            os.execvpe(command[0], command, given)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._terminal)

    def press(self, keys: str) -> None:
        """Times and output count from here on."""
        self._output.clear()
        self._since = self._last_read = time.perf_counter()
        os.write(self._terminal, keys.encode())

    def seconds_until(self, *patterns: str) -> float:
        """Until every pattern was drawn; TimeoutError with the last text once nothing comes any more."""
        missing = [re.compile(pattern.encode()) for pattern in patterns]
        while missing := [pattern for pattern in missing if not pattern.search(self._output)]:
            if not self._read(_SAMPLE_S) and time.perf_counter() - self._last_read > _TIMEOUT_S:
                wanted = [pattern.pattern.decode() for pattern in missing]
                raise TimeoutError(f"{wanted} was not drawn; last: {self.text()[-2000:]}")
        return self._last_read - self._since

    def seconds_until_still(self, *patterns: str) -> float:
        """Until what was drawn with the last of the patterns is on the screen whole."""
        self.seconds_until(*patterns)
        self.wait_quiet(_STILL_S)
        return self._last_read - self._since

    def drawn(self, pattern: str) -> bool:
        """Whether it is among the output since the last key."""
        return re.search(pattern.encode(), self._output) is not None

    def seconds_until_output(self) -> float:
        """Until anything at all was drawn."""
        return self.seconds_until(".")

    def wait_quiet(self, quiet_s: float) -> None:
        """Until nothing was drawn for so long."""
        while self._read(quiet_s):
            pass

    def wait_until(self, seconds: float) -> None:
        """Until so long after the last key."""
        while (rest := self._since + seconds - time.perf_counter()) > 0:
            self._read(rest)

    def seconds_until_idle(self) -> float:
        """Until the program took no processor time to speak of for ``_IDLE_S``."""
        began, before = time.perf_counter(), -math.inf
        while (now := self._processor_ticks()) - before > _IDLE_TICKS:
            began, before = time.perf_counter(), now
            while (rest := began + _IDLE_S - time.perf_counter()) > 0:
                self._read(rest)
        return began - self._since

    def processor_seconds(self) -> float:
        """What all threads have taken so far."""
        return self._processor_ticks() / os.sysconf("SC_CLK_TCK")

    def _processor_ticks(self) -> int:
        """utime and stime of all threads."""
        fields = Path(f"/proc/{self._process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def text(self) -> str:
        """The output since the last key without the control sequences."""
        return re.sub(r"\x1b\[[0-9;?<>]*[a-zA-Z]|\r", "", self._output.decode(errors="replace"))

    # Memory

    def anonymous(self) -> int:
        """Bytes that are now in memory and in no file."""
        return _kilobytes(Path(f"/proc/{self._process}/smaps_rollup").read_text(), "Anonymous")

    def peak_resident(self) -> int:
        """The most memory that was resident at once, mapped file pages among it, in bytes (VmHWM)."""
        return self._status("VmHWM")

    def _status(self, name: str) -> int:
        return _kilobytes(Path(f"/proc/{self._process}/status").read_text(), name)

    def _read(self, limit_s: float) -> bool:
        """Takes what there is, after ``limit_s`` at the latest; whether there was any."""
        if time.perf_counter() - self._sampled > _SAMPLE_S:
            self._sampled = time.perf_counter()
            self.peak_anonymous = max(self.peak_anonymous, self._status("RssAnon"))
        if not select.select([self._terminal], [], [], limit_s)[0]:
            return False
        try:
            self._output += os.read(self._terminal, 65536)
        except OSError as error:
            raise RuntimeError(f"the program ended: {self.text()[-2000:]}") from error
        self._last_read = time.perf_counter()
        return True


def _kilobytes(status: str, name: str) -> int:
    """A line of /proc as bytes; 0 where the program has just ended."""
    found = re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE)
    return int(found.group(1)) * 1024 if found else 0
