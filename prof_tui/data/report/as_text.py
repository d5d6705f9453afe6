"""The report as text of 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prof_tui.data.findings.finding import EvidenceRow, Finding, Findings, NotChecked
from prof_tui.data.findings.texts import (
    MOST_CELLS,
    cost_text,
    heading,
    mean_text,
    no_cost,
    shortened,
    unchecked_texts,
)
from prof_tui.data.report.report import Report
from prof_tui.data.run import texts as run_text
from prof_tui.data.run.overview import Overview
from prof_tui.data.run.texts import (
    TimeRow,
    busy_rows,
    inside_notes,
    step_notes,
    step_rows,
    type_rows,
    whose,
)
from prof_tui.data.run.times import Inside, StepTimes
from prof_tui.data.writing.text import aligned, widest, wrapped
from prof_tui.words import NOT_AVAILABLE, _, count, cut, printable, separated

WIDTH = 80
_LABEL = 11
_MOST_ROWS = 3
"""Evidence rows of a finding that are printed; JSON has all."""


def report_text(report: Report) -> Iterator[str]:
    """In pieces of whole lines."""
    yield printable(report.overview.run.capture) + "\n"
    yield from _run(report.overview)
    for times, inside in report.pairs():
        yield from _device(times, inside)
    if report.overview.why_no_inside:
        yield "\n" + _line(report.overview.why_no_inside)
    yield from _findings(report.findings)
    yield from _not_checked(report.findings.not_checked)
    lacking = report.overview.run.missing
    yield from _listed(_("Missing"), run_text.missing(lacking), len(lacking))
    yield from _listed(_("Notices"), map(printable, report.notices))


def run_lines(overview: Overview) -> list[tuple[str, str]]:
    """Label and text of what the run was; without what the capture doesn't say."""
    run = overview.run
    span = "" if overview.span_ns is None else run_text.seconds(overview.span_ns)
    rows = [
        (_("When"), run_text.when(run)),
        (_("Where"), run_text.where(run)),
        *((_("Chip"), text) for text in run_text.devices(run)),
        (_("Collected"), run_text.collected(run.collection)),
        (_("Exported"), run_text.exported(run)),
        *((_("Models"), text) for text in run_text.models(overview.models)),
        (_("Span"), span),
    ]
    return [(label, text) for label, text in rows if text]


def _run(overview: Overview) -> Iterator[str]:
    for label, text in run_lines(overview):
        yield wrapped(text, WIDTH, first=f"  {label:<{_LABEL}}", rest=" " * (_LABEL + 2))


def _device(times: StepTimes | None, inside: Inside | None) -> Iterator[str]:
    yield "\n" + _line(_("Where the time goes: {whose}").format(whose=whose(times, inside)))
    if times is not None:
        for note in step_notes(times):
            yield wrapped(note, WIDTH, first="  ", rest="  ")
        yield from _rows(step_rows(times))
    if inside is not None:
        for note in inside_notes(inside):
            yield wrapped(note, WIDTH, first="  ", rest="  ")
        yield from _rows([*busy_rows(inside), *type_rows(inside)])


def _rows(rows: Sequence[TimeRow]) -> Iterator[str]:
    cells = [["", row.name, separated(row.ns), row.per_cent, row.note] for row in rows]
    cells.insert(0, ["", "", "us", _("share"), ""])
    widths = widest(cells, [1, 14, 10, 7, 0])
    return (aligned(line, widths, [False, False, True, True, False], WIDTH) for line in cells)


def _findings(findings: Findings) -> Iterator[str]:
    yield "\n" + _line(heading(findings))
    if findings.findings and (means := mean_text(findings)):
        yield wrapped(means, WIDTH, first="  ", rest="  ")
    for finding in findings.findings:
        yield from _finding(finding)


def _finding(finding: Finding) -> Iterator[str]:
    yield "\n" + wrapped(shortened(printable(finding.title)), WIDTH, first=f"{finding.letter} ", rest="  ")
    cost = cost_text(finding) if finding.cost_ns else no_cost(finding)
    rule = shortened(finding.rule)
    parts = (
        (_("cost"), f"{cost} [{finding.id}]"),
        (_("rule"), _("{rule} Source: {source}.").format(rule=rule, source=finding.source)),
        (_("rows"), _rows_text(finding.rows)),
        (_("try"), finding.advice),
        (_("but"), finding.caveat),
    )
    for label, text in parts:
        if text:
            yield wrapped(printable(text), WIDTH, first=f"  {label:<6}", rest=" " * 8)


def _rows_text(rows: Sequence[EvidenceRow]) -> str:
    said = [row_text(row) for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        said.append(_("{n} more").format(n=count(len(rows) - _MOST_ROWS)))
    return "; ".join(said)


def row_text(row: EvidenceRow) -> str:
    """``MatMulV3: 12 x, 1,234.567 us, INT64``; a name of thousands of characters is cut."""
    parts = [
        "" if row.count is None else f"{count(row.count)} x",
        "" if row.time_ns is None else f"{separated(row.time_ns)} us",
        shortened(printable(row.note)),
    ]
    said = ", ".join(part for part in parts if part)
    label = cut(row.label, MOST_CELLS) or NOT_AVAILABLE
    return f"{label}: {said}" if said else label


def _not_checked(lacking: Sequence[NotChecked]) -> Iterator[str]:
    return _listed(_("Not checked"), unchecked_texts(lacking), len(lacking))


def _listed(title: str, texts: Iterable[str], number: int | None = None) -> Iterator[str]:
    known = list(texts)
    if known:
        yield f"\n{title} ({count(number or len(known))})\n"
    for text in known:
        yield wrapped(printable(text), WIDTH, first="  - ", rest="    ")


def _line(text: str) -> str:
    return wrapped(text, WIDTH, rest="  ")
