"""Check every rule of a capture, and hand over what they find as it is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.capture.completeness import Completeness, joined
from prof_tui.data.findings.facts import Facts
from prof_tui.data.findings.finding import Finding, Findings, NotChecked, Result
from prof_tui.data.findings.from_timeline import host_waits, traced_communication
from prof_tui.data.findings.rule import OPS, STARTS, STEP_TRACE, TRACE, Rule, not_checked
from prof_tui.data.findings.rules import all_rules
from prof_tui.data.findings.sums import sum_up
from prof_tui.data.run.completeness import covered_iterations, finish_check
from prof_tui.data.run.file_ends import check_files
from prof_tui.data.run.ops import HELD, Ops
from prof_tui.data.run.ops_in_time import sum_in_time
from prof_tui.data.run.periods import ModelRun, choose_models
from prof_tui.data.tables.stores import Progress, go_on, report_progress
from prof_tui.data.timeline.overlap import overlap_devices
from prof_tui.errors import UnreadableError
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture

_STEPS = 1000
"""Steps that ``progress`` is told of: the held columns take the first half, the other columns the rest."""


def find(
    capture: OpenCapture,
    *,
    device: int | None = None,
    model: int | None = None,
    steady_from: int | None = None,
    found: Callable[[Result], None] = lambda result: None,
    progress: Progress = go_on,
) -> Findings:
    """Check every rule; ``found`` is called with each result as soon as it is there.

    ``device``, ``model``: what alone is looked at, in place of all devices and their main models.
    ``steady_from``: the first Iteration ID that counts as steady, in place of the usual.  Costs are of one
    steady iteration of these models, or of the whole capture where no op is in an iteration.
    Reads files and may take long.  CancelledError when ``progress`` says so, UsageError where
    ``steady_from`` leaves no iteration.
    """
    results: list[Result] = []
    facts = Facts(capture, (), device, model, completeness=check_files(capture.export))
    facts.devices = _models(facts, steady_from)
    for result in _results(facts, steady_from, progress):
        results.append(result)
        found(result)
    report_progress(progress, _STEPS, _STEPS)
    return _findings(facts, results)


def _models(facts: Facts, steady_from: int | None) -> tuple[ModelRun, ...]:
    """The models looked at, without iterations that are known to be covered only in part."""
    trace, known = facts.capture.steps.counted_from(steady_from), facts.completeness
    return choose_models(trace, device=facts.device, model=facts.model, completeness=known).devices


def _results(facts: Facts, steady_from: int | None, progress: Progress) -> Iterator[Result]:
    """In the order of what takes longer: files, held columns, sums over all others, timeline and twins."""
    on_files = [rule for rule in all_rules() if not {*rule.needs, *rule.also}]
    others = [rule for rule in all_rules() if rule not in on_files]
    traced = [rule for rule in others if TRACE in rule.also]
    summing = [rule for rule in others if rule.sums]
    yield from _judge_all(facts, on_files, {})
    iterations = _open_ops(facts, steady_from, progress)
    yield from _judge_all(facts, [rule for rule in others if rule not in traced and rule not in summing], {})
    frames = {rule.id: frame for rule, frame in zip(summing, _sum_up(facts, summing, progress), strict=True)}
    yield from _judge_all(facts, [rule for rule in summing if rule not in traced], frames)
    _look_into_trace(facts, progress)
    facts.completeness = finish_check(facts.capture, iterations, _watched(progress))
    yield from _judge_all(facts, traced, frames)


def _judge_all(facts: Facts, rules: Iterable[Rule], frames: Mapping[str, pl.DataFrame]) -> Iterator[Result]:
    for rule in rules:
        yield from _judge(facts, rule, frames.get(rule.id, pl.DataFrame()))


def _judge(facts: Facts, rule: Rule, frame: pl.DataFrame) -> Iterable[Result]:
    lack = not_checked(facts, rule)
    return rule.judge(facts, frame) if lack is None else [lack]


def _open_ops(facts: Facts, steady_from: int | None, progress: Progress) -> Completeness:
    """Read the columns that are held, and work out what happened beside what; which iterations they cover.

    Those covered only in part don't count from then on.
    """
    try:
        facts.ops = _ops(facts, _part(progress, 0))
    except UnreadableError as error:
        facts.why_no_ops = str(error)
    iterations = covered_iterations(facts.capture, facts.ops, facts.why_no_ops)
    facts.completeness = joined([facts.completeness, iterations])
    if facts.ops is not None and iterations.lacks:
        facts.devices = _models(facts, steady_from)
        facts.ops = _ops(facts, _part(progress, 0))
    if facts.ops is not None:
        facts.in_time = sum_in_time(facts.ops, facts.devices)
    return iterations


def _ops(facts: Facts, progress: Progress) -> Ops:
    """UnreadableError where op_summary can't be read."""
    table = facts.capture.table("op_summary")
    return Ops(facts.capture, table, facts.devices, progress, device=facts.device)


