import json
from dataclasses import replace
from pathlib import Path

import pytest

from prof_tui.data.iterations.step_trace import Step, StepTrace
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Query, Scope
from prof_tui.demo.run import NO_MODEL, Run
from prof_tui.demo.run import Step as MadeUpStep
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import (
    MERGED_DIRECTORY,
    PROF_NAME,
    STAMP,
    capture_skeleton,
    ticks,
    write_capture,
    write_table,
)
from tests.helpers.captures import csv_capture, rows_of, shown, within
from tests.helpers.odd_rows import step_row

RUN = demo_run(devices=2)


def a_step(iteration: int, model: int = 11, end_us: int | None = None, time_us: int = 900) -> Step:
    end_ns = (iteration * 1_000 if end_us is None else end_us) * 1_000
    return Step(0, 0, model, iteration, None, None, end_ns, time_us * 1_000, None, None, None)


def trace(*steps: Step) -> StepTrace:
    return StepTrace(steps)


def text_of(*rows: dict[str, str]) -> str:
    return "".join(",".join(row) + "\n" for row in (rows[0], *(row.values() for row in rows)))


def facts(step: Step | MadeUpStep) -> tuple[object, ...]:
    if isinstance(step, Step):
        reduces = tuple((reduce.start_ns, reduce.duration_ns) for reduce in step.reduces)
        marks = (step.fp_start_ns, step.bp_end_ns, step.end_ns, step.iteration_time_ns)
        return (
            *step.key,
            step.iteration,
            *marks,
            step.fp_to_bp_ns,
            step.refresh_ns,
            step.data_aug_ns,
            reduces,
        )
    marks = (step.fp_start_ns, step.bp_end_ns, step.iteration_end_ns, step.iteration_time_ns)
    parts = (step.fp_to_bp_ns, step.refresh_ns, step.data_aug_bound_ns)
    return (step.device, step.model_id, step.iteration_id, *marks, *parts, step.reduces)


def made_up(run: Run) -> list[tuple[object, ...]]:
    ordered = sorted(run.steps, key=lambda step: (step.device, step.model_id, step.iteration_id))
    return [facts(step) for step in ordered]


def test_the_new_layouts_step_trace_is_the_run(tmp_path: Path) -> None:
    capture = OpenCapture(write_capture(tmp_path / "demo", RUN, layout="new"))
    assert [facts(step) for step in capture.steps.steps] == made_up(RUN.on_wall_clock())


def test_the_old_layouts_step_traces_are_the_run_once(tmp_path: Path) -> None:
    capture = OpenCapture(write_capture(tmp_path / "demo", RUN, layout="old"))
    assert [facts(step) for step in capture.steps.steps] == made_up(RUN)
    assert len(capture.table("step_trace").sources) == 2


@pytest.mark.parametrize("layout", ["new", "old"])
def test_the_json_step_trace_holds_the_same(tmp_path: Path, layout: str) -> None:
    prof = write_capture(tmp_path / "demo", RUN, layout="new" if layout == "new" else "old")
    run = RUN.on_wall_clock() if layout == "new" else RUN
    for path in prof.rglob("step_trace*.csv"):
        path.unlink()
    found = OpenCapture(prof).steps.steps
    assert len(found) == len(run.steps)
    by_key = {(step.device, step.model_id, step.iteration_id): step for step in run.steps}
    for step in found:
        expected = by_key[step.device or 0, step.model or 0, step.iteration]
        assert (step.fp_to_bp_ns, step.refresh_ns) == (expected.fp_to_bp_ns, expected.refresh_ns)
        assert (step.iteration_time_ns, len(step.reduces)) == (
            expected.iteration_time_ns,
            len(expected.reduces),
        )


def test_a_step_trace_json_with_odd_events_is_read(tmp_path: Path) -> None:
    events = [
        {"name": "thread_name", "ph": "M", "pid": [1], "tid": 2, "args": {"name": "Step Trace(Model ID:11)"}},
        {"name": "thread_name", "ph": "M", "pid": 1, "tid": 3, "args": None},
        {"name": "thread_name", "ph": "M", "pid": 1, "tid": 4, "args": "x"},
        {
            "name": "Iteration 2",
            "pid": [1],
            "tid": "2",
            "ts": 1,
            "dur": 800.25,
            "args": {"Iteration End": "1790000000124456.500", "FP Start": "N/A", "BP End": "N/A"},
        },
        7,
        None,
    ]
    prof = capture_skeleton(tmp_path, "new")
    (prof / MERGED_DIRECTORY / f"step_trace_{STAMP}.json").write_text(json.dumps(events))
    [step] = OpenCapture(prof).steps.steps
    assert (step.model, step.iteration, step.fp_start_ns) == (11, 2, None)
    assert (step.begin_ns, step.end_ns) == (1790000000123656250, 1790000000124456500)


