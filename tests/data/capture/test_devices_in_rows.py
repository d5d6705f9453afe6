from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.overview import read_overview
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import OP_HEADER, at, text


@pytest.mark.parametrize("each", [3, 4000])
def test_rows_tell_of_devices_that_no_directory_names(tmp_path: Path, each: int) -> None:
    """The rows of a device follow on each other; the larger table is not looked at whole."""
    lines = [
        f"{device},11,{i},2,Add_{i},Add,AI_CORE,{at(20 * i)},{5 + device}.000,N/A"
        for device in (0, 3)
        for i in range(each)
    ]
    capture = csv_capture(tmp_path, op_summary=text(OP_HEADER, lines))
    assert capture.export.devices == (0, 3)
    found = read_overview(OpenCapture(capture.path)).busy
    assert [(one.device, one.ops, one.busy_ns) for one in found] == [
        (0, each, 5_000 * each),
        (3, each, 8_000 * each),
    ]
