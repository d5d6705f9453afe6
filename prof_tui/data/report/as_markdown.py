"""The report as Markdown for an issue tracker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from prof_tui.data.findings.finding import Finding, Findings, NotChecked
from prof_tui.data.findings.texts import cost_text, heading, mean_text, shortened, unchecked_texts
from prof_tui.data.report.as_text import row_text, run_lines
from prof_tui.data.report.report import Report
from prof_tui.data.run import texts as run_text
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
from prof_tui.words import _, count, printable, separated

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_BEGINNING = re.compile(r"^(\d{0,9})([-+=]|(?<=\d)[.)])(?=\s|[-=\s]*$)")
"""What makes a list, a rule or a heading of the line that it begins."""


def report_markdown(report: Report) -> Iterator[str]:
    """In pieces of whole lines."""
    yield f"## {escaped(report.overview.run.capture)}\n\n"
    yield from _table(("", ""), run_lines(report.overview))
    for times, inside in report.pairs():
        yield from _device(times, inside)
    if report.overview.why_no_inside:
        yield f"\n{escaped(report.overview.why_no_inside)}\n"
    yield from _findings(report.findings)
    yield from _not_checked(report.findings.not_checked)
    lacking = report.overview.run.missing
    yield from _listed(_("Missing"), run_text.missing(lacking), len(lacking))
    yield from _listed(_("Notices"), report.notices)


def escaped(text: str) -> str:
    """Text as it is, on one line: nothing in it is Markdown or HTML."""
    return _BEGINNING.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", printable(text)))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> Iterator[str]:
    rules = ["---:" if place in right else "---" for place in range(len(head))]
    yield _cells(head) + f"| {' | '.join(rules)} |\n"
    yield from map(_cells, rows)


def _cells(cells: Iterable[str]) -> str:
    return f"| {' | '.join(escaped(cell) for cell in cells)} |\n"


def _device(times: StepTimes | None, inside: Inside | None) -> Iterator[str]:
    title = _("Where the time goes: {whose}").format(whose=whose(times, inside))
    yield f"\n### {escaped(title)}\n"
    if times is not None:
        for note in step_notes(times):
            yield f"\n{escaped(note)}\n"
        yield "\n"
        yield from _rows(step_rows(times))
    if inside is not None:
        yield f"\n{escaped(' '.join(inside_notes(inside)))}\n\n"
        yield from _rows([*busy_rows(inside), *type_rows(inside)])


def _rows(rows: Iterable[TimeRow]) -> Iterator[str]:
    cells = [(row.name, separated(row.ns), row.per_cent, row.note) for row in rows]
    return _table(("", "us", _("share"), ""), cells, right=(1, 2))


def _findings(findings: Findings) -> Iterator[str]:
    yield f"\n### {escaped(heading(findings))}\n\n"
    if findings.findings and (means := mean_text(findings)):
        yield f"{escaped(means)}\n\n"
    if findings.findings:
        rows = [(one.letter, shortened(one.title), cost_text(one), one.id) for one in findings.findings]
        yield from _table(("", _("finding"), _("cost"), _("id")), rows)
    for finding in findings.findings:
        yield from _finding(finding)


def _finding(finding: Finding) -> Iterator[str]:
    yield f"\n<details><summary>{finding.letter} {_html(shortened(finding.title))}</summary>\n\n"
    parts = (
        (_("Rule"), f"{shortened(finding.rule)} ({finding.source})"),
        (_("Try"), finding.advice),
        (_("But"), finding.caveat),
    )
    for label, text in parts:
        if text:
            yield f"- **{label}**: {escaped(text)}\n"
    for row in finding.rows:
        yield f"- {escaped(row_text(row))}\n"
    yield "\n</details>\n"


def _html(text: str) -> str:
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _not_checked(lacking: Sequence[NotChecked]) -> Iterator[str]:
    return _listed(_("Not checked"), unchecked_texts(lacking), len(lacking))


def _listed(title: str, texts: Iterable[str], number: int | None = None) -> Iterator[str]:
    known = list(texts)
    if known:
        yield f"\n### {title} ({count(number or len(known))})\n\n"
    for text in known:
        yield f"- {escaped(text)}\n"
