"""Where one can go above the panes: frozen values that screens are made from, also on the way back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from prof_tui.data.query.query import Scope
from prof_tui.panes.table.questions import Place, Question

if TYPE_CHECKING:
    from prof_tui.data.tables.table import Table
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.tables import EventTable
    from prof_tui.panes.overview.findings_list import Entry


@dataclass(frozen=True)
class ToRow:
    """The page of a row of a table."""

    table: Table
    row: int


@dataclass(frozen=True)
class ToEvent:
    """The page of an event of a timeline."""

    index: TraceIndex
    event: int
    marked: int = 0
    """Which place of the list below the page is marked."""


@dataclass(frozen=True)
class ToEntry:
    """The page of a line of the overview: of ``entries`` the one ``at``."""

    entries: tuple[Entry, ...]
    at: int


@dataclass(frozen=True)
class ToIteration:
    """The timeline and the ops of an iteration, with the cursor on a row of the ops or on an event."""

    scope: Scope
    row: int | None = None
    event: int | None = None
    scope_after: Scope | None = None
    """What back leaves the scope at; None for the iteration, which was chosen."""


@dataclass(frozen=True)
class ToFile:
    """A table as it stands in its files."""

    title: str
    """The table's name."""
    question: Question | None = None
    """None for all rows in file order."""
    cursor: Place = Place()


@dataclass(frozen=True)
class ToEvents:
    """A list made from a timeline."""

    title: str
    """What its rows are."""
    make: Callable[[], EventTable]
    """May take long."""
    zero_ns: int
    """Where its times count from."""
    trace_name: str
    """The timeline that its events are of."""
    question: Question | None = None
    """None for the first one, largest first."""
    cursor: Place = Place()


Destination: TypeAlias = ToRow | ToEvent | ToEntry | ToIteration | ToFile | ToEvents
