"""The advice that msprof itself wrote into the capture, beside ours."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from prof_tui.data.findings.advice_file import Advice, read_advice
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import PROF_RULE, EvidenceRow, Finding, NotChecked, Result, TableEvidence
from prof_tui.data.findings.rows import named
from prof_tui.data.findings.rule import OPS, Rule, Value
from prof_tui.data.listing import ExportFile
from prof_tui.data.source_files import SourceFile
from prof_tui.errors import UnreadableError
from prof_tui.words import _, count, ngettext, printable

ID = "prof_rule"
MOST_NAMES = 10


def _judge(run: Run, _sums: pl.DataFrame) -> Iterator[Result]:
    files = _files(run)
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
            yield _finding(run, each, file)


def _files(run: Run) -> list[ExportFile]:
    """The newest per device looked at: exports that are not read any more have theirs too."""
    newest: dict[int | None, ExportFile] = {}
    for file in run.capture.export.other:
        looked_at = run.device is None or file.device in (None, run.device)
        if looked_at and file.name.type == "prof_rule" and file.name.suffix == "json":
            known = newest.get(file.device)
            if known is None or (file.name.stamp or "") >= (known.name.stamp or ""):
                newest[file.device] = file
    return list(newest.values())


def _finding(run: Run, advice: Advice, file: ExportFile) -> Finding:
    kind = ", ".join(part for part in (advice.group, advice.rule_type, advice.subtype) if part)
    return run.finding(
        ID,
        0,
        share=None,
        value=float(len(advice.ops)),
        device=None,
        title=ngettext(
            "msprof's own advice: {suggestion} ({n} op)",
            "msprof's own advice: {suggestion} ({n} ops)",
            len(advice.ops),
        ).format(suggestion=printable(advice.suggestion), n=count(len(advice.ops))),
        rule=printable(": ".join(part for part in (kind, advice.description) if part)),
        source=_("{file}, as msprof gave it").format(file=file.path.name) + f"; {PROF_RULE}",
        advice=printable(advice.suggestion),
        caveat=_("msprof judged the iteration that it exported, not the steady ones, and says no cost."),
        rows=tuple(EvidenceRow(named(name)) for name in advice.ops[:MOST_NAMES]),
        evidence=_evidence(run, advice) if advice.ops and run.ops else None,
    )


def _evidence(run: Run, advice: Advice) -> TableEvidence:
    return run.ops_by(run.one_of("op_name", *advice.ops), counted=False)


RULES = (Rule(ID, (), _judge, also=(OPS,), value=Value("", _("ops that the advice names"))),)
