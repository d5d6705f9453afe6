from collections import defaultdict
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OUTSIDE, Query, Scope
from prof_tui.demo.run import OUTSIDE as NO_ITERATION
from prof_tui.demo.run import Op, totals_by_type
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import STAMP, write_capture
from prof_tui.errors import UnreadableError
from prof_tui.words import microseconds
from tests.helpers.captures import column_cells, csv_capture, rows_of, shown

RUN = demo_run(devices=2)
OPS = "Device_id,Model ID,OP Type,Task Type,Task Start Time(us),Task Duration(us)\n"
STEPS = "Device_id,Iteration ID,Iteration End(us),Iteration Time(us),Model ID\n"


@pytest.fixture
def demo(tmp_path: Path) -> OpenCapture:
    return OpenCapture(write_capture(tmp_path / "demo", RUN, layout="new"))


def expected(ops: list[Op]) -> list[list[str]]:
    rows = []
    for device in (0, 1):
        totals = totals_by_type(op for op in ops if op.device == device)
        for (op_type, task_type), found in totals.items():
            times = (found.total_ns, min(found.durations_ns), found.average_ns, max(found.durations_ns))
            count = str(len(found.durations_ns))
            rows.append([str(device), op_type, task_type, count, *map(microseconds, times)])
    return rows


def test_msprofs_own_file_is_shown_for_the_whole_run(demo: OpenCapture) -> None:
    table, computed = demo.op_statistic(Scope())
    assert (computed, table.file_names) == ("", [f"op_statistic_{STAMP}.csv"])
    assert demo.op_statistic(Scope(device=1)) == (table, "")


def test_an_iteration_is_computed_from_op_summary(demo: OpenCapture) -> None:
    table, computed = demo.op_statistic(Scope(device=1, model=11, iteration=4))
    ops = [op for op in RUN.ops if (op.model_id, op.iteration) == (11, 4)]
    assert computed
    assert sorted(map(str, (row[:8] for row in rows_of(table)))) == sorted(map(str, expected(ops)))
    assert [column.header for column in table.columns][3:5] == ["Count", "Total Time(us)"]


def test_its_order_is_total_time_within_each_device(demo: OpenCapture) -> None:
    table, _computed = demo.op_statistic(Scope(model=11, iteration=4))
    totals = [(row[0], -float(row[4] or 0)) for row in rows_of(table)]
    assert totals == sorted(totals)


def test_ratios_are_of_the_device(demo: OpenCapture) -> None:
    table, _computed = demo.op_statistic(Scope(model=11, iteration=4))
    sums: dict[str | None, float] = defaultdict(float)
    for row in rows_of(table):
        sums[row[0]] += float(row[-1] or 0)
    assert {device: round(total, 1) for device, total in sums.items()} == {"0": 100.0, "1": 100.0}


def test_a_computed_table_answers_for_its_own_scope(demo: OpenCapture) -> None:
    scope = Scope(device=1, model=11, iteration=4)
    table, _computed = demo.op_statistic(scope)
    assert shown(demo, table, Query(scope)) == shown(demo, table, Query(Scope(device=1)))
    assert len(shown(demo, table, Query(scope))) > 5


def test_it_can_be_computed_though_there_is_a_file(demo: OpenCapture) -> None:
    table, computed = demo.op_statistic(Scope(), own_file=False)
    assert computed
    assert sum(int(row[3] or 0) for row in rows_of(table)) == len(RUN.ops)
    assert table.notices == []


def test_counts_per_task_type_add_up_to_the_total(demo: OpenCapture) -> None:
    table, _computed = demo.op_statistic(Scope(), own_file=False)
    counts: dict[str | None, int] = defaultdict(int)
    for row in rows_of(table):
        counts[row[2]] += int(row[3] or 0)
    by_type: dict[str, int] = defaultdict(int)
    for op in RUN.ops:
        by_type[op.task_type] += 1
    assert counts == by_type


def test_ops_outside_have_a_statistic_of_their_own(demo: OpenCapture) -> None:
    table, _computed = demo.op_statistic(Scope(iteration=OUTSIDE))
    assert sum(int(row[3] or 0) for row in rows_of(table)) == sum(
        op.iteration == NO_ITERATION for op in RUN.ops
    )


