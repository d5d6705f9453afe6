"""What real captures say; skipped where they are not here."""

from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Findings
from prof_tui.data.open_capture import OpenCapture


def verdict(shared_data: Path, folder: str, ending: str) -> Findings:
    [path] = (shared_data / folder).glob(f"PROF_*{ending}")
    return find(OpenCapture(path))


def ids(found: Findings) -> list[str]:
    return [finding.id for finding in found.findings]


def test_one_op_bound_by_memory_as_msprof_says_too(shared_data: Path) -> None:
    found = verdict(shared_data, "cann8-310b-2024", "MHHFRHDLONLGNBIA")
    assert ids(found) == ["bound_memory", "dynamic_ops", "prof_rule"]
    [theirs] = found.of("prof_rule")
    assert [row.label for row in theirs.rows] == [row.label for row in found.of("bound_memory")[0].rows]


def test_four_place_holders_whose_waits_msprof_judges_and_we_do_not(shared_data: Path) -> None:
    found = verdict(shared_data, "cann8-310b-2024", "EMFCARMABLAPDKLC")
    assert ids(found) == ["prof_rule"]
    unchecked = found.unchecked("wait_share")
    assert unchecked is not None
    assert unchecked.why.startswith("3 ops could have waited")
    [theirs] = found.of("prof_rule")
    assert theirs.title == (
        "msprof's own advice: Task waiting time has reached the upper limit (ops whose Op Name is N/A)"
    )
    assert theirs.rows == ()


@pytest.mark.parametrize("ending", ["DJPODARNMCDCADPA", "IEADEEADKRPDKLMC"])
def test_without_tables_nothing_is_claimed(shared_data: Path, ending: str) -> None:
    found = verdict(shared_data, "cann8-310b-2024", ending)
    assert ids(found) == []
    assert {each.why.split(" in this")[0] for each in found.not_checked} >= {
        "There is no step_trace",
        "There is no op_summary",
    }
    unchecked = found.unchecked("communication_not_overlapped")
    assert unchecked is not None
    assert unchecked.why.startswith("There is no op_summary")


def test_single_ops_at_level_0(shared_data: Path) -> None:
    found = verdict(shared_data, "cann-910b-2026", "00195781ONMNNAML")
    assert ids(found) == ["wait_share", "dispatch_bound", "uneven_kinds"]
    assert found.basis == "capture"
    [late] = found.of("dispatch_bound")
    assert (late.cost_ns, late.rows[0].note) == (
        5_399_487,
        "device 0, host in AscendCL@aclrtSynchronizeStream",
    )


def test_the_host_had_launched_before_the_largest_gap_of_a_capture(shared_data: Path) -> None:
    found = verdict(shared_data, "cann-910b-2026", "00194166HHAEEFID")
    assert ids(found) == ["wait_share", "dispatch_bound"]
    largest = found.of("wait_share")[0].rows[0]
    assert largest.time_ns == 99_199_202
    assert largest.note == (
        "device 0, launched 2.710 us after it began, host in AscendCL@aclrtSynchronizeDeviceWithTimeout"
    )


@pytest.mark.parametrize(
    ("ending", "device", "data_aug_ns"),
    [("COJGGGCANRMICFBC", 0, 16_105_670), ("GQFAMHBKGODKJMLA", 1, 15_653_585)],
)
def test_a_run_that_waits_for_data(shared_data: Path, ending: str, device: int, data_aug_ns: int) -> None:
    found = verdict(shared_data, "mindspore-910-two-devices-2023", ending)
    assert ids(found) == [
        "data_bound",
        "refresh_share",
        "communication_not_overlapped",
        "iteration_stall",
        "warm_up",
    ]
    [bound] = found.of("data_bound")
    assert (bound.device, bound.cost_ns, bound.severity) == (device, data_aug_ns, "high")
    assert found.of("iteration_stall")[0].iteration == 3
