"""Rows in iterations from one on, as a condition among others."""

from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.value_counts import value_counts
from prof_tui.data.query.query import Iterations, ModelFrom, OneOf, Query, Scope, Sort
from prof_tui.panes.table.questions import shown_by
from tests.helpers.captures import csv_capture
from tests.helpers.judged_run import USUAL, Iteration, op, ops_csv, steps_csv

FROM_4 = Iterations((ModelFrom(0, 11, 4),))
OPS = [op(at, 10 + at / 1000, f"Mul_{at}") for at in (4100, 3100, 1100, 9000)]
OTHERS = [op(4200, 5, "Add_1", Device_id=1, Model_ID=12), op(4300, 5, "Add_2", Device_id=1)]


@pytest.fixture
def capture(tmp_path: Path, either_store: None) -> OpenCapture:
    """Iterations 1 to 5 of 1,000 us each, of model 11 on device 0 and model 12 on device 1."""
    steps = steps_csv((*USUAL, *(Iteration(device=1, model=12),) * 5))
    statistic = "Device_id,OP Type,Core Type,Count\n0,Mul,AI_CORE,4\n"
    return csv_capture(tmp_path, op_summary=ops_csv(OPS + OTHERS), step_trace=steps, op_statistic=statistic)


def rows(capture: OpenCapture, query: Query, name: str = "op_summary") -> list[int]:
    return capture.view(capture.table(name), query).rows.to_list()


def test_ops_of_the_model_from_that_iteration_on_are_kept(capture: OpenCapture) -> None:
    assert rows(capture, Query(filters=(FROM_4,))) == [0, 1]
    assert rows(capture, Query(filters=(Iterations((ModelFrom(0, 11, 5),)),))) == [0]
    assert rows(capture, Query(filters=(Iterations((ModelFrom(0, 12, 1),)),))) == []


def test_it_is_one_condition_among_others(capture: OpenCapture) -> None:
    both = Query(filters=(OneOf("Op Name", ("Mul_3100", "Mul_1100")), FROM_4))
    assert rows(capture, both) == [1]
    assert rows(capture, Query(filters=(FROM_4,), sort=Sort("Task Duration(us)", False))) == [1, 0]
    assert rows(capture, Query(Scope(1), (FROM_4,))) == []
    assert rows(capture, Query(Scope(0, 11, 4), (FROM_4,))) == [1]


def test_each_device_has_a_first_of_its_own(capture: OpenCapture) -> None:
    either = Iterations((ModelFrom(0, 11, 5), ModelFrom(1, 12, 5)))
    assert rows(capture, Query(filters=(either,))) == [0, 4]


def test_a_step_trace_is_cut_by_its_own_iterations(capture: OpenCapture) -> None:
    assert rows(capture, Query(filters=(FROM_4,)), "step_trace") == [3, 4]


def test_a_table_without_iterations_has_no_such_row(capture: OpenCapture) -> None:
    assert rows(capture, Query(filters=(FROM_4,)), "op_statistic") == []
    table = capture.table("op_statistic")
    assert shown_by(table, Query(filters=(FROM_4,)), Scope()).filters == ()


def test_a_pane_keeps_it(capture: OpenCapture) -> None:
    asked = Query(filters=(OneOf("task type", ("AI_CPU",)), FROM_4))
    shown = shown_by(capture.table("op_summary"), asked, Scope(0))
    assert shown == Query(Scope(0), (OneOf("Task Type", ("AI_CPU",)), FROM_4))


def test_values_are_counted_within_it(capture: OpenCapture) -> None:
    table = capture.table("op_summary")
    [entry] = value_counts(capture, table, Query(filters=(FROM_4,)), table.column("Task Type"))
    assert (entry.value, entry.count) == ("AI_VECTOR_CORE", 2)


def test_an_iteration_may_be_left_out(capture: OpenCapture) -> None:
    assert rows(capture, Query(filters=(Iterations((ModelFrom(0, 11, 4, (5,)),)),))) == [1]


@pytest.mark.parametrize(
    ("firsts", "said"),
    [
        ([ModelFrom(0, 11, 3)], "Iteration ID >= 3, Model ID 11"),
        ([ModelFrom(0, 11, 3), ModelFrom(1, 11, 3)], "Iteration ID >= 3, Model ID 11"),
        (
            [ModelFrom(0, 11, 3), ModelFrom(1, 12, 1)],
            "device 0: Iteration ID >= 3, Model ID 11 or device 1: Iteration ID >= 1, Model ID 12",
        ),
        ([ModelFrom(None, None, 2)], "Iteration ID >= 2, Model ID N/A"),
        ([ModelFrom(0, 11, 3, (7, 9))], "Iteration ID >= 3 but 7, 9, Model ID 11"),
        ([ModelFrom(0, 11, 3, (5, 6, 7, 8, 9))], "Iteration ID >= 3 but 5, 6, 7 and 2 more, Model ID 11"),
    ],
)
def test_it_says_what_it_keeps(firsts: list[ModelFrom], said: str) -> None:
    assert str(Iterations(tuple(firsts))) == said
