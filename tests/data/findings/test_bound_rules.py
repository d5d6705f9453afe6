"""What bounds the ops, as findings: which ops are many enough, and what was not measured."""

from collections.abc import Callable

import pytest

from prof_tui.data.findings.finding import TableEvidence
from prof_tui.data.query.query import OneOf, Query, Sort, Where
from tests.helpers.judged_run import STEADY, Verdict
from tests.helpers.steady_ops import each

Judge = Callable[..., Verdict]

LONGEST = Sort("Task Duration(us)", True)


def test_a_saturated_pipe_is_said_with_its_ops(judge: Judge) -> None:
    pipes = {"aic_mac_ratio": 0.5, "aic_mte2_ratio": 0.801, "Task_Type": "AI_CORE"}
    verdict = judge(each((100, 30, "MatMul_1", pipes), (200, 70, "Mul_1", {})))
    finding = verdict.one("bound_mte2")
    assert (finding.cost_ns, finding.title) == (30_000, "Bound by mte2: ops that take 30.0 % of op time")
    assert finding.rule.startswith("3 of 6 ops (mte2 ratio over 0.8, no other larger) took 90.000 us")
    filters = (OneOf("bound", ("mte2",)),)
    assert finding.evidence == TableEvidence("op_summary", Query(filters=(*filters, STEADY), sort=LONGEST))
    assert verdict.silent("no_bound")


def test_of_equal_ratios_one_counts_and_it_is_said_which(judge: Judge) -> None:
    verdict = judge(each((100, 30, "MatMul_1", {"aic_mte2_ratio": 0.9, "aic_mac_ratio": 0.9})))
    assert verdict.silent("bound_mte2")
    assert verdict.one("bound_mac").caveat.endswith(
        "Of equal ratios that of the pipe named first counts: mac, vector, scalar, mte1, mte2, mte3, fixpipe."
    )
    unsaturated = judge(each((100, 30, "MatMul_1", {"aic_mac_ratio": 0.5}))).one("no_bound")
    assert "equal ratios" not in unsaturated.caveat


def test_a_ratio_of_0_8_does_not_bind(judge: Judge) -> None:
    verdict = judge(each((100, 20.001, "MatMul_1", {"aic_mte2_ratio": 0.8})))
    assert verdict.silent("bound_mte2")
    assert verdict.one("no_bound").cost_ns == 20_001
    assert judge(each((100, 20, "MatMul_1", {"aic_mte2_ratio": 0.8}))).silent("no_bound")


def test_what_binds_ops_without_types_is_said_by_name(judge: Judge) -> None:
    untyped = {"OP_Type": "N/A", "Task_Type": "N/A", "mte2_ratio": 0.9}
    finding = judge(each((100, 30, "MatMul_1", untyped), (200, 70, "Mul_1", {"mte2_ratio": 0.95}))).one(
        "bound_mte2"
    )
    assert [row.label for row in finding.rows] == ["Mul", "MatMul_1"]


@pytest.mark.parametrize(
    ("header", "id_", "threshold"),
    [
        ("memory_bound", "bound_memory", 1),
        ("vec_bank_cflt_ratio", "bound_bank_conflict", 0.04),
        ("aiv_vec_bankgroup_cflt_ratio", "bound_bank_conflict", 0.04),
        ("icache_miss_rate", "bound_icache_miss", 0.04),
    ],
)
def test_memory_conflicts_and_misses(judge: Judge, header: str, id_: str, threshold: float) -> None:
    def measured(value: float) -> Verdict:
        pipes = {"vec_ratio": 0.1, header: value, "vec_bank_cflt_ratio": 0}
        return judge(each((100, 10, "Mul_1", {**pipes, header: value})))

    assert measured(threshold + 0.001).one(id_).cost_ns == 10_000
    assert measured(threshold).silent(id_)


def test_a_word_of_few_ops_is_no_finding(judge: Judge) -> None:
    """It stands in the column of op summary all the same."""
    missing = {"vec_ratio": 0.1, "icache_miss_rate": 0.1}
    clean = {"vec_ratio": 0.1, "icache_miss_rate": 0}

    def missed(us: float) -> Verdict:
        return judge(each((100, us, "Mul_1", missing), (200, 100 - us, "Add_1", clean)))

    assert missed(5).silent("bound_icache_miss")
    finding = missed(5.001).one("bound_icache_miss")
    assert finding.rule == (
        "3 of 6 ops (instruction cache misses over 4 %, no pipe over 0.8) took 15.003 us, "
        "over 5 % of op time 300.000 us."
    )


def test_kernels_that_communicate_are_left_out_of_what_is_shown(judge: Judge) -> None:
    pipes = {"aiv_vec_ratio": 0.9}
    kernel = {**pipes, "OP_Type": "AllGather"}
    ops = each((100, 30, "Mul_1", pipes), (200, 70, "allgatherAivKernel_1", kernel))
    evidence = judge(ops).one("bound_vector").evidence
    assert isinstance(evidence, TableEvidence)
    assert evidence.query.filters == (
        OneOf("bound", ("vector",)),
        Where("Op Name", "!=", "allgatherAivKernel_1"),
        STEADY,
    )


MEASURED = {"vec_ratio": 0.1}


@pytest.mark.parametrize(
    ("id_", "why"),
    [
        ("bound_bank_conflict", "op_summary has no bank conflict ratios."),
        ("bound_memory", "op_summary has no column memory_bound."),
        ("bound_icache_miss", "op_summary has no column icache_miss_rate."),
        ("bound_mte2", "op_summary has no ratio of mac, scalar, mte1, mte2, mte3, fixpipe."),
    ],
)
def test_what_the_file_has_no_column_of_is_not_checked(judge: Judge, id_: str, why: str) -> None:
    verdict = judge(each((100, 10, "Mul_1", MEASURED)))
    assert verdict.why(id_) == why
    assert verdict.silent("bound_vector")


@pytest.mark.parametrize("ratio", ["0.000", "N/A"])
def test_ratios_that_say_nothing_check_nothing(judge: Judge, ratio: str) -> None:
    verdict = judge(each((100, 100, "Mul_1", {"vec_ratio": ratio, "memory_bound": ratio})))
    why = "Pipe ratios are N/A or 0 in every op that counts."
    assert {verdict.why(id_) for id_ in ("bound_vector", "bound_memory", "no_bound")} == {why}