def test_models_may_have_the_same_iteration_ids(tmp_path: Path) -> None:
    rows = [step_row(iteration_id=i, model_id=m) for m in ("1", "11") for i in ("1", "2")]
    capture = csv_capture(tmp_path, step_trace=text_of(*rows))
    assert [(step.model, step.iteration) for step in capture.steps.steps] == [
        (1, 1),
        (1, 2),
        (11, 1),
        (11, 2),
    ]
    found = capture.steps.find(0, 11, 2)
    assert found is not None
    assert found.row == 3
    table = capture.table("step_trace")
    assert [row[-1] for row in shown(capture, table, within(2, model=11))] == ["11"]
    assert len(shown(capture, table, within(2))) == 2
    assert len(shown(capture, table, Query(Scope(model=1)))) == 2


def test_inference_has_windows_and_no_marks(tmp_path: Path) -> None:
    marks = {"fp_start": "N/A", "bp_end": "N/A", "fp_to_bp_time": "N/A", "iteration_refresh": "N/A"}
    row = step_row("new", **marks, data_aug_bound="N/A", iteration_end="1000.000\t", iteration_time="800.250")
    [step] = csv_capture(tmp_path, step_trace=text_of(row)).steps.steps
    assert (step.fp_start_ns, step.bp_end_ns, step.fp_to_bp_ns, step.refresh_ns, step.data_aug_ns) == (
        None,
    ) * 5
    assert (step.begin_ns, step.end_ns) == (199_750, 1_000_000)


HEADER = [
    "Iteration ID",
    "FP Start",
    "BP End",
    "Iteration End",
    "Iteration Time(us)",
    "FP to BP Time(us)",
    "Grad Refresh Bound(us)",
    "Data Aug Bound(us)",
    "Model ID",
]


def tick_rows() -> tuple[list[list[str]], list[int]]:
    """Three iterations in ticks of 10 ns, and their ends in ns."""
    begins = [56_635_864_652_490 + i * 1_100_000 for i in range(3)]
    rows = []
    for i, begin in enumerate(begins):
        marks = [str(ticks(begin + after)) for after in (0, 800_000, 1_000_000)]
        rows.append([str(i + 1), *marks, "1000.0", "800.0", "200.0", "100.0" if i else "N/A", "11"])
    return rows, [begin + 1_000_000 for begin in begins]


def tick_capture(tmp_path: Path) -> Path:
    prof = capture_skeleton(tmp_path, "old")
    write_table(prof / "device_0" / "summary", "step_trace_0_11_1.csv", HEADER, tick_rows()[0])
    return prof


def test_ticks_become_the_ops_clock(tmp_path: Path) -> None:
    steps = OpenCapture(tick_capture(tmp_path)).steps
    assert [step.end_ns for step in steps.steps] == tick_rows()[1]
    assert [step.fp_start_ns for step in steps.steps] == [end - 1_000_000 for end in tick_rows()[1]]
    assert [step.period_ns for step in steps.steps] == [None, 1_100_000, 1_100_000]
    assert steps.notices == ()


def test_ticks_without_start_logs_have_no_marks_and_keep_their_lengths(tmp_path: Path) -> None:
    prof = tick_capture(tmp_path)
    (prof / "device_0" / "dev_start.log.0").unlink()
    steps = OpenCapture(prof).steps
    assert [(step.end_ns, step.begin_ns, step.fp_start_ns) for step in steps.steps] == [(None,) * 3] * 3
    assert [step.iteration_time_ns for step in steps.steps] == [1_000_000] * 3
    assert [step.period_ns for step in steps.steps] == [None, 1_100_000, 1_100_000]
    assert len(steps.notices) == 1
    assert "step_trace of device 0 counts ticks" in steps.notices[0]


def test_a_table_shows_ticks_as_the_file_has_them(tmp_path: Path) -> None:
    table = OpenCapture(tick_capture(tmp_path)).table("step_trace")
    assert [row[:2] for row in rows_of(table)] == [row[:2] for row in tick_rows()[0]]


