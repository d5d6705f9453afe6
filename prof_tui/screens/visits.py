"""Where the user was, for the way back."""

from __future__ import annotations

from dataclasses import dataclass

from textual.screen import Screen

from prof_tui.data.query.query import Scope


@dataclass(frozen=True)
class Lent:
    """A table pane that shows something for a look, and what was there before."""

    pane: str
    standing: object
    """What the pane showed; None where it was not open."""
    scope: Scope | None
    """The screen's; None where the look leaves that as it is."""


@dataclass(frozen=True)
class Visit:
    """A pane with what it showed, and what stood above it."""

    pane: str
    standing: object
    """As the pane says it."""
    above: tuple[Screen[None], ...] = ()
    """Screens to be pushed again, the lowest first."""
    lent: Lent | None = None
    """What is given back on the way."""
