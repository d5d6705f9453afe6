from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from prof_tui.demo.run import Run
from prof_tui.demo.tables import Layout
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from tests.helpers.command_line import Ran, run_here, run_process

Cli = Callable[..., Ran]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Runs a command line in ``tmp_path`` without a terminal: a process of its own where that can matter.

    That is with another environment, or when a test asks for it with ``process=True``.
    """

    def run(
        *words: str | Path, env: dict[str, str] | None = None, cwd: Path = tmp_path, process: bool = False
    ) -> Ran:
        start = run_process if process or env else run_here
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
