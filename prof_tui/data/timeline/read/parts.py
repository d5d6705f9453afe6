"""The events of one piece of a file in columns: slices, begins and ends, flows, counters, metadata."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from prof_tui.data.tables.typed_columns import Distinct
from prof_tui.data.timeline.read.event_texts import EventTexts, exact_ns, own_text

JsonOf = Callable[[pl.DataFrame], pl.Series]
FLOW_PHASES = ("s", "t", "f")
_OPEN_PHASES = ("B", "E")
_POINT_PHASES = ("i", "I")
_KNOWN = frozenset({"X", "C", "M", *FLOW_PHASES, *_OPEN_PHASES, *_POINT_PHASES})

THREADS = 1 << 16
"""Codes of pids and of tids stay below it: ``thread`` is one times this plus the other."""


class Dictionaries:
    """The texts of a trace as codes, shared by all of its parts."""

    def __init__(self) -> None:
        self.pids = Distinct()
        self.tids = Distinct()
        self.names = Distinct()
        self.tasks = Distinct()
        self.categories = Distinct()
        self.ids = Distinct()


@dataclass(frozen=True)
class TracePart:
    """Columns of some events of one file; ``thread`` is two codes, ``series`` a row of ``counters_of``.

    slices: thread, start_ns, duration_ns, name, task (null: none), connection_id, task_id, offset, length
    open: thread, at_ns, begins, name, task, connection_id, task_id, offset, length
    flows: thread, at_ns, phase, category, id (null: see id_text), id_text, offset, length
    counters: series, at_ns, value, offset, length
    """

    slices: pl.DataFrame
    open: pl.DataFrame
    flows: pl.DataFrame
    counters_of: pl.DataFrame
    """pid, name, key String."""
    counters: pl.DataFrame
    metadata: list[str]
    phases: dict[str, int]
    untimed: int = 0
    """Events without a time, which are left out."""
    endless: int = 0
    """X events without a duration, which get none."""
    unknown: dict[str, int] = field(default_factory=dict)
    """Events of phases that aren't shown."""


def part_of(piece: EventTexts, known: Dictionaries) -> TracePart:
    """Columns of the events of a piece."""
    texts, json_of = piece.events, piece.json_of
    phases = {phase or "": number for phase, number in texts["ph"].value_counts().iter_rows()}
    texts = texts.with_columns(exact_ns(texts, "ts", json_of).alias("at_ns"))
    slices, endless = _slices(_of(texts, phases, ("X", *_POINT_PHASES)), known, json_of)
    counters_of, counters = _counters(_of(texts, phases, ("C",)), json_of)
    timeless = texts.filter(pl.col("at_ns").is_null())["ph"]
    metadata = timeless == "M"
    return TracePart(
        slices=slices,
        open=_open(_of(texts, phases, _OPEN_PHASES), known),
        flows=_flows(_of(texts, phases, FLOW_PHASES), known, json_of),
        counters_of=counters_of,
        counters=counters,
        metadata=json_of(texts.filter(pl.col("ph") == "M")).to_list() if "M" in phases else [],
        phases=phases,
        untimed=len(timeless) - int(metadata.sum()),
        endless=endless,
        unknown={phase: number for phase, number in phases.items() if phase not in _KNOWN},
    )


def _of(texts: pl.DataFrame, phases: dict[str, int], wanted: Sequence[str]) -> pl.DataFrame:
    """The events of some phases that have a time."""
    there = [phase for phase in wanted if phase in phases]
    if not there:
        return texts.clear()
    is_one = pl.col("ph") == there[0] if len(there) == 1 else pl.col("ph").is_in(there)
    return texts.filter(is_one & pl.col("at_ns").is_not_null())


def _code(column: str, distinct: Distinct) -> pl.Expr:
    return pl.col(column).fill_null("").cast(pl.Categorical(distinct.categories)).to_physical()


def _thread(known: Dictionaries) -> pl.Expr:
    thread: pl.Expr = _code("pid", known.pids) * THREADS + _code("tid", known.tids)
    return thread.alias("thread")


def _own_columns(known: Dictionaries) -> list[pl.Expr]:
    connection = pl.col("connection_id").cast(pl.Int64, strict=False)
    own: list[pl.Expr] = [
        pl.col("name").fill_null("").cast(pl.Categorical(known.names.categories)),
        pl.col("task")
        .cast(pl.Categorical(known.tasks.categories))
        .to_physical()
        .cast(pl.UInt16, strict=False),
        pl.when(connection != -1).then(connection).alias("connection_id"),
        pl.col("task_id").cast(pl.UInt32, strict=False),
        pl.col("offset"),
        pl.col("length"),
    ]
    return own


def _slices(events: pl.DataFrame, known: Dictionaries, json_of: JsonOf) -> tuple[pl.DataFrame, int]:
    """The slices, and how many of them have no duration."""
    lengths = exact_ns(events, "dur", json_of)
    points = events["ph"] != "X"
    if points.any():
        lengths = lengths.set(points, 0)
    at = pl.col("at_ns").alias("start_ns")
    columns = [_thread(known), at, lengths.fill_null(0).alias("duration_ns"), *_own_columns(known)]
    return events.select(columns), lengths.null_count()


