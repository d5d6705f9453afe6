"""Whether a capture is whole: each kind of what may be missing, and nothing where nothing is."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from prof_tui.data.capture.completeness import Completeness
from prof_tui.data.findings.check import find
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.report.report import read_report
from prof_tui.data.run.completeness import read_completeness
from prof_tui.data.run.file_ends import check_files
from prof_tui.data.run.texts import time_tables
from prof_tui.demo.write import MERGED_DIRECTORY, PROF_NAME, STAMP
from tests.helpers.captures import csv_capture
from tests.helpers.judged_run import BEGIN_US, Iteration, op, ops_csv, run_capture

TASK_TIME = "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)\n"
PERIODS = 8
OPS = 10
Row = dict[str, object]


def offsets() -> list[tuple[int, int]]:
    """Iteration and start in us of each op: ten in each of eight iterations of 1,000 us."""
    return [(n, 1000 * n + 60 + 50 * i) for n in range(PERIODS) for i in range(OPS)]


def ops() -> list[Row]:
    """Half of them Cast; task ids wrap after 64."""
    return [
        op(at, 20, f"{'Mul' if place % 2 else 'Cast'}_{place % OPS}", Task_ID=place % 64)
        for place, (_n, at) in enumerate(offsets())
    ]


def task_lines(apart_ns: int = 0) -> list[str]:
    """The same tasks beside an event and the profiler's own, placed ``apart_ns`` later."""
    tasks = [("AI_VECTOR_CORE", at, place % 64) for place, (_n, at) in enumerate(offsets())]
    tasks += [("EVENT_RECORD", 5, 900), ("PROFILING_ENABLE", 1, 901), ("PLACE_HOLDER_SQE", 7, 902)]
    return [f"0,k,{kind},2,{id_},20,{us(at, apart_ns)},{us(at + 20, apart_ns)}" for kind, at, id_ in tasks]


def us(offset_us: int, apart_ns: int = 0) -> str:
    ns = (BEGIN_US + offset_us) * 1000 + apart_ns
    return f"{ns // 1000}.{ns % 1000:03d}"


def traced(apart_ns: int = 0) -> str:
    events: list[object] = [
        {"name": "process_name", "pid": 3, "ph": "M", "args": {"name": "Ascend Hardware"}},
        {"name": "process_labels", "pid": 3, "ph": "M", "args": {"labels": "NPU 0"}},
        {"name": "thread_name", "pid": 3, "tid": 2, "ph": "M", "args": {"name": "Stream 2"}},
    ]
    for place, (_n, at) in enumerate(offsets()):
        args = {"Task Type": "AI_VECTOR_CORE", "Task Id": place % 64}
        task = {"name": "k", "pid": 3, "tid": 2, "ts": us(at, apart_ns), "dur": 20, "ph": "X", "args": args}
        events.append(task)
    return json.dumps(events)


STATISTIC = "Device_id,OP Type,Core Type,Count\n0,Mul,AI_VECTOR_CORE,40\n0,Cast,AI_VECTOR_CORE,40\n"


def capture_of(
    parent: Path,
    rows: Sequence[Row] | None = None,
    *,
    tasks: Iterable[str] | None = None,
    trace: str | None = None,
    statistic: str = STATISTIC,
) -> OpenCapture:
    run_capture(parent, ops() if rows is None else rows, (Iteration(),) * PERIODS)
    lines = "\n".join([*(task_lines() if tasks is None else tasks), ""])
    capture = csv_capture(parent, task_time=TASK_TIME + lines, op_statistic=statistic)
    place(parent, f"msprof_{STAMP}.json").write_text(trace or traced())
    return capture


def place(parent: Path, name: str) -> Path:
    return parent / PROF_NAME / MERGED_DIRECTORY / name


def told(capture: OpenCapture) -> list[tuple[str, str, int]]:
    return [(lack.id, lack.text, lack.number) for lack in read_completeness(capture).lacks]


def test_a_whole_capture_lacks_nothing(tmp_path: Path) -> None:
    known = read_completeness(capture_of(tmp_path))
    assert known == Completeness(is_final=True)
    assert known.line == "complete"


