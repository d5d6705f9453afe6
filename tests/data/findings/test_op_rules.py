"""Rules over op summary: each fires with exact numbers, just does not, or can't be checked."""

from collections.abc import Callable, Sequence

import pytest

from prof_tui.data.findings.finding import TableEvidence
from prof_tui.data.query.query import Condition, OneOf, Query, Scope, Sort, Where
from tests.helpers.judged_run import STEADY, Cells, Verdict, op
from tests.helpers.steady_ops import STEADY_US, each

Judge = Callable[..., Verdict]

LONGEST = Sort("Task Duration(us)", True)


# AI CPU


def test_ai_cpu_ops_over_20_us_are_named_with_their_types(judge: Judge) -> None:
    cpu = {"Task_Type": "AI_CPU", "Input_Data_Types": "INT64;FLOAT"}
    finding = judge(each((100, 60, "TopK_1", cpu), (200, 20, "TopK_2", cpu), (300, 70, "Mul_1", {}))).one(
        "aicpu_share"
    )
    assert (finding.cost_ns, finding.share, finding.value, finding.severity) == (60_000, 0.06, 6.0, "high")
    assert finding.rule == "3 of 9 ops have Task Type AI_CPU and take over 20 us, 180.000 us in all: TopK."
    assert [(row.label, row.count, row.time_ns, row.note) for row in finding.rows] == [
        ("TopK", 3, 180_000, "INT64")
    ]
    filters = (OneOf("Task Type", ("AI_CPU",)), Where("Task Duration(us)", ">", "20"))
    assert finding.evidence == TableEvidence("op_summary", Query(filters=(*filters, STEADY), sort=LONGEST))


def test_ai_cpu_ops_of_20_us_are_none(judge: Judge) -> None:
    assert judge(each((100, 20, "TopK_1", {"Task_Type": "AI_CPU"}))).silent("aicpu_share")


def test_communication_kernels_on_ai_cpu_are_told_apart(judge: Judge) -> None:
    kernel = {"Task_Type": "AI_CPU", "OP_Type": "allgatherAicpuKernel"}
    verdict = judge(each((100, 60, "allgatherAicpuKernel", kernel)))
    assert verdict.one("aicpu_communication").cost_ns == 60_000
    assert verdict.silent("aicpu_share")
    assert judge(each((100, 60, "Mul_1", {}))).silent("aicpu_communication")


# Blocks


