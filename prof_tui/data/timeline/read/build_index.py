"""The index of a trace from what was gathered: lanes by name, rows by time, everything sorted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.spans.stacking import stack_rows
from prof_tui.data.spans.times import run_bounds
from prof_tui.data.timeline.model import TraceIndex, TraceLane
from prof_tui.data.timeline.read.gathered import Columns, Gathered
from prof_tui.data.timeline.read.lanes import Lanes
from prof_tui.words import counted

_SORTED_AT_ONCE = 1_000_000
"""Events whose order is worked out together, to keep what that takes small."""
_EVENTS = (
    "lane",
    "row",
    "start_ns",
    "duration_ns",
    "name",
    "kind",
    "connection_id",
    "task_id",
    "file",
    "offset",
    "length",
)


def build_index(gathered: Gathered, *, complete: bool) -> TraceIndex:
    """The index of what is read so far; a complete one takes the gathered columns with it."""
    lanes = gathered.lanes()
    of_thread = pl.Series(lanes.of_thread, dtype=pl.UInt16)
    repeated = len(set(gathered.document_of)) > 1
    document_of = pl.Series(gathered.document_of, dtype=pl.UInt16) if repeated else None
    paired = pair(gathered.open.frame().rename({"thread": "lane"})) if gathered.open.height else None
    events, kinds = _events(gathered, paired, lanes.lanes, of_thread, document_of, complete)
    flows = _flows(gathered.flows, of_thread, document_of, complete)
    counters = _counters(gathered.counters, lanes, document_of, complete)
    span, stray = trace_span([events["start_ns"], ends_of(events), counters["at_ns"]])
    return TraceIndex(
        name=gathered.name,
        files=gathered.files,
        lanes=lanes.lanes,
        kinds=kinds,
        events=events,
        flows=flows,
        counters=counters,
        ends=pair(_NO_OPEN).ends if paired is None else paired.ends,
        metadata=tuple(gathered.metadata),
        phases=dict(gathered.phases),
        notices=(*gathered.said(), *_about_pairs(paired), *_about_stray(stray)),
        complete=complete,
        read_bytes=gathered.read_bytes,
        damaged=tuple(gathered.damaged),
        span=span,
        lane_events=_lane_events(events["lane"], len(lanes.lanes)),
    )


_NO_OPEN = pl.DataFrame(
    schema={
        "lane": pl.UInt16,
        "at_ns": pl.Int64,
        "begins": pl.Boolean,
        "file": pl.UInt16,
        "offset": pl.Int64,
        "length": pl.Int32,
    }
)


def _events(
    gathered: Gathered,
    paired: Paired | None,
    lanes: Sequence[TraceLane],
    of_thread: pl.Series,
    document_of: pl.Series | None,
    complete: bool,
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The events and the kinds that they are numbered by."""
    slices = gathered.slices
    if paired is not None:
        slices = slices if complete else slices.copy()
        slices.add(paired.slices.rename({"lane": "thread"}))
    if not slices.height:
        return _no_events(gathered), ()

    def take(name: str) -> pl.Series:
        return slices.take(name, for_good=complete)

    lane = of_thread.gather(take("thread"))
    start, duration = take("start_ns"), take("duration_ns")
    kept = None if document_of is None else _first(lane, start, duration, slices, document_of)
    places, row = _order(lane, start, duration, kept)
    columns = {"row": row, "lane": lane.gather(places)}
    del lane, row
    columns["start_ns"] = start.gather(places)
    del start
    columns["duration_ns"] = duration.gather(places)
    del duration
    for name in ("name", "connection_id", "task_id", "file", "offset", "length"):
        columns[name] = take(name).gather(places)
    columns["kind"], kinds = _kinds(columns["lane"], take("task").gather(places), lanes, gathered)
    return pl.DataFrame({name: columns[name] for name in _EVENTS}), kinds


