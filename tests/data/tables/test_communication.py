"""Which ops communicate: the same answer for op_summary, its times, its findings and a timeline."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prof_tui.data.findings.check import find
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.iteration import iteration_detail
from prof_tui.data.query.query import Scope
from prof_tui.data.report.as_json import report_json
from prof_tui.data.report.report import read_report
from prof_tui.data.run.busy import read_busy_times
from prof_tui.data.run.periods import choose_models
from prof_tui.data.tables.communication import communicating_rows, is_told_by_names
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline.overlap import device_overlap
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import OP_HEADER, STEP_HEADER, op_lines, step_lines, text
from tests.helpers.traces import communication, stream, trace_index

HEADERS = ("Device_id", "Op Name", "OP Type", "Task Type", "Task Start Time(us)", "Task Duration(us)")
COLLECTIVE_ROW = ("0", "hcom_allReduce__1", "hcom_allReduce_", "COMMUNICATION", "100", "50")


def ops(*rows: tuple[str, ...]) -> Table:
    store = MemoryStore([column_for(header) for header in HEADERS], [list(row) for row in rows])
    return Table("op_summary", [TableSource("f", store)])


def op(
    name: str, task_type: str, start: int, us: int, device: int = 0, op_type: str = "N/A"
) -> tuple[str, ...]:
    return (str(device), name, op_type, task_type, str(start), str(us))


@pytest.mark.parametrize("task_type", ["COMMUNICATION", "HCCL", "HCCL_AI_CPU"])
def test_by_task_type(task_type: str) -> None:
    assert communicating_rows(ops(op("a", task_type, 0, 1), op("a", "AI_CORE", 0, 1))).to_list() == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    "name", ["hcom_allReduce__5", "HcclBroadcast", "allgatherAicpuKernel", "ReduceScatter_mesh_AivKernel"]
)
def test_by_a_collectives_word_in_the_name_or_the_type(name: str) -> None:
    table = ops(
        op(name, "AI_CPU", 0, 1), op("x", "AI_CPU", 0, 1, op_type=name), op("BroadcastTo", "AI_CPU", 0, 1)
    )
    assert communicating_rows(table).to_list() == [True, True, False]
    assert is_told_by_names(table)
    assert not is_told_by_names(ops(op("BroadcastTo", "AI_CPU", 0, 1)))


def test_a_kernel_within_a_collective_of_its_device_is_part_of_it() -> None:
    table = ops(
        COLLECTIVE_ROW,
        op("AivKernel", "AI_VECTOR_CORE", 100, 50),
        op("RunAicpuKernel", "AI_CPU", 120, 30),
        op("RunAicpuKernel", "AI_CPU", 120, 31),
        op("RunAicpuKernel", "AI_CPU", 99, 10),
        op("RunAicpuKernel", "AI_CPU", 120, 10, device=1),
        op("MatMul", "AI_CORE", 120, 10),
        op("RunAicpuKernel", "AI_CPU", 120, -1),
    )
    assert communicating_rows(table).to_list() == [True, True, True, False, False, False, False, True]


def test_without_times_a_part_can_not_be_told() -> None:
    columns = [column_for(header) for header in HEADERS[:4]]
    rows = [list(COLLECTIVE_ROW[:4]), list(op("AivKernel", "N/A", 0, 0)[:4])]
    table = Table("op_summary", [TableSource("f", MemoryStore(columns, rows))])
    assert communicating_rows(table).to_list() == [True, False]


WORDS = ["MatMul", "allgatherAicpuKernel", "RunAicpuKernel", "hcom_send_"]
ROWS = st.lists(
    st.tuples(
        st.integers(0, 40),
        st.integers(1, 12),
        st.sampled_from(WORDS),
        st.sampled_from(["AI_CORE", "AI_CPU", "COMMUNICATION"]),
    ),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(ROWS)
def test_a_timeline_and_op_summary_agree(rows: list[tuple[int, int, str, str]]) -> None:
    found = communicating_rows(ops(*(op(name, kind, start, us) for start, us, name, kind in rows)))
    index = trace_index({stream(2): [(start, us, name, kind) for start, us, name, kind in rows]})
    spans = device_overlap(index, 0)
    for talks, union in ((True, spans.communication), (False, spans.computing)):
        wanted = {
            at
            for (start, us, *_words), own in zip(rows, found, strict=True)
            if own is talks
            for at in range(start, start + us)
        }
        assert {at for begin, end in union.rows() for at in range(begin, end)} == wanted


def test_a_kernel_within_an_op_of_a_communication_lane_is_part_of_it() -> None:
    index = trace_index(
        {
            stream(2): [(0, 10, "AivKernel", "AI_VECTOR_CORE"), (20, 5, "TopKAicpuKernel", "AI_CPU")],
            communication(): [(0, 10, "hcom_allReduce__1")],
        }
    )
    found = device_overlap(index, 0).within((0, 30))
    assert (found.computing_ns, found.communication_ns, found.not_overlapped_ns) == (5, 10, 10)


def renamed(tmp_path: Path, name: str) -> OpenCapture:
    """The small capture, its TopK of 30 us an iteration under another name."""
    lines = [re.sub(r"TopK_\d", name, line) for line in op_lines()]
    return csv_capture(
        tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=text(OP_HEADER, lines)
    )


def test_a_report_says_the_same_of_a_collective_in_every_part(tmp_path: Path) -> None:
    capture = renamed(tmp_path, "allgatherAicpuKernel")
    report = json.loads(report_json(read_report(capture)))
    busy = report["devices"][0]["busy_times"]
    assert (busy["communication_us"], busy["communication_alone_us"]) == (30, 30)
    costs = {finding["id"]: finding["cost_us"] for finding in report["findings"]}
    assert costs["aicpu_communication"] == 30
    assert "aicpu_share" not in costs
    ops_of_iteration = iteration_detail(capture, Scope(0, 11, 3)).ops
    assert [one.communicates for one in ops_of_iteration] == [False, False, True]


def test_a_kernel_that_is_no_collective_computes_in_every_part(tmp_path: Path) -> None:
    capture = renamed(tmp_path, "TopKAicpuKernel")
    [inside] = read_busy_times(capture, choose_models(capture.steps).devices)
    ids = {finding.id for finding in find(capture).findings}
    assert inside.communication_ns is None
    assert "aicpu_share" in ids
    assert "aicpu_communication" not in ids


def test_what_is_wanted_soon_goes_by_task_types_alone(tmp_path: Path) -> None:
    lines = [line.replace("AI_CPU", "HCCL") if "TopK_3" in line else line for line in op_lines()]
    lines = [line.replace("TopK_4", "allgatherAicpuKernel") for line in lines]
    capture = csv_capture(
        tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=text(OP_HEADER, lines)
    )
    steps = choose_models(capture.steps).devices
    assert [each.communication_ns for each in read_busy_times(capture, steps, soon=True)] == [15_000]
    assert [each.communication_ns for each in read_busy_times(capture, steps)] == [30_000]
