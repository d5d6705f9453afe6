"""One device or one model, in place of all devices and their main models."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import TableEvidence
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Iterations, ModelFrom, Scope
from prof_tui.data.run.periods import choose_models, model_keys
from prof_tui.errors import UsageError
from tests.helpers.judged_run import USUAL, Cells, Iteration, Verdict, op, run_capture

BOTH = (*USUAL, *(Iteration(device=1, data_aug=300),) * 6, *(Iteration(model=1, data_aug=100),) * 4)
"""Device 0 has main model 11 and model 1 of four iterations; device 1 has model 11, six iterations."""


def cpu(at_us: float, us: float, **cells: object) -> dict[str, object]:
    return op(at_us, us, "TopK_1", Task_Type="AI_CPU", **cells)


OPS: list[Cells] = [
    cpu(2100, 30),
    cpu(3100, 50),
    cpu(2900, 100, Device_id=1),
    cpu(5400, 60, Device_id=1),
    cpu(3300, 70, Model_ID=1),
]


def verdict(
    parent: Path,
    device: int | None = None,
    model: int | None = None,
    iterations: Sequence[Iteration] | None = BOTH,
    ops: Sequence[Cells] = OPS,
) -> Verdict:
    capture = two_devices(run_capture(parent, ops, iterations))
    return Verdict(find(capture, device=device, model=model))


def two_devices(capture: OpenCapture) -> OpenCapture:
    (capture.path / "device_1").mkdir(exist_ok=True)
    return OpenCapture(capture.path)


def test_all_devices_together_count_their_main_models(tmp_path: Path) -> None:
    found = verdict(tmp_path)
    share = found.one("aicpu_share")
    assert (share.cost_ns, share.device, share.model) == (240_000 // 4, None, None)
    assert share.title.endswith(", all devices together")
    assert (found.all.op_iterations, found.all.period_ns) == (4, 1_125_000)


def test_one_device_counts_its_own_ops_and_periods(tmp_path: Path) -> None:
    found = verdict(tmp_path, device=1)
    share = found.one("aicpu_share")
    assert (share.cost_ns, share.device, share.model, share.share) == (80_000, 1, None, 0.064)
    assert share.title.endswith(", device 1")
    assert (found.all.op_iterations, found.all.period_ns, found.all.device) == (2, 1_250_000, 1)
    assert [(each.device, each.model) for each in found.all.devices] == [(1, 11)]
    assert {finding.device for finding in found.all.findings} == {1}


def test_another_model_counts_its_own_ops_and_periods(tmp_path: Path) -> None:
    """Its iterations take 1,050 us each; op_summary has an op of the fourth alone."""
    found = verdict(tmp_path, model=1)
    share = found.one("aicpu_share")
    assert (share.cost_ns, share.device, share.model) == (70_000, None, 1)
    assert (found.all.op_iterations, found.all.period_ns, found.all.model) == (1, 1_050_000, 1)
    assert [(each.device, each.model, each.others) for each in found.all.devices] == [(0, 1, ())]


def test_a_model_of_one_device(tmp_path: Path) -> None:
    found = verdict(tmp_path, device=0, model=11)
    assert found.one("aicpu_share").cost_ns == 40_000
    evidence = found.one("aicpu_share").evidence
    assert isinstance(evidence, TableEvidence)
    assert evidence.query.scope == Scope(0)
    assert evidence.query.filters[-1] == Iterations((ModelFrom(0, 11, 3),))
    assert [(each.device, each.model) for each in found.all.devices] == [(0, 11)]


def test_the_main_model_that_is_asked_for_is_the_main_model(tmp_path: Path) -> None:
    asked, usual = verdict(tmp_path, model=11).all, verdict(tmp_path).all
    assert [each.cost_ns for each in asked.findings] == [each.cost_ns for each in usual.findings]
    assert asked.devices == usual.devices


def test_without_step_trace_the_ops_of_the_device_count(tmp_path: Path) -> None:
    found = verdict(tmp_path, device=1, iterations=None)
    share = found.one("aicpu_share")
    assert (share.cost_ns, share.basis, found.all.period_ns) == (160_000, "capture", 2_560_000)
    assert share.title.endswith(": TopK, device 1")


def test_a_device_without_iterations_counts_whole_where_another_has_some(tmp_path: Path) -> None:
    found = verdict(tmp_path, device=1, iterations=USUAL)
    assert (found.one("aicpu_share").cost_ns, found.all.basis) == (160_000, "capture")
    assert found.why("data_bound") == "step_trace has no iteration of device 1."


def test_ops_of_another_clock_count_whole_and_it_is_said(tmp_path: Path) -> None:
    ops = [cpu(2100, 30), cpu(90_000, 50, Device_id=1), cpu(90_100, 50, Device_id=1, Model_ID=5)]
    found = verdict(tmp_path, device=1, ops=ops)
    assert found.one("aicpu_share").cost_ns == 100_000
    assert (found.all.basis, found.all.op_iterations) == ("capture", 0)
    assert found.all.notices == ("No op of device 1 is in an iteration: costs are of all ops of the device.",)


def test_a_model_without_ops_in_its_iterations_is_not_checked(tmp_path: Path) -> None:
    found = verdict(tmp_path, model=1, ops=[cpu(2100, 30)])
    assert found.why("top_ops") == "op_summary has no op of a steady iteration of Model ID 1."
    assert found.all.basis == "iteration"


def test_a_device_that_has_no_iteration_from_there_on_is_left_out(tmp_path: Path) -> None:
    trace = run_capture(tmp_path, None, BOTH).steps
    assert [
        (run.device, run.steady[0].iteration) for run in choose_models(trace.counted_from(6)).devices
    ] == [(1, 6)]
    with pytest.raises(UsageError, match="Model ID 1 has no iteration from 5 on: its last is 4"):
        choose_models(trace.counted_from(5), model=1)


def test_what_is_looked_at(tmp_path: Path) -> None:
    trace = run_capture(tmp_path, None, BOTH).steps
    assert model_keys(trace) == ((0, 11), (1, 11))
    assert model_keys(trace, device=1) == ((1, 11),)
    assert model_keys(trace, model=1) == ((0, 1),)
    assert model_keys(trace, 1, 1) == ()
