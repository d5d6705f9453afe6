"""The page of a finding, of rules that were not checked, or of tables that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.findings.finding import Evidence, EvidenceRow, Finding, TableEvidence
from prof_tui.data.findings.texts import cost_text
from prof_tui.data.report.fail_on import value_text
from prof_tui.panes.overview.findings_list import Entry, Lacking, Noted, Unchecked, WholeRun
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


def entry_page(entry: Entry, width: int) -> Group:
    """All that is known of a line of the overview."""
    if isinstance(entry, Finding):
        return Group(*_finding(entry, width))
    return Group(*(_whole_run(entry) if isinstance(entry, WholeRun) else _other(entry, width)))


def page_title(entry: Entry) -> str:
    """What the page is about, for the title line."""
    if isinstance(entry, Finding):
        return _("finding {id}").format(id=entry.id)
    if isinstance(entry, Unchecked):
        return _("not checked: {names}").format(names=_named(entry.ids, _("rules")))
    if isinstance(entry, Lacking):
        return _("missing: {names}").format(names=_named(entry.tables, _("tables")))
    if isinstance(entry, WholeRun):
        return _("the run and its times")
    return _("notice on {table}").format(table=entry.about) if entry.about else _("notice on the findings")


def place_among(entries: Sequence[Entry], at: int) -> str:
    """``1 of 10 findings``: which of its kind an entry is; empty for the one on the run."""
    entry = entries[at]
    alike = [place for place, other in enumerate(entries) if type(other) is type(entry)]
    if isinstance(entry, WholeRun):
        return ""
    text = _("{at} of {n}")
    if isinstance(entry, Finding):
        text = ngettext("{at} of {n} finding", "{at} of {n} findings", len(alike))
    return text.format(at=count(alike.index(at) + 1), n=count(len(alike)))


def _named(names: tuple[str, ...], what: str) -> str:
    """Their names, or how many where these are many."""
    return ", ".join(names) if len(names) <= _MOST_NAMED else f"{count(len(names))} {what}"


def page_text(entry: Entry) -> str:
    """The page as plain text, for a copy."""
    if isinstance(entry, WholeRun):
        return "\n".join(f"{title}: {line}" for title, lines in entry.sections for line in lines)
    if not isinstance(entry, Finding):
        return "\n".join([_lead(entry), *(f"{title}: {said}" for title, said in _sections(entry))])
    rows = [_row_line(row) for row in entry.rows]
    said = [f"{title}: {text}" for title, text in _sections(entry)]
    return "\n".join([entry.title, cost_text(entry), *said, *rows])


def _finding(finding: Finding, width: int) -> Iterator[RenderableType]:
    severity = _SEVERITIES[finding.letter]
    yield Text(cut_middle(finding.title, _MOST_LINES * width), style="bold")
    yield Text(_("{severity}: {cost}").format(severity=severity, cost=cost_text(finding)))
    yield Text(_("costs of several findings overlap: never add them"), style="dim")
    if finding.rows:
        yield _heading(_("Rows"))
        yield Padding(_rows(finding.rows, width, bars=width >= _WIDE), (0, 0, 0, 2))
    yield from _texts(_sections(finding))
    yield _heading(_("For scripts"))
    yield _paragraph(f"--fail-on {finding.id}  ({value_text(finding)})")


def _other(entry: Unchecked | Lacking | Noted, width: int) -> Iterator[RenderableType]:
    lead, sections = _lead(entry), _sections(entry)
    yield Text(cut_middle(lead, _MOST_LINES * width) if sections else printable(lead), style="bold")
    yield from _texts(sections)


def _whole_run(entry: WholeRun) -> Iterator[RenderableType]:
    for place, (title, lines) in enumerate(entry.sections):
        yield _heading(title) if place else Text(title, style="bold underline")
        yield from map(_paragraph, lines)


def _lead(entry: Unchecked | Lacking | Noted) -> str:
    """What matters most, in one sentence."""
    if isinstance(entry, Noted):
        return entry.text
    if isinstance(entry, Unchecked):
        return _("Not checked: {why}").format(why=entry.why)
    return _("Not in this export: {tables}.").format(tables=", ".join(entry.tables))


def _sections(entry: Finding | Unchecked | Lacking | Noted) -> list[tuple[str, str]]:
    if isinstance(entry, Finding):
        evidence = "" if entry.evidence is None else evidence_text(entry.evidence)
        sections = [
            (_("What to try"), entry.advice),
            (_("Rule"), entry.rule),
            (_("Source"), entry.source),
            (_("What could make it wrong"), entry.caveat),
            (_("Evidence"), evidence),
        ]
    elif isinstance(entry, Unchecked):
        sections = [(_("How to get it"), entry.how), (_("Rules that need it"), ", ".join(entry.ids))]
    elif isinstance(entry, Lacking):
        shows = [(table, KINDS[table].meaning) for table in entry.tables if table in KINDS]
        sections = [(_("How to get it"), entry.how), (_("Why"), entry.why), *shows]
    else:
        sections = []
    return [(title, text) for title, text in sections if text]


def evidence_text(evidence: Evidence) -> str:
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


def _heading(text: str) -> Text:
    return Text("\n" + text, style="bold underline")


def _texts(sections: Iterable[tuple[str, str]]) -> Iterator[RenderableType]:
    for title, text in sections:
        yield _heading(title)
        yield _paragraph(text)


def _paragraph(text: str) -> RenderableType:
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(Text(printable(text)))
    return Padding(grid, (0, 0, 0, 2))


def _rows(rows: tuple[EvidenceRow, ...], width: int, *, bars: bool) -> Table:
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
    return grid


def _row_line(row: EvidenceRow) -> str:
    parts = [
        printable(row.label),
        "" if row.count is None else f"{count(row.count)} x",
        "" if row.time_ns is None else duration(row.time_ns),
        printable(row.note),
    ]
    return "  ".join(part for part in parts if part)
