"""The rows that a finding leads to are those that it counts."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Finding, TableEvidence
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Iterations, OneOf, Query, Scope, Where
from tests.helpers.judged_run import STEADY, USUAL, Cells, Iteration, op, run_capture

SHOWN = Query(Scope(), (OneOf("OP Type", ("Cast",)), STEADY))
TWO_DEVICES = (*USUAL, *(Iteration(device=1, model=12),) * 5)


def cast(at_us: float, us: float = 100, **cells: object) -> dict[str, object]:
    return op(at_us, us, "Cast_1", **cells)


def format_ops(capture: OpenCapture, device: int | None = None) -> Finding:
    [found] = find(capture, device=device).of("format_ops_share")
    return found


def rows(capture: OpenCapture, finding: Finding) -> list[int]:
    """Row numbers, ascending."""
    assert isinstance(finding.evidence, TableEvidence)
    view = capture.view(capture.table(finding.evidence.pane), finding.evidence.query)
    return sorted(view.rows.to_list())


def counted(finding: Finding) -> int | None:
    return finding.rows[0].count


@pytest.mark.usefixtures("either_store")
def test_rows_are_those_of_steady_iterations_of_the_main_model(tmp_path: Path) -> None:
    """Not of warm-up, nor outside, nor of another model."""
    times = (100, 1100, 2100, 3100, 3200, 4100, 9000)
    capture = run_capture(tmp_path, [*map(cast, times), cast(2300, Model_ID=1)])
    finding = format_ops(capture)
    assert rows(capture, finding) == [2, 3, 4, 5]
    assert counted(finding) == 4
    assert isinstance(finding.evidence, TableEvidence)
    assert finding.evidence.query.filters == SHOWN.filters


def test_rows_of_several_devices_are_of_the_main_model_of_each(tmp_path: Path) -> None:
    ops = [cast(at) for at in (1100, 2100)] + [
        cast(at, Device_id=1, Model_ID=12) for at in (1100, 2100, 3100)
    ]
    ops.append(cast(2500, Device_id=1, Model_ID=11))
    capture = run_capture(tmp_path, ops, TWO_DEVICES)
    finding = format_ops(capture)
    assert (rows(capture, finding), counted(finding)) == ([1, 3, 4], 3)
    of_one = format_ops(capture, device=1)
    assert (rows(capture, of_one), counted(of_one)) == ([3, 4], 2)
    assert isinstance(of_one.evidence, TableEvidence)
    assert of_one.evidence.query.scope == Scope(1)
    assert str(of_one.evidence.query.filters[-1]) == "Iteration ID >= 3, Model ID 12"


@pytest.mark.parametrize("iterations", [USUAL, None])
def test_ops_that_do_not_count_are_not_shown(tmp_path: Path, iterations: Sequence[Iteration] | None) -> None:
    ops: list[Cells] = [cast(2100), cast(3100, -5), cast(4100), {**cast(4300), "Task Duration(us)": "N/A"}]
    capture = run_capture(tmp_path, ops, iterations)
    finding = format_ops(capture)
    assert (rows(capture, finding), counted(finding)) == ([0, 2], 2)
    assert isinstance(finding.evidence, TableEvidence)
    assert finding.evidence.query.filters[-1] == Where("Task Duration(us)", ">=", "0")


def test_the_whole_capture_is_not_cut(tmp_path: Path) -> None:
    capture = run_capture(tmp_path, [cast(at) for at in (100, 9000)], None)
    finding = format_ops(capture)
    assert rows(capture, finding) == [0, 1]
    assert isinstance(finding.evidence, TableEvidence)
    assert not any(isinstance(each, Iterations) for each in finding.evidence.query.filters)
