"""prof_rule_{device}.json: msprof's own advice, until August 2024 (vendor-analyses.md section 1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from prof_tui.errors import UnreadableError
from prof_tui.words import _


@dataclass(frozen=True)
class Advice:
    """One suggestion, as msprof gave it."""

    group: str
    """``Op Summary``, ``Op Parallel`` or ``Model Summary``; empty where the file has no groups."""
    rule_type: str
    description: str
    subtype: str
    suggestion: str
    ops: tuple[str, ...]
    """Tuning Data: op names."""


def read_advice(content: bytes, file_name: str) -> tuple[Advice, ...]:
    """The suggestions of a file: lists of rules by group, or one list, within ``data`` or bare.

    UnreadableError where it is the error form (``status`` other than 0) or no such JSON.
    """
    try:
        loaded = json.loads(content)
    except ValueError as error:
        text = _("{file} is no JSON: {why}.").format(file=file_name, why=error)
        raise UnreadableError(text) from error
    if isinstance(loaded, dict) and loaded.get("status", 0) != 0:
        text = _("msprof gave no advice in {file}: {info}")
        raise UnreadableError(text.format(file=file_name, info=loaded.get("info", "")))
    data = loaded.get("data", loaded) if isinstance(loaded, dict) else loaded
    groups = data if isinstance(data, dict) else {"": data}
    return tuple(advice for group, rules in groups.items() for advice in _of_group(str(group), rules))


def _of_group(group: str, rules: object) -> Iterator[Advice]:
    for rule in _dicts(rules):
        for result in _dicts(rule.get("result")):
            yield Advice(
                group,
                _text(rule.get("Rule Type")),
                _text(rule.get("Rule Description")),
                _text(result.get("Rule Subtype")),
                _text(result.get("Rule Suggestion")),
                _names(result.get("Tuning Data")),
            )


def _dicts(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_text(each) for each in value)
    return () if value in (None, "") else (_text(value),)
