"""The pass over all rules: what counts, how costs are told, what is handed over when."""

from collections.abc import Callable
from pathlib import Path

import pytest

from prof_tui.data.findings import sums
from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Finding, NotChecked, Result, severity_of
from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.tables import OP_SUMMARY_HEADER, Layout
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import capture_skeleton, write_capture, write_table
from prof_tui.errors import CancelledError, UsageError
from tests.helpers.judged_run import USUAL, Iteration, Verdict, op, run_capture
from tests.helpers.odd_rows import op_row

Judge = Callable[..., Verdict]


def cpu(at_us: float, us: float, **cells: object) -> dict[str, object]:
    return op(at_us, us, "TopK_1", Task_Type="AI_CPU", **cells)


# What counts


def test_only_steady_iterations_of_the_main_model_count(judge: Judge) -> None:
    """Not iterations 1 and 2, not what is outside, not another model."""
    ops = [cpu(at, 100) for at in (100, 1100, 2100, 3100, 4100, 9000)] + [cpu(2300, 100, Model_ID=1)]
    verdict = judge(ops)
    assert verdict.one("aicpu_share").cost_ns == 100_000
    assert (verdict.all.basis, verdict.all.iterations, verdict.all.period_ns) == ("iteration", 3, 1_000_000)


def test_where_steady_begins_can_be_said(judge: Judge) -> None:
    ops = [cpu(100 + 1000 * i, 100 + i) for i in range(5)]
    assert judge(ops, steady_from=5).one("aicpu_share").cost_ns == 104_000
    assert judge(ops, steady_from=1).one("aicpu_share").cost_ns == 102_000
    with pytest.raises(UsageError, match="Model ID 11 has no iteration from 6 on: its last is 5"):
        judge(ops, steady_from=6)


def test_only_exported_iterations_are_averaged(judge: Judge) -> None:
    verdict = judge([cpu(2100, 100), cpu(4100, 200)])
    assert (verdict.one("aicpu_share").cost_ns, verdict.all.op_iterations) == (150_000, 2)


def test_devices_are_averaged(judge: Judge) -> None:
    ops = [cpu(at, 100) for at in (2100, 3100, 4100)] + [
        cpu(at, 200, Device_id=1) for at in (2100, 3100, 4100)
    ]
    verdict = judge(ops, (*USUAL, *(Iteration(device=1),) * 5))
    assert (verdict.one("aicpu_share").cost_ns, verdict.all.op_iterations) == (150_000, 6)


def test_negative_durations_are_left_out(judge: Judge) -> None:
    ops = [cpu(at, us) for at, us in ((2100, 100), (3100, 100), (4100, 100), (4300, -500))]
    assert judge(ops).one("aicpu_share").cost_ns == 100_000


def test_without_step_trace_the_whole_capture_counts(judge: Judge) -> None:
    """From 0 to 400 us; the two devices' spans are added."""
    verdict = judge([cpu(0, 100), cpu(300, 100), cpu(0, 400, Device_id=1)], None)
    finding = verdict.one("aicpu_share")
    assert (finding.cost_ns, finding.basis, finding.share) == (600_000, "capture", 0.75)
    assert (verdict.all.iterations, verdict.all.period_ns) == (0, 800_000)
    assert finding.title == "AI CPU ops over 20 us: TopK, all devices together"


def test_ops_of_another_clock_count_as_the_whole_capture(judge: Judge) -> None:
    verdict = judge([cpu(90_000, 100)])
    assert verdict.all.basis == "capture"
    assert verdict.all.notices == ("No op of op_summary is in an iteration: costs are of the whole capture.",)


