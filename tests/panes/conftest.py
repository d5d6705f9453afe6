from pathlib import Path

import pytest
from small_capture import small_capture

from prof_tui.data.open_capture import OpenCapture


@pytest.fixture
def capture(tmp_path: Path) -> OpenCapture:
    return small_capture(tmp_path)


@pytest.fixture
def two_devices(tmp_path: Path) -> OpenCapture:
    return small_capture(tmp_path, devices=(0, 1))
