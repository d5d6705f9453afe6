"""What an export lacks, and what to add to the next collection so that it is there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from prof_tui.data.capture.export import ONLY_TIMELINES, Export
from prof_tui.data.capture.file_sets import FileSet
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.run.notes import Collection
from prof_tui.words import _


class Lack(Protocol):
    """What is missing, or could not be checked for what is missing."""

    @property
    def why(self) -> str:
        """Sentences: what is missing, or what is wrong with it."""

    @property
    def how(self) -> str:
        """What to do to get it; may be empty."""


LackT = TypeVar("LackT", bound=Lack)


def group_by_reason(lacking: Iterable[LackT]) -> list[list[LackT]]:
    """What is lacking for the same reason together, in the order in which the reasons come."""
    groups: dict[tuple[str, str], list[LackT]] = {}
    for each in lacking:
        groups.setdefault((each.why, each.how), []).append(each)
    return list(groups.values())


def reason_of(lack: Lack) -> str:
    """Why, and how to get it, as one text."""
    return f"{lack.why} {lack.how}".strip()


@dataclass(frozen=True)
class Missing:
    """A table that the export lacks."""

    table: str
    why: str
    """Sentences: what makes it, or what is wrong with the file."""
    how: str = ""
    """What to add to the next collection; empty where the file is there and can't be read."""


_LEVEL_0 = ("op_summary", "task_time")
_LEVEL_1 = ("op_statistic",)


def missing_tables(export: Export, collected: Collection | None) -> tuple[Missing, ...]:
    """The usual tables and timelines that are not there or can't be read, as far as their names tell."""
    lacking = [each for each in (*export.tables, *export.timelines) if each.status != "ok"]
    timelines = {each.name for each in export.timelines if each.files}
    return tuple(
        _missing(each, collected, export.only_timelines) for each in lacking if each.name not in timelines
    )


def _missing(lacking: FileSet, collected: Collection | None, only_timelines: bool) -> Missing:
    if lacking.status != "missing":
        return Missing(lacking.name, lacking.reason)
    if lacking.name == "msprof":
        return Missing(lacking.name, _NO_TIMELINE)
    if only_timelines:
        return Missing(lacking.name, ONLY_TIMELINES)
    if _was_collected(lacking.name, collected):
        return Missing(lacking.name, _COLLECTED)
    return Missing(lacking.name, lacking.reason, _remedy(lacking.name))


_NO_TIMELINE = _(
    "Written by msprof --export=on --output=PROF_XXX; add --type=text where that writes a database only."
)
_COLLECTED = _(
    "sample.json says that it was collected: nothing ran that it records, or its export failed; "
    "run msprof --export=on --output=PROF_XXX again and read what it prints."
)


def _was_collected(table: str, collected: Collection | None) -> bool:
    """Whether the switch that makes a table was on."""
    if collected is None:
        return False
    if table in _LEVEL_0:
        return bool(collected.level)
    if table in _LEVEL_1:
        return collected.level not in ("", "l0")
    return table == "api_statistic" and "--ascendcl" in collected.switches


def _remedy(table: str) -> str:
    """Empty where nobody knows what PROFILING_OPTIONS calls it."""
    option = KINDS[table].option if table in KINDS else None
    return option.remedy if option and option.entry else ""
