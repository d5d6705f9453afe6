"""From a row of op_summary to its event, and back."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline.links import Match, event_of_op, op_of_event
from prof_tui.data.timeline.read.files import read_trace
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import BEGIN_US, at, text
from tests.helpers.traces import Slice, communication, event_named, host, stream, trace_index

HEADER = "Device_id,Op Name,Task Type,Task Start Time(us),Task Duration(us)"
BEGIN_NS = BEGIN_US * 1000


def ops(tmp_path: Path, lines: Sequence[str], header: str = HEADER) -> Table:
    return csv_capture(tmp_path, op_summary=text(header, lines)).table("op_summary")


def slice_at(offset_us: int, duration_us: int, name: str, kind: str = "AI_CORE") -> Slice:
    return BEGIN_NS + offset_us * 1000, duration_us * 1000, name, kind


INDEX = trace_index(
    {
        host(1): [slice_at(100, 5, "Node@launch", "CANN")],
        stream(2): [slice_at(100, 50, "MatMul"), slice_at(300, 5, "EVENT_WAIT", "EVENT_WAIT")],
        stream(3): [slice_at(100, 30, "Cast"), slice_at(200, 30, "TopK_kernel")],
        stream(2, 1): [slice_at(100, 50, "MatMul 1")],
        communication(): [slice_at(200, 90, "hcom_allReduce", "Communication")],
    }
)
LINES = [
    f"0,MatMul,AI_CORE,{at(100)},50.000",
    f"0,Cast,AI_VECTOR_CORE,{at(100)},30.000",
    f"1,Other,AI_CORE,{at(100)},50.000",
    f"0,TopK,AI_CPU,{at(200)},30.000",
    f"0,hcom_allReduce,COMMUNICATION,{at(200)},90.000",
    f"0,Late,AI_CORE,{at(400)},5.000",
    "0,Never,AI_CORE,N/A,5.000",
    f"7,Elsewhere,AI_CORE,{at(100)},5.000",
]
EVENTS = ["MatMul", "Cast", "MatMul 1", "TopK_kernel", "hcom_allReduce"]


def test_same_device_same_start_and_of_several_the_one_of_its_name(tmp_path: Path) -> None:
    table = ops(tmp_path, LINES)
    for row, name in enumerate(EVENTS):
        event = event_named(INDEX, name)
        assert event_of_op(INDEX, table, row) == Match(event)
        assert op_of_event(INDEX, table, event) == Match(row)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (5, "No event of the op's device starts when the op does."),
        (6, "The op has no Task Start Time: its event can't be found."),
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
            "op_summary has no row that starts then: tasks without an operator are not in it.",
        ),
    ],
)
def test_an_event_without_an_op(tmp_path: Path, name: str, why: str) -> None:
    assert op_of_event(INDEX, ops(tmp_path, LINES), event_named(INDEX, name)) == Match(None, why)


def test_other_names_and_other_lengths_are_no_match(tmp_path: Path) -> None:
    table = ops(tmp_path, [f"0,x,AI_CORE,{at(100)},1.000", f"0,y,AI_CORE,{at(100)},2.000"])
    found = op_of_event(INDEX, table, event_named(INDEX, "MatMul"))
    assert found.number is None
    assert "other names" in found.why


def test_of_other_names_the_one_of_the_same_length_is_it(tmp_path: Path) -> None:
    table = ops(tmp_path, [f"0,x,AI_CORE,{at(100)},1.000", f"0,y,AI_CORE,{at(100)},50.001"])
    assert op_of_event(INDEX, table, event_named(INDEX, "MatMul")) == Match(1)


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
