"""One op among its kind: rank, distribution, neighbours in time, iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.query.query import Scope
from prof_tui.data.run.kinds import KIND
from prof_tui.data.tables.cells import MISSING
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.words import NOT_AVAILABLE, _, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture

_SPARK_POINTS = 400
"""Durations kept for a sparkline: more than a terminal is wide."""


@dataclass(frozen=True)
class Rank:
    """Where a duration stands among others of the same device."""

    place: int
    """1 for the longest; ops of the same length share the better place."""
    count: int
    sum_ns: int


@dataclass(frozen=True)
class KindSpread:
    """How the durations of an op's kind are distributed."""

    rank: Rank
    min_ns: int
    median_ns: int
    max_ns: int
    in_time_order_ns: tuple[int, ...]
    """Largest durations of equal stretches of the kind's ops in time order, at most 400."""


@dataclass(frozen=True)
class Neighbour:
    """The op before or after on the device, over all streams."""

    row: int
    name: str
    start_ns: int
    end_ns: int
    gap_ns: int
    """Idle time between the two; negative where they overlap."""


@dataclass(frozen=True)
class OpDetail:
    """Everything that an op's page says."""

    row: int
    cells: tuple[tuple[Column, str | None], ...]
    """All columns of the file with the op's cell."""
    start_ns: int | None
    duration_ns: int | None
    overall: Rank | None
    """Among all ops of its device."""
    kind: KindSpread | None
    before: Neighbour | None
    after: Neighbour | None
    why_unplaced: str
    """A sentence where its start is no time of the run, so that it has no neighbours; else empty."""
    scope: Scope
    """The op's device, and the model and iteration that it is in; None outside."""
    rule: int | None
    """Number of the rule that placed it."""


def op_detail(capture: OpenCapture, table: Table, row: int) -> OpDetail:
    """The page of one row of op_summary; UnreadableError when the file can't be read."""
    [cells] = table.cells([row])
    start, length = table.get("task_start"), table.get("task_duration")
    device = device_numbers(table)
    own_device = device[row]
    same = pl.Series([True]).new_from_index(0, len(device)) if own_device is None else device == own_device
    same = same.fill_null(False)
    placement = capture.placement(table)
    duration_ns = table.numbers(length)[row] if length else None
    overall = (
        None
        if length is None or duration_ns is None
        else _rank(table.numbers(length).filter(same), duration_ns)
    )
    before, after = _neighbours(table, row, start, length, same)
    return OpDetail(
        row,
        tuple(zip(table.columns, cells, strict=True)),
        table.times(start).ns[row] if start else None,
        duration_ns,
        overall,
        _spread(table, row, start, length, same),
        before,
        after,
        _why_unplaced(table, row, start),
        Scope(own_device, placement.model[row], placement.iteration[row]),
        placement.rule[row],
    )


def _rank(durations: pl.Series, own_ns: int) -> Rank:
    return Rank(
        int((durations > own_ns).sum()) + 1,
        len(durations) - durations.null_count(),
        int(durations.clip(0).sum()),
    )


def _spread(
    table: Table, row: int, start: Column | None, length: Column | None, same: pl.Series
) -> KindSpread | None:
    if length is None or table.numbers(length)[row] is None:
        return None
    mask = same
    for column in _kind_columns(table, row):
        codes = table.texts(column).codes
        mask = mask & codes.eq_missing(pl.Series([codes[row]], dtype=codes.dtype))
    rows = mask.arg_true()
    if start is not None:
        rows = rows.gather(table.times(start).ns.gather(rows).arg_sort(nulls_last=True))
    durations = table.numbers(length).gather(rows).drop_nulls()
    own_ns = int(table.numbers(length)[row])
    return KindSpread(
        _rank(durations, own_ns),
        _int(durations.min()),
        _int(durations.median()),
        _int(durations.max()),
        _largest_of_stretches(durations),
    )


def _kind_columns(table: Table, row: int) -> list[Column]:
    """The columns of the kind; the name where the export has no types (collected at level 0)."""
    columns = [column for id_ in KIND.values() if (column := table.get(id_))]
    codes = [(table.texts(column), table.texts(column).codes[row]) for column in columns]
    said = [texts.values[code] for texts, code in codes if code is not None]
    name = table.get("op_name")
    return [name] if name is not None and all(value in MISSING for value in said) else columns


def _int(value: object) -> int:
    return round(value) if isinstance(value, (int, float)) else 0


def _largest_of_stretches(durations: pl.Series) -> tuple[int, ...]:
    size = max(1, -(-len(durations) // _SPARK_POINTS))
    frame = durations.alias("ns").to_frame().with_row_index("i")
    grouped = frame.group_by(pl.col("i") // size, maintain_order=True).agg(pl.col("ns").max())
    return tuple(grouped["ns"].to_list())


def _neighbours(
    table: Table, row: int, start: Column | None, length: Column | None, same: pl.Series
) -> tuple[Neighbour | None, Neighbour | None]:
    """The nearest ops before and after by (start, row), device and all streams alike."""
    if start is None or table.times(start).ns[row] is None:
        return None, None
    starts = table.times(start).ns
    own = int(starts[row])
    order = pl.int_range(len(starts), dtype=pl.UInt32, eager=True)
    earlier = same & ((starts < own) | ((starts == own) & (order < row))).fill_null(False)
    later = same & ((starts > own) | ((starts == own) & (order > row))).fill_null(False)
    before = _extreme(starts, earlier.arg_true(), latest=True)
    after = _extreme(starts, later.arg_true(), latest=False)
    ends = {at: _end(table, at, start, length) for at in (row, before, after) if at is not None}
    return (
        None if before is None else _neighbour(table, before, starts, ends[before], own - ends[before]),
        None
        if after is None
        else _neighbour(table, after, starts, ends[after], int(starts[after]) - ends[row]),
    )


def _why_unplaced(table: Table, row: int, start: Column | None) -> str:
    if start is None:
        return _("What ran before and after it is unknown: the file has no Task Start Time.")
    if table.times(start).ns[row] is not None:
        return ""
    [cells] = table.cells([row])
    text = _("What ran before and after it is unknown: its start {start} is no time of this run.")
    return text.format(start=printable(cells[table.place(start)] or NOT_AVAILABLE))


def _extreme(starts: pl.Series, rows: pl.Series, *, latest: bool) -> int | None:
    if not len(rows):
        return None
    values = starts.gather(rows)
    wanted = values.max() if latest else values.min()
    hits = rows.filter(values == wanted)
    return int(hits[-1] if latest else hits[0])


def _end(table: Table, row: int, start: Column, length: Column | None) -> int:
    duration = table.numbers(length)[row] if length else None
    return int(table.numbers(start)[row]) + max(0, duration or 0)


def _neighbour(table: Table, row: int, starts: pl.Series, end_ns: int, gap_ns: int) -> Neighbour:
    column = table.get("op_name")
    [cells] = table.cells([row])
    name = cells[table.place(column)] if column else None
    return Neighbour(row, NOT_AVAILABLE if name is None else name, int(starts[row]), end_ns, gap_ns)
