"""The findings as lines of a list, with what was not checked and what is missing behind them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from prof_tui.data.findings.finding import Finding, NotChecked, Result
from prof_tui.data.overview.missing import Missing
from prof_tui.words import _, printable, separated

_LOOKS = {"H": "bold red", "M": "yellow", "L": ""}
_SHARE_CELLS = 8
_COST_CELLS = 15


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


Entry = Finding | Unchecked | Lacking | Noted
"""What a line leads to."""


def key_of(entry: Entry) -> str:
    """What tells an entry from others, also in another reading of the files."""
    if isinstance(entry, Finding):
        return f"finding\n{entry.id}\n{entry.device}\n{entry.iteration}\n{entry.title}"
    if isinstance(entry, Unchecked):
        return f"unchecked\n{entry.why}"
    return f"missing\n{entry.why}" if isinstance(entry, Lacking) else f"noted\n{entry.text}"


def entries(
    results: Iterable[Result], missing: Iterable[Missing], notices: Iterable[str], device: int | None
) -> list[Entry]:
    """Findings that concern the device, dearest first; then what keeps more from being found."""
    found = [one for one in results if isinstance(one, Finding) and _concerns(one, device)]
    lacking = [one for one in results if isinstance(one, NotChecked)]
    ranked = sorted(found, key=lambda one: one.ranking)
    return [*ranked, *map(Noted, notices), *_unchecked(lacking), *_lacking(missing)]


def _concerns(finding: Finding, device: int | None) -> bool:
    return device is None or finding.device in (None, device)


def _unchecked(results: Iterable[NotChecked]) -> list[Unchecked]:
    ids: dict[tuple[str, str], list[str]] = {}
    for one in results:
        ids.setdefault((one.why, one.how), []).append(one.id)
    return [Unchecked(tuple(names), why, how) for (why, how), names in ids.items()]


def _lacking(missing: Iterable[Missing]) -> list[Lacking]:
    tables: dict[tuple[str, str], list[str]] = {}
    for one in missing:
        tables.setdefault((one.why, str(one.remedy or "")), []).append(one.table)
    return [Lacking(tuple(names), why, how) for (why, how), names in tables.items()]


def line(entry: Entry) -> Text:
    """One line: severity, share of the period, us, what; or a mark, what is missing and why."""
    if isinstance(entry, Finding):
        text = _finding_line(entry)
    elif isinstance(entry, Unchecked):
        text = Text.assemble("? ", _unchecked_text(entry), (f" {printable(entry.why)}", "dim"))
    elif isinstance(entry, Noted):
        text = Text.assemble(("! ", "bold"), printable(entry.text))
    else:
        said = _("missing {names}:").format(names=", ".join(entry.tables))
        text = Text.assemble("- ", said, (f" {printable(entry.why)}", "dim"))
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _unchecked_text(entry: Unchecked) -> str:
    if len(entry.ids) == 1:
        return _("not checked, {id}:").format(id=entry.ids[0])
    return _("not checked, {n} rules:").format(n=len(entry.ids))


def _finding_line(finding: Finding) -> Text:
    if finding.basis == "once":
        share = _("once")
    else:
        share = "" if finding.share is None else f"{100 * finding.share:.1f} %"
    cost = separated(finding.cost_ns) if finding.cost_ns else ""
    numbers = f"{share:>{_SHARE_CELLS}}{cost:>{_COST_CELLS}}  "
    return Text.assemble((finding.letter, _LOOKS[finding.letter]), numbers, printable(finding.title))


def columns() -> str:
    """What stands above the numbers of a finding's line."""
    return f" {_('share'):>{_SHARE_CELLS}}{_('us'):>{_COST_CELLS}}"
