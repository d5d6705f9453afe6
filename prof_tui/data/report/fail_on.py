"""``--fail-on``: which findings make the command fail, and what the values after an id mean."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prof_tui.data.findings.finding import Finding, Findings
from prof_tui.data.report.finding_ids import (
    finding_ids,
    findings_of,
    ids_of_rules,
    meaning_of,
    unit_of,
)
from prof_tui.errors import UsageError
from prof_tui.words import _

_WORD = re.compile(r"^(?P<id>[\w-]+)(?::>\s*(?P<value>\d+(?:\.\d+)?)\s*(?P<unit>%|x|us)?)?$", re.ASCII)


@dataclass(frozen=True)
class FailOn:
    """One condition on the findings of an id."""

    id: str
    """Of a finding, or of a rule: then for all of its findings."""
    value: float | None
    """None: any such finding."""

    def __str__(self) -> str:
        return self.id if self.value is None else f"{self.id}:>{self.value:g}{unit_of(self.id)}"

    def is_hit(self, finding: Finding) -> bool:
        return finding.id in findings_of(self.id) and (self.value is None or finding.value > self.value)


def parse_fail_on(words: Iterable[str]) -> tuple[FailOn, ...]:
    """UsageError where a word is no condition, its id is none, or its unit another."""
    return tuple(_parsed(word) for word in words)


def _parsed(word: str) -> FailOn:
    match = _WORD.match(word.strip())
    if match is None:
        text = _("{word!r} is no condition: write ID or 'ID:>VALUE', such as 'aicpu_share:>5%'.")
        raise UsageError(text.format(word=word))
    id_, value, unit = match["id"], match["value"], match["unit"]
    if not findings_of(id_):
        raise UsageError(_unknown(id_))
    if unit and unit != unit_of(id_):
        text = _("{word}: the value of {id} is {meaning}, not in {unit}.")
        raise UsageError(text.format(word=word, id=id_, meaning=meaning_of(id_), unit=unit))
    return FailOn(id_, None if value is None else float(value))


def _unknown(id_: str) -> str:
    near = difflib.get_close_matches(id_, [*finding_ids(), *ids_of_rules()], n=3, cutoff=0.5)
    if near:
        return _("There is no finding {id}; near it: {ids}.").format(id=id_, ids=", ".join(near))
    return _("There is no finding {id}; there are {ids}.").format(id=id_, ids=", ".join(finding_ids()))


@dataclass(frozen=True)
class Verdict:
    """What the conditions come to."""

    hits: tuple[str, ...]
    unchecked: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Why the command fails; none where it doesn't."""
        return (*self.hits, *self.unchecked)


def verdict(conditions: Sequence[FailOn], findings: Findings) -> Verdict:
    """Which conditions hold, and which name what could not be checked: of a rule, none of its findings."""
    hits: list[str] = []
    unchecked: list[str] = []
    for condition in conditions:
        hit = next((one for one in findings.findings if condition.is_hit(one)), None)
        lacks = [findings.unchecked(id_) for id_ in findings_of(condition.id)]
        if hit is not None:
            named = condition if hit.id == condition.id else f"{condition}: {hit.id}"
            hits.append(f"{named}: {hit.title} ({value_text(hit)})")
        elif all(lacks):
            text = _("{condition} could not be checked: {why}")
            whys = dict.fromkeys(f"{lack.why} {lack.how}".strip() for lack in lacks if lack is not None)
            unchecked.append(text.format(condition=condition, why=" ".join(whys)))
    return Verdict(tuple(hits), tuple(unchecked))


def value_text(finding: Finding) -> str:
    """``5.2 %``: what a condition compares."""
    unit = f" {finding.unit}" if finding.unit else ""
    return f"{finding.value:,.3f}".rstrip("0").rstrip(".") + unit
