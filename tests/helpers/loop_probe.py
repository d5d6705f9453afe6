"""Runs the program and writes down when its event loop stood still: a key waits that long to be looked at.

    python tests/helpers/loop_probe.py FILE ARGUMENT ...

``FILE`` gets a line per gap of ``LEAST_S`` and more: its end on the clock of ``time.perf_counter``, and how
long it was, in seconds.  The arguments are those of ``prof-tui``.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import TextIO

LEAST_S = 0.005
_BEAT_S = 0.002


class _Policy(asyncio.DefaultEventLoopPolicy):
    """Every loop that is made is watched."""

    def __init__(self, file: TextIO) -> None:
        super().__init__()
        self._file = file

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        loop = super().new_event_loop()
        self._wait(loop)
        return loop

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_later(_BEAT_S, self._beat, loop, time.perf_counter() + _BEAT_S)

    def _beat(self, loop: asyncio.AbstractEventLoop, due_s: float) -> None:
        now_s = time.perf_counter()
        if now_s - due_s >= LEAST_S:
            print(now_s, now_s - due_s, file=self._file, flush=True)
        self._wait(loop)


def longest_gap(path: Path, since_s: float, until_s: float) -> float:
    """The longest gap that ended between two moments, in seconds; 0 for none of ``LEAST_S``."""
    lines = (line.split() for line in path.read_text().splitlines())
    return max((float(gap) for end, gap in lines if since_s <= float(end) <= until_s), default=0.0)


def main() -> int:
    """Exits as the program does."""
    from prof_tui.cli import main as program

    with open(sys.argv[1], "a") as file:
        asyncio.set_event_loop_policy(_Policy(file))
        return program(sys.argv[2:])


if __name__ == "__main__":
    raise SystemExit(main())
