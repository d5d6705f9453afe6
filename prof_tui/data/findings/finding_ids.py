"""The ids that a finding or a rule may have, and the value that ``--fail-on ID:>VALUE`` compares."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from prof_tui.data.findings.rules import all_rules
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.findings.finding import NotChecked
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
