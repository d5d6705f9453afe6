import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import STATISTIC_HEADER, small_capture, text

from .conftest import Cli


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_capture(tmp_path).path


def parsed(text: str) -> dict[str, Any]:
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def test_the_text_fits_80_columns_and_begins_with_what_the_run_was(cli: Cli, demo: Path) -> None:
    ran = cli("report", demo)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == demo.name
    assert lines[1] == "  When       2026-09-21 10:15:30, for 500.000 ms"
    assert "Where the time goes: device 0, Model ID 11" in lines
    assert "   Iteration Time   6,059.784   82.3 %  all from 6,029.132 to 8,315.677" in lines
    assert "costs overlap: don't add them up" in ran.out


def test_json_has_the_numbers_with_their_units(cli: Cli, small: Path) -> None:
    report = parsed(cli("report", small, "--format", "json").out)
    assert report["run"]["devices"][0]["chip"] == "Ascend 910B series"
    assert report["run"]["span_us"] == 5010.0
    assert [model["main"] for model in report["models"]] == [True, False]
    [device] = report["devices"]
    assert (device["model"], device["steady_from"], device["steady_iterations"]) == (11, 3, 2)
    assert device["period"] == {"median_us": 1500.0, "p10_us": 1000.0, "p90_us": 2000.0, "iterations": 2}
    assert device["data_aug_bound_median_us"] == 800.0
    assert [step["period_us"] for step in device["iterations"]] == [1000.0, 2000.0]
    assert device["busy_times"]["busy_us"] == 184.0
    assert device["busy_times"]["communication_us"] is None
    [data_bound] = [one for one in report["findings"] if one["id"] == "data_bound"]
    assert (data_bound["cost_us"], data_bound["unit"]) == (800.0, "%")
    assert data_bound["share_percent"] == pytest.approx(53.3333, abs=1e-4)
    assert {one["table"] for one in report["missing"]} == {"task_time", "api_statistic", "msprof"}


def test_text_and_json_say_the_same_of_every_finding(cli: Cli, demo: Path) -> None:
    text = " ".join(cli("report", demo).out.split())
    for finding in parsed(cli("report", demo, "--format", "json").out)["findings"]:
        assert f"{finding['severity'][0].upper()} {finding['title']} cost" in text
        assert f"[{finding['id']}]" in text


def test_markdown_is_tables_and_details_and_no_name_is_markup(cli: Cli, small: Path) -> None:
    out = cli("report", small, "--format", "md").out
    assert out.startswith("## PROF\\_000001\\_")
    assert "| Period | 1,500.000 | 100.0 % | all from 1,000.000 to 2,000.000 |" in out
    assert out.count("<details>") == out.count("</details>") > 0
    assert not re.search(r"^<(?!/?(details|summary))", out, re.M)


def test_the_first_steady_iteration_is_an_option(cli: Cli, small: Path) -> None:
    report = parsed(cli("report", small, "--steady-from", 4, "--format", "json").out)
    assert report["devices"][0]["period"]["median_us"] == 2000.0
    ran = cli("report", small, "--steady-from", 9)
    assert (ran.code, ran.out) == (2, "")
    assert "no iteration from 9 on: its last is 4" in ran.err


def test_one_device_or_another_model_is_an_option(cli: Cli, two_devices: Path) -> None:
    report = parsed(cli("report", two_devices, "--device", 1, "--format", "json").out)
    assert [device["device"] for device in report["devices"]] == [1]
    assert {finding["device"] for finding in report["findings"]} == {1}
    assert (report["findings_device"], report["findings_iterations"]) == (1, 4)
    other = parsed(cli("report", two_devices, "--model", 1, "--format", "json").out)
    assert {finding["model"] for finding in other["findings"]} == {1}
    assert (other["findings_model"], other["findings_iterations"]) == (1, 4)
    text = cli("report", two_devices, "--device", 1, "--model", 1).out
    assert re.search(r"^\d+ findings of device 1, Model ID 1, by cost;", text, re.M)
    assert "all devices together" not in text
    for words in (("--device", 7), ("--model", 7)):
        ran = cli("report", two_devices, *words)
        assert (ran.code, ran.out) == (2, "")


