from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages import iteration as iteration_detail
from prof_tui.data.query.query import Scope
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture


@pytest.fixture
def capture(tmp_path: Path) -> OpenCapture:
    return OpenCapture(write_capture(tmp_path / "out", demo_run(), layout="new", json_timeline=False))


def test_busy_time_and_gaps_make_up_the_window(capture: OpenCapture) -> None:
    detail = iteration_detail.iteration_detail(capture, Scope(0, 11, 5))
    assert (
        detail.busy_ns + sum(end - begin for begin, end in detail.gaps) == detail.window[1] - detail.window[0]
    )
    assert detail.window == (detail.step.begin_ns, detail.step.end_ns) if detail.step else False


def test_shares_add_up_to_the_ops(capture: OpenCapture) -> None:
    detail = iteration_detail.iteration_detail(capture, Scope(0, 11, 5))
    assert sum(share.count for share in detail.shares) == len(detail.ops) == 49
    assert detail.duration_sum_ns == sum(op.duration_ns for op in detail.ops)


def test_an_iteration_of_too_many_ops_ends_where_the_next_op_would_start(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = iteration_detail.iteration_detail(capture, Scope(0, 11, 5))
    monkeypatch.setattr(iteration_detail, "MOST_OPS", 10)
    detail = iteration_detail.iteration_detail(capture, Scope(0, 11, 5))
    assert detail.ops == whole.ops[:10]
    assert detail.window == (whole.window[0], whole.ops[10].start_ns)
    assert sum(share.count for share in detail.shares) == 10
    assert detail.notices[0].endswith("after 10 ops; the table has all.")
    assert detail.untimed == 0
