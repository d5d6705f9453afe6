"""The report as a value: the overview and the findings, from one reading."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from prof_tui.data.findings.texts import mean_text
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.report.report import read_report
from prof_tui.data.run.overview import read_overview
from prof_tui.data.tables import open_table
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.file_store import FileStore
from prof_tui.demo.tables import Layout
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from prof_tui.errors import UsageError
from tests.helpers.judged_run import USUAL, op, run_capture


@pytest.fixture(params=["new", "old"])
def two_devices(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """In the old layout no column of op_summary says which device a row is of."""
    layout: Layout = request.param
    return write_capture(tmp_path / "run", demo_run(devices=2, iterations=6), layout=layout)


@pytest.mark.parametrize(("device", "model"), [(None, None), (1, None), (0, 1)])
def test_the_overview_is_what_it_is_without_findings(
    two_devices: Path, device: int | None, model: int | None
) -> None:
    report = read_report(OpenCapture(two_devices), device=device, model=model)
    alone = read_overview(OpenCapture(two_devices), device=device, model=model)
    assert report.overview == replace(alone, completeness=report.overview.completeness)
    assert report.overview.completeness.line == "complete"
    assert len(report.overview.busy) == (2 if device is None else 1)


def test_op_summary_is_not_read_again_for_the_overview(
    two_devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Findings load the columns that it sums, among them the one that tells devices apart."""
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
    read: list[str] = []
    load = FileStore.load

    def noted(store: FileStore, columns: Sequence[tuple[Column, object]]) -> object:
        read.extend(column.header for column, _categories in columns)
        return load(store, columns)  # type: ignore[arg-type]

    def refused(_store: FileStore, _columns: object) -> None:
        raise AssertionError("read by the quick way")

    monkeypatch.setattr(FileStore, "load", noted)
    monkeypatch.setattr(FileStore, "skim", refused)
    report = read_report(OpenCapture(two_devices))
    assert [each.device for each in report.overview.busy] == [0, 1]
    stores = len(OpenCapture(two_devices).table("op_summary").sources)
    assert read.count("Task Duration(us)") == stores


def test_it_says_what_costs_are_means_of(tmp_path: Path) -> None:
    slow = replace(USUAL[0], computing=2 * USUAL[0].computing)
    ops = [op(at, 30) for at in (2100, 3100, 4100, 5100)]
    findings = read_report(run_capture(tmp_path, ops, (*USUAL, slow))).findings
    assert mean_text(findings) == (
        "Costs are means of 3 steady iterations. 1 outlier is not among them: it has a finding of its own."
    )
    assert mean_text(replace(findings, op_iterations=1, devices=())) == "Costs are of 1 steady iteration."
    assert mean_text(replace(findings, op_iterations=0)) == ""


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (8, "8 outliers are not among them: they have findings of their own."),
        (10, "10 outliers are not among them: the 8 farthest off have findings of their own."),
    ],
)
def test_it_says_which_of_those_out_of_line_have_findings(tmp_path: Path, odd: int, said: str) -> None:
    late = [replace(USUAL[0], data_aug=1000.0 * n) for n in range(1, odd + 1)]
    findings = read_report(run_capture(tmp_path, [op(2100, 30)], (*USUAL * 5, *late))).findings
    assert mean_text(findings) == f"Costs are of 1 steady iteration. {said}"


def test_without_iterations_none_can_be_the_first(tmp_path: Path) -> None:
    capture = run_capture(tmp_path, [op(100, 30)], None)
    with pytest.raises(UsageError, match=r"^There are no iterations here: --steady-from has none to choose"):
        read_report(capture, steady_from=3)
