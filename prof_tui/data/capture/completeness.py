"""Whether the capture is whole: what it lacks, what it can't tell, and which figures that touches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from prof_tui.words import _, printable

LackId = Literal[
    "incomplete_slices",
    "incomplete_files",
    "incomplete_iterations",
    "incomplete_task_time",
    "incomplete_timeline",
    "incomplete_op_statistic",
]
"""What ``--fail-on`` asks for."""

TWINS: tuple[LackId, ...] = ("incomplete_task_time", "incomplete_timeline", "incomplete_op_statistic")
"""Lacks that two tables of the same ops tell of each other."""


@dataclass(frozen=True)
class Lack:
    """Something that is not there although something else says that it was."""

    id: LackId
    text: str
    """What, without a full stop."""
    number: int
    """How many slices, files, iterations or ops are concerned."""
    tables: tuple[str, ...] = ()
    """File types whose rows are missing."""
    kinds: tuple[tuple[str, int], ...] = ()
    """What is missing by name, with how many of each."""
    rule: str = ""
    """The condition with its numbers."""
    caveat: str = ""
    """What else it may be."""
    device: int | None = None
    model: int | None = None
    iterations: tuple[int, ...] = ()
    """``device``, ``model``, ``iterations``: what is covered only in part, where it is that."""


@dataclass(frozen=True)
class Unchecked:
    """A part of the check that could not be made."""

    id: LackId
    what: str
    """In a word or two."""
    why: str
    how: str = ""


@dataclass(frozen=True)
class Completeness:
    """What was found so far."""

    lacks: tuple[Lack, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    is_final: bool = False
    """False while only names, sizes and ends of files were looked at."""

    @property
    def is_complete(self) -> bool | None:
        """None where nothing is known to be missing, and no two tables could be compared."""
        if self.lacks:
            return False
        compared = not {*TWINS, "incomplete_iterations"} <= {each.id for each in self.unchecked}
        return True if compared else None

    @property
    def line(self) -> str:
        """``complete``, or what is missing; and what was not checked."""
        said = "; ".join(lack.text for lack in self.lacks)
        whole = _("complete") if self.is_complete else _("nothing is known to be missing")
        text = _("incomplete: {lacks}").format(lacks=said) if said else whole
        if not self.is_final:
            text = text if said else _("complete by names, sizes and ends of files")
        elif self.unchecked:
            unchecked = ", ".join(dict.fromkeys(each.what for each in self.unchecked))
            text = _("{text}; not checked: {what}").format(text=text, what=unchecked)
        return printable(text)

    def lacking(self, *tables: str) -> str:
        """What rows of some tables are missing, for a sentence; empty where none is known to be."""
        touched = (lack.text for lack in self.lacks if set(lack.tables) & set(tables))
        return printable("; ".join(touched))

    def partly(self, device: int | None, model: int | None) -> tuple[int, ...]:
        """Iteration IDs of a model that are covered only in part."""
        own = (lack for lack in self.lacks if (lack.device, lack.model) == (device, model))
        return tuple(sorted({iteration for lack in own for iteration in lack.iterations}))

    def why_unchecked(self, id_: str) -> Unchecked | None:
        """Why lacks of this id could not be looked for; None where they were."""
        return next((each for each in self.unchecked if each.id == id_), None)


UNKNOWN = Completeness()
"""Before anything was looked at."""


def joined(parts: Iterable[Completeness]) -> Completeness:
    """What several parts of the check found, as its final result."""
    known = tuple(parts)
    return Completeness(
        tuple(lack for part in known for lack in part.lacks),
        tuple(each for part in known for each in part.unchecked),
        is_final=True,
    )
