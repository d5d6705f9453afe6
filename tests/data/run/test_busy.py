import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.busy import BusyTimes, TypeTime, read_busy_times
from prof_tui.data.run.ops import Ops
from prof_tui.data.run.ops_in_time import sum_in_time
from prof_tui.data.run.periods import choose_models
from prof_tui.data.run.texts import busy_notes, busy_rows, type_rows
from prof_tui.data.tables.task_types import bookkeeping_rows
from prof_tui.errors import CancelledError, UnreadableError
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import OP_HEADER, STEP_HEADER, at, op_lines, step_lines, text
from tests.helpers.traced_capture import traced_capture

US = 1000


def inside(capture: OpenCapture, steady_from: int | None = None) -> tuple[BusyTimes, ...]:
    return read_busy_times(capture, choose_models(capture.steps.counted_from(steady_from)).devices)


def of_ops(tmp_path: Path, *lines: str) -> OpenCapture:
    return csv_capture(tmp_path, op_summary=text(OP_HEADER, lines))


def op(start_us: float, duration_us: float, task_type: str = "AI_CORE", name: str = "Add_0") -> str:
    return f"0,11,1,2,{name},Add,{task_type},{at(0)[:-7]}{start_us:03.0f}.000,{duration_us:.3f},N/A"


@pytest.mark.usefixtures("either_store")
def test_busy_and_idle_are_medians_over_the_periods(capture: OpenCapture) -> None:
    [found] = inside(capture)
    assert found == BusyTimes(
        device=0,
        iterations=2,
        window_ns=1500 * US,
        ops=3,
        busy_ns=184 * US,
        idle_ns=1316 * US,
        types=(
            TypeTime("AI_CORE", 1, 104 * US),
            TypeTime("AI_VECTOR_CORE", 1, 50 * US),
            TypeTime("AI_CPU", 1, 30 * US),
        ),
        communication_ns=None,
        uncovered_ns=None,
        placed="by start in the period",
        span_ns=5010 * US,
    )


@pytest.mark.usefixtures("either_store")
def test_each_device_has_its_own_ops(two_devices: OpenCapture) -> None:
    assert [(one.device, one.busy_ns) for one in inside(two_devices)] == [(0, 184 * US), (1, 185 * US)]


def test_iterations_without_ops_are_left_out_and_counted(tmp_path: Path) -> None:
    lines = [line for line in op_lines() if not line.startswith("0,11,4,")]
    capture = csv_capture(
        tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=text(OP_HEADER, lines)
    )
    [found] = inside(capture)
    assert (found.iterations, found.busy_ns, found.window_ns) == (1, 183_500, 1000 * US)
    assert found.notices == (
        "1 steady iteration has no period or no ops here: it is left out of busy and idle.",
    )


def test_ops_of_another_clock_are_placed_by_their_infer_id(tmp_path: Path) -> None:
    header = OP_HEADER.replace("Task ID", "Infer ID")
    lines = [
        "0,11,3,2,A,Add,AI_CORE,1000.000,10.000,N/A",
        "0,11,3,3,B,Add,AI_CPU,1005.000,10.000,N/A",
        "0,11,4,2,A,Add,AI_CORE,1100.000,20.000,N/A",
    ]
    capture = csv_capture(
        tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=text(header, lines)
    )
    [found] = inside(capture)
    assert (found.iterations, found.placed) == (2, "by Infer ID")
    assert found.window_ns == 1500 * US
    assert found.busy_ns == 17_500
    assert found.idle_ns == (1000 * US - 15_000 + 2000 * US - 20_000) // 2


def test_ops_of_no_iteration_count_for_the_whole_capture(tmp_path: Path) -> None:
    capture = csv_capture(
        tmp_path,
        step_trace=text(STEP_HEADER, step_lines()),
        op_summary=text(OP_HEADER, ["0,7,1,2,A,Add,AI_CORE,1000.000,10.000,N/A"]),
    )
    [found] = inside(capture)
    assert (found.iterations, found.window_ns, found.busy_ns) == (None, 10 * US, 10 * US)
    assert found.notices == (
        "No op is in an iteration: op_summary and step_trace are not of the same run or clock.",
    )


