"""The findings as lines of a list, with what was not checked and what is missing behind them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import OptionList

from prof_tui.data.findings.finding import Finding, NotChecked, Result
from prof_tui.data.run.missing import Missing, group_by_reason
from prof_tui.data.run.overview import DeviceTimes, Overview
from prof_tui.data.run.texts import run_texts, time_tables, whose
from prof_tui.widgets.keys import key
from prof_tui.words import _, duration, glyphs, printable, separated

_key = partial(key, "overview")

_LOOKS = {"H": "bold red", "M": "yellow", "L": ""}
_LONG_NAME = re.compile(r"[^\s/]{0,80}/\S*/(?=[^\s/])")
"""The scopes of a name in a graph, all that stands before its last part."""


@dataclass(frozen=True)
class Unchecked:
    """Rules that could not be checked for the same reason."""

    ids: tuple[str, ...]
    why: str
    how: str


@dataclass(frozen=True)
class Lacking:
    """Tables that are missing for the same reason."""

    tables: tuple[str, ...]
    why: str
    how: str


@dataclass(frozen=True)
class Noted:
    """A sentence on what the overview was made from."""

    text: str
    about: str = ""
    """The table; empty where it is of no table alone."""


@dataclass(frozen=True)
class WholeRun:
    """All that stands above the findings, uncut."""

    sections: tuple[tuple[str, tuple[str, ...]], ...]
    """Title and lines of each."""


Entry = Finding | Unchecked | Lacking | Noted | WholeRun
"""What a line leads to."""


@dataclass
class EntryEntered(Message):
    """The user clicks a line of the list."""

    entries: tuple[Entry, ...]
    at: int


@dataclass(frozen=True)
class Cells:
    """How wide the numbers of a finding's line are."""

    share: int = 7
    cost: int = 14


def cells_for(entries: Iterable[Entry]) -> Cells:
    """Widths of the longest numbers, so that the titles behind them get the rest."""
    found = [_numbers(entry) for entry in entries if isinstance(entry, Finding)]
    shares = max((len(share) for share, _cost in found), default=0)
    costs = max((len(cost) for _share, cost in found), default=0)
    return Cells(max(shares, len(_("share"))), max(costs, len(_("us"))))


def key_of(entry: Entry) -> str:
    """What tells an entry from others, also in another reading of the files."""
    if isinstance(entry, Finding):
        return f"finding\n{entry.id}\n{entry.device}\n{entry.iteration}\n{entry.title}"
    if isinstance(entry, Unchecked):
        return f"unchecked\n{entry.why}"
    if isinstance(entry, Lacking):
        return f"missing\n{entry.why}"
    return f"noted\n{entry.text}" if isinstance(entry, Noted) else "run"


def entries(
    results: Sequence[Result], missing: Iterable[Missing], notices: Iterable[Noted], device: int | None
) -> list[Entry]:
    """Findings that concern the device, by cost; then what keeps more from being found."""
    found = [one for one in results if isinstance(one, Finding)]
    ranked = sorted(
        (one for one in found if device is None or one.device in (None, device)), key=lambda one: one.ranking
    )
    unchecked = group_by_reason(one for one in results if isinstance(one, NotChecked))
    return [
        *ranked,
        *notices,
        *(Unchecked(tuple(one.id for one in alike), alike[0].why, alike[0].how) for alike in unchecked),
        *(
            Lacking(tuple(one.table for one in alike), alike[0].why, alike[0].how)
            for alike in group_by_reason(missing)
        ),
    ]


def whole_run(overview: Overview, device: int | None) -> WholeRun:
    """The page of the run, as far as it was read; of ``device`` alone where it is among its devices."""
    said = run_texts(overview)
    sections = (
        (_("Capture"), (overview.run.capture,)),
        (_("Run"), (said.headline,)),
        (_("Devices"), said.devices),
        (_("Collected with"), (said.collected,)),
        (_("Exported as"), (said.exported,)),
        (_("Models"), said.models),
        (_("Whole"), (said.whole,)),
        *(
            (_("Times of {device}").format(device=whose(own)), tuple(_time_lines(own)))
            for own in overview.devices(device)
        ),
    )
    return WholeRun(
        tuple((title, tuple(line for line in lines if line)) for title, lines in sections if any(lines))
    )


