"""The same task in two files: one rule for whoever looks for it.

Two exporters convert a task's counter on their own, so its starts in two files of one export may be 0.1 to
1.6 us apart, and task ids wrap at 65,536 (quirks.md).  A task is found again by device, stream, task id and
nearest start, at most ``MOST_APART_NS`` away and nearer than half the way to the next of the same key in
its own file; name and length are a check.  Where one of the two says no ids, as for communication, or a
stream that the other doesn't know at all, the name stands for them.  Beyond that it is not found.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.data.tables.typed_columns import TextColumn
from prof_tui.words import _, duration

MOST_APART_NS = 10_000
"""Starts of one task in two files lie no further apart."""
_SAME_LENGTH_NS = 10_000
"""Durations of one task differ by up to 2.7 us between exporters (quirks.md)."""

TASKS = {
    "number": pl.UInt32,
    "device": pl.Int64,
    "stream": pl.Int64,
    "task": pl.Int64,
    "start_ns": pl.Int64,
    "ns": pl.Int64,
    "name": pl.String,
}
"""Columns of a set of tasks: ``number`` is the caller's own; all others are null where a file doesn't say."""

SAME_TASKS = {"number": pl.UInt32, "other": pl.UInt32, "apart_ns": pl.Int64}
"""Columns of pairs: ``apart_ns`` is how much later the other starts; a number of either side comes once."""

_IDS = ("device", "stream", "task")
_NAMES = ("device", "name")
_LARGEST = 1 << 62


def match_tasks(own: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Pairs (``SAME_TASKS``) of two sets of tasks (``TASKS``), in the order of ``number``.

    A task without a start is in no pair.
    """
    own, others = (tasks.select(list(TASKS)).drop_nulls("start_ns") for tasks in (own, others))
    found = _pair(own.drop_nulls(_IDS[1:]), others.drop_nulls(_IDS[1:]), _IDS)
    no_ids = pl.any_horizontal(pl.col(_IDS[1:]).is_null())
    for mine, theirs in (
        (own.filter(no_ids), others),
        (own, others.filter(no_ids)),
        (_of_unknown_streams(own, others), _of_unknown_streams(others, own)),
    ):
        left, others_left = _without(mine, found["number"]), _without(theirs, found["other"])
        found = pl.concat([found, _pair(left.drop_nulls("name"), others_left.drop_nulls("name"), _NAMES)])
    return found.sort("number")


def _without(tasks: pl.DataFrame, numbers: pl.Series) -> pl.DataFrame:
    found = numbers.rename("number").to_frame()
    return tasks.join(found, on="number", how="anti", maintain_order="left")