def holding(tmp_path: Path, *lines: str) -> str:
    """What is said where op_summary has these rows, with Infer ID, and none is in a steady iteration."""
    header = OP_HEADER.replace("Task ID", "Infer ID")
    capture = csv_capture(
        tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=text(header, lines)
    )
    [found] = inside(capture)
    assert (found.iterations, found.busy_ns) == (None, 10 * US * len(lines))
    [notice] = found.notices
    return notice


def test_ops_of_warm_up_alone_are_said_to_be_that(tmp_path: Path) -> None:
    first, second = (f"0,11,{n},2,A,Add,AI_CORE,{n}000.000,10.000,N/A" for n in (1, 2))
    how = "Export a steady iteration: msprof --export=on --output=PROF_XXX --model-id=11 --iteration-id=3."
    assert holding(tmp_path / "one", first) == (
        f"No op is in a steady iteration of Model ID 11: op_summary holds its iteration 1 alone. {how}"
    )
    assert holding(tmp_path / "two", first, second) == (
        f"No op is in a steady iteration of Model ID 11: op_summary holds its iterations 1, 2 alone. {how}"
    )
    other = first.replace("0,11,", "0,1,")
    assert holding(tmp_path / "other", other) == (
        "No op is in a steady iteration of Model ID 11: op_summary holds iterations of Model ID 1 alone. "
        f"{how}"
    )


def test_a_timeline_of_warm_up_alone_is_said_to_be_that(tmp_path: Path) -> None:
    """Only iterations from 9 on count, and the timeline has none of these."""
    capture = traced_capture(tmp_path, tables=False)
    steps = choose_models(capture.steps).devices[0]
    late = replace(steps, steady=(), first=9)
    [found] = read_busy_times(capture, [late])
    assert found.notices[0] == (
        "No op is in a steady iteration of Model ID 11: the timeline holds its iterations 1, 2, 3, 4 alone. "
        "Export a steady iteration: msprof --export=on --output=PROF_XXX --model-id=11 --iteration-id=9."
    )


def test_without_step_trace_the_whole_capture_counts(tmp_path: Path) -> None:
    capture = of_ops(
        tmp_path, op(0, 10), op(5, 10, "COMMUNICATION"), op(20, 10, "COMMUNICATION"), op(30, 10, "AI_CPU")
    )
    [found] = inside(capture)
    assert (found.device, found.iterations, found.placed) == (0, None, "")
    assert (found.window_ns, found.busy_ns, found.idle_ns) == (40 * US, 35 * US, 5 * US)
    assert found.types == (
        TypeTime("COMMUNICATION", 2, 20 * US),
        TypeTime("AI_CORE", 1, 10 * US),
        TypeTime("AI_CPU", 1, 10 * US),
    )
    assert (found.communication_ns, found.uncovered_ns) == (20 * US, 15 * US)


def test_invalid_ops_are_left_out_and_counted(tmp_path: Path) -> None:
    lines = [op(0, 10), op(2, -5), op(5, 10).replace(at(0)[:-7] + "005.000", "N/A")]
    [found] = inside(of_ops(tmp_path, *lines))
    assert (found.busy_ns, found.ops) == (10 * US, 1)
    assert found.notices == (
        "1 op has no usable start (N/A or no number) and is left out of busy time and span.",
        "1 op has a negative duration and is left out of busy time: idle time is less.",
    )
    assert found.idle_at_most


def test_an_op_without_a_duration_makes_idle_time_at_most_what_is_said(tmp_path: Path) -> None:
    lines = [op(0, 10), op(20, 10), op(15, 5).replace("5.000,N/A", "N/A,N/A")]
    [found] = inside(of_ops(tmp_path, *lines))
    assert (found.busy_ns, found.idle_ns, found.idle_at_most) == (20 * US, 10 * US, True)
    assert found.notices == ("1 op has no duration and is left out of busy time: idle time is less.",)
    [idle] = [row for row in busy_rows(found) if row.id == "idle"]
    assert idle.note == "at most"


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ("0.000", "0.000"),
        ("-12.500", "negative"),
        ("18446744073709551.000", "N/A or no number"),
        (f"16{at(0)[2:]}", "more than an hour from all others"),
    ],
)
@pytest.mark.usefixtures("either_store")
def test_a_start_that_is_no_time_of_the_run_is_left_out_and_said(
    tmp_path: Path, start: str, why: str
) -> None:
    lost = "0,11,1,2,Lost,Add,AI_CORE," + start + ",7.000,N/A"
    [found] = inside(of_ops(tmp_path, op(0, 10), op(20, 5), lost, op(30, 10)))
    assert (found.span_ns, found.busy_ns, found.idle_ns, found.ops) == (40 * US, 25 * US, 15 * US, 3)
    assert found.notices == (f"1 op has no usable start ({why}) and is left out of busy time and span.",)
    assert found.idle_at_most