def _time_lines(device: DeviceTimes) -> Iterator[str]:
    for table in time_tables(device):
        yield from (" ".join(notes) for notes in table.notes)
        for row in table.rows:
            said = f"{row.name}  {duration(row.ns)}  {row.per_cent}".rstrip()
            yield f"{said}  ({row.note})" if row.note else said


def line(entry: Entry, cells: Cells = Cells(), width: int | None = None) -> Text:
    """One line: severity, share of the period, us, what; or a mark, what is missing and why.

    Where it is longer than ``width``, names in a graph lose their scopes.  What is of one iteration alone
    is bold: it is unusual, where others say what time goes to.
    """
    text = _line(entry, cells)
    if width is not None and text.cell_len > width:
        text = _line(entry, cells, short=True)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _line(entry: Entry, cells: Cells, *, short: bool = False) -> Text:
    if isinstance(entry, Finding):
        return _finding_line(entry, cells, short=short)
    if isinstance(entry, Unchecked):
        return Text.assemble("? ", _unchecked_text(entry), (f" {printable(entry.why)}", "dim"))
    if isinstance(entry, Noted):
        return Text.assemble(("! ", "bold"), printable(entry.text))
    if isinstance(entry, WholeRun):
        return Text(f"{glyphs().bullet} {WHOLE_RUN}")
    said = _("missing {names}:").format(names=", ".join(entry.tables))
    return Text.assemble("- ", said, (f" {printable(entry.why)}", "dim"))


WHOLE_RUN = _("the run and its times, uncut: how it was collected and exported, its models and devices")


def _unchecked_text(entry: Unchecked) -> str:
    if len(entry.ids) == 1:
        return _("not checked, {id}:").format(id=entry.ids[0])
    return _("not checked, {n} rules:").format(n=len(entry.ids))


def _finding_line(finding: Finding, cells: Cells, *, short: bool) -> Text:
    share, cost = _numbers(finding)
    title = printable(finding.title)
    if short:
        title = _LONG_NAME.sub(f"{glyphs().ellipsis}/", title)
    numbers = f" {share:>{cells.share}} {cost:>{cells.cost}}  "
    look = "" if finding.iteration is None else "bold"
    return Text.assemble((finding.letter, _LOOKS[finding.letter]), numbers, (title, look))


def _numbers(finding: Finding) -> tuple[str, str]:
    """Share and cost; empty where there is none."""
    cost = separated(finding.cost_ns) if finding.cost_ns else ""
    if finding.basis == "once":
        return _("once"), cost
    return f"{100 * finding.share:.1f} %" if finding.share and cost else "", cost


def columns(cells: Cells = Cells()) -> str:
    """What stands above the numbers of a finding's line."""
    return f"  {_('share'):>{cells.share}} {_('us'):>{cells.cost}}"


class FindingsList(OptionList):
    """Lines that are cut, not wrapped; Enter goes into one."""

    DEFAULT_CSS = """
    FindingsList, FindingsList:focus {
        padding: 0 1; border: none; scrollbar-size: 1 1; text-wrap: nowrap; text-overflow: ellipsis;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        _key(
            "enter",
            "screen.open_entry",
            _("Open"),
            _("The finding's page: its rule, its rows, what to try"),
            show=True,
        ),
        _key("j", "cursor_down", _("Down"), _("The next line")),
        _key("k", "cursor_up", _("Up"), _("The line before")),
        _key("g", "first", _("First line"), _("The first line")),
        _key("G", "last", _("Last line"), _("The last line")),
    ]
    BINDING_GROUP_TITLE = _("Overview pane")
