"""Which events of a timeline are written when a window is carved out of it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import ENDS_NS, in_window
from prof_tui.data.timeline.links import slices_at
from prof_tui.data.timeline.model import TraceIndex


def touching(index: TraceIndex, flows: pl.DataFrame, window: Span, kept: pl.DataFrame) -> pl.Series:
    """Whether each of the ``flows`` lies within the window, or belongs to one of the ``kept`` slices.

    ``kept``: ``event``, ``lane``, ``start_ns``, ``duration_ns`` of the slices that overlap the window.
    """
    begin, end = window
    inside = flows["at_ns"].is_between(begin, end, closed="left")
    longer = kept.with_columns(ENDS_NS).filter((pl.col("start_ns") < begin) | (pl.col("end_ns") >= end))
    reach = longer.group_by("lane").agg(first=pl.col("start_ns").min(), last=pl.col("end_ns").max())
    near = flows.with_row_index("number").filter(~inside).join(reach, on="lane")
    near = near.filter(pl.col("at_ns").is_between("first", "last"))
    belongs = slices_at(index, near).is_in(longer["event"].implode()).fill_null(False)
    return inside.scatter(near["number"].filter(belongs), True)


def with_other_ends(flows: pl.DataFrame, touched: pl.Series) -> pl.Series:
    """Which of the ``flows`` are part of an arrow of which one is ``touched``.

    One flow may begin several times; an end is of the last beginning before it, as in ``links_of``.  A
    beginning or a step brings all ends with it, an end only the beginning and the steps.
    """
    is_start, is_end = pl.col("phase") == "s", pl.col("phase") == "f"
    arrows = (
        flows.select("flow", "phase", "at_ns")
        .with_columns(touched.alias("touched"))
        .with_row_index("number")
        .sort("flow", "at_ns", ~is_start, maintain_order=True)
        .with_columns(arrow=is_start.cum_sum().over("flow").clip(1))
        .with_columns(
            any=pl.col("touched").any().over("flow", "arrow"),
            begun=(pl.col("touched") & ~is_end).any().over("flow", "arrow"),
        )
    )
    wanted = pl.col("touched") | pl.col("begun") | (pl.col("any") & ~is_end)
    return arrows.select("number", wanted=wanted).sort("number")["wanted"]


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


_PLACE = ("file", "offset", "length")


@dataclass(frozen=True)
class Cut:
    """What to carve out of a timeline."""

    window: Span
    lanes: tuple[int, ...] | None = None
    """Numbers of the lanes to keep; None for all."""
    files: tuple[int, ...] | None = None
    """Numbers of the files to keep; None for all."""


@dataclass(frozen=True)
class Choice:
    """The events of a cut."""

    places: pl.DataFrame
    """file UInt16, offset Int64, length Int32 of each event's text, once each, in file order."""
    metadata: tuple[str, ...]
    """Texts of the M events, once each, in file order."""
    lanes: tuple[int, ...]
    """Lanes with an event among them."""
    slices: int
    """Slices and instants that overlap the window."""
    flow_ends: int
    """Ends of arrows that lie outside of the window."""
    anchors: int
    """Slices outside of the window that such an end is tied to."""
    samples: int
    """Samples of counters before the window."""

    @property
    def events(self) -> int:
        return self.places.height + len(self.metadata)


def choose_events(index: TraceIndex, cut: Cut) -> Choice:
    """The events of a cut.

    Slices that overlap the window, those without duration and instants within it (touching is no overlap);
    the E of each B.  Flow ends within the window or of such a slice; of their arrows the other ends too,
    and the slice that each belongs to, without which a viewer draws no arrow.  Samples of counters within
    the window, and of each counter the last one before: a viewer draws a value from its sample on, so
    without it nothing is shown up to the next.  All of it in the cut's lanes and files alone: an arrow from
    elsewhere ends in nothing.
    """
    events = _in_cut(index.events.select("lane", "start_ns", "duration_ns", *_PLACE).lazy(), cut, event=True)
    slices = events.filter(in_window(cut.window)).collect()
    flows = _in_cut(index.flows.lazy(), cut).collect()
    seeds = touching(index, flows, cut.window, slices)
    touched = flows["flow"].is_in(flows["flow"].filter(seeds).unique().implode())
    flows, seeds = flows.filter(touched), seeds.filter(touched)
    wanted = with_other_ends(flows, seeds)
    ends = flows.filter(wanted)
    anchors = _anchors(index, cut, ends, slices["event"])
    samples, before = _samples(index, cut)
    parts = [slices, anchors, ends, samples, before]
    places = pl.concat([part.select(_PLACE) for part in parts])
    return Choice(
        places=pl.concat([places, _ends_of(index, places)]).unique().sort("file", "offset"),
        metadata=kept_metadata(index, cut.lanes, cut.files),
        lanes=tuple(pl.concat([part["lane"] for part in parts]).unique().sort()),
        slices=slices.height,
        flow_ends=ends.filter(~pl.col("at_ns").is_between(*cut.window, closed="left")).height,
        anchors=anchors.height,
        samples=before.unique(["file", "offset"]).height,
    )


def slices_overlapping(index: TraceIndex, cut: Cut) -> int:
    """How many slices and instants of a cut overlap its window."""
    events = _in_cut(index.events.lazy(), cut).filter(in_window(cut.window))
    return int(events.select(pl.len()).collect().item())


def whole_window(index: TraceIndex, cut: Cut) -> Span:
    """From the first to behind the last moment of a cut's lanes and files, stray times too."""
    slices = _in_cut(index.events.lazy(), cut).select(first=pl.col("start_ns").min(), last=ENDS_NS.max())
    points = [
        _in_cut(frame.lazy(), cut).select(first=pl.col("at_ns").min(), last=pl.col("at_ns").max())
        for frame in (index.flows, index.counters)
    ]
    found = pl.concat([slices, *points]).select(pl.col("first").min(), pl.col("last").max()).collect()
    first, last = found.row(0)
    return (0, 0) if first is None else (first, last + 1)


def _in_cut(frame: pl.LazyFrame, cut: Cut, *, event: bool = False) -> pl.LazyFrame:
    """The rows of the cut's lanes and files; ``event`` adds their numbers as a column."""
    if event:
        frame = frame.with_row_index("event")
    for column, numbers in (("lane", cut.lanes), ("file", cut.files)):
        if numbers is not None:
            frame = frame.filter(pl.col(column).is_in(pl.Series(numbers, dtype=pl.UInt16).implode()))
    return frame


def _anchors(index: TraceIndex, cut: Cut, ends: pl.DataFrame, kept: pl.Series) -> pl.DataFrame:
    """The slices around flow ends that are not kept as it is."""
    around = slices_at(index, ends).drop_nulls().unique()
    missing = around.filter(~around.is_in(kept.implode())).sort()
    return _in_cut(index.events[missing].lazy(), cut).collect()


def _samples(index: TraceIndex, cut: Cut) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Samples within the window, and the last one before it of each counter."""
    begin, end = cut.window
    counters = _in_cut(index.counters.lazy(), cut)
    inside = counters.filter(pl.col("at_ns").is_between(begin, end, closed="left"))
    before = counters.filter(pl.col("at_ns") < begin).group_by("lane", maintain_order=True).last()
    return inside.collect(), before.select(index.counters.columns).collect()


def _ends_of(index: TraceIndex, places: pl.DataFrame) -> pl.DataFrame:
    """The places of the E events of the B events among ``places``."""
    ends = index.ends.join(places, on=["file", "offset"], how="semi")
    return ends.select(file="end_file", offset="end_offset", length="end_length").cast(places.schema)