def _sum_up(facts: Facts, rules: list[Rule], progress: Progress) -> list[pl.DataFrame]:
    """What each rule wants summed, in one pass; empty frames where there is nothing to sum."""
    if facts.ops is None or facts.ops.ns is None:
        return [pl.DataFrame()] * len(rules)
    asked = (id_ for rule in rules for id_ in (*rule.needs, *rule.also))
    ids = [id_ for id_ in dict.fromkeys(asked) if id_ not in (STEP_TRACE, OPS, STARTS, TRACE, *HELD)]
    first_rows = [timeline.first_rows for timeline in facts.in_time]
    first = pl.concat(first_rows) if first_rows else pl.Series([], dtype=pl.UInt32)
    wanted = [rule.sums for rule in rules if rule.sums]
    try:
        facts.totals = sum_up(facts.ops, first, wanted, ids, _part(progress, _STEPS // 2))
    except UnreadableError as error:
        facts.ops, facts.why_no_ops = None, str(error)
        return [pl.DataFrame()] * len(rules)
    return facts.totals.frames


def _look_into_trace(facts: Facts, progress: Progress) -> None:
    """What a timeline says of communication and of the host."""
    try:
        index = facts.capture.traces.read_unasked(_watched(progress))
    except UnreadableError:  # op_summary will do; the timeline's own pane says why
        return
    if index is not None:
        facts.timeline_read, by_iteration = bool(overlap_devices(index)), facts.basis == "iteration"
        facts.traced = traced_communication(
            index, facts.devices, by_iteration=by_iteration, device=facts.device
        )
        facts.host_waits = host_waits(index, facts.devices, by_iteration=by_iteration, device=facts.device)


def _watched(progress: Progress) -> Progress:
    """The last step while it goes on."""
    return lambda _done, _steps: progress(_STEPS, _STEPS)


def _part(progress: Progress, first: int) -> Progress:
    """Half of the steps, from ``first`` on."""
    return lambda done, steps: progress(first + done * (_STEPS // 2) // max(1, steps), _STEPS)


def _findings(facts: Facts, results: list[Result]) -> Findings:
    found = sorted((r for r in results if isinstance(r, Finding)), key=lambda finding: finding.ranking)
    unchecked = tuple(r for r in results if isinstance(r, NotChecked))
    steady = sum(len(own.steady) for own in facts.devices)
    with_ops = sum(line.iterations for line in facts.in_time)
    by_iteration = facts.basis == "iteration"
    return Findings(
        tuple(found),
        unchecked,
        facts.basis,
        steady if by_iteration else 0,
        with_ops if by_iteration else 0,
        facts.period_ns,
        facts.devices,
        _notices(facts),
        facts.device,
        facts.model,
    )


def _notices(facts: Facts) -> tuple[str, ...]:
    if not facts.devices or facts.basis == "iteration":
        return ()
    if facts.device is None:
        text = _("No op of op_summary is in an iteration: costs are of the whole capture.")
    else:
        text = _("No op of device {device} is in an iteration: costs are of all ops of the device.")
    return (text.format(device=facts.device),)
