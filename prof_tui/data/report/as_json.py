"""The report as one JSON object: stable ids, numbers with their unit in the name, N/A as null."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite

from prof_tui.data.capture.completeness import Completeness
from prof_tui.data.findings.finding import Evidence, Finding, NotChecked, TableEvidence, TimelineEvidence
from prof_tui.data.query.query import Iterations, Query
from prof_tui.data.report.report import Report
from prof_tui.data.run.busy import BusyTimes
from prof_tui.data.run.facts import RunFacts
from prof_tui.data.run.overview import DeviceTimes
from prof_tui.data.run.periods import ModelFacts, Spread
from prof_tui.data.writing.rows import json_text

Object = dict[str, object]


def report_json(report: Report) -> str:
    """The object of ``report --format json``."""
    overview, findings = report.overview, report.findings
    whole = {
        "capture": overview.run.capture,
        "run": _run(overview.run) | {"span_us": _us(overview.span_ns)},
        "completeness": completeness_object(overview.completeness),
        "models": [_model(model) for model in overview.models or ()],
        "devices": [_device(one) for one in overview.devices()],
        "why_no_busy_times": overview.why_no_busy or None,
        "findings_device": findings.device,
        "findings_model": findings.model,
        "findings_are_of": findings.basis,
        "findings_iterations": findings.iterations,
        "findings_iterations_with_ops": findings.op_iterations,
        "findings_period_us": _us(findings.period_ns),
        "findings": [_finding(finding) for finding in findings.findings],
        "not_checked": [_not_checked(each) for each in findings.not_checked],
        "missing": [
            {"table": one.table, "why": one.why, "add": one.how or None} for one in overview.run.missing
        ],
        "notices": list(report.notices),
    }
    return json_text(whole) + "\n"


def completeness_object(completeness: Completeness) -> Object:
    """What the capture lacks, as the JSON of ``report`` and ``files`` has it."""
    return {
        "complete": completeness.is_complete,
        "lacks": [
            {
                "finding": lack.id,
                "text": lack.text,
                "number": lack.number,
                "tables": list(lack.tables),
                "kinds": [{"kind": kind, "number": number} for kind, number in lack.kinds],
                "device": lack.device,
                "model": lack.model,
                "iterations": list(lack.iterations),
            }
            for lack in completeness.lacks
        ],
        "not_checked": [
            {"finding": each.id, "what": each.what, "why": each.why} for each in completeness.unchecked
        ],
    }


def _us(ns: int | None) -> float | None:
    """Microseconds, to the nanosecond: a float tells them apart up to 104 days."""
    return None if ns is None else ns / 1000


def _run(run: RunFacts) -> Object:
    collection = run.collection
    return {
        "collected": None if run.collected is None else run.collected.isoformat(sep=" "),
        "collected_us": _us(run.collected_ns),
        "host": run.host or None,
        "program": run.program or None,
        "devices": [asdict(device) for device in run.devices],
        "task_time_level": collection.level or None if collection else None,
        "aic_metrics": collection.aic_metrics or None if collection else None,
        "switches": list(collection.switches) if collection else None,
        "layout": run.generation,
        "export": run.stamp or None,
        "exports_not_shown": list(run.other_stamps),
        "files": run.files,
        "tables": list(run.tables),
        "timelines": list(run.timelines),
    }


def _model(model: ModelFacts) -> Object:
    return {
        "device": model.device,
        "model": model.model,
        "iterations": model.iterations,
        "iteration_time_us": _us(model.iteration_time_ns),
        "main": model.is_main,
        "why_main": model.why or None,
    }


def _device(own: DeviceTimes) -> Object:
    times, busy = own.steps, own.busy
    found: Object = {"device": own.device}
    if times is not None:
        found |= {
            "model": times.model,
            "steady_from": times.first,
            "steady_iterations": len(times.steady),
            "left_out_iterations": len(times.warm_up),
            "partly_covered_iterations": [step.iteration for step in times.partly],
            "period": _spread(times.period),
            "iteration_time": _spread(times.iteration_time),
            **{f"{part.id}_median_us": _us(part.median_ns) for part in times.parts},
            "iterations": [
                {
                    "iteration": step.iteration,
                    "period_us": _us(step.period_ns),
                    "iteration_time_us": _us(step.iteration_time_ns),
                }
                for step in times.steady
            ],
        }
    return found | {"busy_times": None if busy is None else _busy(busy)}


def _spread(spread: Spread | None) -> Object | None:
    if spread is None:
        return None
    return {
        "median_us": _us(spread.median_ns),
        "p10_us": _us(spread.low_ns),
        "p90_us": _us(spread.high_ns),
        "iterations": spread.count,
    }


def _busy(busy: BusyTimes) -> Object:
    return {
        "iterations": busy.iterations,
        "window_us": _us(busy.window_ns),
        "ops": busy.ops,
        "busy_us": _us(busy.busy_ns),
        "idle_us": _us(busy.idle_ns),
        "idle_at_most": busy.idle_at_most,
        "communication_us": _us(busy.communication_ns),
        "communication_alone_us": _us(busy.uncovered_ns),
        "task_types": [
            {"task_type": one.task_type, "ops": one.ops, "busy_us": _us(one.busy_ns)} for one in busy.types
        ],
        "notices": list(busy.notices),
        "lacking": busy.lacking or None,
    }


def _finding(finding: Finding) -> Object:
    return {
        "id": finding.id,
        "severity": finding.severity,
        "title": finding.title,
        "cost_us": _us(finding.cost_ns),
        "cost_is_of": finding.basis,
        "share_percent": None if finding.share is None else round(100 * finding.share, 6),
        "value": round(finding.value, 6) if isfinite(finding.value) else None,
        "unit": finding.unit or None,
        "device": finding.device,
        "model": finding.model,
        "iteration": finding.iteration,
        "rule": finding.rule,
        "source": finding.source,
        "advice": finding.advice,
        "caveat": finding.caveat,
        "rows": [
            {"label": row.label, "count": row.count, "time_us": _us(row.time_ns), "note": row.note or None}
            for row in finding.rows
        ],
        "evidence": _evidence(finding.evidence),
    }


def _evidence(evidence: Evidence | None) -> Object | None:
    if isinstance(evidence, TimelineEvidence):
        return {
            "pane": "timeline",
            "device": evidence.device,
            "model": evidence.model,
            "iteration": evidence.iteration,
            "begin_ns": str(evidence.begin_ns),
            "end_ns": str(evidence.end_ns),
        }
    if isinstance(evidence, TableEvidence):
        query = evidence.query
        return {
            "pane": evidence.pane,
            **asdict(query.scope),
            "filters": [str(each) for each in query.filters if not isinstance(each, Iterations)],
            "iterations_from": _firsts(query),
            "sort": None if query.sort is None else query.sort.column,
            "descending": None if query.sort is None else query.sort.descending,
        }
    return None


def _firsts(query: Query) -> list[Object] | None:
    """The first iteration per device and model; None where rows are not cut to iterations from one on."""
    found = [first for each in query.filters if isinstance(each, Iterations) for first in each.firsts]
    return [
        {
            "device": each.device,
            "model": each.model,
            "iteration": each.first,
            "without": list(each.without),
        }
        for each in found
    ] or None


def _not_checked(each: NotChecked) -> Object:
    return {"id": each.id, "findings": list(each.ids), "why": each.why, "how": each.how or None}
