"""Rules over the step trace: warm-up, data input, update, the slow device."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import TableEvidence
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Iterations, ModelFrom, OneOf, Query, Scope, Sort
from tests.helpers.judged_run import STEADY, USUAL, Iteration, Verdict, op, run_capture

Judge = Callable[..., Verdict]

FLAT = Iteration()


def test_warm_up_costs_what_its_first_iteration_takes_longer(judge: Judge) -> None:
    """Iteration 1 has no Data Aug Bound, so its Iteration Time counts: 5,056 - 956 us."""
    slow = replace(FLAT, computing=4950)
    finding = judge(None, (slow, FLAT, FLAT, FLAT, FLAT)).one("warm_up")
    assert (finding.cost_ns, finding.basis, finding.share, finding.severity) == (
        4_100_000,
        "once",
        None,
        "low",
    )
    assert [(row.label, row.time_ns, row.note) for row in finding.rows] == [
        ("Iteration 1, Iteration Time", 4_100_000, "5,056.000 us in place of 956.000 us")
    ]


def test_warm_up_counts_data_aug_bound_where_it_has_a_value(judge: Judge) -> None:
    late = replace(FLAT, data_aug=2000)
    finding = judge(None, (FLAT, late, FLAT, FLAT, FLAT)).one("warm_up")
    assert [(row.label, row.time_ns) for row in finding.rows] == [("Iteration 2, Data Aug Bound", 1_950_000)]


def test_initialisation_is_told_from_the_main_model(judge: Judge) -> None:
    first = Iteration(model=1)
    finding = judge(None, (first, first, replace(FLAT, computing=4950), FLAT, FLAT, FLAT, FLAT)).one(
        "warm_up"
    )
    assert "beside main model 11: model 1 (2 iterations)." in finding.rule
    assert finding.model == 11


def test_warm_up_that_looks_steady_is_no_finding(judge: Judge) -> None:
    """956 us are usual: 5 % more are 47.8 us."""
    near = replace(FLAT, computing=850 + 47.8)
    assert judge(None, (near, FLAT, FLAT, FLAT, FLAT)).silent("warm_up")
    over = replace(FLAT, computing=850 + 47.801)
    assert judge(None, (over, FLAT, FLAT, FLAT, FLAT)).one("warm_up").cost_ns == 47_801


STALLED = replace(FLAT, data_aug=9000)
LATE = replace(FLAT, data_aug=2000)


def leading(judge: Judge, *iterations: Iteration, steady_from: int = 10) -> list[str]:
    """Labels of the warm-up of iterations 1 to 9 that six usual ones follow."""
    finding = judge(None, (*iterations, *(FLAT,) * 6), steady_from=steady_from).one("warm_up")
    return [row.label.partition(",")[0] for row in finding.rows]


def test_a_stall_long_after_the_start_is_no_warm_up(judge: Judge) -> None:
    assert leading(judge, FLAT, LATE, *(FLAT,) * 4, STALLED, FLAT, FLAT) == ["Iteration 2"]


def test_warm_up_goes_on_as_long_as_nothing_breaks_it(judge: Judge) -> None:
    assert leading(judge, FLAT, LATE, LATE, LATE, FLAT, LATE, *(FLAT,) * 3) == [
        "Iteration 2",
        "Iteration 3",
        "Iteration 4",
    ]
    assert judge(None, (*(FLAT,) * 2, LATE, *(FLAT,) * 12), steady_from=10).silent("warm_up")


def test_only_the_iterations_that_cost_are_named_and_shown(judge: Judge) -> None:
    finding = judge(None, (FLAT, LATE, LATE, *(FLAT,) * 6), steady_from=5).one("warm_up")
    assert finding.title == "Warm-up: iterations 2, 3 cost 3,900.000 us once"
    query = Query(Scope(0, 11), (OneOf("Iteration ID", ("2", "3")),))
    assert finding.evidence == TableEvidence("step_trace", query)


def test_without_first_iterations_warm_up_is_not_checked(judge: Judge) -> None:
    why = "No iteration with ID 1 or 2 comes before the steady ones."
    assert judge(None, USUAL, steady_from=1).why("warm_up") == why
    assert judge(None, (FLAT, FLAT)).why("warm_up") == why


def test_a_run_is_data_bound_over_a_tenth_of_the_period(judge: Judge) -> None:
    bound = replace(FLAT, data_aug=100.001, computing=799.999)
    finding = judge(None, (bound,) * 5).one("data_bound")
    assert (finding.cost_ns, finding.share) == (100_001, 0.100001)
    assert finding.value == pytest.approx(10.0001)
    assert finding.severity == "high"
    assert finding.title == (
        "Data Aug Bound takes 10.0 % of the period: the gap between iterations, often data input"
    )
    query = Query(Scope(0, 11), (STEADY,), sort=Sort("Data Aug Bound(us)", True))
    assert finding.evidence == TableEvidence("step_trace", query)
    just = replace(FLAT, data_aug=100, computing=800)
    assert judge(None, (just,) * 5).silent("data_bound")


def test_an_update_over_a_tenth_of_the_period(judge: Judge) -> None:
    long = replace(FLAT, refresh=100.001, computing=849.999)
    finding = judge(None, (long,) * 5).one("refresh_share")
    assert (finding.cost_ns, finding.share) == (100_001, 0.100001)
    assert finding.title == (
        "Iteration Refresh takes 10.0 % of the period: all after BP End, often all-reduce and the update"
    )
    assert "All-reduce" not in finding.rule
    assert judge(None, USUAL).silent("refresh_share")


def test_all_reduce_after_bp_end_is_said_with_the_update(judge: Judge) -> None:
    """BP End of the steady iterations is at 2,800, 3,800 and 4,800; only what lies behind it counts."""
    long = replace(FLAT, refresh=200, computing=750)
    ops = [
        op(at + 2000, us, "hcom_allReduce_1", Task_Type="COMMUNICATION")
        for at, us in ((780, 120), (810, 40), (1850, 30), (2850, 30))
    ]
    finding = judge(ops, (long,) * 5).one("refresh_share")
    assert finding.rule.endswith("communication after BP End takes 30.000 us (median).")


def test_without_fp_and_bp_marks_neither_part_is_checked(judge: Judge) -> None:
    verdict = judge(None, (Iteration(marks=False),) * 5)
    assert verdict.why("data_bound") == (
        "Data Aug Bound is N/A in every steady iteration: the graph has no FP Start and BP End."
    )


@pytest.mark.parametrize("id_", ["warm_up", "data_bound", "refresh_share", "slow_device", "iteration_stall"])
def test_without_step_trace_no_iteration_is_judged(judge: Judge, id_: str) -> None:
    verdict = judge([op(0, 10)], None)
    assert verdict.why(id_).startswith("There is no step_trace in this export.")
    unchecked = verdict.all.unchecked(id_)
    assert unchecked is not None
    assert unchecked.how.startswith('Collect with "training_trace":"on" in PROFILING_OPTIONS')


def test_the_slow_device_of_two(judge: Judge) -> None:
    """Periods of 1,000 and 1,053 us: 5.16 % of their mean apart."""
    other = replace(FLAT, device=1, computing=903)
    finding = judge(None, (*USUAL, *(other,) * 5)).one("slow_device")
    assert (finding.cost_ns, finding.device) == (53_000, 1)
    assert finding.value == pytest.approx(100 * 53 / 1026.5)
    assert finding.title == (
        "Device 1 is the slow one: its period is 1,053.000 us, the shortest is 1,000.000 us"
    )
    assert finding.rule.endswith("over 5 %.")
    assert [(row.label, row.time_ns) for row in finding.rows] == [
        ("device 0: period", 1_000_000),
        ("device 1: period", 1_053_000),
    ]
    steady = Iterations((ModelFrom(0, 11, 3), ModelFrom(1, 11, 3)))
    assert finding.evidence == TableEvidence(
        "step_trace", Query(filters=(steady,), sort=Sort("period(us)", True))
    )


def test_devices_within_5_per_cent_are_even(judge: Judge) -> None:
    """1,050 and 1,000 us are 4.88 % of their mean apart."""
    other = replace(FLAT, device=1, computing=900)
    assert judge(None, (*USUAL, *(other,) * 5)).silent("slow_device")


def test_one_device_can_t_be_the_slow_one(judge: Judge) -> None:
    verdict = judge(None, USUAL)
    assert verdict.why("slow_device") == "The capture has one device."
    unchecked = verdict.all.unchecked("slow_device")
    assert unchecked is not None
    assert unchecked.how == "Where each device has its own PROF_XXX, compare their reports."


def test_devices_without_a_period_can_t_be_compared(judge: Judge) -> None:
    verdict = judge(None, (FLAT, replace(FLAT, device=1)))
    assert verdict.why("slow_device") == "Fewer than two devices have a period."
    assert verdict.why("data_bound") == (
        "Data Aug Bound is N/A in every steady iteration: the graph has no FP Start and BP End."
    )
    assert verdict.why("refresh_share").startswith("No steady iteration has a period")


def test_the_device_without_marks_is_named(judge: Judge) -> None:
    bound = replace(FLAT, data_aug=200)
    verdict = judge(None, (*(bound,) * 5, *(replace(FLAT, device=1, marks=False),) * 5))
    assert verdict.one("data_bound").device == 0
    assert verdict.why("data_bound").startswith("Device 1: Data Aug Bound is N/A")


UNEVEN = [op(at, 300) for at in (2100, 3100, 4100)] + [op(at, 400, Device_id=1) for at in (2100, 3100, 4100)]


def test_a_device_that_computes_longer_is_slow_though_periods_are_even(judge: Judge) -> None:
    finding = judge(UNEVEN, (*USUAL, *(replace(FLAT, device=1),) * 5)).one("slow_device")
    assert (finding.device, finding.cost_ns) == (1, 100_000)
    assert finding.title == (
        "Device 1 is the slow one: its computing time is 400.000 us, the shortest is 300.000 us"
    )
    assert finding.rule.endswith("over 5 %. Its period is not over 1 % shorter than another's.")


def test_a_device_whose_period_is_shorter_is_not_the_slow_one(judge: Judge) -> None:
    """Device 1 computes 100 us longer; its period is 990 us, or 989.999 of the other's 1,000."""
    just = replace(FLAT, device=1, computing=840)
    assert judge(UNEVEN, (*USUAL, *(just,) * 5)).one("slow_device").device == 1
    assert judge(UNEVEN, (*USUAL, *(replace(just, computing=839.999),) * 5)).silent("slow_device")


def test_the_title_of_the_slow_device_names_it_once(tmp_path: Path) -> None:
    capture = run_capture(tmp_path, None, (*USUAL, *(replace(FLAT, device=1, computing=950),) * 5))
    (capture.path / "device_1").mkdir()
    [finding] = find(OpenCapture(capture.path)).of("slow_device")
    assert finding.title.endswith("the shortest is 1,000.000 us")
