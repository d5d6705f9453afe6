"""A report in each of its formats: text of 80 columns, Markdown for an issue tracker, JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from prof_tui.data.findings.finding import EvidenceRow, Finding
from prof_tui.data.findings.texts import MOST_CELLS, cost_text, no_cost, shorten_words
from prof_tui.data.report.as_json import report_json
from prof_tui.data.report.report import Report, report_document
from prof_tui.data.run.texts import TimeRow
from prof_tui.data.writing.text import aligned, widest, wrapped
from prof_tui.words import NOT_AVAILABLE, _, count, cut, printable, separated

ReportFormat = Literal["text", "md", "json"]

WIDTH = 80
_LABEL = 11
_MOST_ROWS = 3
"""Evidence rows of a finding that are printed as text; the other formats have all."""


def write_report(report: Report, format_: ReportFormat) -> Iterator[str]:
    """In pieces of whole lines."""
    if format_ == "json":
        return iter([report_json(report)])
    return report_markdown(report) if format_ == "md" else report_text(report)


def _format_row(row: EvidenceRow) -> str:
    """``MatMulV3: 12 x, 1,234.567 us, INT64``; a name of thousands of characters is cut."""
    parts = [
        "" if row.count is None else f"{count(row.count)} x",
        "" if row.time_ns is None else f"{separated(row.time_ns)} us",
        shorten_words(printable(row.note)),
    ]
    said = ", ".join(part for part in parts if part)
    label = cut(row.label, MOST_CELLS) or NOT_AVAILABLE
    return f"{label}: {said}" if said else label


# Text


def report_text(report: Report) -> Iterator[str]:
    """In pieces of whole lines."""
    document = report_document(report)
    yield printable(document.title) + "\n"
    for label, text in document.facts:
        yield _paragraph(text, first=f"  {label:<{_LABEL}}", rest=" " * (_LABEL + 2))
    for title, tables in document.times:
        yield "\n" + _paragraph(title, first="")
        for table in tables:
            yield from (_paragraph(note) for notes in table.notes for note in notes)
            yield from _time_lines(table.rows)
    if document.why_no_busy:
        yield "\n" + _paragraph(document.why_no_busy, first="")
    yield "\n" + _paragraph(document.heading, first="")
    if document.means:
        yield _paragraph(document.means)
    for finding in document.findings:
        yield from _finding_lines(finding)
    for title, texts in document.lists:
        yield f"\n{title}\n"
        yield from (_paragraph(text, first="  - ", rest="    ") for text in texts)


def _paragraph(text: str, *, first: str = "  ", rest: str = "  ") -> str:
    return wrapped(printable(text), WIDTH, first=first, rest=rest)


def _time_lines(rows: Sequence[TimeRow]) -> Iterator[str]:
    cells = [["", row.name, separated(row.ns), row.per_cent, row.note] for row in rows]
    cells.insert(0, ["", "", "us", _("share"), ""])
    widths = widest(cells, [1, 14, 10, 7, 0])
    return (aligned(line, widths, [False, False, True, True, False], WIDTH) for line in cells)


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield "\n" + _paragraph(shorten_words(printable(finding.title)), first=f"{finding.letter} ")
    cost = cost_text(finding) if finding.cost_ns else no_cost(finding)
    rule = shorten_words(finding.rule)
    parts = (
        (_("cost"), f"{cost} [{finding.id}]"),
        (_("rule"), _("{rule} Source: {source}.").format(rule=rule, source=finding.source)),
        (_("rows"), _join_rows(finding.rows)),
        (_("try"), finding.advice),
        (_("but"), finding.caveat),
    )
    for label, text in parts:
        if text:
            yield _paragraph(text, first=f"  {label:<6}", rest=" " * 8)


def _join_rows(rows: Sequence[EvidenceRow]) -> str:
    said = [_format_row(row) for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        said.append(_("{n} more").format(n=count(len(rows) - _MOST_ROWS)))
    return "; ".join(said)


# Markdown

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_BEGINNING = re.compile(r"^(\d{0,9})([-+=]|(?<=\d)[.)])(?=\s|[-=\s]*$)")
"""What makes a list, a rule or a heading of the line that it begins."""


def report_markdown(report: Report) -> Iterator[str]:
    """In pieces of whole lines."""
    document = report_document(report)
    yield f"## {escape_markdown(document.title)}\n\n"
    yield from _markdown_table(("", ""), document.facts)
    for title, tables in document.times:
        yield f"\n### {escape_markdown(title)}\n"
        for table in tables:
            yield from (f"\n{escape_markdown(' '.join(notes))}\n" for notes in table.notes)
            cells = [(row.name, separated(row.ns), row.per_cent, row.note) for row in table.rows]
            yield "\n"
            yield from _markdown_table(("", "us", _("share"), ""), cells, right=(1, 2))
    if document.why_no_busy:
        yield f"\n{escape_markdown(document.why_no_busy)}\n"
    yield f"\n### {escape_markdown(document.heading)}\n\n"
    if document.means:
        yield f"{escape_markdown(document.means)}\n\n"
    if document.findings:
        rows = [(one.letter, shorten_words(one.title), cost_text(one), one.id) for one in document.findings]
        yield from _markdown_table(("", _("finding"), _("cost"), _("id")), rows)
    for finding in document.findings:
        yield from _finding_details(finding)
    for title, texts in document.lists:
        yield f"\n### {title}\n\n"
        yield from (f"- {escape_markdown(text)}\n" for text in texts)


def escape_markdown(text: str) -> str:
    """Text as it is, on one line: nothing in it is Markdown or HTML."""
    return _BEGINNING.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", printable(text)))


def _markdown_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()
) -> Iterator[str]:
    rules = ["---:" if place in right else "---" for place in range(len(head))]
    yield _markdown_row(head) + f"| {' | '.join(rules)} |\n"
    yield from map(_markdown_row, rows)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(escape_markdown(cell) for cell in cells)} |\n"


def _finding_details(finding: Finding) -> Iterator[str]:
    yield f"\n<details><summary>{finding.letter} {_html(shorten_words(finding.title))}</summary>\n\n"
    parts = (
        (_("Rule"), f"{shorten_words(finding.rule)} ({finding.source})"),
        (_("Try"), finding.advice),
        (_("But"), finding.caveat),
    )
    for label, text in parts:
        if text:
            yield f"- **{label}**: {escape_markdown(text)}\n"
    for row in finding.rows:
        yield f"- {escape_markdown(_format_row(row))}\n"
    yield "\n</details>\n"


def _html(text: str) -> str:
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