def test_a_damaged_row_is_no_op_without_a_start(tmp_path: Path) -> None:
    [found] = inside(of_ops(tmp_path, op(0, 10), "0,11,1", op(20, 10)))
    assert (found.busy_ns, found.ops, found.notices, found.idle_at_most) == (20 * US, 2, (), False)


@pytest.mark.usefixtures("either_store")
def test_starts_rounded_by_a_spreadsheet_tell_nothing_of_time(tmp_path: Path) -> None:
    lines = [op(start, 10).replace(at(start), "1.78E+15") for start in (0, 20, 40)]
    with pytest.raises(UnreadableError, match=r"3 ops have no usable start \(rounded by a spreadsheet\)"):
        inside(of_ops(tmp_path, *lines))


@pytest.mark.usefixtures("either_store")
def test_one_rounded_start_leaves_the_others(tmp_path: Path) -> None:
    lines = [op(3, 10), op(23, 10).replace(at(23), "1.78E+15"), op(33, 10)]
    [found] = inside(of_ops(tmp_path, *lines))
    assert (found.span_ns, found.busy_ns, found.ops) == (40 * US, 20 * US, 2)
    assert found.notices == (
        "1 op has no usable start (rounded by a spreadsheet) and is left out of busy time and span.",
    )


def test_a_task_of_the_timeline_at_0_is_no_border_of_the_run(tmp_path: Path) -> None:
    capture = traced_capture(tmp_path, tables=False)
    [path] = [file.path for each in capture.export.timelines for file in each.files]
    [before] = inside(capture)
    events = json.loads(path.read_text())
    lost = next(event for event in events if event.get("ph") == "X" and "Task Type" in event.get("args", {}))
    path.write_text(json.dumps([*events, {**lost, "ts": "0.000"}]))
    [after] = inside(OpenCapture(capture.path))
    assert (after.span_ns, after.busy_ns, after.idle_ns) == (before.span_ns, before.busy_ns, before.idle_ns)
    assert "1 op has no usable start (0.000) and is left out of busy time and span." in after.notices


def test_types_that_were_not_collected_are_not_available(tmp_path: Path) -> None:
    [found] = inside(of_ops(tmp_path, op(0, 10, "N/A"), op(10, 5, "N/A")))
    assert found.types == (TypeTime("N/A", 2, 15 * US),)


def test_a_sentence_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="There is no op_summary in this export"):
        inside(csv_capture(tmp_path, step_trace=text(STEP_HEADER, step_lines())))
    with pytest.raises(UnreadableError, match="no Task Start Time or no Task Duration"):
        inside(csv_capture(tmp_path, op_summary="Op Name,Task Duration(us)\nAdd,1.000\n"))
    with pytest.raises(UnreadableError, match="No op has a usable start and a duration"):
        inside(of_ops(tmp_path, op(0, -1)))


def test_it_can_be_cancelled(capture: OpenCapture) -> None:
    steps = choose_models(capture.steps).devices
    with pytest.raises(CancelledError):
        read_busy_times(capture, steps, progress=lambda _done, _steps: False)


def test_without_op_summary_the_timeline_says_what_ran(tmp_path: Path) -> None:
    [found] = inside(traced_capture(tmp_path, tables=False))
    assert (found.iterations, found.window_ns, found.ops) == (2, 1500 * US, 4)
    assert (found.busy_ns, found.communication_ns, found.uncovered_ns) == (244 * US, 60 * US, 60 * US)
    assert [(one.task_type, one.ops, one.busy_ns) for one in found.types] == [
        ("AI_CORE", 1, 104 * US),
        ("COMMUNICATION", 1, 60 * US),
        ("AI_VECTOR_CORE", 1, 50 * US),
        ("AI_CPU", 1, 30 * US),
    ]
    assert found.notices == ("There is no op_summary: ops are those of the timeline msprof.",)