def _of_unknown_streams(tasks: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """The tasks of streams that the others don't know."""
    known = others.select("device", "stream").unique()
    return tasks.join(known, on=["device", "stream"], how="anti", nulls_equal=True, maintain_order="left")


def _pair(own: pl.DataFrame, others: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Pairs of the same key by nearest start; those of one key and start by their lengths too."""
    if own.is_empty() or others.is_empty():
        return pl.DataFrame(schema=SAME_TASKS)
    found = _nearest(own, others, key)
    left, others_left = _without(own, found["number"]), _without(others, found["other"])
    crowds = pl.concat([_crowds(left, key), _crowds(others_left, key)]).unique()
    if crowds.is_empty():
        return found
    twins, others_twins = (_twins(each, crowds, key) for each in (left, others_left))
    return pl.concat([found, _nearest(twins, others_twins, (*key, "twin"))])


def _crowds(tasks: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Keys of which several tasks start together."""
    return tasks.filter(pl.struct(*key, "start_ns").is_duplicated()).select(key).unique()


def _twins(tasks: pl.DataFrame, crowds: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """The tasks of some keys with ``twin``: which shortest of those that start together."""
    shortest = pl.col("ns").fill_null(0).rank("ordinal").over(*key, "start_ns").cast(pl.Int64)
    of_crowds = tasks.join(crowds, on=list(key), how="semi", nulls_equal=True, maintain_order="left")
    return of_crowds.with_columns(twin=shortest)


def _nearest(own: pl.DataFrame, others: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Pairs of the same key by nearest start, which is nobody's else.

    In the order of key and start the two of a pair stand next to each other: were another task of either
    file between them, that one's next would be less than twice their distance away.
    """
    both = pl.concat([own.with_columns(is_own=True), others.with_columns(is_own=False)])
    both = both.with_columns(key=_packed(both, key)).sort("key", "start_ns").with_row_index("place")
    room = pl.concat([_room(both.filter(side)) for side in (pl.col("is_own"), ~pl.col("is_own"))])
    both = both.with_columns(room.sort("place")["room"])
    gap = pl.col("start_ns").shift(-1) - pl.col("start_ns")
    room_of_both = pl.min_horizontal("room", pl.col("room").shift(-1))
    meets = (
        (pl.col("key") == pl.col("key").shift(-1))
        & (pl.col("is_own") != pl.col("is_own").shift(-1))
        & (gap <= MOST_APART_NS)
        & (2 * gap < room_of_both)
    )
    first = both.select(meets.fill_null(False)).to_series().arg_true()
    return _checked(both[first], both[first + 1])


def _packed(tasks: pl.DataFrame, key: Sequence[str]) -> pl.Series:
    """One number per combination of the columns of the key (Int64 or String)."""
    packed = pl.Series("key", [0], dtype=pl.Int64).new_from_index(0, len(tasks))
    size = 1
    for name in key:
        codes = tasks[name]
        if codes.dtype == pl.String or _extent(codes) * size >= _LARGEST:
            codes = codes.rank("dense").cast(pl.Int64)
        least, extent = codes.min() or 0, _extent(codes)
        packed = packed * extent + (codes - least + 1).fill_null(0)
        size *= extent
    return packed.alias("key")


def _extent(codes: pl.Series) -> int:
    """How many numbers there may be from the least to the greatest, and one for null."""
    least, most = codes.min(), codes.max()
    return most - least + 2 if isinstance(least, int) and isinstance(most, int) else 2


def _room(tasks: pl.DataFrame) -> pl.DataFrame:
    """``place`` and, in ns, how far away the next task of the same key is in the same file."""
    next_ns = pl.col("start_ns").diff()
    before = pl.when(pl.col("key") == pl.col("key").shift(1)).then(next_ns)
    after = pl.when(pl.col("key") == pl.col("key").shift(-1)).then(next_ns.shift(-1))
    return tasks.select("place", room=pl.min_horizontal(before, after).fill_null(_LARGEST))


def _checked(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """Rows that stand next to each other as pairs, without those of other names and other lengths."""
    pairs = pl.concat([first, second.select(pl.all().name.suffix("_after"))], how="horizontal")
    far = (pl.col("ns") - pl.col("ns_after")).abs() > _SAME_LENGTH_NS
    names = pl.col("name").str.contains(pl.col("name_after"), literal=True) | pl.col(
        "name_after"
    ).str.contains(pl.col("name"), literal=True)
    gap = pl.col("start_ns_after") - pl.col("start_ns")
    return pairs.filter(~(far & ~names).fill_null(False)).select(
        number=pl.when("is_own").then("number").otherwise("number_after"),
        other=pl.when("is_own").then("number_after").otherwise("number"),
        apart_ns=pl.when("is_own").then(gap).otherwise(-gap),
    )


_COLUMNS = {
    "stream": ("stream_id",),
    "task": ("task_id",),
    "start_ns": ("task_start", "task_started"),
    "ns": ("task_duration", "task_time"),
    "name": ("op_name", "kernel_name"),
}
"""Ids of the columns of op_summary and task_time that a task is found by."""


def tasks_of_table(
    table: Table, rows: pl.Series | None = None, columns: Sequence[str] = tuple(_COLUMNS)
) -> pl.DataFrame:
    """Rows of op_summary or task_time (None: all) as ``TASKS``, by row number.

    A start that is no time of this run is null.

    ``columns``: those that are read, the others are null.  Reads what wasn't read yet, in one pass.
    """
    found = {name: column for name in columns if (column := _column(table, name))}
    table.load(list(found.values()))
    numbers = pl.int_range(table.row_count, dtype=pl.UInt32, eager=True) if rows is None else rows
    own: dict[str, pl.Series] = {"number": numbers, "device": _gathered(device_numbers(table), rows)}
    for name, column in found.items():
        values = table.times(column).ns if name == "start_ns" else table.values(column)
        if isinstance(values, TextColumn):
            own[name] = values.values.gather(_gathered(values.codes, rows))
        else:
            own[name] = _gathered(values, rows)
    absent = pl.Series([None]).new_from_index(0, len(numbers))
    frame = pl.DataFrame({name: own.get(name, absent) for name in TASKS})
    return frame.with_columns(pl.col(name).cast(dtype) for name, dtype in TASKS.items())


def _column(table: Table, name: str) -> Column | None:
    return next((column for id_ in _COLUMNS[name] if (column := table.get(id_))), None)


def _gathered(values: pl.Series, rows: pl.Series | None) -> pl.Series:
    return values if rows is None else values.gather(rows)


def starting_near(starts: pl.Series, start_ns: int) -> pl.Series:
    """Boolean per start: near enough to matter for a task that starts then."""
    return starts.is_between(start_ns - 4 * MOST_APART_NS, start_ns + 4 * MOST_APART_NS).fill_null(False)


def apart_text(apart_ns: int, table: str) -> str:
    """Where a task starts in another file: ``placed 0.100 us later in op_summary``; empty where here."""
    if not apart_ns:
        return ""
    text = _("placed {time} later in {table}") if apart_ns > 0 else _("placed {time} earlier in {table}")
    return text.format(time=duration(abs(apart_ns)), table=table)