@pytest.mark.parametrize("apart_ns", [100, -100, 1_600, -1_600])
def test_clocks_apart_are_no_difference(tmp_path: Path, apart_ns: int) -> None:
    capture = capture_of(tmp_path, tasks=task_lines(apart_ns), trace=traced(-apart_ns))
    assert told(capture) == []


# Slices


def _slices(parent: Path, numbers: Iterable[int | None]) -> OpenCapture:
    """op_summary in slices of these numbers, None for one without."""
    capture = csv_capture(parent)
    for number in numbers:
        middle = "" if number is None else f"_slice_{number}"
        place(parent, f"op_summary{middle}_{STAMP}.csv").write_text(ops_csv(ops()[:1]))
    return OpenCapture(capture.path)


@pytest.mark.parametrize("numbers", [[None], [0], [0, 1, 2], [None, 1, 2], [*range(12)]])
def test_slices_without_holes(tmp_path: Path, numbers: list[int | None]) -> None:
    assert check_files(_slices(tmp_path, numbers).export) == Completeness()


@pytest.mark.parametrize(
    ("numbers", "text", "missing"),
    [
        ([0, 1, 3, 4], "op_summary lacks slice 2", 1),
        ([None, 1, 3, 4], "op_summary lacks slice 2", 1),
        ([1, 2], "op_summary lacks slice 0", 1),
        ([None, 4], "op_summary lacks slices 1, 2, 3", 3),
        ([0, 10], "op_summary lacks slices 1, 2, 3, 4, 5, 6, 7, 8, …", 9),
    ],
)
def test_holes_in_slices(tmp_path: Path, numbers: list[int | None], text: str, missing: int) -> None:
    [lack] = check_files(_slices(tmp_path, numbers).export).lacks
    assert (lack.id, lack.text, lack.number, lack.tables) == (
        "incomplete_slices",
        text,
        missing,
        ("op_summary",),
    )


# Ends


SUMMARY = "op_summary_20260921101601.csv"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Op Name,OP Type,A\na,b,1\n", ""),
        ("Op Name,OP Type,A\na,b,1", ""),
        ("Op Name,OP Type,A\na,b,1\r\n\r\n", ""),
        ("Op Name,OP Type,A\n", ""),
        ("Op Name,OP Type,A", ""),
        ("Op Name,OP Type,A\na[1,2],b,1\n", ""),
        ('Op Name,OP Type,A\na,"b\nc",1\n', ""),
        ("Op Name,OP Type,A\na,b,1\na,b", "{} ends within a row: it is cut"),
        ("Op Name,OP Type,A\na,b,1\na,b\n", "{} ends within a row: it is cut"),
        ('Op Name,OP Type,A\na,b,1\na,"b;', "{} ends within a row: it is cut"),
        ("", "{} is empty (0 bytes)"),
    ],
)
def test_the_end_of_a_table(tmp_path: Path, content: str, text: str) -> None:
    lacks = check_files(csv_capture(tmp_path, op_summary=content).export).lacks
    assert [lack.text for lack in lacks] == ([text.format(SUMMARY)] if text else [])
    assert {lack.tables for lack in lacks} <= {("op_summary",)}


def test_a_last_line_of_any_length(tmp_path: Path) -> None:
    long = "x" * 200_000
    assert not check_files(csv_capture(tmp_path, op_summary=f"Op Name,b,c\n1,2,3\n{long},2,3\n").export).lacks
    assert check_files(csv_capture(tmp_path, op_summary=f"Op Name,b,c\n1,2,3\n{long},2\n").export).lacks


def test_rows_of_a_step_trace_may_lack_reduces(tmp_path: Path) -> None:
    header = "Iteration ID,FP Start(us),Model ID,Reduce Start(us),Reduce Duration(us)\n"
    assert not check_files(csv_capture(tmp_path, step_trace=header + "1,N/A,1\n").export).lacks
    assert check_files(csv_capture(tmp_path, step_trace=header + "1,N/A\n").export).lacks


@pytest.mark.parametrize("end", ["]", "] \n", "}"])
def test_json_with_its_end(tmp_path: Path, end: str) -> None:
    csv_capture(tmp_path)
    place(tmp_path, f"msprof_{STAMP}.json").write_text("[{}," + end)
    assert not check_files(OpenCapture(tmp_path / PROF_NAME).export).lacks


