"""The advice that msprof itself gave: both shapes of the file, and its error form."""

import json
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import TableEvidence
from prof_tui.data.findings.rules.msprof_advice import Advice, read_advice
from prof_tui.data.query.query import OneOf
from prof_tui.demo.write import MERGED_DIRECTORY, PROF_NAME
from prof_tui.errors import UnreadableError
from tests.helpers.captures import csv_capture

RULES = [
    {"Rule Type": "Computation", "Rule Description": "d", "result": []},
    {
        "Rule Type": "Memory",
        "Rule Description": "Display improper memory usages of operators.",
        "result": [
            {
                "Rule Subtype": "",
                "Rule Suggestion": "Low data memory handling efficiency",
                "Tuning Data": ["a", "b"],
            }
        ],
    },
]
MEMORY = ("Memory", "Display improper memory usages of operators.", "", "Low data memory handling efficiency")


def read(value: object) -> tuple[Advice, ...]:
    return read_advice(json.dumps(value).encode(), "prof_rule_0.json")


def test_rules_by_group() -> None:
    assert read({"status": 0, "data": {"Op Summary": RULES, "Op Parallel": []}}) == (
        Advice("Op Summary", *MEMORY, ("a", "b")),
    )


@pytest.mark.parametrize("shape", [RULES, {"status": 0, "data": RULES}])
def test_rules_without_groups(shape: object) -> None:
    assert read(shape) == (Advice("", *MEMORY, ("a", "b")),)


def test_the_error_form() -> None:
    with pytest.raises(UnreadableError, match=r"msprof gave no advice in prof_rule_0.json: no data"):
        read({"status": 1, "info": "no data"})


@pytest.mark.parametrize("content", [b"", b"{", b"\xff"])
def test_no_json(content: bytes) -> None:
    with pytest.raises(UnreadableError, match=r"prof_rule_0.json is not JSON"):
        read_advice(content, "prof_rule_0.json")


@pytest.mark.parametrize("value", [None, 3, "text", [1], {"data": {"Op Summary": 3}}, [{"result": 1}]])
def test_other_json_holds_no_advice(value: object) -> None:
    assert read(value) == ()


@pytest.mark.parametrize(
    ("folder", "name"),
    [(MERGED_DIRECTORY, "prof_rule_0_20260921101601.json"), ("device_0/summary", "prof_rule_0.json")],
)
def test_it_stands_beside_our_findings(tmp_path: Path, folder: str, name: str) -> None:
    capture = csv_capture(tmp_path, op_summary="Op Name,Task Duration(us)\na,1\n")
    place = tmp_path / PROF_NAME / folder
    place.mkdir(exist_ok=True)
    (place / name).write_text(json.dumps({"status": 0, "data": {"Op Summary": RULES}}))
    [finding] = find(capture).of("prof_rule")
    assert finding.title == "msprof's own advice: Low data memory handling efficiency (2 ops)"
    assert finding.rule == (
        "One of msprof's own rules: group Op Summary, rule type Memory, described as "
        '"Display improper memory usages of operators".'
    )
    assert finding.advice.startswith("Open these ops in op summary")
    assert finding.source == f"{name}, as msprof gave it"
    assert [row.label for row in finding.rows] == ["a", "b"]
    assert isinstance(finding.evidence, TableEvidence)
    assert finding.evidence.query.filters == (OneOf("Op Name", ("a", "b")),)


@pytest.mark.parametrize(
    ("names", "title", "value"),
    [
        (["N/A"], "msprof's own advice: Fuse (ops whose Op Name is N/A)", 0),
        (["N/A", "a"], "msprof's own advice: Fuse (1 op)", 1),
        ([], "msprof's own advice: Fuse", 0),
    ],
)
def test_ops_without_a_name_are_not_counted_as_one(
    tmp_path: Path, names: list[str], title: str, value: float
) -> None:
    capture = csv_capture(tmp_path, op_summary="Op Name,Task Duration(us)\na,1\n")
    rules = [{"Rule Type": "", "result": [{"Rule Suggestion": "Fuse", "Tuning Data": names}]}]
    (tmp_path / PROF_NAME / MERGED_DIRECTORY / "prof_rule_0.json").write_text(json.dumps(rules))
    [finding] = find(capture).of("prof_rule")
    assert (finding.title, finding.value, finding.rule) == (title, value, "")
    assert [row.label for row in finding.rows] == [name for name in names if name == "a"]
    assert (finding.evidence is None) == (not names)
    assert finding.advice.startswith("Open" if names else "See which of the other findings")


def test_a_file_that_says_why_there_is_none(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary="Op Name,Task Duration(us)\na,1\n")
    path = tmp_path / PROF_NAME / MERGED_DIRECTORY / "prof_rule_0.json"
    path.write_text('{"status": 2, "info": "failed"}')
    unchecked = find(capture).unchecked("prof_rule")
    assert unchecked is not None
    assert unchecked.why == "msprof gave no advice in prof_rule_0.json: failed"


def test_newer_captures_have_none(tmp_path: Path) -> None:
    found = find(csv_capture(tmp_path, op_summary="Op Name,Task Duration(us)\na,1\n"))
    unchecked = found.unchecked("prof_rule")
    assert found.of("prof_rule") == ()
    assert unchecked is not None
    assert unchecked.why == (
        "There is no prof_rule file in this export; exporters wrote one until August 2024."
    )
