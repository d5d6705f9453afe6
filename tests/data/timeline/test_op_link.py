"""From a row of op_summary to its event, and back."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline.op_link import Match, event_of_op, op_of_event
from prof_tui.data.timeline.read.files import read_trace
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import BEGIN_US, at, text
from tests.helpers.traces import Slice, communication, event_named, host, stream, trace_index

HEADER = "Device_id,Stream ID,Task ID,Op Name,Task Type,Task Start Time(us),Task Duration(us)"
BEGIN_NS = BEGIN_US * 1000


def ops(tmp_path: Path, lines: Sequence[str], header: str = HEADER) -> Table:
    return csv_capture(tmp_path, op_summary=text(header, lines)).table("op_summary")


def slice_at(
    offset_us: float, duration_us: int, name: str, task_id: int | None, kind: str = "AI_CORE"
) -> Slice:
    return BEGIN_NS + round(offset_us * 1000), duration_us * 1000, name, kind, None, 0, task_id


INDEX = trace_index(
    {
        host(1): [slice_at(100, 5, "Node@launch", None, "CANN")],
        stream(2): [slice_at(100, 50, "MatMul", 1), slice_at(300, 5, "EVENT_WAIT", 2, "EVENT_WAIT")],
        stream(3): [slice_at(100, 30, "Cast", 1), slice_at(200, 30, "TopK_kernel", 2)],
        stream(2, 1): [slice_at(100, 50, "MatMul 1", 1)],
        communication(): [slice_at(200, 90, "hcom_allReduce", None, "Communication")],
    }
)
LINES = [
    f"0,2,1,MatMul,AI_CORE,{at(100)},50.000",
    f"0,3,1,Cast,AI_VECTOR_CORE,{at(100)},30.000",
    f"1,2,1,Other,AI_CORE,{at(100)},50.000",
    f"0,3,2,TopK,AI_CPU,{at(200)},30.000",
    f"0,N/A,N/A,hcom_allReduce,COMMUNICATION,{at(200)},90.000",
    f"0,2,9,Late,AI_CORE,{at(400)},5.000",
    "0,2,1,Never,AI_CORE,N/A,5.000",
    f"7,2,1,Elsewhere,AI_CORE,{at(100)},5.000",
]
EVENTS = ["MatMul", "Cast", "MatMul 1", "TopK_kernel", "hcom_allReduce"]


def test_an_op_and_its_event_have_device_stream_and_task_id_in_common(tmp_path: Path) -> None:
    table = ops(tmp_path, LINES)
    for row, name in enumerate(EVENTS):
        event = event_named(INDEX, name)
        assert event_of_op(INDEX, table, row) == Match(event)
        assert op_of_event(INDEX, table, event) == Match(row)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (5, "No event with the op's ids, or without ids its name, starts within 10 us of it."),
        (6, "The op has no usable Task Start Time: its event can't be found."),
        (7, "The timeline has no stream of the op's device."),
    ],
)
def test_an_op_without_an_event(tmp_path: Path, row: int, why: str) -> None:
    assert event_of_op(INDEX, ops(tmp_path, LINES), row) == Match(None, why)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Node@launch", "Only tasks of streams and communication ops are in op_summary."),
        (
            "EVENT_WAIT",
            "op_summary has none with its ids, or without ids its name, that starts within 10 us of it: "
            "tasks without an operator are not in it.",
        ),
    ],
)
def test_an_event_without_an_op(tmp_path: Path, name: str, why: str) -> None:
    assert op_of_event(INDEX, ops(tmp_path, LINES), event_named(INDEX, name)) == Match(None, why)


@pytest.mark.parametrize("apart", [0.1, -0.1, 1.6, -1.6])
def test_clocks_apart_are_joined_and_the_difference_is_known(tmp_path: Path, apart: float) -> None:
    table = ops(tmp_path, [f"0,2,{task},op{task},AI_CORE,{at(100 + 5 * task)},3.000" for task in range(3)])
    index = trace_index({stream(2): [slice_at(100 + 5 * n + apart, 3, f"k{n}", n) for n in range(3)]})
    apart_ns = round(apart * 1000)
    for row in range(3):
        event = event_named(index, f"k{row}")
        assert event_of_op(index, table, row) == Match(event, apart_ns=apart_ns)
        assert op_of_event(index, table, event) == Match(row, apart_ns=-apart_ns)


def test_without_ids_the_name_is_what_both_have(tmp_path: Path) -> None:
    header = "Device_id,Op Name,Task Start Time(us),Task Duration(us)"
    table = ops(tmp_path, [f"0,x,{at(100)},50.000", f"0,MatMul,{BEGIN_US + 100}.100,50.001"], header)
    event = event_named(INDEX, "MatMul")
    assert op_of_event(INDEX, table, event) == Match(1, apart_ns=100)
    assert event_of_op(INDEX, table, 1) == Match(event, apart_ns=-100)
    assert event_of_op(INDEX, table, 0).number is None


def test_a_table_without_starts_has_no_events(tmp_path: Path) -> None:
    table = ops(tmp_path, ["0,MatMul"], "Device_id,Op Name")
    assert event_of_op(INDEX, table, 0).number is None
    assert op_of_event(INDEX, table, event_named(INDEX, "MatMul")).number is None


@pytest.mark.parametrize(
    "capture",
    ["PROF_000001_20260716124434225_00194166HHAEEFID", "PROF_000001_20260716124543725_00195781ONMNNAML"],
)
def test_every_row_of_a_real_op_summary_has_its_event(shared_data: Path, capture: str) -> None:
    opened = OpenCapture(shared_data / "cann-910b-2026" / capture)
    index = read_trace(opened.export, "msprof")
    table = opened.table("op_summary")
    for row in range(0, table.row_count, 50):
        event = event_of_op(index, table, row).number
        assert event is not None
        assert op_of_event(index, table, event) == Match(row)
