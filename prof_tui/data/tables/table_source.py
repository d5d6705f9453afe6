"""One file of a table, and how whoever reads it is told to go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prof_tui.data.tables.stores import RowStore
from prof_tui.errors import CancelledError
from prof_tui.words import _

Progress = Callable[[int, int], bool]
"""Called with steps done and steps in all; returns False to cancel."""


def go_on(_done: int, _all: int) -> bool:
    """The Progress of who neither watches nor cancels."""
    return True


@dataclass(frozen=True)
class TableSource:
    """One file's rows, and what its name says of all of them; None where the name says nothing."""

    file_name: str
    store: RowStore
    device: int | None = None
    model: int | None = None
    iteration: int | None = None


def step(progress: Progress, done: int, steps: int) -> None:
    if not progress(done, steps):
        raise CancelledError(_("Cancelled."))