def test_rows_without_op_type_are_left_out_but_weigh_in_the_ratio(tmp_path: Path) -> None:
    rows = "0,11,MatMul,AI_CORE,1.000,30.000\n0,11,N/A,AI_CORE,2.000,10.000\n0,11,MatMul,AI_CORE,3.000,N/A\n"
    capture = csv_capture(tmp_path, op_summary=OPS + rows)
    table, _computed = capture.op_statistic(Scope())
    cells = ["0", "MatMul", "AI_CORE", "1", "30.000", "30.000", "30.000", "30.000", "75.000"]
    assert rows_of(table) == [cells]


def test_a_file_that_cannot_be_read_costs_its_own_pane(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=OPS + "0,11,MatMul,AI_CORE,1.000,30.000\n", op_statistic="")
    with pytest.raises(UnreadableError, match=f"op_statistic_{STAMP}.csv is empty"):
        capture.op_statistic(Scope())


def test_for_a_narrower_scope_it_is_computed_and_the_reason_said(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=OPS + "0,11,MatMul,AI_CORE,1.000,30.000\n", op_statistic="")
    table, computed = capture.op_statistic(Scope(model=11))
    assert (computed, column_cells(capture, table, "Total Time(us)")) == ("op_summary", ["30.000"])
    assert f"op_statistic_{STAMP}.csv is empty" in table.notices[0]


def test_negative_durations_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = "0,11,MatMul,AI_CORE,1.000,30.000\n0,11,Mul,AI_CORE,2.000,-250.500\n"
    capture = csv_capture(tmp_path, op_summary=OPS + rows)
    table, _computed = capture.op_statistic(Scope())
    assert column_cells(capture, table, "Ratio(%)") == ["100.000"]
    assert "1 op with a negative duration is left out." in table.notices


def test_without_any_file_its_own_absence_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="There is no op_statistic in this export"):
        csv_capture(tmp_path).op_statistic(Scope())


def test_without_op_types_there_is_nothing_to_compute(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary="Op Name,Task Duration(us)\na,1.5\n")
    with pytest.raises(UnreadableError, match=r"There is no op_statistic .*op_summary has no OP Type"):
        capture.op_statistic(Scope())
    capture = csv_capture(tmp_path, op_statistic="OP Type,Count\nAdd,1\n")
    with pytest.raises(UnreadableError, match="op_statistic can't be computed"):
        capture.op_statistic(Scope(iteration=1))


def test_at_level_0_it_is_said_why_nothing_is_computed(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=OPS + "0,11,N/A,N/A,1.000,30.000\n")
    with pytest.raises(UnreadableError, match=r"There is no op_statistic .*no op there has an OP Type and a"):
        capture.op_statistic(Scope())


def test_an_old_files_name_says_which_iteration_it_covers(tmp_path: Path) -> None:
    prof = write_capture(tmp_path / "demo", RUN, layout="old", iterations_exported=[1, 4])
    capture = OpenCapture(prof)
    scope = Scope(device=0, model=11, iteration=4)
    table, computed = capture.op_statistic(scope)
    assert not computed
    ops = [op for op in RUN.ops if (op.device, op.iteration, op.model_id) == (0, 4, 11)]
    own = [row for row in expected(ops) if row[2] != "COMMUNICATION"]
    assert [row[2:8] for row in shown(capture, table, Query(scope))] == [row[2:] for row in own]
    assert capture.op_statistic(Scope(model=11, iteration=5))[1]
    assert not capture.op_statistic(Scope(model=11))[1]


def test_no_value_of_several_files_is_added(tmp_path: Path) -> None:
    prof = write_capture(tmp_path / "demo", RUN, layout="old", iterations_exported=[1, 4])
    capture = OpenCapture(prof)
    table, computed = capture.op_statistic(Scope())
    rows = rows_of(table)
    assert not computed
    assert {row[-2:][1] for row in rows} == {"1", "4"}
    assert len(rows) == sum(source.store.row_count for source in table.sources)
