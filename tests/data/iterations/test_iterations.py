from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prof_tui.data.iterations.placement import (
    BY_FILE,
    BY_INFER_ID,
    BY_TIME,
    BY_WINDOW,
    Window,
    latest_begun,
    only_one,
    place_ops,
    rule_text,
)
from prof_tui.data.iterations.step_trace import Step, StepTrace
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OUTSIDE, Query, Scope
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.demo.run import NO_MODEL
from prof_tui.demo.run import OUTSIDE as NO_ITERATION
from prof_tui.demo.tables import OP_SUMMARY_HEADER
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import capture_skeleton, write_capture, write_table
from tests.helpers.captures import column_cells, csv_capture, shown, within
from tests.helpers.odd_rows import op_row

LAW = {BY_INFER_ID, BY_FILE, BY_WINDOW, BY_TIME}


def a_step(begin_us: int, end_us: int, iteration: int, model: int | None = 11, device: int = 0) -> Step:
    length_ns = (end_us - begin_us) * 1000
    return Step(0, device, model, iteration, None, None, end_us * 1000, length_ns, None, None, None)


def trace(*steps: Step) -> StepTrace:
    return StepTrace(steps)


def ops(
    *rows: Sequence[object], headers: Sequence[str] = ("Device_id", "Model ID", "Task Start Time(us)")
) -> Table:
    columns = [column_for(header) for header in headers]
    store = MemoryStore(columns, [[str(cell) for cell in row] for row in rows])
    return Table("op_summary", [TableSource("f", store)])


def places(table: Table, steps: StepTrace) -> list[tuple[int | None, int | None, int | None]]:
    found = place_ops(table, steps)
    return list(zip(found.iteration, found.model, found.rule, strict=True))


def test_a_start_on_a_border_is_in_the_later_iteration() -> None:
    steps = trace(a_step(0, 100, 1), a_step(100, 200, 2))
    found = places(ops((0, 11, 0), (0, 11, "99.999"), (0, 11, 100), (0, 11, 199), (0, 11, 200)), steps)
    assert [iteration for iteration, _model, _rule in found] == [1, 1, 2, 2, None]


def test_between_iterations_is_outside() -> None:
    steps = trace(a_step(0, 100, 1), a_step(150, 200, 2))
    assert places(ops((0, 11, 120), (0, 11, 160)), steps) == [(None, 11, None), (2, 11, BY_WINDOW)]


def test_of_overlapping_windows_the_latest_that_has_begun_holds() -> None:
    steps = trace(a_step(0, 100, 1), a_step(60, 200, 2), a_step(70, 80, 3))
    found = places(ops(*((0, 11, start) for start in (50, 60, 75, 80, 150))), steps)
    assert [iteration for iteration, _model, _rule in found] == [1, 2, 3, 2, 2]


def test_a_window_is_of_one_device_and_one_model() -> None:
    steps = trace(a_step(0, 100, 1), a_step(0, 100, 7, model=3), a_step(0, 100, 9, device=1))
    found = places(ops((0, 11, 5), (0, 3, 5), (1, 11, 5), (1, 3, 5), (2, 11, 5)), steps)
    assert [iteration for iteration, _model, _rule in found] == [1, 7, 9, None, None]


@pytest.mark.parametrize("model", ["N/A", "-1", str(NO_MODEL)])
def test_an_op_of_no_model_is_placed_by_time(model: str) -> None:
    steps = trace(a_step(0, 100, 1))
    assert places(ops((0, model, 5)), steps) == [(1, 11, BY_TIME)]


def test_an_op_summary_without_model_ids_is_placed_by_time() -> None:
    table = ops((0, 5), headers=("Device_id", "Task Start Time(us)"))
    assert places(table, trace(a_step(0, 100, 1))) == [(1, 11, BY_TIME)]


def test_where_two_models_have_a_window_time_does_not_tell() -> None:
    steps = trace(a_step(0, 100, 1), a_step(50, 150, 4, model=3))
    found = places(ops(*((0, NO_MODEL, start) for start in (10, 60, 120))), steps)
    assert found == [(1, 11, BY_TIME), (None, NO_MODEL, None), (4, 3, BY_TIME)]


def test_no_model_with_iterations_of_its_own_is_a_model() -> None:
    steps = trace(a_step(0, 100, 1, model=NO_MODEL), a_step(100, 200, 1))
    found = places(ops((0, NO_MODEL, 50), (0, NO_MODEL, 150), (0, "-1", 150)), steps)
    assert found == [(1, NO_MODEL, BY_WINDOW), (None, NO_MODEL, None), (1, 11, BY_TIME)]


def test_a_real_model_without_iterations_is_never_placed_by_time() -> None:
    assert places(ops((0, 99, 50)), trace(a_step(0, 100, 1))) == [(None, 99, None)]


