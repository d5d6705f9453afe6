from pathlib import Path

import pytest
from small_capture import small_capture

from prof_tui.data.open_capture import OpenCapture
from prof_tui.screens import copying


@pytest.fixture(autouse=True)
def start(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory that the program is started in, where copies and files go."""
    folder = tmp_path_factory.mktemp("start")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setattr(copying, "_session_file", None)
    return folder


@pytest.fixture
def capture(tmp_path: Path) -> OpenCapture:
    return small_capture(tmp_path)


@pytest.fixture
def two_devices(tmp_path: Path) -> OpenCapture:
    return small_capture(tmp_path, devices=(0, 1))