def test_fail_on_ends_with_3_where_it_is_found_over_the_value(cli: Cli, small: Path) -> None:
    hit = cli("report", small, "--fail-on", "data_bound:>50%")
    assert hit.code == 3
    assert hit.err.startswith("prof-tui: data_bound:>50%: Data Aug Bound takes 53.3 %")
    assert "Where the time goes" in hit.out
    assert cli("report", small, "--fail-on", "data_bound").code == 3
    missed = cli("report", small, "--fail-on", "data_bound:>60")
    assert (missed.code, missed.err) == (0, "")


def test_fail_on_ends_with_3_where_it_could_not_be_checked(cli: Cli, small: Path) -> None:
    ran = cli("report", small, "--fail-on", "wait_share:>3%")
    assert ran.code == 3
    assert "wait_share:>3% could not be checked: op_summary has no column Task Wait Time." in ran.err


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("aicpu", "There is no finding aicpu; near it: aicpu_share"),
        ("zzz", "There is no finding zzz; there are aicpu_communication, aicpu_share"),
        ("aicpu_share:>5us", "the value of aicpu_share is its cost, % of the period, not in us"),
        ("aicpu_share<5", "is not a condition"),
    ],
)
def test_a_condition_that_cannot_be_meant_is_refused_before_anything_is_read(
    cli: Cli, tmp_path: Path, word: str, said: str
) -> None:
    ran = cli("report", tmp_path, "--fail-on", word)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_help_lists_the_ids_and_what_their_values_are(cli: Cli) -> None:
    out = cli("report", "--help").out
    assert re.search(r"^  aicpu_share +its cost, % of the period$", out, re.M)
    assert re.search(r"^  warm_up +its cost once, us$", out, re.M)


def test_a_capture_without_tables_still_says_what_it_was(cli: Cli, tmp_path: Path) -> None:
    (small_capture(tmp_path).path / "mindstudio_profiler_output").rename(tmp_path / "elsewhere")
    prof = next(tmp_path.glob("PROF_*"))
    (prof / "mindstudio_profiler_output").mkdir()
    (prof / "mindstudio_profiler_output" / "api_statistic_20260921101601.csv").write_text("API Name\na\n")
    ran = cli("report", prof)
    assert ran.code == 0
    assert "There is no op_summary in this export: what ran in that time is unknown." in ran.out
    assert "op_statistic" not in ran.out.partition("Not checked")[0]
    assert "Findings: none; " in ran.out


def test_a_capture_of_op_statistic_alone_points_to_it(cli: Cli, tmp_path: Path) -> None:
    line = "0,MatMulV3,AI_CORE,10,1000.0,90.0,100.0,110.0,80.0"
    ran = cli("report", csv_capture(tmp_path, op_statistic=text(STATISTIC_HEADER, [line])).path)
    assert (
        "There is no op_summary in this export: what ran in that time is unknown. See\n"
        "  op_statistic for how often each OP Type ran, and how long.\n"
    ) in ran.out
    assert "\n1 finding\n" in ran.out
    assert "\nL op_summary is not there, though op_statistic is, which is made of the same ops\n" in ran.out
    assert "\nNot checked (26)\n" in ran.out


def test_fail_on_says_which_findings_of_a_rule_could_not_be_checked(cli: Cli, demo: Path) -> None:
    """The exit status is that of those that could."""
    ran = cli("report", demo, "--fail-on", "bound:>99%")
    assert ran.code == 0
    notes = re.findall("^note: bound:>99%: (.*) could not be checked: ", ran.err, re.M)
    assert notes == ["bound_memory", "bound_bank_conflict"]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("0", "0 is less than 1"),
        ("9" * 23, f"{'9' * 23} is too large: 18 digits are the most"),
        ("3.5", "'3.5' is not a whole number"),
    ],
)
def test_a_first_iteration_that_cannot_be_one(cli: Cli, small: Path, number: str, said: str) -> None:
    ran = cli("report", small, "--steady-from", number)
    assert (ran.code, ran.out) == (2, "")
    assert f"argument --steady-from: {said}" in ran.err


def test_the_json_has_the_communication_that_the_text_has(cli: Cli, demo: Path) -> None:
    text = cli("report", demo).out
    said = re.search(r"Communication +([\d,.]+) .*? ([\d,.]+) of it not overlapped", text)
    assert said is not None
    [device] = json.loads(cli("report", demo, "--format", "json").out)["devices"]
    times = device["busy_times"]
    figures = [float(each.replace(",", "")) for each in said.groups()]
    assert [times["communication_us"], times["communication_alone_us"]] == figures
    assert times["communication_alone_us"] < times["communication_us"]
