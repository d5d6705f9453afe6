"""What a rule is: its ids and value, what it needs, what it wants summed, and the function that judges.

Where it does not get what it needs, it is not checked, and a sentence says what is missing and how to get it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from prof_tui.data.capture import options
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import Finding, NotChecked, Result, Unit
from prof_tui.data.findings.sums import Sums
from prof_tui.data.run.ops import HELD, Ops
from prof_tui.data.tables.bound import BOUND, pipe_columns
from prof_tui.data.tables.columns import unit_of
from prof_tui.data.tables.known_columns import SPECS
from prof_tui.errors import UnreadableError
from prof_tui.words import _, number_text

STEP_TRACE = "step_trace"
"""Needed by a rule: iterations of a main model."""
OPS = "op_summary"
"""Needed: ops in scope with a duration."""
STARTS = "starts"
"""Needed: ops in scope with a start and a duration."""
COMMUNICATION = "communication"
"""Needed: a timeline that was read, or ops in scope with a start, a duration and a Task Type."""
TRACE = "trace"
"""A timeline file, of use to a rule: it takes longest to read."""


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
    """The rule's id; that of its finding too, where ``ids`` names no others."""
    needs: tuple[str, ...]
    """STEP_TRACE, OPS, STARTS, COMMUNICATION, and ids of columns that some op in scope has a value in."""
    results: Callable[[Facts, pl.DataFrame], Iterable[Result]]
    """Called with the facts, and what ``sums`` asks for: an empty frame where that is None."""
    sums: Sums | None = None
    also: tuple[str, ...] = ()
    """Columns that are read where they are there; OPS: judged after the ops are read, if they can be; TRACE:
    judged last, after the timeline is read, if it is small enough."""
    ids: tuple[str, ...] = ()
    """The ids of the findings that it may give, where they are not ``id`` alone."""
    value: Value = OF_PERIOD
    """The value of each of its findings."""
    how: str = ""
    """How to get a column that it needs."""
    spoilt_by: tuple[str, ...] = ()
    """File types of which no row may be missing: what is not there would look like what it looks for."""

    @property
    def finding_ids(self) -> tuple[str, ...]:
        return self.ids or (self.id,)

    def judge(self, facts: Facts, sums: pl.DataFrame) -> Iterator[Result]:
        """The results of the rule, with the unit of its value."""
        for result in self.results(facts, sums):
            yield replace(result, unit=self.value.unit) if isinstance(result, Finding) else result


# What it lacks


def not_checked(facts: Facts, rule: Rule) -> NotChecked | None:
    """None where the rule has all that it needs."""
    for need in rule.needs:
        if lack := _lack(facts, need):
            why, how = lack
            advice = "" if how is None else _advise(facts, how or rule.how)
            return NotChecked(rule.id, rule.finding_ids, why, advice)
    if lacking := facts.completeness.lacking(*rule.spoilt_by):
        why = _("Rows are missing, and what ran in that time looks idle: {lacking}.").format(lacking=lacking)
        return NotChecked(rule.id, rule.finding_ids, why, options.COPY_AGAIN)
    if rule.sums and OPS in rule.needs and not facts.op_ns:
        why = _("Task Duration is 0 or N/A in every op that counts.")
        return NotChecked(rule.id, rule.finding_ids, why, options.NEWER_EXPORT)
    return None


def _advise(facts: Facts, how: str) -> str:
    """Without the advice to do what was done."""
    return options.IS_LEVEL_1 if how == options.LEVEL_1.how and facts.level in ("l1", "l2") else how


def of_devices(why: str, lacking: Sequence[int | None], devices: int) -> str:
    """A sentence, and which devices it speaks of where that is not all of them."""
    if len(lacking) == devices:
        return why
    numbers = ", ".join(map(number_text, lacking))
    return _("Device {numbers}: {why}").format(numbers=numbers, why=why)


def _lack(facts: Facts, need: str) -> tuple[str, str | None] | None:
    """(why, how) where a need is not met; an empty how: what the rule says, None: why says it."""
    if need == STEP_TRACE:
        return None if facts.devices else _no_steps(facts)
    if need == COMMUNICATION:
        lacks = (_lack(facts, each) for each in (STARTS, "task_type"))
        return None if facts.timeline_read else next((lack for lack in lacks if lack), None)
    if facts.ops is None:
        if facts.capture.export.has_table("op_summary"):
            return facts.why_no_ops, None
        return facts.why_no_ops, facts.how_to_get("op_summary") or options.TASKS.how
    if not facts.ops.in_scope.any():
        return _no_steady_ops(facts)
    if facts.ops.ns is None:
        return _no_column(_("Task Duration")), options.NEWER_EXPORT
    if need == STARTS and not facts.in_time:
        return _no_starts(facts.ops), options.NEWER_EXPORT
    return None if need in (OPS, STARTS) else _column_lack(facts, facts.ops, need)


def _column_lack(facts: Facts, ops: Ops, id_: str) -> tuple[str, str] | None:
    if id_ == BOUND:
        return None if pipe_columns(ops.table.columns).pipes else (_("op_summary has no pipe ratios."), "")
    column = ops.column(id_)
    if column is None:
        return _no_column(_label(id_)), _how(id_)
    says = ops.says(id_) if id_ in HELD and column.kind == "text" else id_ in facts.totals.says
    if says or (id_ in HELD and column.kind != "text"):
        return None
    text = (
        _("{column} is N/A in every op that counts.")
        if column.kind == "text"
        else _("{column} is N/A or 0 in every op that counts.")
    )
    return text.format(column=column.header), _how(id_)


def _how(id_: str) -> str:
    """What an op is, is collected from level 1 on; what else a rule needs, it says itself."""
    return options.LEVEL_1.how if id_ in HELD else ""


def _label(id_: str) -> str:
    """What exporters call a column that this file lacks."""
    header = next((spec.headers[0] for spec in SPECS if spec.id == id_), id_)
    return header.removesuffix(f"({unit_of(header)})")


def _no_column(name: str) -> str:
    return _("op_summary has no column {column}.").format(column=name)


def _no_starts(ops: Ops) -> str:
    if ops.start is None:
        return _no_column(_("Task Start Time"))
    return _("No op that counts has a usable {column}.").format(column=ops.header("task_start"))


def _no_steps(facts: Facts) -> tuple[str, str | None]:
    how = options.STEP_TRACE.how
    try:
        facts.capture.table("step_trace")
    except UnreadableError as error:
        return str(error), None if facts.capture.export.has_table("step_trace") else how
    if facts.capture.steps.steps:
        return _("step_trace has no iteration of device {device}.").format(device=facts.device), how
    return " ".join(facts.capture.steps.notices) or _("step_trace has no iteration."), how


def _no_steady_ops(facts: Facts) -> tuple[str, str]:
    if not facts.devices:
        return _("op_summary has no op."), options.TASKS.how
    first = facts.devices[0]
    text = _("op_summary has no op of a steady iteration of the main model.")
    if facts.model is not None:
        text = _("op_summary has no op of a steady iteration of Model ID {model}.").format(model=facts.model)
    export = options.STEADY_EXPORT.format(model=first.model, id=first.steady[0].iteration)
    return text, export
