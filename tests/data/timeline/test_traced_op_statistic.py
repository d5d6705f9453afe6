"""op_statistic computed from a timeline, where nothing else tells of ops."""

from pathlib import Path

import pytest

from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OUTSIDE, Scope
from prof_tui.data.timeline.op_statistic import traced_op_statistic
from prof_tui.errors import UnreadableError
from tests.helpers.captures import csv_capture, rows_of
from tests.helpers.traced_capture import traced_capture
from tests.helpers.traces import communication, stream, trace_index


@pytest.fixture
def timelines(tmp_path: Path) -> OpenCapture:
    """The small capture's step trace and timeline, without op_summary and op_statistic."""
    return traced_capture(tmp_path, tables=False)


def test_ops_are_summed_by_device_type_and_task_type() -> None:
    index = trace_index(
        {
            stream(2): [
                (0, 30, "Default/net/Cast-op239"),
                (40, 10, "Default/other/Cast-op7", "AI_CORE"),
                (60, 60, "MatMul_12", "AI_VECTOR_CORE"),
                (70, 5, "wait", "EVENT_WAIT"),
                (80, 5, "hcom_allReduce__1", "AI_CPU"),
                (90, -4, "broken_1"),
            ],
            stream(2, 1): [(0, 7, "Cast_0")],
            communication(): [(0, 500, "hcom_allReduce__2")],
        }
    )
    table = traced_op_statistic(index, StepTrace(), Scope(), "")
    assert rows_of(table) == [
        ["0", "MatMul", "AI_VECTOR_CORE", "1", "0.060", "0.060", "0.060", "0.060", "60.000"],
        ["0", "Cast", "AI_CORE", "2", "0.040", "0.010", "0.020", "0.030", "40.000"],
        ["1", "Cast", "AI_CORE", "1", "0.007", "0.007", "0.007", "0.007", "100.000"],
    ]
    assert table.notices == [
        "OP Type is the last part of an op's name, without its number: timelines don't say it.",
        "1 op with a negative duration is left out.",
    ]


def test_it_stands_in_where_there_is_no_op_summary(timelines: OpenCapture) -> None:
    table, source = timelines.op_statistic(Scope())
    assert source == "timeline msprof"
    assert [row[1:5] for row in rows_of(table)] == [
        ["MatMul", "AI_CORE", "4", "412.000"],
        ["Cast", "AI_VECTOR_CORE", "4", "200.000"],
        ["TopK", "AI_CPU", "4", "120.000"],
    ]
    assert table.notices[0].startswith("There is no op_statistic in this export.")


@pytest.mark.parametrize(
    ("scope", "matmul"),
    [
        (Scope(0, 11, 3), ["1", "103.500"]),
        (Scope(model=11), ["4", "412.000"]),
        (Scope(iteration=2), ["1", "102.500"]),
    ],
)
def test_it_is_of_a_scope(timelines: OpenCapture, scope: Scope, matmul: list[str]) -> None:
    table, _source = timelines.op_statistic(scope)
    assert rows_of(table)[0][3:5] == matmul


def test_nothing_is_outside_where_all_ops_are_in_iterations(timelines: OpenCapture) -> None:
    assert rows_of(timelines.op_statistic(Scope(iteration=OUTSIDE))[0]) == []


def test_a_large_timeline_is_not_read_unasked(
    timelines: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prof_tui.data.open_capture.MOST_BYTES_UNASKED", 10)
    with pytest.raises(UnreadableError, match="computed from the timeline once that is read, as 5 does"):
        timelines.op_statistic(Scope())


def test_a_damaged_op_summary_is_not_replaced(tmp_path: Path) -> None:
    traced_capture(tmp_path, tables=False)
    with pytest.raises(UnreadableError, match="There is no op_statistic"):
        csv_capture(tmp_path, op_summary="").op_statistic(Scope())