@pytest.mark.usefixtures("either_store")
def test_blocks_of_a_row_give_the_same(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    ops = [cpu(2000 + 1000 * (i % 3) + 100 + 30 * i, 21 + i, aic_mac_ratio=0.9) for i in range(9)]
    whole = judge(ops).all.findings
    monkeypatch.setattr(sums, "BLOCK_ROWS", 1)
    assert judge(ops).all.findings == whole
    assert {finding.id for finding in whole} == {"aicpu_share", "bound_mac"}


def test_old_files_of_one_iteration_each(tmp_path: Path) -> None:
    """Block Dim, HCCL, times in ns; no step trace: each file's iteration is known and none is steady."""
    prof = capture_skeleton(tmp_path, "old")
    for iteration in (1, 3):
        row = op_row("old", duration="30.000", block_dim="6", infer_id=str(iteration))
        name = f"op_summary_0_11_{iteration}.csv"
        header = OP_SUMMARY_HEADER["old"]
        cells = [[row[column] for column in header]]
        write_table(prof / "device_0" / "summary", name, header, cells, quoting="minimal")
    found = find(OpenCapture(prof))
    [below] = found.of("block_below_cores")
    assert (below.basis, below.cost_ns) == ("capture", 2 * 22_500)


# Costs


def test_findings_are_ranked_by_what_a_steady_iteration_pays(judge: Judge) -> None:
    ops = [cpu(at, 30) for at in (2100, 3100, 4100)] + [op(4400, 70), op(3400, 70), op(2400, 70)]
    found = judge(ops, (Iteration(computing=9000), *(Iteration(data_aug=300),) * 5)).all.findings
    costs = [finding.cost_ns for finding in found if finding.basis != "once"]
    assert costs == sorted(costs, reverse=True)
    assert found[0].id == "data_bound"
    assert found[-1].id == "warm_up"


def test_severity_is_the_vendors(judge: Judge) -> None:
    assert [severity_of(share) for share in (0.05, 0.0499, 0.03, 0.0299, None)] == [
        "high",
        "medium",
        "medium",
        "low",
        "low",
    ]
    assert judge([cpu(at, 60) for at in (2100, 3100, 4100)]).one("aicpu_share").letter == "H"


# Handing over


def test_results_are_handed_over_as_they_are_found(tmp_path: Path) -> None:
    slow = (Iteration(data_aug=300),) * 5
    capture = run_capture(tmp_path, [cpu(at, 60) for at in (2700, 3950, 5200)], slow)
    handed: list[Result] = []
    seen: list[int] = []

    def progress(done: int, _steps: int) -> bool:
        seen.append(len(handed))
        return True

    found = find(capture, found=handed.append, progress=progress)
    assert [each for each in handed if isinstance(each, NotChecked)] == list(found.not_checked)
    assert set(found.findings) == {each for each in handed if isinstance(each, Finding)}
    assert 0 < seen[-2] < len(handed)


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_progress_cancels(tmp_path: Path, calls: int) -> None:
    capture = run_capture(tmp_path, [cpu(2100, 60)])
    left = [calls]

    def progress(_done: int, _steps: int) -> bool:
        left[0] -= 1
        return left[0] >= 0

    with pytest.raises(CancelledError):
        find(capture, progress=progress)


def test_steps_go_up_to_the_last(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, steps: int) -> bool:
        told.append((done, steps))
        return True

    find(run_capture(tmp_path, [cpu(2100, 60)]), progress=progress)
    assert told == sorted(told)
    assert told[-1] == (1000, 1000)


# A whole run


@pytest.mark.parametrize("layout", ["new", "old"])
def test_the_planted_faults_of_a_whole_run(tmp_path: Path, layout: str) -> None:
    run = demo_run(devices=2)
    facts = run.facts
    assert facts is not None
    old_or_new: Layout = "new" if layout == "new" else "old"
    path = write_capture(tmp_path / "demo", run, layout=old_or_new, json_timeline=False)
    found = find(OpenCapture(path))
    assert {each.model for each in found.devices} == {facts.main_model}
    for device in (0, 1):
        [stall] = [each for each in found.of("iteration_stall") if each.device == device]
        assert stall.iteration == facts.stalled_iteration
        assert round(stall.value) == pytest.approx(facts.stall_factor, rel=0.1)
        [slow] = [each for each in found.of("iteration_slow_op") if each.device == device]
        assert slow.iteration == facts.slow_iteration
        assert facts.slow_op_name in slow.title
        assert slow.value == pytest.approx(facts.slow_factor, rel=0.1)
    [cpus] = found.of("aicpu_share")
    assert {row.label for row in cpus.rows} == {"Unique", "NonZero"}
    assert {row.note for row in cpus.rows} == {"INT64"}