def _order(
    lane: pl.Series, start: pl.Series, duration: pl.Series, kept: pl.Series | None
) -> tuple[pl.Series, pl.Series]:
    """Places (UInt32) of the events in the order of the index, and their rows; some lanes at a time."""
    places, rows = [pl.Series(dtype=pl.UInt32)], [pl.Series(dtype=pl.UInt16)]
    for first, last in _batches(lane):
        wanted = lane.is_between(first, last)
        place = (wanted if kept is None else wanted & kept).arg_true()
        columns = {"lane": lane, "start_ns": start, "duration_ns": duration}
        frame = pl.DataFrame({name: column.gather(place) for name, column in columns.items()})
        if first == last and _follow_each_other(frame):
            places.append(place)
            rows.append(pl.zeros(len(place), dtype=pl.UInt16, eager=True))
        else:
            stacked = stack_rows(frame.with_columns(place.alias("place")))
            places.append(stacked["place"])
            rows.append(stacked["row"])
    return pl.concat(places), pl.concat(rows)


def _follow_each_other(events: pl.DataFrame) -> bool:
    """Whether events of one lane are in time order already and none overlaps another: most lanes are so."""
    start = pl.col("start_ns")
    before = start.shift(1)
    ends = (before + pl.col("duration_ns").shift(1).clip(0)).cum_max()
    return bool(events.select(((start > before) & (start >= ends)).all()).item())


def _batches(lane: pl.Series) -> Iterator[tuple[int, int]]:
    """First and last lane of those that are sorted together: few events, or one lane."""
    counted = lane.value_counts().sort(lane.name)
    first, last, events = -1, -1, 0
    for number, height in counted.iter_rows():
        if first >= 0 and events + height > _SORTED_AT_ONCE:
            yield first, last
            first, events = -1, 0
        first, last, events = number if first < 0 else first, number, events + height
    if first >= 0:
        yield first, last


def _first(
    lane: pl.Series, start: pl.Series, duration: pl.Series, slices: Columns, document_of: pl.Series
) -> pl.Series:
    """Whether an event is the first of those that several files repeat (quirks.md 25)."""
    documents = document_of.gather(slices.take("file", for_good=False))
    name = slices.take("name", for_good=False).to_physical()
    return _kept(pl.DataFrame({"lane": lane, "start": start, "duration": duration, "name": name}), documents)


def _kept(events: pl.DataFrame, documents: pl.Series) -> pl.Series:
    """Whether no earlier document has an event that is equal in all columns."""
    first = pl.col("document").min().over(*events.columns)
    return (
        events.with_columns(documents.alias("document"))
        .select((pl.col("document") == first).alias("kept"))
        .to_series()
    )


def _kinds(
    lane: pl.Series, task: pl.Series, lanes: Sequence[TraceLane], gathered: Gathered
) -> tuple[pl.Series, tuple[str, ...]]:
    """UInt16 of each event: its Task Type on a stream, else its layer; and the texts, sorted."""
    tasks = gathered.known.tasks.categories.to_series().to_list()
    layers = sorted({each.layer for each in lanes})
    own = pl.Series([len(tasks) + layers.index(each.layer) for each in lanes], dtype=pl.UInt32)
    on_stream = pl.Series([each.is_stream for each in lanes], dtype=pl.Boolean)
    codes = pl.select(
        pl.when(on_stream.gather(lane) & task.is_not_null()).then(task).otherwise(own.gather(lane))
    ).to_series()
    texts = [*tasks, *layers]
    kinds = sorted({texts[code] for code in codes.unique()})
    place = {text: number for number, text in enumerate(kinds)}
    return pl.Series([place.get(text) for text in texts], dtype=pl.UInt16).gather(codes), tuple(kinds)


def _no_events(gathered: Gathered) -> pl.DataFrame:
    integer = {"start_ns", "duration_ns", "connection_id", "offset"}
    schema = {name: pl.Int64() if name in integer else pl.UInt16() for name in _EVENTS}
    names = pl.Categorical(gathered.known.names.categories)
    return pl.DataFrame(schema={**schema, "name": names, "task_id": pl.UInt32(), "length": pl.Int32()})