def test_json_without_its_end(tmp_path: Path) -> None:
    cut = traced()[:-7]
    known = read_completeness(capture_of(tmp_path, trace=cut))
    assert [lack.text for lack in known.lacks] == [f"msprof_{STAMP}.json has no end: it is cut"]
    assert known.line.endswith("; not checked: the timeline")


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        (
            f"op_summary_{STAMP}.csv",
            "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n",
            f"op_summary_{STAMP}.csv is no op_summary but a Git LFS pointer",
        ),
        (
            f"op_summary_{STAMP}.csv",
            "<!DOCTYPE html>\n<html></html>\n",
            f"op_summary_{STAMP}.csv is no op_summary but an HTML page, such as a proxy or a login gives out",
        ),
        (f"op_summary_{STAMP}.csv.gz", "packed", f"op_summary_{STAMP}.csv.gz is packed"),
    ],
)
def test_a_table_that_cannot_be_read_makes_no_whole_capture(
    tmp_path: Path, name: str, content: str, text: str
) -> None:
    csv_capture(tmp_path, op_statistic="OP Type,Core Type,Count\nAdd,AI_CORE,1\n")
    (tmp_path / PROF_NAME / MERGED_DIRECTORY / name).write_text(content)
    [lack] = check_files(OpenCapture(tmp_path / PROF_NAME).export).lacks
    assert (lack.id, lack.text, lack.tables) == ("incomplete_files", text, ("op_summary",))


def test_a_table_of_random_bytes_makes_no_whole_capture(tmp_path: Path) -> None:
    capture = capture_of(tmp_path)
    place(tmp_path, f"op_summary_{STAMP}.csv").write_bytes(bytes(range(256)) * 40)
    known = read_completeness(OpenCapture(capture.path))
    assert [(lack.id, lack.tables) for lack in known.lacks] == [("incomplete_files", ("op_summary",))]
    assert known.is_complete is False


def test_op_summary_gone_beside_op_statistic_makes_no_whole_capture(tmp_path: Path) -> None:
    csv_capture(tmp_path, op_statistic="OP Type,Core Type,Count,Total Time(us)\nAdd,AI_CORE,1,2.000\n")
    known = read_completeness(OpenCapture(tmp_path / PROF_NAME))
    assert [lack.text for lack in known.lacks] == [
        "op_summary is not there, though op_statistic is, which is made of the same ops"
    ]


def test_a_step_trace_that_is_cut_makes_no_whole_capture(tmp_path: Path) -> None:
    capture = capture_of(tmp_path)
    path = place(tmp_path, f"step_trace_{STAMP}.csv")
    path.write_text(path.read_text()[:-20])
    known = read_completeness(OpenCapture(capture.path))
    assert [lack.text for lack in known.lacks] == [f"step_trace_{STAMP}.csv ends within a row: it is cut"]


def test_where_nothing_could_be_compared_nothing_is_called_complete(tmp_path: Path) -> None:
    known = read_completeness(csv_capture(tmp_path, op_summary="Op Name,Task Duration(us)\nAdd,1.000\n"))
    assert known.is_complete is None
    assert known.line.startswith("nothing is known to be missing; not checked: ")


def test_a_whole_table_in_utf_16_is_not_cut(tmp_path: Path) -> None:
    rows = "Op Name,Task Duration(us)\nAdd,1.000\n".encode("utf-16")
    assert not check_files(csv_capture(tmp_path, op_summary=rows).export).lacks


def test_a_file_that_grew_between_two_looks(tmp_path: Path) -> None:
    capture = capture_of(tmp_path)
    assert not check_files(capture.export).lacks
    with open(place(tmp_path, f"api_statistic_{STAMP}.csv"), "w") as file:
        file.write("Level,API Name\n")
    capture = OpenCapture(capture.path)
    assert not check_files(capture.export).lacks
    with open(place(tmp_path, f"api_statistic_{STAMP}.csv"), "a") as file:
        file.write("1,2\n")
    [lack] = check_files(capture.export).lacks
    assert lack.text == (
        f"api_statistic_{STAMP}.csv was 15 B when it was listed and is 19 B: it is being written"
    )


