"""The page of one event."""

import json
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.event import EventDetail, event_detail, rank_of
from prof_tui.data.pages.op import Rank
from prof_tui.data.query.query import Scope
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.read.files import read_trace
from prof_tui.demo.write import MERGED_DIRECTORY, STAMP
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import BEGIN_US, OP_HEADER, STEP_HEADER, at, op_lines, step_lines, text
from tests.helpers.traces import stream, trace_index

NO_MODEL = 4294967295


def metadata(name: str, value: str, pid: int, tid: int = 0) -> dict[str, object]:
    key = "labels" if name == "process_labels" else "name"
    return {"name": name, "ph": "M", "pid": pid, "tid": tid, "args": {key: value}}


def slice_(
    name: str, pid: int, tid: int, offset_us: int, duration: float, **args: object
) -> dict[str, object]:
    return {
        "name": name,
        "ph": "X",
        "pid": pid,
        "tid": tid,
        "ts": at(offset_us),
        "dur": duration,
        "args": args,
    }


def task(
    name: str, offset_us: int, duration: float, model: int = 11, connection: int = -1
) -> dict[str, object]:
    named = {"Model Id": model, "Task Type": "AI_CORE", "connection_id": connection}
    return slice_(name, 1, 2, offset_us, duration, **named)


EVENTS = [
    metadata("process_name", "CANN", 2),
    metadata("process_labels", "CPU", 2),
    metadata("process_name", "Ascend Hardware", 1),
    metadata("process_labels", "NPU 0", 1),
    metadata("thread_name", "Stream 2", 1, 2),
    metadata("thread_name", "Thread 7", 2, 7),
    task("MatMul_1", 1100, 101.5, connection=5),
    task("MatMul_1", 2500, 20.0, NO_MODEL),
    task("MatMul_1", 9000, 300.0),
    task("broken", 1300, -4.0),
    slice_("Node@launch", 2, 7, 1050, 3.0, connection_id=5, level="node"),
]


@pytest.fixture
def opened(tmp_path: Path) -> OpenCapture:
    capture = csv_capture(
        tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=text(OP_HEADER, op_lines())
    )
    path = capture.path / MERGED_DIRECTORY / f"msprof_{STAMP}.json"
    path.write_text(json.dumps(EVENTS), encoding="utf-8")
    return capture


@pytest.fixture
def index(opened: OpenCapture) -> TraceIndex:
    return read_trace(opened.export, "msprof")


def detail_at(opened: OpenCapture, index: TraceIndex, offset_us: int) -> EventDetail:
    [event] = (index.events["start_ns"] == (BEGIN_US + offset_us) * 1000).arg_true().to_list()
    return event_detail(opened, index, event)


def test_a_task_of_an_iteration(opened: OpenCapture, index: TraceIndex) -> None:
    detail = detail_at(opened, index, 1100)
    assert (detail.name, detail.kind, detail.lane.layer) == ("MatMul_1", "AI_CORE", "Ascend Hardware")
    assert (detail.lane.thread, detail.lane.device) == ("Stream 2", 0)
    assert (detail.start_ns, detail.duration_ns) == ((BEGIN_US + 1100) * 1000, 101_500)
    assert detail.args == (("Model Id", "11"), ("Task Type", "AI_CORE"), ("connection_id", "5"))
    assert (detail.place.scope, detail.rule) == (Scope(0, 11, 1), "by start in the iteration's window")
    assert detail.from_iteration_ns == 0
    assert detail.rank == Rank(2, 3, 421_500)
    assert not detail.is_invalid
    [launch] = detail.launched_by
    assert (launch.name, launch.lane.thread, launch.means) == ("Node@launch", "Thread 7", ("connection_id",))
    assert (launch.start_ns, launch.duration_ns) == ((BEGIN_US + 1050) * 1000, 3_000)
    table = opened.table("op_summary")
    assert detail.op.number is not None
    assert "MatMul_1" in table.cells([detail.op.number])[0]


def test_a_task_of_no_model_is_placed_by_time(opened: OpenCapture, index: TraceIndex) -> None:
    detail = detail_at(opened, index, 2500)
    assert (detail.place.scope, detail.rule, detail.from_iteration_ns) == (
        Scope(0, 11, 2),
        "by time",
        400_000,
    )
    assert (detail.op.number, bool(detail.op.why)) == (None, True)


def test_an_event_outside_of_every_iteration(opened: OpenCapture, index: TraceIndex) -> None:
    detail = detail_at(opened, index, 9000)
    assert (detail.window, detail.from_iteration_ns, detail.rule) == (None, None, "")
    assert detail.rank.place == 1


def test_a_host_call_and_what_it_launched(opened: OpenCapture, index: TraceIndex) -> None:
    detail = detail_at(opened, index, 1050)
    assert detail.args == (("connection_id", "5"), ("level", "node"))
    assert [linked.name for linked in detail.launched] == ["MatMul_1"]
    assert detail.launched_by == ()
    assert detail.op.why == "Only tasks of streams and communication ops are in op_summary."


def test_a_broken_record_says_so(opened: OpenCapture, index: TraceIndex) -> None:
    detail = detail_at(opened, index, 1300)
    assert detail.is_invalid
    assert detail.duration_ns == -4_000


def test_arguments_that_cannot_be_read_are_a_sentence(opened: OpenCapture, index: TraceIndex) -> None:
    index.files[0].path.unlink()
    detail = detail_at(opened, index, 1100)
    assert detail.args == ()
    assert index.files[0].path.name in detail.args_problem
    assert detail.name == "MatMul_1"


def test_without_op_summary_it_is_said(opened: OpenCapture, index: TraceIndex) -> None:
    for path in (opened.path / MERGED_DIRECTORY).glob("op_summary_*"):
        path.unlink()
    detail = detail_at(OpenCapture(opened.path), index, 1100)
    assert detail.op.number is None
    assert detail.op.why.startswith("There is no op_summary in this export.")


def test_events_of_the_same_length_share_the_better_rank() -> None:
    index = trace_index({stream(2): [(0, 5, "op"), (10, 5, "op"), (20, 9, "op"), (30, 9, "op", "AI_CPU")]})
    assert [rank_of(index, event).place for event in range(4)] == [2, 2, 1, 1]
    assert rank_of(index, 0) == Rank(2, 3, 19)