def _flows(
    flows: Columns, of_thread: pl.Series, document_of: pl.Series | None, complete: bool
) -> pl.DataFrame:
    if not flows.height:
        return pl.DataFrame(schema=_FLOWS)

    def take(name: str) -> pl.Series:
        return flows.take(name, for_good=complete)

    lane, phase, at, file = of_thread.gather(take("thread")), take("phase"), take("at_ns"), take("file")
    keys = {name: take(name) for name in ("category", "id_text", "id")}
    kept = None
    if document_of is not None:
        keys["document"] = document_of.gather(file)
        own = pl.DataFrame({**keys, "lane": lane, "phase": phase, "at": at}).drop("document")
        kept = _kept(own, keys["document"])
    keys = {name: key for name, key in keys.items() if _varies(key)}
    frame = pl.DataFrame({**keys, "at_ns": at})
    places = frame.select(pl.arg_sort_by(frame.columns, maintain_order=True)).to_series()
    del frame
    if kept is not None:
        places = places.filter(kept.gather(places))
    columns = {"flow": _group_numbers(keys, places), "at_ns": at.gather(places)}
    del keys, at
    columns["phase"] = phase.gather(places).cast(pl.String)
    columns |= {"lane": lane.gather(places), "file": file.gather(places)}
    columns |= {name: take(name).gather(places) for name in ("offset", "length")}
    return pl.DataFrame({name: columns[name] for name in _FLOWS})


def _varies(key: pl.Series) -> bool:
    return 0 < key.null_count() < len(key) or key.min() != key.max()


def _group_numbers(keys: dict[str, pl.Series], places: pl.Series) -> pl.Series:
    """Int64 that counts up wherever one of the sorted keys changes."""
    changes = pl.repeat(False, len(places), eager=True)
    for name in list(keys):
        key = keys.pop(name).gather(places)
        changes |= key.ne_missing(key.shift(1))
    return changes.cum_sum().cast(pl.Int64)


_FLOWS = {
    "flow": pl.Int64,
    "phase": pl.String,
    "lane": pl.UInt16,
    "at_ns": pl.Int64,
    "file": pl.UInt16,
    "offset": pl.Int64,
    "length": pl.Int32,
}


def _counters(counters: Columns, lanes: Lanes, document_of: pl.Series | None, complete: bool) -> pl.DataFrame:
    if not counters.height:
        return pl.DataFrame(schema=_COUNTERS)
    of_counter = pl.Series(lanes.of_counter, dtype=pl.UInt16)
    frame = pl.DataFrame(
        [counters.take(name, for_good=complete) for name in ("series", *list(_COUNTERS)[1:])]
    )
    frame = frame.with_columns(of_counter.gather(frame["series"]).alias("lane"))
    if document_of is not None:
        frame = frame.filter(_kept(frame.select("lane", "at_ns", "value"), document_of.gather(frame["file"])))
    return frame.sort("lane", "at_ns", maintain_order=True).select(list(_COUNTERS))


_COUNTERS = {
    "lane": pl.UInt16,
    "at_ns": pl.Int64,
    "value": pl.Float64,
    "file": pl.UInt16,
    "offset": pl.Int64,
    "length": pl.Int32,
}


def _lane_events(lane: pl.Series, lanes: int) -> tuple[Span, ...]:
    found = dict(lane.value_counts().iter_rows())
    spans, at = [], 0
    for number in range(lanes):
        spans.append((at, at + found.get(number, 0)))
        at = spans[-1][1]
    return tuple(spans)


def _about_pairs(paired: Paired | None) -> list[str]:
    said = []
    if paired is not None and paired.unclosed:
        said.append(
            counted(
                "{n} begin (B) without an end (E) is shown without a duration.",
                "{n} begins (B) without an end (E) are shown without a duration.",
                paired.unclosed,
            )
        )
    if paired is not None and paired.unopened:
        said.append(
            counted(
                "{n} end (E) without a begin (B) was left out.",
                "{n} ends (E) without a begin (B) were left out.",
                paired.unopened,
            )
        )
    return said


