"""What is asked of a table and what is answered: frozen values that panes and the command line share.

Two queries that are equal have the same answer, so an answer to another query is known to be stale.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from prof_tui.errors import UsageError
from prof_tui.words import _, number_text

if TYPE_CHECKING:
    import polars as pl


Outside = Literal["outside"]
OUTSIDE: Outside = "outside"
"""In place of an iteration: the ops that are in none."""

OPERATORS = ("=", "!=", "<=", ">=", "<", ">", "~", "!~")
_WHERE = re.compile(
    r"^\s*(?P<column>.+?)\s+(?P<operator>!=|<=|>=|!~|=|<|>|~)(?:\s+(?P<value>.*))?$", re.DOTALL
)


@dataclass(frozen=True)
class Scope:
    """Which device, model and iteration is looked at; None for all."""

    device: int | None = None
    model: int | None = None
    iteration: int | Outside | None = None


@dataclass(frozen=True)
class Where:
    """A condition on one column: ``Task Duration(us) > 100``; ``~`` is contains, case ignored."""

    column: str
    operator: str
    value: str

    def __str__(self) -> str:
        return f"{self.column} {self.operator} {self.value}"


@dataclass(frozen=True)
class OneOf:
    """A text column has one of these values; N/A is a value."""

    column: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.column}: {', '.join(self.values)}"


@dataclass(frozen=True)
class OnFrom:
    """In place of an iteration: all from the one with this Iteration ID on, up to another if told."""

    first: int
    last: int | None = None

    def __str__(self) -> str:
        if self.last is None:
            return _("from {first} on").format(first=self.first)
        return _("from {first} to {last}").format(first=self.first, last=self.last)


class ModelFrom(NamedTuple):
    """The iterations of a model of a device from one on."""

    device: int | None
    model: int | None
    first: int
    """Iteration ID."""
    without: tuple[int, ...] = ()
    """Later ones that don't count all the same."""
    last: int | None = None
    """The last Iteration ID; None for all."""

    def __str__(self) -> str:
        said = _("Iteration ID >= {first}").format(first=self.first)
        if self.last is not None:
            said = _("Iteration ID {first} to {last}").format(first=self.first, last=self.last)
        if self.without:
            named = ", ".join(map(str, self.without[:_MOST_NAMED]))
            more = len(self.without) - _MOST_NAMED
            said += " " + (_("but {ids}") if more <= 0 else _("but {ids} and {n} more")).format(
                ids=named, n=more
            )
        return _("{iterations}, Model ID {model}").format(iterations=said, model=number_text(self.model))


_MOST_NAMED = 3

PLACED = ("op_summary", "task_time", "step_trace")
"""Tables whose rows are in iterations."""


@dataclass(frozen=True)
class Iterations:
    """A row is in an iteration of one of these models of a device, from the first one named on."""

    firsts: tuple[ModelFrom, ...]

    def __str__(self) -> str:
        if len(alike := dict.fromkeys(map(str, self.firsts))) == 1:
            return next(iter(alike))
        text = _("device {device}: {iterations}")
        said = (text.format(device=number_text(each.device), iterations=each) for each in self.firsts)
        return _(" or ").join(said)


Condition = Where | OneOf | Iterations


@dataclass(frozen=True)
class Sort:
    column: str
    descending: bool


@dataclass(frozen=True)
class Query:
    """Conditions are joined by AND; without ``sort`` rows come in file order."""

    scope: Scope = Scope()
    filters: tuple[Condition, ...] = ()
    find: str = ""
    sort: Sort | None = None

    def filtered(self, added: Condition) -> Query:
        """With one more condition; choosing values of a column again replaces the earlier choice."""
        kept = tuple(
            each
            for each in self.filters
            if not (isinstance(added, OneOf) and isinstance(each, OneOf) and each.column == added.column)
        )
        return self if added in self.filters else replace(self, filters=(*kept, added))

    def chosen(self, column: str) -> tuple[str, ...]:
        """The values chosen of a column by OneOf; empty for all."""
        return next((f.values for f in self.filters if isinstance(f, OneOf) and f.column == column), ())


def parse_where(text: str) -> Where:
    """``COLUMN OP VALUE`` with blanks around OP; UsageError when there is no operator, or no value."""
    match = _WHERE.match(text)
    if not match:
        raise UsageError(
            _(
                "{text!r} is not a condition: "
                "write COLUMN OP VALUE with blanks around OP, one of {operators}."
            ).format(text=text, operators=" ".join(OPERATORS))
        )
    value = (match["value"] or "").strip()
    if not value:
        said = _("{text!r} has no value to compare with: write one behind {operator}; for no value N/A.")
        raise UsageError(said.format(text=text.strip(), operator=match["operator"]))
    return Where(match["column"], match["operator"], value)


def first_descending(kind: str) -> bool:
    """Which way a column is sorted first: numbers descending, text and absolute times ascending."""
    return kind not in ("text", "time")


@dataclass(frozen=True)
class View:
    """Row numbers that answer a query."""

    query: Query
    rows: pl.Series
    """UInt32, in the order asked for."""
    total: int
    """Rows of the table after the choice of device."""
    in_scope: int
    """Rows of the whole scope, whatever the conditions say."""
    near: tuple[str, ...] = ()
    """Where no row matches, sentences on what the conditions may mean."""

    @property
    def matched(self) -> int:
        return len(self.rows)


def place_of(view: View, row: int) -> int | None:
    """The place of a row number in a view; None when it isn't in it."""
    found = (view.rows == row).arg_true()
    return int(found[0]) if len(found) else None


def nearest_place(view: View, row: int | None, before: View | None, place: int) -> int:
    """Where the cursor goes in ``view`` so that it stays on ``row``, or on the nearest that is left.

    ``before`` and ``place`` are the view that the cursor was in and where; the first row that followed
    there and is still shown counts as nearest, else the last one before.
    """
    if row is None or not view.matched:
        return 0
    found = place_of(view, row)
    if found is not None:
        return found
    if before is None:
        return 0
    following = before.rows[place:]
    left = following.filter(following.is_in(view.rows.implode()))
    if len(left):
        return place_of(view, int(left[0])) or 0
    earlier = before.rows[:place]
    left = earlier.filter(earlier.is_in(view.rows.implode()))
    return (place_of(view, int(left[-1])) or 0) if len(left) else 0