def test_infer_id_goes_before_windows() -> None:
    table = ops((0, 11, 5, 2), (0, 11, 5, "N/A"), (0, 11, 5, 0), headers=(*HEADERS, "Infer ID"))
    steps = trace(a_step(0, 100, 1), a_step(100, 200, 2))
    assert [row[::2] for row in places(table, steps)] == [(2, BY_INFER_ID), (1, BY_WINDOW), (1, BY_WINDOW)]


HEADERS = ("Device_id", "Model ID", "Task Start Time(us)")


def test_all_ops_outside_is_said() -> None:
    [notice] = place_ops(ops((0, 11, 500)), trace(a_step(0, 100, 1))).notices
    assert notice.startswith("No op starts inside an iteration")
    assert place_ops(ops((0, 11, 50)), trace(a_step(0, 100, 1))).notices == ()
    assert place_ops(ops((0, 11, 500)), trace()).notices == ()


def old_capture(tmp_path: Path, files: dict[str, list[dict[str, str]]]) -> OpenCapture:
    prof = capture_skeleton(tmp_path, "old")
    for name, rows in files.items():
        cells = [list(row.values()) for row in rows]
        write_table(prof / "device_0" / "summary", name, OP_SUMMARY_HEADER["old"], cells, quoting="minimal")
    return OpenCapture(prof)


def test_old_files_are_joined_and_their_names_tell_the_iteration(tmp_path: Path) -> None:
    rows = [op_row("old", name=name, infer_id="N/A", model_id="N/A") for name in ("a", "b")]
    capture = old_capture(tmp_path, {"op_summary_0_11_1.csv": rows[:1], "op_summary_0_11_3.csv": rows[1:]})
    table = capture.table("op_summary")
    found = capture.placement(table)
    assert found.iteration.to_list() == [1, 3]
    assert found.model.to_list() == [11, 11]
    assert found.rules() == [BY_FILE]
    assert column_cells(capture, table, "Op Name", within(3, model=11)) == ["b"]


def test_two_numbers_in_a_name_are_device_and_iteration(tmp_path: Path) -> None:
    row = op_row("old", infer_id="N/A", model_id="7")
    capture = old_capture(tmp_path, {"op_summary_0_4.csv": [row]})
    found = capture.placement(capture.table("op_summary"))
    assert (found.iteration.to_list(), found.model.to_list()) == ([4], [7])


def test_where_infer_id_and_name_disagree_infer_id_holds_and_it_is_said(tmp_path: Path) -> None:
    rows = [
        op_row("old", infer_id="5"),
        op_row("old", infer_id="3"),
        op_row("old", infer_id="3", model_id="2"),
    ]
    capture = old_capture(tmp_path, {"op_summary_0_11_3.csv": rows})
    found = capture.placement(capture.table("op_summary"))
    assert found.iteration.to_list() == [5, 3, 3]
    assert found.notices[0].startswith("2 ops have another Infer ID or Model ID than their files' names say")


def test_files_without_infer_id_tell_the_iteration_in_a_column(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "old")
    for iteration in (1, 3):
        rows = [[f"op_{iteration}", "1.5"]]
        name = f"op_statistic_0_11_{iteration}.csv"
        write_table(prof / "device_0" / "summary", name, ["OP Type", "Total Time(us)"], rows)
    capture = OpenCapture(prof)
    table = capture.table("op_statistic")
    assert [(column.header, column.derived) for column in table.columns][-1] == ("iteration", True)
    assert shown(capture, table) == [["op_1", "1.5", "1"], ["op_3", "1.5", "3"]]
    assert shown(capture, table, within(3)) == [["op_3", "1.5", "3"]]


@pytest.mark.parametrize("layout", ["new", "old"])
def test_the_ops_of_a_whole_run_are_where_they_were_made(tmp_path: Path, layout: str) -> None:
    run = demo_run(devices=2)
    capture = OpenCapture(write_capture(tmp_path / "demo", run, layout="new" if layout == "new" else "old"))
    table = capture.table("op_summary")
    places = [column.header for column in table.columns]
    start, device = places.index(table.column("Task Start Time").header), table.column("Device_id").header
    for iteration in (1, 4):
        for model in {op.model_id for op in run.ops if op.iteration == iteration and op.model_id == 11}:
            found = shown(capture, table, within(iteration, model=model, device=1))
            expected = [
                op for op in run.ops if (op.device, op.model_id, op.iteration) == (1, model, iteration)
            ]
            assert len(found) == len(expected)
            assert all(row[start] for row in found)
    assert device in places


