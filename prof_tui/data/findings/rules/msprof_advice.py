"""The advice that msprof itself wrote into the capture, beside ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from prof_tui.data.capture.listing import ExportFile
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import EvidenceRow, Finding, NotChecked, Result, TableEvidence
from prof_tui.data.findings.rule import OPS, Rule, Value
from prof_tui.data.tables.cells import MISSING
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.errors import UnreadableError
from prof_tui.words import _, counted, printable


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
        text = _("{file} is not JSON: {why}.").format(file=file_name, why=error)
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


ID = "prof_rule"
MOST_NAMES = 10


def _judge(facts: Facts, _sums: pl.DataFrame) -> Iterator[Result]:
    files = _files(facts)
    if not files:
        why = _("There is no prof_rule file in this export; exporters wrote one until August 2024.")
        yield NotChecked(ID, (ID,), why, "")
    for file in files:
        name = file.path.name
        try:
            advice = read_advice(SourceFile(file.path).read(), name)
        except UnreadableError as error:
            yield NotChecked(ID, (ID,), printable(str(error)), "")
            continue
        for each in advice:
            yield _finding(facts, each, file)


def _files(facts: Facts) -> list[ExportFile]:
    """The newest per device looked at: exports that are not read any more have theirs too."""
    newest: dict[int | None, ExportFile] = {}
    for file in facts.capture.export.other:
        model_keys = facts.device is None or file.device in (None, facts.device)
        if model_keys and file.name.type == "prof_rule" and file.name.suffix == "json":
            known = newest.get(file.device)
            if known is None or (file.name.stamp or "") >= (known.name.stamp or ""):
                newest[file.device] = file
    return list(newest.values())


def _finding(facts: Facts, advice: Advice, file: ExportFile) -> Finding:
    names = [name for name in advice.ops if name.strip() not in MISSING]
    evidence = _evidence(facts, advice) if advice.ops and facts.ops else None
    said = _("msprof's own advice: {suggestion}").format(suggestion=printable(advice.suggestion))
    return facts.finding(
        ID,
        0,
        share=None,
        value=float(len(names)),
        device=None,
        title=f"{said} ({of})" if (of := _ops(advice, len(names))) else said,
        rule=_rule(advice),
        source=_("{file}, as msprof gave it").format(file=file.path.name),
        advice=_NO_OPS if evidence is None else _OPEN_OPS,
        caveat=_("msprof judged all that it exported, not steady iterations alone, and says no cost."),
        rows=tuple(EvidenceRow(printable(name)) for name in names[:MOST_NAMES]),
        evidence=evidence,
    )


_OPEN_OPS = _("Open these ops in op summary: how long they take, how long they waited, and what bounds them.")
_NO_OPS = _("See which of the other findings says more, and what it leads to.")


def _ops(advice: Advice, named: int) -> str:
    """How many ops it names; msprof writes N/A for ops without a name."""
    if named:
        return counted("{n} op", "{n} ops", named)
    return _("ops whose Op Name is N/A") if advice.ops else ""


def _rule(advice: Advice) -> str:
    """Where msprof has it from, and what it says of that."""
    known = (
        (_("group {name}"), advice.group),
        (_("rule type {name}"), advice.rule_type),
        (_("subtype {name}"), advice.subtype),
    )
    kind = ", ".join(text.format(name=name) for text, name in known if name)
    described = (
        _('described as "{text}"').format(text=text) if (text := advice.description.strip(" .")) else ""
    )
    said = ", ".join(part for part in (kind, described) if part)
    return printable(_("One of msprof's own rules: {said}.").format(said=said)) if said else ""


def _evidence(facts: Facts, advice: Advice) -> TableEvidence:
    return facts.ops_by(facts.one_of("op_name", *advice.ops), counted=False)


RULES = (Rule(ID, (), _judge, also=(OPS,), value=Value("", _("ops that the advice names"))),)