def _about_stray(stray: int) -> list[str]:
    if not stray:
        return []
    return [
        counted(
            "{n} begin or end lies more than an hour from all others: the timeline doesn't reach there.",
            "{n} begins and ends lie more than an hour from all others: the timeline doesn't reach there.",
            stray,
        )
    ]


@dataclass(frozen=True)
class Paired:
    """Slices of paired events, and what found no partner."""

    slices: pl.DataFrame
    """The columns of the begins, with start_ns and duration_ns; one without an end has no length."""
    ends: pl.DataFrame
    """file UInt16, offset Int64 (of the begin), end_offset Int64, end_length Int32, end_file UInt16."""
    unclosed: int
    unopened: int


_ENDS = {
    "file": pl.UInt16(),
    "offset": pl.Int64(),
    "end_offset": pl.Int64(),
    "end_length": pl.Int32(),
    "end_file": pl.UInt16(),
}


def pair(events: pl.DataFrame) -> Paired:
    """``events``: lane, at_ns, begins and more, in file order; paired by time, then by that order."""
    ordered = events.sort("lane", "at_ns", maintain_order=True)
    begins: list[int] = []
    ends: list[int] = []
    stack: list[int] = []
    unclosed: list[int] = []
    lane_before, unopened = None, 0
    for row, (lane, is_begin) in enumerate(ordered.select("lane", "begins").iter_rows()):
        if lane != lane_before:
            unclosed += stack
            lane_before, stack = lane, []
        if is_begin:
            stack.append(row)
        elif stack:
            begins.append(stack.pop())
            ends.append(row)
        else:
            unopened += 1
    unclosed += stack
    return Paired(
        _slices(ordered, begins, ends, unclosed), _ends(ordered, begins, ends), len(unclosed), unopened
    )


def _slices(ordered: pl.DataFrame, begins: list[int], ends: list[int], unclosed: list[int]) -> pl.DataFrame:
    opened, closed = ordered[begins], ordered[ends]
    whole = opened.with_columns(duration_ns=closed["at_ns"] - opened["at_ns"])
    endless = ordered[unclosed].with_columns(duration_ns=pl.lit(0, pl.Int64))
    return pl.concat([whole, endless]).rename({"at_ns": "start_ns"}).drop("begins")


def _ends(ordered: pl.DataFrame, begins: list[int], ends: list[int]) -> pl.DataFrame:
    opened, closed = ordered[begins], ordered[ends]
    columns = [opened["file"], opened["offset"], closed["offset"], closed["length"], closed["file"]]
    return pl.DataFrame(dict(zip(_ENDS, columns, strict=True)), schema=_ENDS)


_LARGEST = (1 << 63) - 1


def trace_span(moments: Iterable[pl.Series]) -> tuple[Span, int]:
    """The span of moments (Int64 ns), and how many are no times of the run and are left out of it."""
    series = [each for each in moments if len(each)]
    bounds = run_bounds(series)
    inside = [each.filter(each.is_between(*bounds, closed="left")) for each in series]
    begins = [each.min() for each in inside if len(each)]
    ends = [each.max() for each in inside if len(each)]
    if not begins:
        return (0, 0), sum(map(len, series))
    stray = sum(map(len, series)) - sum(map(len, inside))
    return (min(begins), max(ends)), stray  # type: ignore[type-var, return-value]


def ends_of(slices: pl.DataFrame) -> pl.Series:
    """Where slices end; one with a broken duration at its start, one beyond all times at the last of them."""
    length = pl.col("duration_ns").clip(0)
    return slices.select(
        end_ns=pl.col("start_ns") + pl.min_horizontal(length, _LARGEST - pl.col("start_ns"))
    ).to_series()
