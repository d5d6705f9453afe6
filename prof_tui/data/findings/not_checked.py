"""Why a rule can't be checked: what it needs and does not get, and how to get it."""

from __future__ import annotations

from collections.abc import Sequence

from prof_tui.data.capture import options
from prof_tui.data.findings.facts import Run
from prof_tui.data.findings.finding import NotChecked
from prof_tui.data.findings.ops import HELD, Ops
from prof_tui.data.findings.rule import OPS, STEP_TRACE, TALK, TIMES, Rule
from prof_tui.data.tables.bound import BOUND, pipe_columns
from prof_tui.data.tables.columns import unit_of
from prof_tui.data.tables.known_columns import SPECS
from prof_tui.errors import UnreadableError
from prof_tui.words import _, number_text


def not_checked(run: Run, rule: Rule) -> NotChecked | None:
    """None where the rule has all that it needs."""
    for need in rule.needs:
        if lack := _lack(run, need):
            why, how = lack
            return NotChecked(rule.id, rule.finding_ids, why, _told(run, how or rule.how))
    if rule.gathers and OPS in rule.needs and not run.op_ns:
        why = _("Task Duration is 0 or N/A in every op that counts.")
        return NotChecked(rule.id, rule.finding_ids, why, options.NEWER_EXPORT)
    return None


def _told(run: Run, how: str) -> str:
    """Without the advice to do what was done."""
    return options.IS_LEVEL_1 if how == options.LEVEL_1.how and run.level in ("l1", "l2") else how


def of_devices(why: str, lacking: Sequence[int | None], devices: int) -> str:
    """A sentence, and which devices it speaks of where that is not all of them."""
    if len(lacking) == devices:
        return why
    numbers = ", ".join(map(number_text, lacking))
    return _("Device {numbers}: {why}").format(numbers=numbers, why=why)


def _lack(run: Run, need: str) -> tuple[str, str] | None:
    """(why, how) where a need is not met; an empty how: what the rule says."""
    if need == STEP_TRACE:
        return None if run.devices else (_why_no_steps(run), options.STEP_TRACE.how)
    if need == TALK:
        lacks = (_lack(run, each) for each in (TIMES, "task_type"))
        return None if run.timeline_read else next((lack for lack in lacks if lack), None)
    if run.ops is None:
        return run.why_no_ops, run.how_to_get("op_summary") or options.TASKS.how
    if not run.ops.in_scope.any():
        return _no_steady_ops(run)
    if run.ops.ns is None:
        return _no_column(_("Task Duration")), options.NEWER_EXPORT
    if need == TIMES and not run.timelines:
        return _no_column(_("Task Start Time")), options.NEWER_EXPORT
    return None if need in (OPS, TIMES) else _column_lack(run, run.ops, need)


def _column_lack(run: Run, ops: Ops, id_: str) -> tuple[str, str] | None:
    if id_ == BOUND:
        return None if pipe_columns(ops.table.columns).pipes else (_("op_summary has no pipe ratios."), "")
    column = ops.column(id_)
    if column is None:
        return _no_column(_label(id_)), _how(id_)
    says = ops.says(id_) if id_ in HELD and column.kind == "text" else id_ in run.gathered.says
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


def _why_no_steps(run: Run) -> str:
    try:
        run.capture.table("step_trace")
    except UnreadableError as error:
        return str(error)
    if run.capture.steps.steps:
        return _("step_trace has no iteration of device {device}.").format(device=run.device)
    return " ".join(run.capture.steps.notices) or _("step_trace has no iteration.")


def _no_steady_ops(run: Run) -> tuple[str, str]:
    if not run.devices:
        return _("op_summary has no op."), options.TASKS.how
    first = run.devices[0]
    text = _("op_summary has no op of a steady iteration of the main model.")
    if run.model is not None:
        text = _("op_summary has no op of a steady iteration of Model ID {model}.").format(model=run.model)
    export = options.STEADY_EXPORT.format(model=first.model, id=first.steady[0].iteration)
    return text, export
