"""Outliers among iterations, and what caused them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from prof_tui.data.findings.finding import TableEvidence, TimelineEvidence
from prof_tui.data.findings.texts import cost_text
from prof_tui.data.query.query import Iterations, ModelFrom, OneOf, Query, Scope, Sort
from tests.helpers.judged_run import BEGIN_US, Iteration, Verdict, op

Judge = Callable[..., Verdict]

FLAT = Iteration()
LONGEST = Sort("Task Duration(us)", True)
ALL = Iterations((ModelFrom(0, 11, 1),))
IDS = (
    "iteration_stall",
    "iteration_slow_op",
    "iteration_communication",
    "iteration_more_ops",
    "iteration_slow",
    "iteration_short",
)


def with_odd(odd: Iteration) -> tuple[Iteration, ...]:
    """Ten iterations of which the sixth is odd, from 5,000 us on; eight are steady."""
    return (*(FLAT,) * 5, odd, *(FLAT,) * 4)


def beginnings(late_us: float) -> list[float]:
    """Where the steady iterations begin."""
    return [2000.0, 3000, 4000, 5000, *(at + late_us for at in (6000.0, 7000, 8000, 9000))]


def test_an_iteration_that_waited_for_data(judge: Judge) -> None:
    finding = judge(None, with_odd(replace(FLAT, data_aug=850))).one("iteration_stall")
    assert (finding.iteration, finding.device, finding.model) == (6, 0, 11)
    assert (finding.cost_ns, finding.share, finding.value, finding.unit) == (100_000, 0.1, 17.0, "x")
    assert finding.title == (
        "Iteration 6 took 800.000 us more: Data Aug Bound, the gap before it, 850.000 us "
        "in place of 50.000 us"
    )
    assert finding.rule == (
        "Its period 1,800.000 us is 800.000 us off the median 1,000.000 us of 8 steady iterations: over "
        "0.000 us (5 x 1.4826 x MAD 0.000 us) and over 5 %. 1 of them is an outlier."
    )
    assert cost_text(finding) == "100.000 us an iteration if spread over all, 10.0 % of the period"
    assert "--steady-from" not in finding.advice
    begin = (BEGIN_US + 5000) * 1000
    assert finding.evidence == TimelineEvidence(0, begin, begin + 850_000, 11, 6)


def test_an_op_slower_than_the_same_op_elsewhere(judge: Judge) -> None:
    """The second Mul_1 of an iteration is the slow one; the first takes as long as always."""
    ops = []
    for at in beginnings(600):
        ops += [op(at + 100, 200, "Mul_1"), op(at + 300, 620 if at == 5000 else 20, "Mul_1")]
    finding = judge(ops, with_odd(replace(FLAT, computing=1450))).one("iteration_slow_op")
    assert (finding.iteration, finding.value, finding.cost_ns) == (6, 31.0, 75_000)
    assert finding.title.endswith("Mul_1 31.0 x its usual time, 620.000 us in place of 20.000 us")
    assert finding.rule.endswith(
        "The op's usual time is the median of the 7 other iterations that op_summary holds."
    )
    query = Query(Scope(0), (ALL, OneOf("Op Name", ("Mul_1",))), sort=LONGEST)
    assert finding.evidence == TableEvidence("op_summary", query)


def test_the_slow_op_is_not_among_what_is_usual(judge: Judge) -> None:
    """Three iterations are exported: 30 us is the median with the slow one, 20 and 30 make 25."""
    taken = {4000.0: 20, 5000.0: 630, 6600.0: 30}
    ops = [op(at + 100, us, "Mul_1") for at, us in taken.items()]
    finding = judge(ops, with_odd(replace(FLAT, computing=1450))).one("iteration_slow_op")
    assert finding.value == 25.2
    assert finding.title.endswith("Mul_1 25.2 x its usual time, 630.000 us in place of 25.000 us")
    assert finding.rule.endswith(
        "The op's usual time is the median of the 2 other iterations that op_summary holds."
    )
    of_one = judge(ops[1:], with_odd(replace(FLAT, computing=1450))).one("iteration_slow_op")
    assert of_one.value == 21.0
    assert of_one.rule.endswith(
        "The op's usual time is that of 1 other iteration, as op_summary holds no more."
    )


def test_the_first_steady_one_may_be_warm_up(judge: Judge) -> None:
    late = (FLAT, FLAT, replace(FLAT, data_aug=850), *(FLAT,) * 7)
    finding = judge(None, late).one("iteration_stall")
    assert finding.iteration == 3
    assert finding.advice.endswith(
        "It is the first steady one, warm-up may go on to it: to leave it out use --steady-from 4, or key s "
        "on the overview."
    )
    short = (FLAT, FLAT, replace(FLAT, computing=450), *(FLAT,) * 7)
    assert "--steady-from" not in judge(None, short).one("iteration_short").advice


def test_communication_that_took_longer(judge: Judge) -> None:
    """Four of 160 us in place of 10 each: none alone makes half of the 600 us."""
    ops = [
        op(at + 100 + 200 * i, 160 if at == 5000 else 10, f"hcom_{i}", Task_Type="COMMUNICATION")
        for at in beginnings(600)
        for i in range(4)
    ]
    finding = judge(ops, with_odd(replace(FLAT, computing=1450))).one("iteration_communication")
    assert (finding.iteration, finding.value) == (6, 16.0)
    assert finding.title.endswith("communication took 640.000 us in place of 40.000 us")
    query = Query(Scope(0, 11, 6), (OneOf("Task Type", ("COMMUNICATION",)),), sort=LONGEST)
    assert finding.evidence == TableEvidence("op_summary", query)


def test_more_ops_than_usual(judge: Judge) -> None:
    ops = [
        op(at + 60 + 30 * i, 20, f"Mul_{i}")
        for at in beginnings(600)
        for i in range(45 if at == 5000 else 10)
    ]
    finding = judge(ops, with_odd(replace(FLAT, computing=1450))).one("iteration_more_ops")
    assert (finding.iteration, finding.value) == (6, 4.5)
    assert finding.title.endswith("45 ops in place of 10")


def test_what_no_op_explains(judge: Judge) -> None:
    ops = [op(at + 100, 20, "Mul_1") for at in beginnings(300)]
    finding = judge(ops, with_odd(replace(FLAT, refresh=400))).one("iteration_slow")
    assert finding.title.endswith("Iteration Refresh took 300.000 us more, no single op is the cause")
    assert finding.value == 1.3


def test_without_ops_only_the_part_is_said(judge: Judge) -> None:
    finding = judge(None, with_odd(replace(FLAT, refresh=400))).one("iteration_slow")
    assert finding.title.endswith("300.000 us more: Iteration Refresh took 300.000 us more")
    assert finding.evidence == TableEvidence("step_trace", Query(Scope(0, 11, 6)))


def test_an_iteration_shorter_than_usual_costs_nothing(judge: Judge) -> None:
    finding = judge(None, with_odd(replace(FLAT, computing=450))).one("iteration_short")
    assert (finding.iteration, finding.cost_ns, finding.value) == (6, 0, 0.6)
    assert finding.title.startswith("Iteration 6 took 400.000 us less: ")
    assert cost_text(finding) == "no cost: it took less than usual"


def test_5_per_cent_is_in_line(judge: Judge) -> None:
    verdict = judge(None, with_odd(replace(FLAT, computing=900)))
    assert all(verdict.silent(id_) for id_ in IDS)
    assert judge(None, with_odd(replace(FLAT, computing=900.001))).one("iteration_slow").cost_ns == 6_250


def test_iterations_that_vary_are_in_line(judge: Judge) -> None:
    """Periods 900 and 1,100 in turn: MAD 100, so 1,700 us are no outlier and 1,842 are."""
    short, long = replace(FLAT, computing=750), replace(FLAT, computing=950)
    varied = (FLAT, FLAT, short, long, short, long, short, long, short, long)
    assert all(judge(None, (*varied, replace(FLAT, computing=1691))).silent(id_) for id_ in IDS)


def test_two_periods_tell_nothing(judge: Judge) -> None:
    verdict = judge(None, (FLAT, FLAT, FLAT, replace(FLAT, computing=5000)))
    assert verdict.why("iteration_slow").startswith("Fewer than three steady iterations have a period")


def test_two_periods_of_one_of_two_devices_are_said(judge: Judge) -> None:
    other = (Iteration(device=1),) * 3
    verdict = judge(None, (*with_odd(replace(FLAT, data_aug=850)), *other))
    assert verdict.one("iteration_stall").device == 0
    assert verdict.why("iteration_slow").startswith("Device 1: Fewer than three steady iterations")


LOOKED_UP = ("iteration_slow_op", "iteration_communication", "iteration_more_ops")


def test_without_ops_what_made_an_iteration_slow_is_not_checked(judge: Judge) -> None:
    slow = with_odd(replace(FLAT, refresh=400))
    verdict = judge(None, slow)
    assert all(verdict.why(id_).startswith("There is no op_summary") for id_ in LOOKED_UP)
    assert verdict.all.unchecked("iteration_stall") is None
    stalled = judge(None, with_odd(replace(FLAT, data_aug=850)))
    assert all(stalled.silent(id_) for id_ in LOOKED_UP)


def test_ops_of_other_iterations_tell_nothing_of_the_slow_one(judge: Judge) -> None:
    verdict = judge([op(2100, 20), op(3100, 20)], with_odd(replace(FLAT, refresh=400)))
    assert verdict.why("iteration_slow_op") == "op_summary has no op of iteration 6, which is an outlier."
    unchecked = verdict.all.unchecked("iteration_slow_op")
    assert unchecked is not None
    assert unchecked.how.endswith("--model-id=11 --iteration-id=6.")


def test_the_farthest_come_first_and_all_are_counted(judge: Judge) -> None:
    odd = [replace(FLAT, data_aug=1000.0 * n) for n in range(1, 11)]
    verdict = judge(None, (*(FLAT,) * 22, *odd))
    found = verdict.all.of("iteration_stall")
    assert [each.iteration for each in found] == [32, 31, 30, 29, 28, 27, 26, 25]
    assert " of 30 steady iterations: over " in found[0].rule
    assert found[0].rule.endswith(" 10 of them are outliers.")


@pytest.mark.parametrize(("name", "type_", "said"), [("N/A", "MatMul", "MatMul"), ("N/A", "N/A", "DVPP")])
def test_an_op_without_name_is_called_by_its_type(judge: Judge, name: str, type_: str, said: str) -> None:
    ops = [
        op(at + 100, 620 if at == 5000 else 20, name, OP_Type=type_, Task_Type="DVPP")
        for at in beginnings(600)
    ]
    finding = judge(ops, with_odd(replace(FLAT, computing=1450))).one("iteration_slow_op")
    assert f": {said} 31.0 x its usual time, 620.000 us" in finding.title


@pytest.mark.parametrize("name", ["[red]Mul[/red]", "Mul\x1b[31m"])
def test_names_from_the_capture_do_no_harm(judge: Judge, name: str) -> None:
    ops = [op(at + 100, 620 if at == 5000 else 20, name, OP_Type="Mul") for at in beginnings(600)]
    finding = judge(ops, with_odd(replace(FLAT, computing=1450))).one("iteration_slow_op")
    assert "\x1b" not in finding.title
    assert isinstance(finding.evidence, TableEvidence)
    assert finding.evidence.query.filters == (ALL, OneOf("Op Name", (name,)))
