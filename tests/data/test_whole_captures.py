"""Real captures, and made-up ones whose totals are known; both stand beside the repository."""

import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Findings
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OneOf, Query, Scope
from prof_tui.data.tables.table import Table
from prof_tui.words import microseconds
from tests.helpers.captures import column_cells, rows_of, sort, within

SHARED = Path(__file__).parents[3] / "shared"


def real_captures() -> list[Path]:
    found = sorted((SHARED / "data").rglob("PROF_*"))
    return [path for path in found if path.is_dir()]


@pytest.mark.usefixtures("either_store")
def test_every_real_capture_reads(shared_data: Path) -> None:
    assert real_captures()
    for prof in real_captures():
        capture = OpenCapture(prof)
        for file_set in capture.export.tables:
            if file_set.status != "ok":
                continue
            table = capture.table(file_set.name)
            table.load(table.columns)
            assert len(rows_of(table)) == table.total > 0
            assert table.notices == []


def test_the_real_iterations_obey_the_formula(shared_data: Path) -> None:
    prof = next((shared_data / "mindspore-910-two-devices-2023").glob("PROF_*COJGGGCANRMICFBC"))
    steps = OpenCapture(prof).steps
    assert [(step.device, step.model, step.iteration) for step in steps.steps] == [
        (0, 2, i) for i in range(1, 11)
    ]
    second = steps.steps[1]
    assert (second.iteration_time_ns, second.data_aug_ns) == (15_369_160, 32_134_950)
    for step in steps.steps[1:]:
        assert step.period_ns is not None
        parts = (step.data_aug_ns or 0) + (step.fp_to_bp_ns or 0) + (step.refresh_ns or 0)
        assert abs(step.period_ns - parts) <= 10


ARGUMENTS = {
    "new": ["--layout", "new"],
    "old": ["--layout", "old"],
    "two devices": ["--devices", "2"],
    "slices": ["--slice-rows", "1500"],
    "nothing planted": ["--iterations", "15"],
}


@pytest.mark.usefixtures("either_store")
@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_a_made_up_export_of_any_layout_has_the_totals_it_was_made_with(
    tmp_path: Path, arguments: list[str]
) -> None:
    tool = SHARED / "tools" / "make_export.py"
    if not tool.is_file() or importlib.util.find_spec("numpy") is None:
        pytest.skip("make_export.py or numpy is not here")
    out = tmp_path / "out"
    subprocess.run([sys.executable, str(tool), str(out), "--rows", "4000", *arguments], check=True)
    truth = json.loads((out / "truth.json").read_text())
    capture = OpenCapture(next(out.glob("PROF_*")))
    table = capture.table("op_summary")
    findings = find(capture)
    for device in truth:
        check_truth(capture, table, device)
        check_findings(findings, device)


def check_findings(findings: Findings, truth: dict[str, Any]) -> None:
    """The planted iterations are found, and no other is an outlier."""
    planted = truth["odd"] or {}
    found = {
        each.id: each
        for each in findings.findings
        if each.iteration is not None and each.device == truth["device"]
    }
    assert set(found) == ({"iteration_stall", "iteration_slow_op"} if planted else set())
    if planted:
        stall, slow, slow_op = found["iteration_stall"], found["iteration_slow_op"], planted["slow_op"]
        assert stall.iteration == planted["data_stall"]["iteration"]
        assert f"{Decimal(planted['data_stall']['data_aug_bound_us']):,} us in place of" in stall.title
        assert (slow.iteration, slow_op["op"] in slow.title) == (slow_op["iteration"], True)
        # The truth's usual time is the median of all iterations; of the old layout four are exported.
        assert slow.value == pytest.approx(slow_op["factor"], rel=0.005 if len(exported(truth)) > 4 else 0.1)


def exported(truth: dict[str, Any]) -> list[int]:
    """The iterations that have their ops in the export."""
    return list(truth.get("exported_iterations") or range(truth["iterations"]))


def check_truth(capture: OpenCapture, table: Table, truth: dict[str, Any]) -> None:
    scope = Scope(device=truth["device"])
    assert len(capture.view(table, Query(scope)).rows) == truth["rows"]
    for column, key in (("OP Type", "by_op_type"), ("Task Type", "by_task_type")):
        for value, expected in truth[key].items():
            rows = capture.view(table, Query(scope, (OneOf(column, (value,)),))).rows
            assert (len(rows), total_us(table, rows)) == (expected["count"], expected["total_us"])
    for iteration, expected in truth["iterations_ops"].items():
        rows = capture.view(table, within(int(iteration), truth["main_model"], truth["device"])).rows
        assert (len(rows), total_us(table, rows)) == (expected["count"], expected["sum_us"])
    slowest = sort("Task Duration(us)", descending=True)
    names = column_cells(capture, table, "Op Name", replace(slowest, scope=scope))
    assert names[0] == truth["slowest_op"]["name"]
    check_steps(capture, truth)


def total_us(table: Table, rows: pl.Series) -> str:
    return microseconds(int(table.numbers(table.column("Task Duration(us)")).gather(rows).sum()))


def check_steps(capture: OpenCapture, truth: dict[str, Any]) -> None:
    model = capture.steps.main_model(truth["device"])
    steady = capture.steps.steady((truth["device"], model))
    assert (model, len(steady)) == (truth["main_model"], truth["iterations"] - 2)
    times = median(Decimal(step.iteration_time_ns or 0) for step in steady)
    periods = median(Decimal(step.period_ns or 0) for step in steady)
    assert abs(times / 1000 - Decimal(truth["steady_median_iteration_time_us"])) <= Decimal("0.001")
    assert abs(periods / 1000 - Decimal(truth["steady_median_period_us"])) <= Decimal("0.001")