# Twins


def _shortened(parent: Path, name: str, keep: Callable[[int], bool]) -> OpenCapture:
    capture = capture_of(parent)
    path = place(parent, f"{name}_{STAMP}.csv")
    header, *lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([header, *(line for at, line in enumerate(lines) if keep(at))]))
    return capture


def test_a_hole_in_task_time(tmp_path: Path) -> None:
    capture = _shortened(tmp_path, "task_time", lambda at: not 20 <= at < 25)
    assert told(capture) == [
        ("incomplete_task_time", "task_time lacks 5 of 80 ops of op_summary (3 Cast, 2 Mul)", 5)
    ]


def test_lost_rows_of_op_summary_are_told_by_all_of_its_twins(tmp_path: Path) -> None:
    capture = _shortened(tmp_path, "op_summary", lambda at: at < 76)
    assert told(capture) == [
        ("incomplete_iterations", "op_summary covers iteration 8 only in part", 1),
        ("incomplete_task_time", "op_summary lacks 4 of 80 ops of task_time (4 AI_VECTOR_CORE)", 4),
        ("incomplete_timeline", "op_summary lacks 4 of 80 ops of the timeline (4 AI_VECTOR_CORE)", 4),
        ("incomplete_op_statistic", "op_summary lacks 4 of 80 ops of op_statistic (2 Cast, 2 Mul)", 4),
    ]


def test_kernels_without_an_operator_are_not_in_op_summary(tmp_path: Path) -> None:
    """At level 1 they are told by their type; at level 0 there is nothing else."""
    more = f"0,k,KERNEL_AIVEC,2,70,20,{us(40)},{us(60)}"
    assert told(capture_of(tmp_path, tasks=[*task_lines(), more])) == []
    (tmp_path / "level0").mkdir()
    bare = [line.replace("AI_VECTOR_CORE", "KERNEL_AIVEC") for line in task_lines()]
    rows = [{**row, "Task Type": "N/A", "OP Type": "N/A"} for row in ops()]
    lacks = told(capture_of(tmp_path / "level0", rows, tasks=[*bare, more]))
    assert ("incomplete_task_time", "op_summary lacks 1 of 81 ops of task_time (1 KERNEL_AIVEC)", 1) in lacks


def test_communication_is_listed_in_each_file_in_another_way(tmp_path: Path) -> None:
    rows: list[Row] = [*ops(), op(70, 500, "hcom_allReduce_1", Task_Type="COMMUNICATION", Stream_ID="N/A")]
    more = f"0,allgatherAivKernel,AI_VECTOR_CORE,9,70,20,{us(40)},{us(60)}"
    assert told(capture_of(tmp_path, rows, tasks=[*task_lines(), more])) == []


def test_tables_that_cannot_be_compared_say_so(tmp_path: Path) -> None:
    run_capture(tmp_path, ops(), (Iteration(),) * PERIODS)
    header = "Time(%),Time(us),Count,Avg(us),Min(us),Max(us),Waiting(us),Running(us),Pending(us),Type,API"
    sums = f"{header},Task ID,Op Name,Stream ID\n1,1,1,1,1,1,1,1,1,a,b,1,c,2\n"
    known = read_completeness(csv_capture(tmp_path, task_time=sums))
    assert known.line == "complete; not checked: task_time, the timeline, op_statistic"
    assert [each.why.split(".")[0] for each in known.unchecked] == [
        "This task_time holds sums and no single tasks",
        "There is no timeline in this export that can be read",
        "There is no op_statistic in this export",
    ]


def test_a_large_timeline_is_not_read_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prof_tui.data.open_capture.MOST_BYTES_UNASKED", 10)
    capture = capture_of(tmp_path)
    known = read_completeness(capture)
    assert known.line == "complete; not checked: the timeline"
    assert "was not read; 5 reads it." in known.unchecked[0].why
    capture.completeness = None
    capture.traces.read("msprof")
    assert read_completeness(capture).line == "complete"


# Iterations


