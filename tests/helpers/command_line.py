"""A command line run in this process or in one of its own, and what it wrote."""

import io
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, chdir
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import prof_tui
from prof_tui.cli import main

ROOT = Path(prof_tui.__file__).parents[1]


@dataclass(frozen=True)
class Ran:
    """What a command wrote to stdout and stderr, and its exit status."""

    out: str
    err: str
    code: int

    @property
    def rows(self) -> list[list[str]]:
        """The lines of a CSV without quotes, header first."""
        return [line.split(",") for line in self.out.splitlines()]


def run_process(words: Sequence[str], env: dict[str, str], cwd: Path) -> Ran:
    """``python -m prof_tui`` without a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "prof_tui", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | env,
        timeout=60,
        check=False,
    )
    return Ran(done.stdout.decode("utf-8"), done.stderr.decode("utf-8"), done.returncode)


def run_here(words: Sequence[str], env: dict[str, str], cwd: Path) -> Ran:
    """The same in this process, which saves what starting one and importing polars take."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _stream in range(2))
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    with ExitStack() as undo:
        undo.enter_context(chdir(cwd))
        undo.enter_context(patch.dict(os.environ, env))
        undo.enter_context(patch.object(tempfile, "tempdir", None))
        for name, stream in (("stdin", None), ("stdout", out), ("stderr", err)):
            undo.enter_context(patch.object(sys, name, stream))
        for number, handler in handlers.items():
            undo.callback(signal.signal, number, handler)
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    texts = [stream.detach().getvalue().decode("utf-8") for stream in (out, err)]
    return Ran(texts[0], texts[1], code)
