"""``--fail-on``: which findings make the command fail, and what the values after an id mean."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prof_tui.data.findings.finding import Finding, Findings
from prof_tui.data.findings.texts import (
    finding_ids,
    findings_of,
    ids_of_rules,
    meaning_of,
    unit_of,
)
from prof_tui.data.run.missing import reason_of
from prof_tui.errors import UsageError
from prof_tui.words import _

_WORD = re.compile(r"^(?P<id>[\w-]+)(?::>\s*(?P<value>.*))?$", re.ASCII | re.DOTALL)
_VALUE = re.compile(r"^(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>%|x|us)?$", re.ASCII)


@dataclass(frozen=True)
class FailOn:
    """One condition on the findings of an id."""

    id: str
    """The id of a finding, or of a rule, which stands for all of its findings."""
    value: float | None
    """None: any such finding."""

    def __str__(self) -> str:
        return self.id if self.value is None else f"{self.id}:>{self.value:g}{unit_of(self.id)}"

    def is_hit(self, finding: Finding) -> bool:
        return finding.id in findings_of(self.id) and (self.value is None or finding.value > self.value)


def parse_fail_on(words: Iterable[str]) -> tuple[FailOn, ...]:
    """UsageError where a word is not a condition, its id is none, or its unit another."""
    return tuple(_parse(word) for word in words)


def _parse(word: str) -> FailOn:
    match = _WORD.match(word.strip())
    if match is None:
        text = _("{word!r} is not a condition: write ID or 'ID:>VALUE', such as 'aicpu_share:>5%'.")
        raise UsageError(text.format(word=word))
    id_, value = match["id"], match["value"]
    if not findings_of(id_):
        raise UsageError(_unknown(id_))
    return FailOn(id_, None if value is None else _number(word, id_, value))


def _number(word: str, id_: str, value: str) -> float:
    """UsageError where it is not a plain number, or one in another unit."""
    match = _VALUE.match(value)
    if match and match["unit"] in (None, unit_of(id_)):
        return float(match["number"])
    meaning, own = meaning_of(id_), unit_of(id_)
    if match is None:
        text = _(
            "{word}: {value!r} is not a plain number: the value of {id} is {meaning}, as in '{id}:>5{own}'."
        )
        raise UsageError(text.format(word=word, value=value, id=id_, meaning=meaning, own=own))
    text = _("{word}: the value of {id} is {meaning}, not in {unit}: write '{id}:>5{own}'.")
    raise UsageError(text.format(word=word, unit=match["unit"], id=id_, meaning=meaning, own=own))


def _unknown(id_: str) -> str:
    near = difflib.get_close_matches(id_.lower(), [*finding_ids(), *ids_of_rules()], n=3, cutoff=0.5)
    if near:
        return _("There is no finding {id}; near it: {ids}.").format(id=id_, ids=", ".join(near))
    return _("There is no finding {id}; there are {ids}.").format(id=id_, ids=", ".join(finding_ids()))


@dataclass(frozen=True)
class Verdict:
    """What the conditions come to."""

    hits: tuple[str, ...]
    """Each finding that a condition holds for."""
    unchecked: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What else of a condition could not be checked: the command does not fail for it."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Why the command fails; none where it doesn't."""
        return (*self.hits, *self.unchecked)


def verdict(conditions: Sequence[FailOn], findings: Findings) -> Verdict:
    """Which conditions hold, and which name what could not be checked: of a rule, none of its findings."""
    hits: list[str] = []
    unchecked: list[str] = []
    notes: list[str] = []
    for condition in conditions:
        held = [_hit(condition, one) for one in findings.findings if condition.is_hit(one)]
        lacks = [findings.unchecked(id_) for id_ in findings_of(condition.id)]
        if not held and all(lacks):
            text = _("{condition} could not be checked: {why}")
            whys = dict.fromkeys(reason_of(lack) for lack in lacks if lack is not None)
            unchecked.append(text.format(condition=condition, why=" ".join(whys)))
        else:
            notes += _partly(condition, findings)
        hits += held
    return Verdict(tuple(hits), tuple(unchecked), tuple(dict.fromkeys(notes)))


def _hit(condition: FailOn, finding: Finding) -> str:
    named = condition if finding.id == condition.id else f"{condition}: {finding.id}"
    return f"{named}: {finding.title} ({value_text(finding)})"


def _partly(condition: FailOn, findings: Findings) -> Iterator[str]:
    """Which of the findings that a condition names could not be checked, and why."""
    for lack in findings.not_checked:
        ids = [id_ for id_ in findings_of(condition.id) if id_ in lack.ids]
        if ids:
            text = _("{condition}: {ids} could not be checked: {why}")
            yield text.format(condition=condition, ids=", ".join(ids), why=reason_of(lack))


def value_text(finding: Finding) -> str:
    """``5.2 %``: what a condition compares."""
    unit = f" {finding.unit}" if finding.unit else ""
    return f"{finding.value:,.3f}".rstrip("0").rstrip(".") + unit