def _open(events: pl.DataFrame, known: Dictionaries) -> pl.DataFrame:
    begins = (pl.col("ph") == "B").alias("begins")
    return events.select(_thread(known), "at_ns", begins, *_own_columns(known))


def _flows(events: pl.DataFrame, known: Dictionaries, json_of: JsonOf) -> pl.DataFrame:
    """An id is a number only where its text is the only one for that number."""
    number = pl.col("id").cast(pl.Int64, strict=False)
    plain = (number > 0) & (pl.col("id").str.head(1) > "0")
    flows = events.select(
        _thread(known),
        "at_ns",
        pl.col("ph").cast(pl.Enum(FLOW_PHASES)).alias("phase"),
        _code("cat", known.categories).cast(pl.UInt16, strict=False).alias("category"),
        pl.when(plain).then(number).alias("id"),
        pl.lit(None, pl.UInt32).alias("id_text"),
        "offset",
        "length",
    )
    if not flows["id"].null_count():
        return flows
    texts = _exact_ids(events, json_of).fill_null("").cast(pl.Categorical(known.ids.categories))
    codes = pl.when(pl.col("id").is_null()).then(texts.to_physical()).alias("id_text")
    return flows.with_columns(codes)


def _exact_ids(events: pl.DataFrame, json_of: JsonOf) -> pl.Series:
    """``id``; one with so many digits that a Float64 may have rounded it comes from the event's text."""
    ids = events["id"]
    rows = ids.str.contains(r"^-?\d{20,}$|^-?\d+\.\d+$").fill_null(False).arg_true()
    if not len(rows):
        return ids
    exact = [own_text(text, "id") for text in json_of(events[rows])]
    return ids.scatter(rows, pl.Series(exact, dtype=pl.String))


# Counters

_COUNTERS_OF = {"pid": pl.String(), "name": pl.String(), "key": pl.String()}
_COUNTERS = {
    "series": pl.UInt32(),
    "at_ns": pl.Int64(),
    "value": pl.Float64(),
    "offset": pl.Int64(),
    "length": pl.Int32(),
}


def _counters(events: pl.DataFrame, json_of: JsonOf) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Which series there are, and their values: one series for each argument of a counter's events."""
    if not len(events):
        return pl.DataFrame(schema=_COUNTERS_OF), pl.DataFrame(schema=_COUNTERS)
    values = _values(json_of(events)).join(
        events.select(pl.col("pid", "name").fill_null(""), "at_ns", "offset", "length").with_row_index(
            "event"
        ),
        on="event",
        how="left",
        maintain_order="left",
    )
    series = values.select("pid", "name", "key").unique(maintain_order=True).with_row_index("series")
    values = values.join(series, on=["pid", "name", "key"], how="left", maintain_order="left")
    return series.select("pid", "name", "key"), values.select(list(_COUNTERS))


def _values(texts: pl.Series) -> pl.DataFrame:
    """event (row of ``texts``), key and value Float64, from the arguments."""
    arguments = texts.str.json_path_match("$.args")
    shapes = arguments.str.replace_all(r':\s*("(?:[^"\\]|\\.)*"|[^,"{}\[\]]+)', ":0").unique()
    try:
        keys = sorted({key for shape in shapes for key in json.loads(shape or "[]")})
        plain = arguments.is_not_null().all() and all(isinstance(json.loads(shape), dict) for shape in shapes)
        if not plain:
            raise ValueError
        schema = pl.Struct(dict.fromkeys(keys, pl.String()))
        decoded = arguments.str.json_decode(schema).struct.rename_fields([str(i) for i in range(len(keys))])
    except (ValueError, TypeError, pl.exceptions.PolarsError):
        return _values_one_by_one(texts)
    if not keys:
        return pl.DataFrame(schema=_VALUES)
    wide = decoded.struct.unnest().with_row_index("event")
    long = wide.unpivot(index="event", variable_name="key", value_name="value").drop_nulls("value")
    number = pl.col("value").cast(pl.Float64, strict=False)
    return long.select(
        "event",
        key=pl.Series(keys).gather(long["key"].cast(pl.UInt32)),
        value=pl.when(number.is_finite()).then(number),
    ).sort("event", maintain_order=True)


_VALUES = {"event": pl.UInt32, "key": pl.String, "value": pl.Float64}


def _values_one_by_one(texts: pl.Series) -> pl.DataFrame:
    rows: list[tuple[int, str, float | None]] = []
    for event, text in enumerate(texts):
        try:
            arguments: Any = json.loads(text, strict=False).get("args")
        except (ValueError, AttributeError, RecursionError):
            continue
        if isinstance(arguments, dict):
            rows += [(event, key, _number(value)) for key, value in arguments.items()]
    return pl.DataFrame(rows, schema=_VALUES, orient="row")


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) < float("inf") else None
