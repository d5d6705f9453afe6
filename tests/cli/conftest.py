import io
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, chdir
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

import prof_tui
from prof_tui.cli import main
from prof_tui.demo.run import Run
from prof_tui.demo.tables import Layout
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture

ROOT = Path(prof_tui.__file__).parents[1]


@dataclass(frozen=True)
class Ran:
    out: str
    err: str
    code: int

    @property
    def rows(self) -> list[list[str]]:
        """The lines of a CSV without quotes, header first."""
        return [line.split(",") for line in self.out.splitlines()]


Cli = Callable[..., Ran]


def _run_process(words: Sequence[str], env: dict[str, str], cwd: Path) -> Ran:
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


def _run_here(words: Sequence[str], env: dict[str, str], cwd: Path) -> Ran:
    """The same in this process, which saves what starting one and importing polars take."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _stream in range(2))
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
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


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Runs a command line in ``tmp_path`` without a terminal: a process of its own where that can matter.

    That is with another environment, or when a test asks for it with ``process=True``.
    """

    def run(
        *words: str | Path, env: dict[str, str] | None = None, cwd: Path = tmp_path, process: bool = False
    ) -> Ran:
        start = _run_process if process or env else _run_here
        return start([str(word) for word in words], {"TMPDIR": str(tmp_path)} | (env or {}), cwd)

    return run


def _written(
    factory: pytest.TempPathFactory, run: Run, layout: Layout, exported: Sequence[int] | None = None
) -> Path:
    """In a folder beside which no other test's is."""
    return write_capture(factory.mktemp("made_up") / "run", run, layout=layout, iterations_exported=exported)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """New layout, device 0, model 1 of two iterations and model 11 of six."""
    return _written(tmp_path_factory, demo_run(iterations=6), "new")


@pytest.fixture(scope="session")
def two_devices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """New layout, devices 0 and 1."""
    return _written(tmp_path_factory, demo_run(devices=2, iterations=6), "new")


@pytest.fixture(scope="session")
def old_layout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Old layout, of model 11 the iterations 2, 3, 4 and 6 exported."""
    return _written(tmp_path_factory, demo_run(iterations=6), "old", (2, 3, 4, 6))
