"""Fixtures for every test: the shared cases and captures, where they stand beside the repository."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

_SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture
def shared_case(tmp_path: Path) -> Callable[[str], Path]:
    """A function that copies a shared case into ``tmp_path`` and prepares it; skips where there are none."""

    def copy(name: str) -> Path:
        source = _SHARED / "cases" / name
        if not source.is_dir():
            pytest.skip("the shared cases are not here")
        target = tmp_path / name
        shutil.copytree(source, target, symlinks=True)
        if (target / "setup.sh").is_file():
            subprocess.run(["sh", "setup.sh"], cwd=target, check=True)
        return target

    return copy


@pytest.fixture
def shared_data() -> Path:
    """The folder of real captures, never to be written to; skips where there is none."""
    folder = _SHARED / "data"
    if not folder.is_dir():
        pytest.skip("the shared captures are not here")
    return folder