def test_an_export_without_step_trace_has_no_iterations(tmp_path: Path) -> None:
    assert OpenCapture(capture_skeleton(tmp_path, "new")).steps == StepTrace()


def test_a_step_trace_without_iteration_ids_is_said(tmp_path: Path) -> None:
    steps = csv_capture(tmp_path, step_trace="Model ID,Iteration End(us)\n11,1.0\n").steps
    assert steps.steps == ()
    assert "no column Iteration ID" in steps.notices[0]


def test_the_main_model_has_most_iterations() -> None:
    steps = trace(a_step(1, 1, time_us=9_000_000), *(a_step(i, 11) for i in (1, 2)))
    assert steps.main_model(0) == 11
    assert [steps.is_main(step) for step in steps.steps] == [False, True, True]
    assert steps.main_model(3) is None


def test_ties_go_to_the_longer_model() -> None:
    assert trace(a_step(1, 1, time_us=100), a_step(1, 11, time_us=200)).main_model(0) == 11


def test_no_model_is_the_main_one_only_when_alone() -> None:
    nothing = [a_step(i, NO_MODEL) for i in range(1, 9)]
    assert trace(*nothing, a_step(1, 11)).main_model(0) == 11
    assert trace(*nothing).main_model(0) == NO_MODEL


@pytest.mark.parametrize(
    ("iterations", "steady"),
    [
        ([1, 2, 3, 4], [3, 4]),
        ([1, 2, 3], [3]),
        ([1, 2], [1, 2]),
        ([1], [1]),
        ([0, 1, 2], [0, 1, 2]),
        ([5, 6, 7], [5, 6, 7]),
    ],
)
def test_steady_is_after_the_second_iteration(iterations: list[int], steady: list[int]) -> None:
    steps = trace(*(a_step(i) for i in iterations))
    assert [step.iteration for step in steps.steady((0, 11))] == steady


def test_a_period_is_from_end_to_end_and_has_three_parts(tmp_path: Path) -> None:
    capture = OpenCapture(write_capture(tmp_path / "demo", RUN, layout="new"))
    for key in capture.steps.models():
        first, *others = capture.steps.of_model(key)
        assert first.period_ns is None
        for step in others:
            if None not in (step.data_aug_ns, step.fp_to_bp_ns, step.refresh_ns):
                assert step.period_ns == (step.data_aug_ns or 0) + (step.fp_to_bp_ns or 0) + (
                    step.refresh_ns or 0
                )


def test_a_period_does_not_go_over_a_hole(tmp_path: Path) -> None:
    parts = {"fp_to_bp_time": "800.000", "iteration_refresh": "200.000", "data_aug_bound": "100.000"}
    rows = [
        step_row("new", iteration_id=str(i), iteration_end=f"{i * 1000}.000\t", **parts) for i in (1, 2, 5)
    ]
    periods = [step.period_ns for step in csv_capture(tmp_path, step_trace=text_of(*rows)).steps.steps]
    assert periods == [None, 1_000_000, 1_100_000]


def test_a_window_of_a_negative_time_is_none() -> None:
    assert replace(a_step(1), iteration_time_ns=-5).begin_ns is None


def test_a_cut_off_step_trace_file_is_named_in_its_table(tmp_path: Path) -> None:
    row = step_row()
    capture = csv_capture(tmp_path, step_trace=text_of(row, row)[:-60])
    assert len(capture.steps.steps) == 1
    assert "the last line is incomplete" in capture.table("step_trace").notices[0]
    assert (tmp_path / PROF_NAME).is_dir()


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("0.000", "0.000"),
        ("1690000000004000.000", "more than an hour from all others"),
        ("-5.000", "negative"),
    ],
)
def test_an_iteration_end_that_is_no_time_of_the_run_marks_nothing(
    tmp_path: Path, end: str, why: str
) -> None:
    ends = [f"{1_790_000_000_000_000 + 1000 * i}.000" for i in range(1, 9)]
    ends[4] = end
    rows = [step_row(iteration_id=str(i), iteration_end=own) for i, own in enumerate(ends, start=1)]
    read = csv_capture(tmp_path, step_trace=text_of(*rows)).steps
    assert [step.iteration for step in read.steps if step.end_ns is None] == [5]
    assert read.notices == (
        f"step_trace: 1 Iteration End is no time of this run ({why}) and marks no iteration.",
    )
