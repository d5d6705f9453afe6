"""Over all rules: what a finding leads to are the rows that it speaks of, and its value has its unit."""

import re
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Finding, TableEvidence, TimelineEvidence
from prof_tui.data.findings.rules import all_rules
from prof_tui.data.findings.texts import finding_ids, meaning_of, unit_of
from prof_tui.data.pages.step_table import step_table
from tests.helpers.firing_runs import RUNS

_COUNTED = re.compile(r"([\d,]+) of [\d,]+ ops")

NOT_IN_THE_RULE = {
    "communication_not_overlapped": (12, "all that communicates, what is overlapped too"),
    "data_bound": (3, "a median of the steady iterations"),
    "dispatch_bound": (21, "a median of all ops; shown are those behind a gap"),
    "incomplete_iterations": (1, "the iteration that is covered in part"),
    "iteration_communication": (4, "the communicating ops of the iteration"),
    "iteration_more_ops": (45, "the ops of the iteration"),
    "iteration_short": (1, "the iteration, as there is no op_summary here"),
    "iteration_slow": (1, "the iteration, as there is no op_summary here"),
    "iteration_slow_op": (8, "the op in all iterations of the model"),
    "prof_rule": (8, "the ops that msprof named, in any iteration"),
    "refresh_share": (3, "a median of the steady iterations"),
    "slow_device": (6, "all devices' steady iterations"),
    "uneven_kinds": (1, "the ops over twice the median of the kind that loses most"),
    "wait_share": (9, "a first op whose wait is no longer than a counted one can't be told apart"),
    "warm_up": (1, "the iterations that cost"),
}
"""How many rows are shown where the rule does not say "n of m ops", and why."""


def fired(tmp_path: Path, id_: str) -> tuple[Finding, int | None]:
    """The finding, and how many rows its evidence shows; None for none, and for a place in the timeline."""
    capture = RUNS[id_].write(tmp_path)
    finding = find(capture).of(id_)[0]
    if finding.evidence is None or isinstance(finding.evidence, TimelineEvidence):
        return finding, None
    assert isinstance(finding.evidence, TableEvidence)
    table = capture.table(finding.evidence.pane)
    if finding.evidence.pane == "step_trace":
        table = step_table(table, capture.steps)
    return finding, capture.view(table, finding.evidence.query).matched


@pytest.mark.parametrize("id_", sorted(RUNS))
def test_the_rows_shown_are_those_that_count(tmp_path: Path, id_: str) -> None:
    finding, shown = fired(tmp_path, id_)
    if shown is None:
        assert id_ == "iteration_stall" or id_.startswith("incomplete_")
    elif id_ in NOT_IN_THE_RULE:
        assert shown == NOT_IN_THE_RULE[id_][0]
    else:
        said = _COUNTED.search(finding.rule)
        assert said is not None
        assert shown == int(said[1].replace(",", "")) > 0


@pytest.mark.parametrize("id_", sorted(RUNS))
def test_a_finding_has_its_rule_s_unit(tmp_path: Path, id_: str) -> None:
    found = find(RUNS[id_].write(tmp_path)).findings
    assert {each.unit for each in found if each.id == id_} == {unit_of(id_)}
    assert all(each.unit == unit_of(each.id) for each in found)


def test_every_finding_has_a_run_and_a_meaning() -> None:
    assert sorted(RUNS) == list(finding_ids())
    assert all(meaning_of(id_) for id_ in finding_ids())
    assert {unit_of(id_) for id_ in finding_ids()} == {"%", "x", "us", ""}
    assert len(finding_ids()) == sum(len(rule.finding_ids) for rule in all_rules())