def test_outside_is_what_no_iteration_holds(tmp_path: Path) -> None:
    run = demo_run(devices=1)
    capture = OpenCapture(write_capture(tmp_path / "demo", run, layout="new"))
    table = capture.table("op_summary")
    names = column_cells(capture, table, "Op Name", Query(Scope(iteration=OUTSIDE)))
    assert names == [op.name for op in run.ops if op.iteration == NO_ITERATION]
    assert column_cells(capture, table, "Op Name", Query(Scope(model=11, iteration=OUTSIDE))) == [
        op.name for op in run.ops if op.iteration == NO_ITERATION and op.model_id == 11
    ]


def test_op_and_step_times_may_differ_in_unit(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "old")
    folder = prof / "device_0" / "summary"
    ops_in_ns = [["a", "11", "56635864652490", "10.5"], ["b", "11", "56635864663490", "4.0"]]
    header = ["Op Name", "Model ID", "Task Start Time", "Task Duration(us)"]
    write_table(folder, "op_summary_0.csv", header, ops_in_ns)
    step_in_us = [["1", "56635864660.000", "20.000", "11"], ["2", "56635864680.000", "20.000", "11"]]
    header = ["Iteration ID", "Iteration End", "Iteration Time(us)", "Model ID"]
    write_table(folder, "step_trace_0_11_1.csv", header, step_in_us)
    capture = OpenCapture(prof)
    found = capture.placement(capture.table("op_summary"))
    assert (found.iteration.to_list(), found.rules()) == ([1, 2], [BY_WINDOW])


def test_a_placement_is_worked_out_once_per_table(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary="Op Name,Task Start Time(us)\na,1.5\n")
    table = capture.table("op_summary")
    assert capture.placement(table) is capture.placement(table)


def test_every_rule_has_words() -> None:
    assert len({rule_text(rule) for rule in LAW}) == 4


def windows() -> st.SearchStrategy[list[Window]]:
    window = st.tuples(st.integers(0, 30), st.integers(0, 12), st.integers(1, 9))
    return st.lists(window, max_size=8).map(lambda found: [(b, b + length, n) for b, length, n in found])


def latest(held: list[Window], at: int) -> tuple[int, int] | None:
    """(begin, label) of the window that has begun last, by looking at each."""
    inside = [(begin, end, label) for begin, end, label in held if begin <= at < end]
    return (max(inside)[0], max(inside)[2]) if inside else None


@given(windows())
def test_latest_begun_is_what_looking_at_each_window_gives(found: list[Window]) -> None:
    disjoint = latest_begun(found)
    assert all(left[1] <= right[0] for left, right in pairwise(disjoint))
    begins = {(begin, label) for begin, _end, label in found}
    for at in range(45):
        here = [label for begin, end, label in disjoint if begin <= at < end]
        expected = latest(found, at)
        assert len(here) == (expected is not None)
        assert expected is None or (expected[0], here[0]) in begins


@given(st.lists(windows().map(latest_begun), max_size=4))
def test_only_one_is_what_looking_at_each_group_gives(groups: list[list[Window]]) -> None:
    found = only_one(groups)
    for at in range(45):
        inside = [
            (group, label)
            for group, held in enumerate(groups)
            for begin, end, label in held
            if begin <= at < end
        ]
        here = [(group, label) for begin, end, group, label in found if begin <= at < end]
        assert here == (inside if len(inside) == 1 else [])


MODELS = st.sampled_from([11, 3, NO_MODEL])


def by_looking(device: int, model: int, at_us: int, steps: Sequence[Step]) -> int | None:
    """Rules 3 and 4 in the plainest words."""

    def of(wanted: int | None) -> int | None:
        held = [
            (step.begin_ns or 0, -(step.end_ns or 0), step.iteration)
            for step in steps
            if (step.device, step.model) == (device, wanted)
            and (step.begin_ns or 0) <= at_us * 1000 < (step.end_ns or 0)
        ]
        return max(held, key=lambda found: found[0])[2] if held else None

    named = {step.model for step in steps if step.device == device}
    if model != NO_MODEL or model in named:
        return of(model)
    candidates = [iteration for wanted in named if (iteration := of(wanted)) is not None]
    return candidates[0] if len(candidates) == 1 else None


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 15), MODELS, st.integers(0, 1)), max_size=8),
    st.lists(st.tuples(st.integers(0, 1), MODELS, st.integers(0, 80)), max_size=12),
)
def test_each_op_is_in_one_iteration_or_outside(
    made: list[tuple[int, int, int, int]], rows: list[tuple[int, int, int]]
) -> None:
    distinct = list({(begin, model, device): length for begin, length, model, device in made}.items())
    steps = [
        a_step(begin, begin + length, number, model, device)
        for number, ((begin, model, device), length) in enumerate(distinct, 1)
    ]
    found = place_ops(ops(*rows), trace(*steps)).iteration.to_list()
    assert found == [by_looking(device, model, at, steps) for device, model, at in rows]
