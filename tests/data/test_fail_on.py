"""``--fail-on``: the id of a finding, or of a rule for all of its findings."""

from pathlib import Path

import pytest
from firing_runs import RUNS

from prof_tui.data.findings.finding import Findings, NotChecked
from prof_tui.data.findings.run import find
from prof_tui.data.report.fail_on import parse_fail_on, verdict
from prof_tui.data.report.finding_ids import (
    finding_ids,
    findings_of,
    ids_of_rules,
    ids_text,
    meaning_of,
    unchecked_ids,
)
from prof_tui.data.report.finding_text import unchecked_texts
from prof_tui.errors import UsageError


def found(tmp_path: Path, id_: str) -> Findings:
    """All findings of the small run that has this one."""
    return find(RUNS[id_].write(tmp_path))


def sentences(word: str, findings: Findings) -> tuple[str, ...]:
    return verdict(parse_fail_on([word]), findings).sentences


def test_rules_that_have_an_id_of_their_own() -> None:
    assert list(ids_of_rules()) == ["block_num", "bound", "odd_iterations"]
    assert findings_of("block_num") == ("block_below_cores", "block_not_multiple")
    assert findings_of("data_bound") == ("data_bound",)
    assert findings_of("zzz") == ()
    assert meaning_of("odd_iterations") == meaning_of("iteration_stall")


def test_a_rule_stands_for_all_of_its_findings(tmp_path: Path) -> None:
    findings = found(tmp_path, "iteration_stall")
    [hit] = sentences("odd_iterations:>2x", findings)
    assert hit.startswith(
        "odd_iterations:>2x: iteration_stall: Iteration 6 took 800.000 us more: "
    )
    assert hit.endswith("(17 x)")
    assert sentences("odd_iterations:>17x", findings) == ()
    assert sentences("iteration_stall:>2", findings)[0].startswith("iteration_stall:>2x: Iteration 6 took")


@pytest.mark.parametrize("word", ["bound:>5us", "odd_iterations:>5%"])
def test_the_unit_is_that_of_the_rule_s_value(word: str) -> None:
    with pytest.raises(UsageError, match=f"the value of {word.partition(':')[0]} is "):
        parse_fail_on([word])


def test_a_word_near_a_rule_is_told_so() -> None:
    with pytest.raises(UsageError, match=r"There is no finding block_nums; near it: block_num,"):
        parse_fail_on(["block_nums"])


def test_a_rule_fails_unchecked_where_none_of_its_findings_could_be(tmp_path: Path) -> None:
    """Without op_summary; with it, bound_memory alone lacks its column."""
    [said] = sentences("bound", found(tmp_path / "none", "data_bound"))
    assert said.startswith("bound could not be checked: There is no op_summary in this export.")
    some = found(tmp_path / "some", "bound_mte2")
    assert sentences("bound:>99", some) == ()
    assert sentences("block_num", some) == ()


def test_what_was_not_checked_is_said_by_the_rule_or_by_its_findings() -> None:
    whole = NotChecked("block_num", ("block_below_cores", "block_not_multiple"), "No.", "")
    part = NotChecked("odd_iterations", ("iteration_slow_op", "iteration_more_ops"), "No.", "")
    assert unchecked_ids(whole) == ("block_num",)
    assert unchecked_texts([whole, part]) == ["block_num, iteration_slow_op, iteration_more_ops: No."]


def test_the_list_has_every_id_and_fits_80_columns() -> None:
    lines = ids_text().splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "] == [
        *finding_ids(),
        *ids_of_rules(),
    ]
    assert max(map(len, lines)) <= 80
