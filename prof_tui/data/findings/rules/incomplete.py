"""What the capture lacks: slices, ends of files, iterations and ops that something else says were there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.capture.completeness import TWINS, Completeness, Lack, LackId
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import OURS, EvidenceRow, Finding, NotChecked, Result, TableEvidence
from prof_tui.data.findings.rule import OPS, TRACE, Rule, Value
from prof_tui.data.query.query import OneOf, Query, Scope
from prof_tui.words import _, printable

_MOST_ROWS = 10


def _judge(*ids: LackId) -> Callable[[Facts, pl.DataFrame], Iterator[Result]]:
    def results(facts: Facts, _sums: pl.DataFrame) -> Iterator[Result]:
        known: Completeness = facts.completeness
        yield from (_finding(facts, lack) for lack in known.lacks if lack.id in ids)
        for id_ in ids:
            if (lack := known.why_unchecked(id_)) is not None:
                yield NotChecked(id_, (id_,), printable(lack.why), lack.how)

    return results


def _finding(facts: Facts, lack: Lack) -> Finding:
    return facts.finding(
        lack.id,
        0,
        share=None,
        value=float(lack.number),
        device=None,
        title=printable(lack.text),
        rule=printable(lack.rule) or _("Read to the end, without what is to stand there."),
        source=OURS,
        advice=options.COPY_AGAIN,
        caveat=lack.caveat or _("What was never collected is missing too, and looks the same."),
        rows=tuple(EvidenceRow(kind, number) for kind, number in lack.kinds[:_MOST_ROWS]),
        evidence=_evidence(lack),
    )


def _evidence(lack: Lack) -> TableEvidence | None:
    """The iterations in the step trace, from where each leads to its ops."""
    if not lack.iterations:
        return None
    ids = tuple(map(str, lack.iterations))
    return TableEvidence("step_trace", Query(Scope(lack.device, lack.model), (OneOf("Iteration ID", ids),)))


_MISSING = Value("", _("how many are missing or cut"))

RULES = (
    Rule("incomplete_slices", (), _judge("incomplete_slices"), value=_MISSING),
    Rule("incomplete_files", (), _judge("incomplete_files"), also=(TRACE,), value=_MISSING),
    Rule(
        "incomplete_iterations",
        (),
        _judge("incomplete_iterations"),
        also=(OPS,),
        value=Value("", _("iterations that are covered in part")),
    ),
    Rule(
        "incomplete_tables", (), _judge(*TWINS), also=(TRACE,), ids=TWINS, value=Value("", _("ops missing"))
    ),
)
