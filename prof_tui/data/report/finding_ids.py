"""The ids that a finding may have, and what the value is that ``--fail-on ID:>VALUE`` compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prof_tui.data.findings.rules import all_rules

if TYPE_CHECKING:
    from prof_tui.data.findings.rule import Value


def finding_values() -> dict[str, Value]:
    """The value of each id, in alphabetical order."""
    return dict(sorted((id_, rule.value) for rule in all_rules() for id_ in rule.finding_ids))


def finding_ids() -> tuple[str, ...]:
    """All ids, in alphabetical order."""
    return tuple(finding_values())


def unit_of(id_: str) -> str:
    """``%``, ``x``, ``us``, or empty for a plain number."""
    return finding_values()[id_].unit


def meaning_of(id_: str) -> str:
    """What the value is, with its unit."""
    return finding_values()[id_].meaning


def ids_text() -> str:
    """The ids with their values, one a line."""
    values = finding_values()
    width = max(map(len, values), default=0)
    return "\n".join(f"  {id_:<{width}}  {value.meaning}" for id_, value in values.items())