def test_tasks_that_are_no_operators_are_said_to_be_none(tmp_path: Path) -> None:
    notes = ("No operator ran: all tasks are of Task Type PLACE_HOLDER_SQE, which compute nothing.",)
    [none] = inside(of_ops(tmp_path, op(0, 10, "PLACE_HOLDER_SQE")))
    assert (none.notices, none.busy_ns) == (notes, 10 * US)
    [some] = inside(of_ops(tmp_path, op(0, 10, "PLACE_HOLDER_SQE"), op(20, 10)))
    assert (some.span_ns, some.busy_ns, some.ops) == (10 * US, 10 * US, 1)


def test_bookkeeping_is_no_work_and_no_border_of_the_run(tmp_path: Path) -> None:
    capture = of_ops(
        tmp_path,
        op(0, 10, "PROFILING_ENABLE"),
        op(100, 10),
        op(105, 30, "EVENT_WAIT"),
        op(150, 10, "AI_CPU"),
        op(900, 50, "TASK_TIMEOUT_SET"),
    )
    [found] = inside(capture)
    assert (found.span_ns, found.busy_ns, found.idle_ns, found.ops) == (60 * US, 20 * US, 40 * US, 2)
    assert [one.task_type for one in found.types] == ["AI_CORE", "AI_CPU"]
    assert found.notices == (
        "3 tasks are events, placeholders or the profiler's own (PROFILING_ENABLE, EVENT_WAIT, "
        "TASK_TIMEOUT_SET): they are left out of span, busy and idle.",
    )
    [in_time] = sum_in_time(Ops(capture, capture.table("op_summary"), ()), ())
    assert (in_time.span_ns, in_time.busy_ns, in_time.idle_ns) == (60 * US, 20 * US, 40 * US)


def test_a_device_that_ran_bookkeeping_alone_keeps_it(tmp_path: Path) -> None:
    other = op(0, 10, "PLACE_HOLDER_SQE").replace("0,11", "1,11", 1)
    capture = csv_capture(tmp_path, op_summary=text(OP_HEADER, [op(0, 10, "EVENT_RECORD"), op(50, 5), other]))
    table = capture.table("op_summary")
    found = bookkeeping_rows(table.texts(table.column("Task Type")), pl.Series([0, 0, 1]))
    assert found is not None
    assert found.to_list() == [True, False, False]


def test_the_rows_of_a_type_that_was_not_collected_say_what_it_is(tmp_path: Path) -> None:
    [found] = inside(of_ops(tmp_path, op(0, 10, "N/A"), op(10, 5)))
    assert [row.name for row in type_rows(found)] == ["Task Type N/A", "AI_CORE"]


def test_its_notes_are_sentences(capture: OpenCapture, tmp_path: Path) -> None:
    [found] = inside(capture)
    assert list(busy_notes(found)) == ["Medians of 2 iterations, ops by start in the period."]
    odd = replace(found, iterations=1, outliers=1, notices=("More.",))
    assert " ".join(busy_notes(odd)) == (
        "Of 1 iteration, ops by start in the period, without 1 outlier. More."
    )
    [whole] = inside(of_ops(tmp_path / "whole", op(0, 10)))
    assert list(busy_notes(whole)) == [
        "Of the whole capture, from the first op's start to the last one's end."
    ]


OPS = st.lists(
    st.tuples(
        st.integers(0, 60),
        st.integers(1, 15),
        st.sampled_from(["AI_CORE", "AI_CPU", "HCCL"]),
        st.sampled_from(["Add_0", "allgatherAicpuKernel", "RunAicpuKernel"]),
    ),
    min_size=1,
    max_size=10,
)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(OPS)
def test_busy_times_and_what_findings_judge_by_agree(
    tmp_path: Path, ops: list[tuple[int, int, str, str]]
) -> None:
    capture = of_ops(tmp_path, *(op(*each) for each in ops))
    [busy] = read_busy_times(capture, ())
    [judged] = sum_in_time(Ops(capture, capture.table("op_summary"), ()), ())
    assert (busy.busy_ns, busy.span_ns) == (judged.busy_ns, judged.span_ns)
    assert (busy.communication_ns or 0) == judged.communication_ns
    assert (busy.uncovered_ns or 0) == judged.not_overlapped_ns
