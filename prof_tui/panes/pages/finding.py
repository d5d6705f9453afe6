"""The page of a finding, of rules that were not checked, or of tables that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.findings.finding import Evidence, EvidenceRow, Finding, TableEvidence
from prof_tui.data.findings.texts import cost_text
from prof_tui.data.report.fail_on import value_text
from prof_tui.panes.overview.findings_list import Entry, Lacking, Noted, Unchecked, WholeRun
from prof_tui.panes.pages.page import Page, Section, indent, paragraphs
from prof_tui.widgets.cell_text import cut_middle
from prof_tui.widgets.sparkline import bar
from prof_tui.words import _, count, duration, ngettext, printable, separated

_BAR_CELLS = 10
_MOST_NAMED = 3
"""Rules or tables that a title names."""
_WIDE = 100
"""Cells from which on there is room for bars."""
_MOST_LINES = 3
"""Lines that a title may fill."""
_SEVERITIES = {"H": _("high"), "M": _("medium"), "L": _("low")}


def entry_page(entries: Sequence[Entry], at: int, width: int) -> Page:
    """All that is known of a line of the overview, for a screen of ``width`` cells."""
    entry = entries[at]
    title = tuple(filter(None, (_title(entry), _place_among(entries, at))))
    if isinstance(entry, WholeRun):
        return _run_page(entry, title)
    return (
        _finding_page(entry, title, width) if isinstance(entry, Finding) else _other_page(entry, title, width)
    )


def _title(entry: Entry) -> str:
    """What the page is about, for the title line."""
    if isinstance(entry, Finding):
        return _("finding {id}").format(id=entry.id)
    if isinstance(entry, Unchecked):
        return _("not checked: {names}").format(names=_join_names(entry.ids, _("rules")))
    if isinstance(entry, Lacking):
        return _("missing: {names}").format(names=_join_names(entry.tables, _("tables")))
    if isinstance(entry, WholeRun):
        return _("the run and its times")
    return _("notice on {table}").format(table=entry.about) if entry.about else _("notice on the findings")


def _place_among(entries: Sequence[Entry], at: int) -> str:
    """``1 of 10 findings``: which of its kind an entry is; empty for the one on the run."""
    entry = entries[at]
    alike = [place for place, other in enumerate(entries) if type(other) is type(entry)]
    if isinstance(entry, WholeRun):
        return ""
    text = _("{at} of {n}")
    if isinstance(entry, Finding):
        text = ngettext("{at} of {n} finding", "{at} of {n} findings", len(alike))
    return text.format(at=count(alike.index(at) + 1), n=count(len(alike)))


def _join_names(names: tuple[str, ...], what: str) -> str:
    """Their names, or how many where these are many."""
    return ", ".join(names) if len(names) <= _MOST_NAMED else f"{count(len(names))} {what}"


def _run_page(run: WholeRun, title: tuple[str, ...]) -> Page:
    sections = tuple(Section(title, (paragraphs(lines),)) for title, lines in run.sections)
    copied = (f"{title}: {line}" for title, lines in run.sections for line in lines)
    return Page(title, "", sections, "\n".join(copied))


def _finding_page(finding: Finding, title: tuple[str, ...], width: int) -> Page:
    severity, cost = _SEVERITIES[finding.letter], cost_text(finding)
    lead = (
        Text(cut_middle(finding.title, _MOST_LINES * width), style="bold"),
        Text(_("{severity}: {cost}").format(severity=severity, cost=cost)),
        Text(_("costs of several findings overlap: don't add them up"), style="dim"),
    )
    rows = [Section(_("Rows"), (_rows(finding.rows, width, bars=width >= _WIDE),))] if finding.rows else []
    texts = _texts(finding)
    script = f"--fail-on {finding.id}  ({value_text(finding)})"
    sections = (Section("", lead), *rows, *_sections([*texts, (_("For scripts"), script)]))
    copied = (finding.title, cost, *_lines(texts), *map(_row_line, finding.rows))
    return Page(title, "", sections, "\n".join(copied))


def _other_page(entry: Unchecked | Lacking | Noted, title: tuple[str, ...], width: int) -> Page:
    lead, texts = _lead(entry), _texts(entry)
    shown = cut_middle(lead, _MOST_LINES * width) if texts else printable(lead)
    sections = (Section("", (Text(shown, style="bold"),)), *_sections(texts))
    return Page(title, "", sections, "\n".join([lead, *_lines(texts)]))


def _sections(texts: Iterable[tuple[str, str]]) -> Iterator[Section]:
    return (Section(title, (paragraphs([text]),)) for title, text in texts)


def _lines(texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{title}: {text}" for title, text in texts)


def _lead(entry: Unchecked | Lacking | Noted) -> str:
    """What matters most, in one sentence."""
    if isinstance(entry, Noted):
        return entry.text
    if isinstance(entry, Unchecked):
        return _("Not checked: {why}").format(why=entry.why)
    return _("Not in this export: {tables}.").format(tables=", ".join(entry.tables))


def _texts(entry: Finding | Unchecked | Lacking | Noted) -> list[tuple[str, str]]:
    """Title and text of each section that says something."""
    if isinstance(entry, Finding):
        evidence = "" if entry.evidence is None else _evidence_text(entry.evidence)
        texts = [
            (_("What to try"), entry.advice),
            (_("Rule"), entry.rule),
            (_("Source"), entry.source),
            (_("What could make it wrong"), entry.caveat),
            (_("Evidence"), evidence),
        ]
    elif isinstance(entry, Unchecked):
        texts = [(_("How to get it"), entry.how), (_("Rules that need it"), ", ".join(entry.ids))]
    elif isinstance(entry, Lacking):
        shows = [(table, KINDS[table].meaning) for table in entry.tables if table in KINDS]
        texts = [(_("How to get it"), entry.how), (_("Why"), entry.why), *shows]
    else:
        texts = []
    return [(title, text) for title, text in texts if text]


def _evidence_text(evidence: Evidence) -> str:
    """What Enter shows."""
    if not isinstance(evidence, TableEvidence):
        text = _("Enter shows {length} of the timeline.")
        return text.format(length=duration(evidence.end_ns - evidence.begin_ns))
    query = evidence.query
    pane = {
        "step_trace": _("step trace"),
        "op_statistic": _("op statistic"),
        "op_summary": _("op summary"),
    }[evidence.pane]
    parts = [_("Enter opens {pane}").format(pane=pane)]
    if query.filters:
        parts.append(_("filtered to {filters}").format(filters="; ".join(map(str, query.filters))))
    if query.sort is not None:
        parts.append(_("sorted by {column}").format(column=query.sort.column))
    return ", ".join(parts) + "."


def _rows(rows: tuple[EvidenceRow, ...], width: int, *, bars: bool) -> Padding:
    """Label, count, time and note; columns that no row has take no room.

    Labels and notes of more than ``width`` cells are cut: what to try is to stay in sight below them.
    """
    longest = max((row.time_ns or 0 for row in rows), default=0)
    cells = [
        (
            cut_middle(row.label, width),
            "" if row.count is None else f"{count(row.count)} x",
            "" if row.time_ns is None else f"{separated(row.time_ns)} us",
            bar(max(0, row.time_ns or 0), longest, _BAR_CELLS) if bars and longest else "",
            cut_middle(row.note, width),
        )
        for row in rows
    ]
    used = [place for place in range(len(cells[0])) if any(row[place] for row in cells)]
    grid = Table.grid(padding=(0, 2), expand=True)
    for place in used:
        if place in (0, 4):
            grid.add_column(ratio=1, overflow="fold")
        else:
            grid.add_column(justify="right", no_wrap=True)
    for row in cells:
        grid.add_row(*(Text(row[place], style="dim" if place == 4 else "") for place in used))
    return indent(grid)


def _row_line(row: EvidenceRow) -> str:
    parts = [
        printable(row.label),
        "" if row.count is None else f"{count(row.count)} x",
        "" if row.time_ns is None else duration(row.time_ns),
        printable(row.note),
    ]
    return "  ".join(part for part in parts if part)
