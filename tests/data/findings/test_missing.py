"""Rules that can't be checked say what is missing, and how to get it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from prof_tui.data.capture.options import IS_LEVEL_1, LEVEL_1, PIPES
from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Result
from prof_tui.data.findings.rules import all_rules
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables import open_table
from tests.helpers.captures import csv_capture
from tests.helpers.judged_run import Iteration, Verdict, op, run_capture

Judge = Callable[..., Verdict]

FULL = {
    "Input_Shapes": "8",
    "Input_Data_Types": "FLOAT",
    "OP_State": "static",
    "HF32_Eligible": "NO",
    "Block_Num": "24",
    "vec_ratio": "0.1",
    "vec_bank_cflt_ratio": "0.01",
    "cube_utilization(%)": "50",
}

NEEDED = [
    ("top_op_types", "OP Type"),
    ("top_ops", "Op Name"),
    ("aicpu_share", "Task Type"),
    ("aicpu_communication", "Task Type"),
    ("block_below_cores", "Block Num"),
    ("block_not_multiple", "Task Type"),
    ("format_ops_share", "OP Type"),
    ("transdata_count", "OP Type"),
    ("float32_share", "Input Data Types"),
    ("hf32_unused", "HF32 Eligible"),
    ("dynamic_ops", "OP State"),
    ("uneven_kinds", "Op Name"),
    ("communication_not_overlapped", "Task Type"),
    ("cube_utilization_low", "cube_utilization(%)"),
]


def without(header: str, cell: str | None) -> list[dict[str, object]]:
    """Ops of three steady iterations, with ``cell`` under a header, or without that column."""
    ops = [op(at + 100, 20, "MatMul_1", **{**FULL, "Task_Type": "AI_CORE"}) for at in (2000, 3000, 4000)]
    for each in ops:
        if cell is None:
            del each[header]
        else:
            each[header] = cell
    return ops


@pytest.mark.parametrize(("id_", "header"), [*NEEDED, ("wait_share", "Task Wait Time(us)")])
def test_a_column_that_is_not_there(judge: Judge, id_: str, header: str) -> None:
    name = header.removesuffix("(%)").removesuffix("(us)")
    verdict = judge(without(header, None))
    assert verdict.why(id_) == f"op_summary has no column {name}."
    assert verdict.all.of(id_) == ()


@pytest.mark.parametrize(("id_", "header"), NEEDED)
def test_a_column_that_says_nothing(judge: Judge, id_: str, header: str) -> None:
    """As at level 0, where types are N/A and block counts 0."""
    number = header in ("Block Num", "cube_utilization(%)")
    verdict = judge(without(header, "0" if number else "N/A"))
    what = "N/A or 0" if number else "N/A"
    assert verdict.why(id_) == f"{header} is {what} in every op that counts."


def test_a_wait_of_0_is_a_value(judge: Judge) -> None:
    ops = without("Task Wait Time(us)", "0")
    assert judge([{**each, "Stream ID": n} for each in ops for n in range(8)]).silent("wait_share")


def test_pipe_ratios_that_are_not_there(judge: Judge) -> None:
    ops = without("vec_ratio", None)
    assert judge(ops).why("bound_mte2") == "op_summary has no pipe ratios."
    unchecked = judge(ops).all.unchecked("no_bound")
    assert unchecked is not None
    assert "--aic-metrics=PipeUtilization" in unchecked.how


def how(parent: Path, ops: list[dict[str, object]] | None, id_: str, level: str = "l0") -> str:
    """How to get what a rule lacks, of a capture that was collected at this level."""
    path = run_capture(parent, ops).path
    for sample in path.rglob("sample.json*"):
        sample.write_text(json.dumps({"taskTime": level, "ai_core_metrics": "PipeUtilization"}))
    unchecked = find(OpenCapture(path)).unchecked(id_)
    assert unchecked is not None
    return unchecked.how


@pytest.mark.parametrize(("level", "said"), [("l0", LEVEL_1.how), ("l1", IS_LEVEL_1), ("l2", IS_LEVEL_1)])
def test_what_level_0_lacks_is_collected_at_level_1(tmp_path: Path, level: str, said: str) -> None:
    assert how(tmp_path, without("OP Type", "N/A"), "top_op_types", level) == said


@pytest.mark.parametrize(("header", "said"), [("Task Type", LEVEL_1.how), ("cube_utilization(%)", PIPES.how)])
def test_what_is_missing_says_how_to_get_it_not_what_else_the_rule_needs(
    tmp_path: Path, header: str, said: str
) -> None:
    assert how(tmp_path, without(header, "N/A"), "cube_utilization_low") == said


def test_ops_of_no_length_cost_nothing_that_could_be_said(judge: Judge) -> None:
    verdict = judge(without("Task Duration(us)", "0"))
    for id_ in ("top_ops", "format_ops_share", "bound_mte2", "wait_share"):
        assert verdict.why(id_) == "Task Duration is 0 or N/A in every op that counts."


def test_ops_without_start_have_no_gaps(judge: Judge) -> None:
    ops = without("Task Start Time(us)", None)
    for each in ops:
        each["Infer ID"] = 3
    verdict = judge(ops)
    assert verdict.why("dispatch_bound") == "op_summary has no column Task Start Time."
    assert verdict.one("float32_share").value == 100


def test_ops_without_duration_cost_nothing_that_could_be_said(judge: Judge) -> None:
    verdict = judge(without("Task Duration(us)", None))
    whys = {each.why for each in verdict.all.not_checked if {"op_summary"} <= set(each.why.split())}
    assert whys == {"op_summary has no column Task Duration."}
    assert verdict.why("top_ops") in whys


def test_a_capture_without_op_summary(judge: Judge) -> None:
    verdict = judge(None)
    assert verdict.why("top_ops").startswith("There is no op_summary in this export.")
    assert verdict.silent("data_bound")


def test_how_to_get_op_summary_depends_on_what_was_collected(tmp_path: Path) -> None:
    add = 'Add --task-time=on to msprof, or "task_trace":"on" to PROFILING_OPTIONS.'
    assert how(tmp_path, None, "top_ops", "off") == add
    assert how(tmp_path, None, "top_ops", "l1").startswith("sample.json says that it was collected:")


def test_an_export_of_the_first_iteration_alone(judge: Judge) -> None:
    verdict = judge([op(100, 10)])
    assert verdict.why("top_ops") == "op_summary has no op of a steady iteration of the main model."
    unchecked = verdict.all.unchecked("top_ops")
    assert unchecked is not None
    assert unchecked.how.endswith("--model-id=11 --iteration-id=3.")


def test_a_chip_that_does_not_say_its_cores(judge: Judge) -> None:
    ops = without("Device_id", "7")
    verdict = judge(ops, None)
    assert verdict.why("block_below_cores") == "info.json.7 does not say how many cores the device has."


def test_chips_that_do_not_say_their_cores(judge: Judge) -> None:
    ops = [{**each, "Device_id": device} for device in (7, 8) for each in without("Op Name", "Mul_1")]
    assert judge(ops, None).why("block_below_cores") == (
        "info.json.7, info.json.8 do not say how many cores their devices have."
    )


def test_the_one_chip_of_two_that_does_not_say_its_cores(judge: Judge) -> None:
    ops = without("Op Name", "Mul_1")
    other = [{**each, "Device_id": 7} for each in ops]
    verdict = judge([*ops, *({**each, "Block Num": 20} for each in ops), *other], None)
    assert verdict.one("block_below_cores").cost_ns == 10_000
    assert verdict.why("block_below_cores").startswith("info.json.7 does not say")


def test_ids_are_unique_over_all_rules() -> None:
    ids = [id_ for rule in all_rules() for id_ in rule.finding_ids]
    assert len(ids) == len(set(ids))


def test_a_damaged_step_trace_is_named(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, step_trace=b"\x00\x01\x02\n")
    [why] = {each.why for each in find(capture).not_checked if each.why.startswith("step_trace")}
    assert "is not a CSV table" in why


def test_a_file_that_changes_meanwhile_costs_the_rules_that_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
    capture = run_capture(tmp_path, without("OP Type", "MatMul"), (Iteration(data_aug=300),) * 5)
    assert capture.table("op_summary").total == 3
    [path] = capture.path.glob("mindstudio_profiler_output/op_summary*")

    def cut_after_steps(result: Result) -> None:
        if result.id == "data_bound":
            path.write_bytes(path.read_bytes()[:-50])

    found = find(capture, found=cut_after_steps)
    assert [each.id for each in found.findings] == ["data_bound", "incomplete_files"]
    assert "it is being written" in found.findings[1].title
    unchecked = found.unchecked("top_ops")
    assert unchecked is not None
    assert "was changed while it was open" in unchecked.why
