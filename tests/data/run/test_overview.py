from pathlib import Path

from prof_tui.data.run.overview import read_overview
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import STEP_HEADER, step_lines, text


def test_the_span_without_ops_is_that_of_all_iterations_whichever_count(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, step_trace=text(STEP_HEADER, step_lines()))
    whole, late = (read_overview(capture, steady_from=first) for first in (1, 4))
    assert whole.span_ns == late.span_ns == 5_400_000