@pytest.mark.parametrize(
    ("task", "cores"), [("AI_CORE", 24), ("MIX_AIC", 24), ("AI_VECTOR_CORE", 48), ("MIX_AIV", 48)]
)
def test_blocks_are_compared_with_the_cores_of_the_ops_kind(judge: Judge, task: str, cores: int) -> None:
    def blocks(number: int) -> Verdict:
        return judge(each((100, 48, "Mul_1", {"Task_Type": task, "Block_Num": number})))

    below = blocks(cores // 4)
    assert below.one("block_below_cores").cost_ns == 36_000
    assert below.silent("block_not_multiple")


def test_as_many_blocks_as_cores_are_no_finding(judge: Judge) -> None:
    verdict = judge(each((100, 48, "Mul_1", {"Block_Num": 48}), (200, 48, "Mul_2", {"Block_Num": 96})))
    assert verdict.silent("block_below_cores")
    assert verdict.silent("block_not_multiple")


def test_blocks_that_are_no_multiple_of_the_cores(judge: Judge) -> None:
    """36 blocks on 24 cores take two rounds: a quarter of the core time is idle."""
    finding = judge(each((100, 40, "MatMul_1", {"Task_Type": "AI_CORE", "Block_Num": 36}))).one(
        "block_not_multiple"
    )
    assert finding.cost_ns == 10_000
    assert [(row.label, row.count) for row in finding.rows] == [("MatMul: 36 blocks, 24 cores", 3)]
    filters = (
        OneOf("Task Type", ("AI_CORE",)),
        OneOf("Block Num", ("36",)),
        Where("Task Duration(us)", ">=", "20"),
    )
    assert finding.evidence == TableEvidence("op_summary", Query(filters=(*filters, STEADY), sort=LONGEST))


def test_ops_of_less_than_20_us_gain_nothing_from_more_cores(judge: Judge) -> None:
    def blocks(us: float) -> Verdict:
        return judge(each((100, us, "Mul_1", {"Block_Num": 12}), (300, 100, "Mul_2", {"Block_Num": 48})))

    finding = blocks(20).one("block_below_cores")
    assert finding.cost_ns == 15_000
    assert finding.title == "Cores lie idle: fewer blocks than cores in 3 ops of 20 us and more"
    assert finding.rule == (
        "3 of 6 ops take at least 20 us and have a Block Num below the cores that info.json gives for their "
        "Task Type; they take 20.000 us in an iteration, of which 15.000 us is core time that no block uses."
    )
    assert finding.source.endswith("; the 20 us are ours")
    assert blocks(19.999).silent("block_below_cores")


def test_a_mixed_op_on_all_vector_cores_is_none(judge: Judge) -> None:
    mixed = {"Task_Type": "MIX_AIC", "Block_Num": 36, "Mix_Block_Num": 48}
    assert judge(each((100, 40, "Attention_1", mixed))).silent("block_not_multiple")


# Types and precision


def test_format_ops_over_5_per_cent(judge: Judge) -> None:
    def cast(us: float) -> Verdict:
        return judge(each((100, us, "Cast_1", {}), (300, 100 - us, "Mul_1", {})))

    finding = cast(5.001).one("format_ops_share")
    assert finding.cost_ns == 5_001
    assert finding.value == pytest.approx(5.001)
    assert cast(5).silent("format_ops_share")


def test_more_than_two_transdata_an_iteration(judge: Judge) -> None:
    three: list[tuple[float, float, str, Cells]] = [
        (100.0 + 10 * i, 2.0, "TransData_1", {}) for i in range(3)
    ]
    finding = judge(each(*three)).one("transdata_count")
    assert (finding.value, finding.unit, finding.cost_ns) == (3.0, "", 6_000)
    assert judge(each(*three[:2])).silent("transdata_count")


FLOATS = {"Input_Data_Types": "FLOAT;INT32"}
HALVES = {"Input_Data_Types": "FLOAT;DT_BF16"}


def test_float32_over_5_per_cent(judge: Judge) -> None:
    def float32(us: float) -> Verdict:
        return judge(each((100, us, "Mul_1", FLOATS), (200, 100 - us, "Mul_2", HALVES)))

    finding = float32(5.001).one("float32_share")
    assert finding.cost_ns == 5_001
    assert finding.value == pytest.approx(5.001)
    types = OneOf("Input Data Types", ("FLOAT;INT32",))
    task, no_cast = OneOf("Task Type", ("AI_VECTOR_CORE",)), Where("OP Type", "!=", "Cast")
    query = Query(filters=(types, task, no_cast, STEADY), sort=LONGEST)
    assert finding.evidence == TableEvidence("op_summary", query)
    assert finding.rule == (
        "3 of 6 ops run on AI Cores and have FLOAT inputs and none of half precision; they took 15.003 us, "
        "over 5 % of op time 300.000 us. Casts are left out: they only convert."
    )
    assert float32(5).silent("float32_share")
    assert judge(each((100, 50, "Cast_1", FLOATS))).silent("float32_share")
    assert judge(each((100, 50, "TopK_1", {**FLOATS, "Task_Type": "AI_CPU"}))).silent("float32_share")


def test_cube_ops_in_float32_may_use_hf32(judge: Judge) -> None:
    cube = {**FLOATS, "Task_Type": "AI_CORE"}
    verdict = judge(each((100, 30, "MatMul_1", {**cube, "HF32_Eligible": "NO"})))
    assert verdict.one("hf32_unused").cost_ns == 30_000
    assert judge(each((100, 30, "MatMul_1", {**cube, "HF32_Eligible": "YES"}))).silent("hf32_unused")
    halves = {**HALVES, "Task_Type": "AI_CORE", "HF32_Eligible": "NO"}
    assert judge(each((100, 30, "MatMul_1", halves))).silent("hf32_unused")


def timed(*us: float) -> list[dict[str, object]]:
    """An op of each length in every iteration, A_1, B_1 and so on."""
    return each(*((100.0 * i, each_us, f"{'ABCDEFG'[i - 1]}_1", {}) for i, each_us in enumerate(us, 1)))


def test_top_types_and_ops_and_how_concentrated_they_are(judge: Judge) -> None:
    verdict = judge(timed(6, 70, 4, 10, 2, 8))
    finding = verdict.one("top_op_types")
    assert (finding.cost_ns, finding.value) == (70_000, 70.0)
    assert finding.title == "2 of 6 OP Types have 80 % of op time, B 70.0 %"
    assert finding.rule == (
        "Of the 2 OP Types with most summed Task Duration 6 of 18 ops took 240.000 us of 300.000 us. Said "
        "where half or less of at least 5 OP Types make 80 %."
    )
    assert finding.evidence == TableEvidence(
        "op_summary", Query(filters=(OneOf("OP Type", ("B", "D")), STEADY), sort=LONGEST)
    )
    assert [row.label for row in finding.rows] == ["B", "D", "F", "A", "C"]
    assert verdict.one("top_ops").title == "2 of 6 Op Names have 80 % of op time, B_1 70.0 %"


@pytest.mark.parametrize("us", [(100,), (90, 5, 3, 2), (40, 30, 10, 10, 10), (20, 20, 20, 15, 15, 10)])
def test_few_types_and_even_ones_are_no_finding(judge: Judge, us: Sequence[float]) -> None:
    """Fewer than five; 80 % in three of five, in five of six."""
    verdict = judge(timed(*us))
    assert verdict.silent("top_op_types")
    assert verdict.silent("top_ops")


def test_twenty_of_those_that_make_most_time_are_shown(judge: Judge) -> None:
    """Of 50 names 21 make 80 % of 275 us."""
    us = [10.0] * 22 + [1.0] * 27 + [28.0]
    ops = [op(at + 50 + 14 * i, took, f"N{i:02}") for at in STEADY_US for i, took in enumerate(us)]
    finding = judge(ops).one("top_ops")
    assert finding.rule.startswith("Of the 20 Op Names with most summed Task Duration 60 of 150 ops took ")
    assert isinstance(finding.evidence, TableEvidence)
    assert finding.evidence.query.filters[0] == OneOf("Op Name", ("N49", *(f"N{i:02}" for i in range(19))))


def test_half_of_them_are_concentrated(judge: Judge) -> None:
    assert judge(timed(40, 30, 10, 10, 5, 5)).one("top_ops").value == 40.0


def test_ops_without_a_name_are_none_of_the_names(judge: Judge) -> None:
    """With most time unnamed, what the names have is not 80 % of it."""
    ops = timed(6, 70, 4, 10, 2, 8)
    assert judge([*ops, *each((800, 5, "N/A", {"OP_Type": "N/A"}))]).one("top_ops").value == (
        pytest.approx(100 * 70 / 105)
    )
    assert judge([*ops, *each((800, 90, "N/A", {"OP_Type": "N/A"}))]).silent("top_ops")


# Dynamic shapes


def test_dynamic_ops(judge: Judge) -> None:
    dynamic = {"OP_State": "dynamic"}
    finding = judge(each((100, 30, "Mul_1", dynamic), (200, 70, "Mul_2", {"OP_State": "static"}))).one(
        "dynamic_ops"
    )
    assert (finding.cost_ns, finding.value, finding.title) == (
        0,
        50.0,
        "Dynamic shapes: 3 of 6 ops, 30.0 % of op time",
    )
    assert judge(each((100, 30, "Mul_1", {"OP_State": "static"}))).silent("dynamic_ops")


# Uneven kinds


def uneven(longest_us: float, **cells: object) -> list[dict[str, object]]:
    shapes = {"Input_Shapes": "8;8", **cells}
    return [
        op(at + 100, us, "Mul_1", **shapes) for at, us in zip(STEADY_US, (20, 20, longest_us), strict=True)
    ]


def test_a_kind_that_takes_unevenly_long(judge: Judge) -> None:
    finding = judge(uneven(40.002)).one("uneven_kinds")
    assert finding.cost_ns == 6_667
    assert [(row.label, row.count, row.time_ns) for row in finding.rows] == [("Mul 8;8", 1, 20_002)]
    assert finding.rows[0].note == "lost over the median 20.000 us of 3 ops; longest 40.002 us"
    assert finding.rule.endswith("lose 20 us or more to the median: 20.002 us in all.")
    assert finding.advice.endswith("which iteration it is in.")
    kind = (("OP Type", "Mul"), ("Task Type", "AI_VECTOR_CORE"), ("Input Shapes", "8;8"))
    chosen = [OneOf(header, (text,)) for header, text in kind]
    filters: tuple[Condition, ...] = (*chosen, Where(LONGEST.column, ">", "40.000"), STEADY)
    assert finding.evidence == TableEvidence("op_summary", Query(Scope(0), filters, sort=LONGEST))


def test_twice_the_median_is_even(judge: Judge) -> None:
    assert judge(uneven(40)).silent("uneven_kinds")


def test_less_than_20_us_lost_is_even(judge: Judge) -> None:
    short = [
        op(at + 100, us, "Mul_1", Input_Shapes="8") for at, us in zip(STEADY_US, (5, 5, 24.999), strict=True)
    ]
    assert judge(short).silent("uneven_kinds")
    short[2]["Task Duration(us)"] = "25.000"
    assert judge(short).one("uneven_kinds").rows[0].time_ns == 20_000


def test_without_types_the_name_is_the_kind(judge: Judge) -> None:
    """As at level 0."""
    nothing = {"OP_Type": "N/A", "Task_Type": "N/A", "Input_Shapes": "N/A"}
    assert judge(uneven(60, **nothing)).one("uneven_kinds").rows[0].label == "Mul_1"


# Communication


@pytest.mark.parametrize("task", ["COMMUNICATION", "HCCL"])
def test_communication_that_nothing_hides(judge: Judge, task: str) -> None:
    """200 us, of which a Mul on another stream hides 99.999."""
    talk = {"Task_Type": task, "Stream_ID": 48}
    verdict = judge(each((100, 200, "hcom_allReduce_1", talk), (150, 99.999, "Mul_1", {})))
    finding = verdict.one("communication_not_overlapped")
    assert (finding.cost_ns, finding.share) == (100_001, 0.100001)
    assert finding.rule == (
        "100.001 us of the 200.000 us communication in an iteration (20.0 % of the period) is not "
        "overlapped: over 10 % of the period. Worked out from op_summary."
    )
    assert [(row.label, row.count, row.time_ns) for row in finding.rows] == [("hcom_allReduce_1", 3, 600_000)]


def test_communication_of_a_tenth_is_none(judge: Judge) -> None:
    talk = {"Task_Type": "COMMUNICATION"}
    hidden = each((100, 200, "hcom_allReduce_1", talk), (150, 100, "Mul_1", {}))
    assert judge(hidden).silent("communication_not_overlapped")


# Cube utilisation


def test_heavy_cube_ops_that_use_little(judge: Judge) -> None:
    """At 40 % the op would take half as long as at 20 %."""
    cube = {"Task_Type": "AI_CORE", "cube_utilization(%)": 20}
    finding = judge(each((100, 50, "MatMul_1", cube), (200, 50, "Mul_1", {}))).one("cube_utilization_low")
    assert finding.cost_ns == 25_000
    assert [(row.label, row.note) for row in finding.rows] == [("MatMul_1", "cube utilisation 20.0 %")]


@pytest.mark.parametrize(("use", "us"), [(40, 50), (39.999, 1)])
def test_cube_ops_at_the_threshold_are_none(judge: Judge, use: float, us: float) -> None:
    cube = {"Task_Type": "AI_CORE", "cube_utilization(%)": use}
    verdict = judge(each((100, us, "MatMul_1", cube), (200, 100 - us, "Mul_1", {})))
    assert verdict.silent("cube_utilization_low")
