from decimal import Decimal
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables.units import TICKS, TickClock, settle_units, tick_clock
from prof_tui.demo.write import COLLECTION_BEGIN_NS, capture_skeleton, ticks
from tests.helpers.captures import csv_table

OPS = ["Task Start Time", "Task Duration(us)", "Task Wait Time(us)"]
STEPS = [
    "FP Start",
    "BP End",
    "Iteration End",
    "Iteration Time(us)",
    "FP to BP Time(us)",
    "Iteration Refresh(us)",
    "Data Aug Bound(us)",
]


def step(begin_us: int, *, marks_per_us: int, end_per_us: int) -> list[str]:
    """800 us of computing from ``begin_us`` on, 200 us of refresh, 100 us of waiting before."""
    marks = [begin_us * marks_per_us, (begin_us + 800) * marks_per_us, (begin_us + 1000) * end_per_us]
    return [*map(str, marks), "1000", "800", "200", "100"]


def steps(marks_per_us: int, end_per_us: int) -> list[list[str]]:
    begins = (56_635_864_652, 56_635_865_752, 56_635_866_852)
    return [step(begin, marks_per_us=marks_per_us, end_per_us=end_per_us) for begin in begins]


def test_a_stated_unit_is_not_questioned() -> None:
    assert settle_units(["Task Start Time(us)", "task_start(ns)"], [["1", "2"]]) == {}


def test_ops_in_ns() -> None:
    rows = [["56635864652490", "10.5", "0"], ["56635864665490", "4.0", "2.5"]]
    assert settle_units(OPS, rows) == {"Task Start Time": "ns"}


def test_ops_in_us_told_by_their_distances_although_large() -> None:
    rows = [["5663586465249", "10", "0"], ["5663586465262", "4", "3"]]
    assert settle_units(OPS, rows) == {"Task Start Time": "us"}


def test_decimals_mean_us() -> None:
    assert settle_units(OPS, [["56635864652.490", "10.5", "0"]]) == {"Task Start Time": "us"}


@pytest.mark.parametrize(
    ("start", "unit"),
    [
        ("56635864652490", "ns"),
        ("1784177075104738324", "ns"),
        ("1784177075104738", "us"),
        ("56635864652", "us"),
    ],
)
def test_one_row_is_told_by_its_magnitude(start: str, unit: str) -> None:
    assert settle_units(OPS, [[start, "10", "0"]]) == {"Task Start Time": unit}


def test_step_trace_of_the_first_generation_counts_ticks() -> None:
    units = settle_units(STEPS, steps(marks_per_us=100, end_per_us=100))
    assert units == {"FP Start": TICKS, "BP End": TICKS, "Iteration End": TICKS}


def test_for_a_while_only_the_end_was_in_us() -> None:
    units = settle_units(STEPS, steps(marks_per_us=100, end_per_us=1))
    assert units == {"FP Start": TICKS, "BP End": TICKS, "Iteration End": "us"}


def test_then_all_marks_were_in_us() -> None:
    units = settle_units(STEPS, steps(marks_per_us=1, end_per_us=1))
    assert units == {"FP Start": "us", "BP End": "us", "Iteration End": "us"}


def test_a_missing_iteration_makes_no_ticks() -> None:
    rows = [steps(1, 1)[0], steps(1, 1)[2]]
    assert settle_units(STEPS, rows)["Iteration End"] == "us"


def test_a_header_of_the_old_name_settles_the_same() -> None:
    headers = ["Grad Refresh Bound(us)" if header == "Iteration Refresh(us)" else header for header in STEPS]
    assert settle_units(headers, steps(100, 1))["FP Start"] == TICKS


@pytest.mark.usefixtures("either_store")
def test_values_are_ns_whatever_the_unit(tmp_path: Path) -> None:
    in_ns = csv_table(tmp_path / "ns", "Op Name,Task Start Time,Task Duration(us)\na,56635864652490,1.5\n")
    in_us = csv_table(tmp_path / "us", "Op Name,Task Start Time,Task Duration(us)\na,56635864652.490,1.5\n")
    for table in (in_ns, in_us):
        assert table.numbers(table.columns[1]).to_list() == [56635864652490]
        assert table.numbers(table.columns[2]).to_list() == [1500]


def test_each_file_settles_its_own_unit(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "old")
    for iteration, start in ((1, "56635864652490"), (2, "56635864652.490")):
        path = prof / "device_0" / "summary" / f"op_summary_0_11_{iteration}.csv"
        path.write_text(f"Op Name,Task Start Time\na,{start}\n")
    table = OpenCapture(prof).table("op_summary")
    assert table.numbers(table.columns[1]).to_list() == [56635864652490, 56635864652490]


def test_a_device_counter_becomes_monotonic_time(tmp_path: Path) -> None:
    clock = tick_clock(capture_skeleton(tmp_path, "old"), 0)
    assert clock is not None
    assert clock.ns(ticks(COLLECTION_BEGIN_NS + 12_340)) == COLLECTION_BEGIN_NS + 12_340


def test_a_frequency_with_decimals_is_exact() -> None:
    clock = TickClock(cntvct=1_000, ticks_per_us=Decimal("49.999001"), monotonic_raw_ns=5_000)
    assert clock.ns(1_000 + 49_999_001) == 5_000 + 1_000_000_000


@pytest.mark.parametrize("missing", ["info.json.0", "dev_start.log.0", "host_start.log.0"])
def test_without_its_notes_there_is_no_clock(tmp_path: Path, missing: str) -> None:
    prof = capture_skeleton(tmp_path, "old")
    (prof / "device_0" / missing).unlink()
    assert tick_clock(prof, 0) is None


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"DeviceInfo": []}', '{"DeviceInfo": [{"hwts_frequency": "0"}]}']
)
def test_a_useless_frequency_gives_no_clock(tmp_path: Path, text: str) -> None:
    prof = capture_skeleton(tmp_path, "old")
    (prof / "device_0" / "info.json.0").write_text(text)
    assert tick_clock(prof, 0) is None


@pytest.mark.usefixtures("either_store")
def test_a_damaged_row_does_not_settle_what_the_others_mean(tmp_path: Path) -> None:
    header = "Op Name,Task Start Time,my_counter\n"
    text = header + "\nshort\na,b,56635864652490,5\n" + header + "c,56635864652490,7\nd,56635864652491,8\n"
    table = csv_table(tmp_path, text)
    assert [column.unit for column in table.columns] == ["", "ns", ""]
    assert [column.kind for column in table.columns] == ["text", "time", "int"]
    assert table.numbers(table.columns[1]).max() == 56635864652491


def test_nothing_but_damaged_rows_is_us() -> None:
    assert settle_units(OPS, []) == {"Task Start Time": "us"}
