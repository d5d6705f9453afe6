from collections.abc import Sequence
from pathlib import Path

import polars as pl

from prof_tui.data.pages.iteration import TimedOp, events_of_ops, tasks_of_window, timed_ops
from prof_tui.data.tables.table import Table
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import text
from tests.helpers.traces import Slice, communication, host, stream, trace_index


def task(start_ns: int, duration_ns: int, name: str, task_id: int) -> Slice:
    return start_ns, duration_ns, name, "AI_CORE", None, 0, task_id


INDEX = trace_index(
    {
        host(7): [(0, 900, "Model@execute")],
        stream(2): [task(100, 50, "MatMul_1", 1), task(200, 10, "Cast_1", 2), task(400, 10, "MatMul_2", 1)],
        stream(3): [task(100, 30, "TopK_1", 1), (250, 0, "Notify")],
        stream(2, device=1): [task(100, 50, "MatMul_1", 1)],
        communication(): [(300, 40, "hcom_allReduce__1")],
    }
)
NAMES = INDEX.events["name"].cast(str).to_list()


LINES = [
    "2,1,MatMul_1,0.100,0.050",
    "3,1,TopK_1,0.100,0.031",
    "2,2,Cast_1,0.201,0.010",
    "N/A,N/A,hcom_allReduce__1,0.300,0.040",
    "3,9,Gone,0.310,0.001",
]


def ops_of(tmp_path: Path, rows: Sequence[int]) -> tuple[Table, tuple[TimedOp, ...]]:
    header = "Stream ID,Task ID,Op Name,Task Start Time(us),Task Duration(us)"
    table = csv_capture(tmp_path, op_summary=text(header, LINES)).table("op_summary")
    return table, timed_ops(table, pl.Series(rows, dtype=pl.UInt32))[0]


def test_an_op_is_the_event_of_its_device_stream_and_task_id_that_starts_nearest(tmp_path: Path) -> None:
    table, ops = ops_of(tmp_path, range(len(LINES)))
    found = events_of_ops(INDEX, table, ops, 0)
    assert {row: NAMES[event] for row, event in found.event_of.items()} == {
        0: "MatMul_1",
        1: "TopK_1",
        2: "Cast_1",
        3: "hcom_allReduce__1",
    }
    assert {row: found.row_of[event] for row, event in found.event_of.items()} == {n: n for n in range(4)}


def test_only_the_events_of_the_ops_asked_for(tmp_path: Path) -> None:
    table, ops = ops_of(tmp_path, [2])
    assert [NAMES[event] for event in events_of_ops(INDEX, table, ops, 0).row_of] == ["Cast_1"]


def test_tasks_of_a_window_are_those_of_the_devices_streams_that_start_in_it() -> None:
    assert [NAMES[event] for event in tasks_of_window(INDEX, (100, 400), 0)] == [
        "MatMul_1",
        "TopK_1",
        "Cast_1",
        "Notify",
    ]
    assert len(tasks_of_window(INDEX, (100, 400), None)) == 5
    assert tasks_of_window(INDEX, (500, 600), 0).is_empty()
