"""The M events that give names to the lanes of a part of a timeline."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from prof_tui.data.timeline.model import TraceIndex


def kept_metadata(
    index: TraceIndex, lanes: Collection[int] | None, files: Collection[int] | None
) -> tuple[str, ...]:
    """Texts of the M events of the processes that these lanes are in, in file order; None is all.

    Each text once: the slices of a file repeat them (quirks.md 30).  What names no process, or one without
    any lane, is kept.
    """
    texts = dict.fromkeys(text for file, text in index.metadata if files is None or file in files)
    if lanes is None:
        return tuple(texts)
    parsed = {text: _parsed(text) for text in texts}
    processes = _processes(parsed.values())
    left_out = _labels(index, set(range(len(index.lanes))) - set(lanes))
    kept = _labels(index, lanes)
    without = {pid for pid, own in processes.items() if _is_one(own, left_out) and not _is_one(own, kept)}
    return tuple(text for text, event in parsed.items() if str(event.get("pid")) not in without)


def _labels(index: TraceIndex, lanes: Collection[int]) -> dict[str, set[str]]:
    """The labels of each layer among some lanes."""
    labels: dict[str, set[str]] = defaultdict(set)
    for number in lanes:
        labels[index.lanes[number].layer].add(index.lanes[number].label)
    return labels


def _parsed(text: str) -> dict[str, Any]:
    event = json.loads(text)
    return event if isinstance(event, dict) else {}


def _processes(events: Iterable[dict[str, Any]]) -> dict[str, tuple[set[str], set[str]]]:
    """Names and labels of each pid; one without a name is called as the lanes are."""
    names: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, set[str]] = defaultdict(set)
    for event in events:
        pid = str(event.get("pid"))
        names[pid] |= _said(event, "process_name", "name")
        labels[pid] |= _said(event, "process_labels", "labels")
    return {pid: (said or {f"pid {pid}"}, labels[pid]) for pid, said in names.items()}


def _said(event: dict[str, Any], name: str, key: str) -> set[str]:
    arguments = event.get("args")
    if event.get("name") != name or not isinstance(arguments, dict) or key not in arguments:
        return set()
    return {str(arguments[key])}


def _is_one(process: tuple[set[str], set[str]], labels: dict[str, set[str]]) -> bool:
    """Whether a process is one of those that some lanes are in, by its name and label."""
    layers, own = process
    known = {label for layer in layers for label in labels.get(layer, ())}
    return bool(known) and (not own or not own.isdisjoint(known))
