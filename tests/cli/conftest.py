import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import prof_tui
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


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Runs ``python -m prof_tui`` in ``tmp_path`` without a terminal."""

    def run(*words: str | Path, env: dict[str, str] | None = None, cwd: Path = tmp_path) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "prof_tui", *map(str, words)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=cwd,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)} | (env or {}),
            timeout=60,
            check=False,
        )
        return Ran(done.stdout.decode("utf-8"), done.stderr.decode("utf-8"), done.returncode)

    return run


def _written(
    factory: pytest.TempPathFactory, run: Run, layout: Layout, exported: Sequence[int] | None = None
) -> Path:
    return write_capture(factory.mktemp("made_up"), run, layout=layout, iterations_exported=exported)


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
