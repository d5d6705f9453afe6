"""Fixtures for every test: where it starts, small captures, and the shared ones beside the repository."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import textual.app
from hypothesis import settings

from prof_tui.data.capture import layout
from prof_tui.data.open_capture import OpenCapture
from prof_tui.screens import copying
from tests.helpers.driven_app import take_turns
from tests.helpers.small_capture import small_capture
from tests.helpers.traced_capture import traced_capture

settings.register_profile("same", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("same")
"""The same examples each time, however slow the machine; the profile ``search`` looks for new ones."""

_SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's cache directory, where copies go."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "prof-tui"


@pytest.fixture(autouse=True)
def start(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory that the program is started in, where files go."""
    folder = tmp_path_factory.mktemp("start")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setattr(copying, "_session_file", None)
    return folder


@pytest.fixture(autouse=True)
def _no_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies beside a test's own folder are those of other tests."""
    monkeypatch.setattr(layout, "_MOST_NEIGHBOURS", 0)


@pytest.fixture(autouse=True)
def _no_idle_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot goes on once a key was taken in.

    Textual's own waits until the process has used no processor for 20 ms, twice for each key: that takes most
    of a test's time, and other processes and threads decide how long.
    """

    monkeypatch.setattr(textual.app, "wait_for_idle", take_turns)


@pytest.fixture
def capture(tmp_path: Path) -> OpenCapture:
    return small_capture(tmp_path)


@pytest.fixture
def two_devices(tmp_path: Path) -> OpenCapture:
    return small_capture(tmp_path, devices=(0, 1))


@pytest.fixture
def traced(tmp_path: Path) -> OpenCapture:
    """The small capture with a timeline."""
    return traced_capture(tmp_path)


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
