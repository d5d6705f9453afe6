"""``--fail-on``: the id of a finding, or of a rule for all of its findings."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Findings, NotChecked
from prof_tui.data.findings.texts import (
    finding_ids,
    findings_of,
    ids_of_rules,
    ids_text,
    meaning_of,
    unchecked_ids,
    unchecked_texts,
)
from prof_tui.data.report.fail_on import parse_fail_on, verdict
from prof_tui.errors import UsageError
from tests.helpers.firing_runs import RUNS
from tests.helpers.judged_run import Iteration


def found(tmp_path: Path, id_: str) -> Findings:
    """All findings of the small run that has this one."""
    return find(RUNS[id_].write(tmp_path))


def sentences(word: str, findings: Findings) -> tuple[str, ...]:
    return verdict(parse_fail_on([word]), findings).sentences


def test_rules_that_have_an_id_of_their_own() -> None:
    assert list(ids_of_rules()) == ["block_num", "bound", "incomplete_tables", "odd_iterations"]
    assert findings_of("block_num") == ("block_below_cores", "block_not_multiple")
    assert findings_of("data_bound") == ("data_bound",)
    assert findings_of("zzz") == ()
    assert meaning_of("odd_iterations") == meaning_of("iteration_stall")


def test_a_rule_stands_for_all_of_its_findings(tmp_path: Path) -> None:
    findings = found(tmp_path, "iteration_stall")
    [hit] = sentences("odd_iterations:>2x", findings)
    assert hit.startswith("odd_iterations:>2x: iteration_stall: Iteration 6 took 800.000 us more: ")
    assert hit.endswith("(17 x)")
    assert sentences("odd_iterations:>17x", findings) == ()
    assert sentences("iteration_stall:>2", findings)[0].startswith("iteration_stall:>2x: Iteration 6 took")


@pytest.mark.parametrize("word", ["bound:>5us", "odd_iterations:>5%"])
def test_the_unit_is_that_of_the_rule_s_value(word: str) -> None:
    with pytest.raises(UsageError, match=f"the value of {word.partition(':')[0]} is "):
        parse_fail_on([word])


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("aicpu_share:>5us", "the value of aicpu_share is its cost, % of the period, not in us: write "),
        (
            "aicpu_share:>30,000",
            "'30,000' is not a plain number: the value of aicpu_share is its cost, % of ",
        ),
        ("aicpu_share:>5ms", "'5ms' is not a plain number: the value of aicpu_share is its cost, % of "),
        ("warm_up:>30,000", "the value of warm_up is its cost once, us, as in 'warm_up:>5us'."),
        ("prof_rule:>5%", "ops that the advice names, not in %: write 'prof_rule:>5'."),
    ],
)
def test_a_value_that_cannot_be_meant_says_what_can(word: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(word)}: .*{re.escape(said)}"):
        parse_fail_on([word])


def test_every_finding_that_hits_is_named(tmp_path: Path) -> None:
    flat = Iteration()
    late = [replace(flat, data_aug=50 + us) for us in (800, 400)]
    run = replace(RUNS["iteration_stall"], iterations=(*(flat,) * 5, *late, *(flat,) * 8))
    findings = find(run.write(tmp_path))
    hits = sentences("odd_iterations", findings)
    assert [hit.partition(" us more")[0] for hit in hits] == [
        "odd_iterations: iteration_stall: Iteration 6 took 800.000",
        "odd_iterations: iteration_stall: Iteration 7 took 400.000",
    ]
    assert len(sentences("odd_iterations:>10x", findings)) == 1


def test_case_does_not_hide_what_is_near() -> None:
    with pytest.raises(UsageError, match=r"There is no finding AICPU_SHARE; near it: aicpu_share"):
        parse_fail_on(["AICPU_SHARE"])


def test_a_word_near_a_rule_is_told_so() -> None:
    with pytest.raises(UsageError, match=r"There is no finding block_nums; near it: block_num,"):
        parse_fail_on(["block_nums"])


def test_a_rule_fails_unchecked_where_none_of_its_findings_could_be(tmp_path: Path) -> None:
    """Without op_summary; with it, some of them lack their columns."""
    [said] = sentences("bound", found(tmp_path / "none", "data_bound"))
    assert said.startswith("bound could not be checked: There is no op_summary in this export.")
    some = found(tmp_path / "some", "bound_mte2")
    assert sentences("bound:>99", some) == ()
    assert sentences("block_num", some) == ()
    assert verdict(parse_fail_on(["bound:>99%"]), some).notes == (
        "bound:>99%: bound_mac, bound_scalar, bound_mte1, bound_mte3, bound_fixpipe could not be checked: "
        "op_summary has no ratio of mac, scalar, mte1, mte3, fixpipe. Collect with msprof "
        "--aic-metrics=PipeUtilization; not every chip has all.",
    )
    assert verdict(parse_fail_on(["bound_mte2"]), some).notes == ()


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
