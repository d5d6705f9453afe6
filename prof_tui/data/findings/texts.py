"""What is said of a finding, on the screen and in the report alike."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from prof_tui.data.findings.finding import Finding, Findings, NotChecked
from prof_tui.data.findings.rules import all_rules
from prof_tui.data.run.missing import group_by_reason, reason_of
from prof_tui.words import _, count, counted, cut, duration, ngettext

if TYPE_CHECKING:
    from prof_tui.data.findings.rule import Value


def finding_values() -> dict[str, Value]:
    """The value of each id, in alphabetical order."""
    return dict(sorted((id_, rule.value) for rule in all_rules() for id_ in rule.finding_ids))


def finding_ids() -> tuple[str, ...]:
    """All ids, in alphabetical order."""
    return tuple(finding_values())


def ids_of_rules() -> dict[str, tuple[str, ...]]:
    """The findings of each rule that has an id of its own, by that: it stands for all of them."""
    rules = ((rule.id, rule.finding_ids) for rule in all_rules())
    return dict(sorted((id_, ids) for id_, ids in rules if id_ not in ids))


def findings_of(id_: str) -> tuple[str, ...]:
    """The ids of the findings that an id of a finding or of a rule stands for; none for another word."""
    return (id_,) if id_ in finding_values() else ids_of_rules().get(id_, ())


def unit_of(id_: str) -> str:
    """``%``, ``x``, ``us``, or empty for a plain number; of a finding or a rule."""
    return finding_values()[findings_of(id_)[0]].unit


def meaning_of(id_: str) -> str:
    """What the value is, with its unit; of a finding or a rule."""
    return finding_values()[findings_of(id_)[0]].meaning


def unchecked_ids(lack: NotChecked) -> tuple[str, ...]:
    """The shortest way to say what was not checked: the rule where it is all of that, else its findings."""
    return (lack.id,) if set(findings_of(lack.id)) == set(lack.ids) else lack.ids


def ids_text() -> str:
    """The ids with their values, one a line; then those of rules, with the findings that they stand for."""
    values = finding_values()
    width = max(map(len, values), default=0)
    lines = [f"  {id_:<{width}}  {value.meaning}" for id_, value in values.items()]
    return "\n".join([*lines, "", _("and for all findings of a rule:"), *_rule_lines(width)])


def _rule_lines(width: int) -> list[str]:
    return [
        line
        for id_, ids in ids_of_rules().items()
        for line in textwrap.wrap(
            ", ".join(ids), 80, initial_indent=f"  {id_:<{width}}  ", subsequent_indent=" " * (width + 4)
        )
    ]


MOST_CELLS = 120
"""Most cells of a word of a capture in a sentence, or of a row's name: fused ops have thousands."""
_LONG = re.compile(rf"\S{{{MOST_CELLS // 2},}}")


def shorten_words(text: str) -> str:
    """With words of more than ``MOST_CELLS`` cut, the cut marked."""
    return _LONG.sub(lambda match: cut(match.group(), MOST_CELLS), text)


def cost_text(finding: Finding) -> str:
    """``1,234.567 us an iteration, 5.2 % of the period``: the cost, what it is of, and its share of that."""
    if not finding.cost_ns:
        return _("cost not known") if finding.iteration is None else _("no cost: it took less than usual")
    cost = duration(finding.cost_ns)
    if finding.basis == "once":
        return _("{cost} once").format(cost=cost)
    if finding.iteration is not None:
        said, whole = _("{cost} an iteration if spread over all"), finding.whole
    elif finding.basis == "iteration":
        said, whole = _("{cost} an iteration"), finding.whole
    else:
        said, whole = _("{cost} in the whole capture"), _("its span")
    text = said.format(cost=cost)
    if finding.share is None:
        return text
    share = f"{100 * finding.share:.1f} %"
    return _("{cost}, {share} of {whole}").format(cost=text, share=share, whole=whole)


def no_cost(finding: Finding) -> str:
    """The same of a cost of 0 behind the word *cost*: an outlier is then a short iteration."""
    return _("not known") if finding.iteration is None else _("none: it took less than usual")


def heading(findings: Findings) -> str:
    """How many there are, in what order, and what may not be done with their costs."""
    number = len(findings.findings)
    if not number:
        lacking = len(findings.not_checked)
        text = ngettext(
            "Findings{of}: none; {n} could not be checked",
            "Findings{of}: none; {n} could not be checked",
            lacking,
        )
        return (text if lacking else _("Findings{of}: none")).format(of=_of(findings), n=count(lacking))
    text = counted("{n} finding{of}", "{n} findings{of}", number, of=_of(findings))
    if number == 1:
        return text
    return _("{findings}, by cost; costs overlap: don't add them up").format(findings=text)


def mean_text(findings: Findings) -> str:
    """What the costs of an iteration are a mean of; empty where the whole capture counts."""
    if not findings.op_iterations:
        return ""
    text = counted(
        "Costs are of {n} steady iteration.",
        "Costs are means of {n} steady iterations.",
        findings.op_iterations,
    )
    outliers = sum(len(run.outliers) for run in findings.devices)
    if not outliers:
        return text
    left_out = ngettext(
        "{n} outlier is not among them: it has a finding of its own.",
        "{n} outliers are not among them: they have findings of their own.",
        outliers,
    )
    named = sum(finding.iteration is not None for finding in findings.findings)
    if named < outliers:
        left_out = _("{n} outliers are not among them: the {named} farthest off have findings of their own.")
    return f"{text} {left_out.format(n=count(outliers), named=count(named))}"


def _of(findings: Findings) -> str:
    """What alone was looked at, where something was chosen."""
    device, model = findings.device, findings.model
    said = [
        "" if device is None else _("device {device}").format(device=device),
        "" if model is None else _("Model ID {model}").format(model=model),
    ]
    chosen = ", ".join(part for part in said if part)
    return _(" of {chosen}").format(chosen=chosen) if chosen else ""


def unchecked_texts(lacking: Iterable[NotChecked]) -> list[str]:
    """One text per reason: the rules that could not be checked, why, and how to get what they need."""
    return [
        f"{', '.join(id_ for each in alike for id_ in unchecked_ids(each))}: {reason_of(alike[0])}"
        for alike in group_by_reason(lacking)
    ]
