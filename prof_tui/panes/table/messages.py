"""What table panes tell: to their screen what the user did, to themselves what a worker found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.panes.pane import FromPane
from prof_tui.panes.table.questions import Answer, Opening, Question
from prof_tui.widgets.table.table import Row

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.query.query import View
    from prof_tui.data.tables.table import Table
    from prof_tui.panes.table.hooks import TableHooks


@dataclass
class FromTable(FromPane):
    """Whatever a table pane tells."""

    pane: TableHooks


@dataclass
class Entered(FromTable):
    """The user goes into a row; ``row`` is its row number."""

    row: int


@dataclass
class TableOpened(FromTable):
    opening: Opening
    head: list[list[str | None]]


@dataclass
class TableRefused(FromTable):
    sentence: str


@dataclass
class ViewAnswered(FromTable):
    answer: Answer
    first: int
    cells: list[list[str | None]]
    """Of the rows around the cursor, from place ``first`` on."""
    rows: list[Row]
    """The same as they are drawn."""
    moved_from: int | None
    """The row number under the cursor when it was asked; None where the answer says where the cursor goes."""


@dataclass
class ViewFailed(FromTable):
    question: Question
    sentence: str


@dataclass
class PageRead(FromTable):
    generation: int
    first: int
    rows: list[Row]
    trouble: str = ""


@dataclass
class TextFound(FromTable):
    text: str
    view: View
    places: pl.Series
    move: bool


@dataclass
class StepDone(FromTable):
    done: int
    steps: int


@dataclass
class RowsJudged(FromTable):
    """All rows of a large table were looked at: damaged ones are left out or put right from now on."""

    table: Table


@dataclass
class RowRead(FromTable):
    """A worker read a whole row for ``then``."""

    then: Callable[[list[str | None]], None]
    cells: list[str | None]
