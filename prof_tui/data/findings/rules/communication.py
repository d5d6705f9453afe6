"""Communication that no computing hides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.evidence import communicating, largest_rows
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import OURS, Evidence, Finding, NotChecked, Result
from prof_tui.data.findings.from_timeline import TracedCommunication
from prof_tui.data.findings.rule import COMMUNICATION, TRACE, Rule
from prof_tui.data.findings.sums import Sums
from prof_tui.words import _, counted, duration, share

ID = "communication_not_overlapped"
LEAST_SHARE = 0.10


def _judge(facts: Facts, sums: pl.DataFrame) -> Iterator[Result]:
    if facts.traced is None and facts.ops is None:
        return  # the timeline was read, and nothing communicates there
    period = facts.period_ns
    if not period:
        why = _("No steady iteration has a period or an Iteration Time.")
        yield NotChecked(ID, (ID,), why, options.STEP_TRACE.how)
        return
    found = _by_timeline(facts, facts.traced) if facts.traced else _by_ops(facts)
    if found.alone_ns > LEAST_SHARE * period:
        yield _finding(facts, sums, found, period)


def _finding(facts: Facts, sums: pl.DataFrame, found: _Found, period: int) -> Finding:
    return facts.finding(
        ID,
        found.alone_ns,
        title=_("Communication not overlapped by computing takes {share} of {whole}").format(
            share=share(found.alone_ns, period), whole=facts.whole
        ),
        rule=_(
            "{alone} of the {communication} communication in {per} ({share} of {whole}) is not overlapped: "
            "over 10 % of {whole}. {by}"
        ).format(
            communication=duration(found.communication_ns),
            per=facts.per,
            share=share(found.communication_ns, period),
            whole=facts.whole,
            alone=duration(found.alone_ns),
            by=found.by,
        ),
        source=OURS,
        advice=_(
            "Start communication earlier, in buckets beside the backward pass. To see the slowest ops and "
            "their links, collect with {option}."
        ).format(option=options.COMMUNICATION),
        caveat=found.caveat,
        rows=largest_rows(sums, "name", "type", note="type") if len(sums) else (),
        evidence=found.evidence,
    )


@dataclass(frozen=True)
class _Found:
    """Communication of an iteration, or of the capture."""

    communication_ns: int
    alone_ns: int
    by: str
    """A sentence: what it was worked out from."""
    caveat: str
    evidence: Evidence | None


def _by_timeline(facts: Facts, traced: TracedCommunication) -> _Found:
    return _Found(
        traced.per_iteration(traced.communication_ns),
        traced.per_iteration(traced.not_overlapped_ns),
        counted(
            "Worked out from the timeline of {n} iteration.",
            "Worked out from the timeline of {n} iterations.",
            traced.windows,
        )
        if facts.basis == "iteration"
        else _("Worked out from the timeline."),
        _(
            "Computing is what the exporter's Overlap Analysis counts; a collective also waits for the "
            "slowest device, so the cause may be computing elsewhere."
        ),
        traced.place,
    )


def _by_ops(facts: Facts) -> _Found:
    return _Found(
        facts.per_iteration(sum(line.communication_ns for line in facts.in_time)),
        facts.per_iteration(sum(line.not_overlapped_ns for line in facts.in_time)),
        _("Worked out from op_summary."),
        _(
            "What op_summary has no row for is not counted; a collective also waits for the slowest device, "
            "so the cause may be computing elsewhere."
        ),
        facts.ops_by(*communicating(facts, facts.ops.in_scope)) if facts.ops else None,
    )


RULES = (
    Rule(
        ID,
        (COMMUNICATION,),
        _judge,
        Sums(("name", "type"), where=pl.col("communicates")),
        also=(TRACE,),
        how=options.LEVEL_1.how,
    ),
)