def test_an_iteration_that_is_half_covered_counts_in_no_median(tmp_path: Path) -> None:
    rows = [row for place, row in enumerate(ops()) if not 45 <= place < 50]
    capture = capture_of(tmp_path, rows)
    report = read_report(capture)
    [lack] = (one for one in report.overview.completeness.lacks if one.id == "incomplete_iterations")
    assert (lack.text, lack.iterations) == ("op_summary covers iteration 5 only in part", (5,))
    assert lack.rule.endswith("iteration 5 holds 5 in place of 10.")
    [device] = report.overview.devices()
    assert device.steps is not None
    assert [step.iteration for step in device.steps.steady] == [3, 4, 6, 7, 8]
    assert [step.iteration for step in device.steps.partly] == [5]
    assert device.busy is not None
    assert (device.busy.iterations, device.busy.ops) == (5, 10)
    notes = [note for table in time_tables(device) for notes in table.notes for note in notes]
    assert "Without 1 iteration that op_summary covers only in part: it has a finding of its own." in notes
    [finding] = report.findings.of("incomplete_iterations")
    assert finding.evidence is not None


def test_lost_kinds_are_told_by_those_that_have_them_all(tmp_path: Path) -> None:
    rows = [row for place, row in enumerate(ops()) if not (50 <= place < 60 and place % 2)]
    [lack] = (one for one in read_completeness(capture_of(tmp_path, rows)).lacks if one.iterations)
    assert lack.iterations == (6,)
    assert lack.caveat == "It may also be another kind of step: the others hold more kinds of ops."


def test_an_iteration_without_ops(tmp_path: Path) -> None:
    rows = [row for place, row in enumerate(ops()) if not 50 <= place < 70]
    [lack] = (one for one in read_completeness(capture_of(tmp_path, rows)).lacks if one.iterations)
    assert (lack.text, lack.iterations) == ("op_summary has no op of iterations 6, 7", (6, 7))


def test_fewer_than_three_peers_say_nothing(tmp_path: Path) -> None:
    rows = ops()[: 3 * OPS - 5]
    run_capture(tmp_path, rows, (Iteration(),) * 3)
    known = read_completeness(OpenCapture(tmp_path / PROF_NAME))
    assert [lack for lack in known.lacks if lack.iterations] == []
    assert known.why_unchecked("incomplete_iterations") is not None


def test_nine_of_ten_ops_are_enough(tmp_path: Path) -> None:
    rows = [row for place, row in enumerate(ops()) if place != 43]
    assert [one for one in read_completeness(capture_of(tmp_path, rows)).lacks if one.iterations] == []


# What it touches


def test_figures_are_marked_and_a_verdict_on_idle_time_is_withheld(tmp_path: Path) -> None:
    capture = _shortened(tmp_path, "op_summary", lambda at: at < 76)
    report = read_report(capture)
    [device] = report.overview.devices()
    names = [row.name for table in time_tables(device) for row in table.rows]
    assert "Busy*" in names
    assert "Idle*" in names
    assert "Period" in names
    notes = [note for table in time_tables(device) for notes in table.notes for note in notes]
    assert any(note.startswith("* of what is there: op_summary covers iteration 8") for note in notes)
    withheld = report.findings.unchecked("dispatch_bound")
    assert withheld is not None
    assert withheld.why.startswith("Rows are missing, and what ran in that time looks idle: op_summary ")


def test_findings_come_from_the_same_check(tmp_path: Path) -> None:
    capture = _shortened(tmp_path, "task_time", lambda at: not 20 <= at < 25)
    found = find(capture)
    [finding] = found.of("incomplete_task_time")
    assert finding.title == "task_time lacks 5 of 80 ops of op_summary (3 Cast, 2 Mul)"
    assert (finding.value, [(row.label, row.count) for row in finding.rows]) == (5, [("Cast", 3), ("Mul", 2)])
    assert capture.completeness is not None
    assert capture.completeness.is_final
    capture.forget()
    assert capture.completeness is None


def test_an_op_without_a_usable_start_is_there_all_the_same(tmp_path: Path) -> None:
    rows = [{**row, "Task Start Time(us)": "0.000"} if at == 33 else row for at, row in enumerate(ops())]
    assert told(capture_of(tmp_path, rows)) == []
