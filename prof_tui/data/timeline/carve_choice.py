"""Which events of a timeline are written when a window is carved out of it."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.carve_flows import touching, with_other_ends
from prof_tui.data.timeline.carve_metadata import kept_metadata
from prof_tui.data.timeline.events import ENDS_NS, in_window
from prof_tui.data.timeline.links import slices_at
from prof_tui.data.timeline.model import TraceIndex

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
