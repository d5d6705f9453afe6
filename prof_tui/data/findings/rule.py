"""What a rule is: its ids and value, what it needs, what it wants summed, and the function that judges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.findings.finding import Finding, Result, Unit
from prof_tui.data.findings.sums import Gathering
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.findings.facts import Run

STEP_TRACE = "step_trace"
"""Needed by a rule: iterations of a main model."""
OPS = "op_summary"
"""Needed: ops in scope with a duration."""
TIMES = "timeline"
"""Needed: ops in scope with a start and a duration."""
TALK = "communication"
"""Needed: a timeline that was read, or ops in scope with a start, a duration and a Task Type."""
TRACE = "trace"
"""Of use to a rule: a timeline file, which takes longest to read."""


@dataclass(frozen=True)
class Value:
    """What ``--fail-on ID:>VALUE`` compares."""

    unit: Unit
    meaning: str
    """What it is, with its unit."""


OF_PERIOD = Value("%", _("its cost, % of the period"))
OF_OP_TIME = Value("%", _("% of op time"))


@dataclass(frozen=True)
class Rule:
    """One rule; it is judged where all that it needs is there, and gives nothing where it does not hold."""

    id: str
    """Of the rule; of its finding too, where ``ids`` names no others."""
    needs: tuple[str, ...]
    """STEP_TRACE, OPS, TIMES, TALK, and ids of columns of op_summary that some op in scope has a value in."""
    results: Callable[[Run, pl.DataFrame], Iterable[Result]]
    """Called with the run, and what ``gathers`` summed: an empty frame where that is None."""
    gathers: Gathering | None = None
    also: tuple[str, ...] = ()
    """Columns that are read where they are there; OPS: judged after the ops are read, if they can be; TRACE:
    judged last, after the timeline is read, if it is small enough."""
    ids: tuple[str, ...] = ()
    """The ids of the findings that it may give, where they are not ``id`` alone."""
    value: Value = OF_PERIOD
    """Of each of its findings."""
    how: str = ""
    """How to get a column that it needs."""

    @property
    def finding_ids(self) -> tuple[str, ...]:
        return self.ids or (self.id,)

    def judge(self, run: Run, sums: pl.DataFrame) -> Iterator[Result]:
        """Its ``results``, with the unit of its value."""
        for result in self.results(run, sums):
            yield replace(result, unit=self.value.unit) if isinstance(result, Finding) else result
