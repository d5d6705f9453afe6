"""The columns of op_statistic computed from op_summary, where msprof's own file doesn't cover a scope.

One row per device, OP Type and Task Type over the ops of one iteration or model; rows without an OP
Type are left out, as the exporter does (formats.md section 3.3).
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prof_tui.data.query.query import OUTSIDE, Scope
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table, device_numbers
from prof_tui.words import NOT_AVAILABLE, counted, microseconds

HEADERS = (
    "Device_id",
    "OP Type",
    "Core Type",
    "Count",
    "Total Time(us)",
    "Min Time(us)",
    "Avg Time(us)",
    "Max Time(us)",
    "Ratio(%)",
)


def computed_op_statistic(ops: Table, rows: pl.Series, scope: Scope, why: str = "") -> Table | None:
    """op_statistic over ``rows`` (row numbers) of op_summary, total time descending within each device.

    ``scope`` is what the rows are, ``why`` a notice.  None where op_summary has no OP Type, Task Type or
    Task Duration.  Ratio(%) is of the device's sum.
    """
    op_type, task_type, duration = (ops.get(id_) for id_ in ("op_type", "task_type", "task_duration"))
    if op_type is None or task_type is None or duration is None:
        return None
    ops.load([op_type, task_type, duration])
    types, cores = ops.texts(op_type), ops.texts(task_type)
    frame = pl.DataFrame(
        {
            "device": device_numbers(ops).gather(rows),
            "type": types.codes.gather(rows),
            "core": cores.codes.gather(rows),
            "ns": ops.numbers(duration).gather(rows),
        }
    )
    said = [why] if why else []
    return statistic_of(frame, types.values, cores.values, ", ".join(ops.file_names), scope, said)


def statistic_of(
    frame: pl.DataFrame,
    types: pl.Series,
    cores: pl.Series,
    file_names: str,
    scope: Scope,
    notices: Sequence[str],
) -> Table:
    """op_statistic over ops: ``device``, ``ns``, and ``type`` and ``core`` as codes into their texts."""
    unnamed = types.gather(frame["type"]).fill_null(NOT_AVAILABLE) == NOT_AVAILABLE
    left_out = _about_left_out(
        negative=int((frame["ns"] < 0).sum()),
        without_duration=frame["ns"].null_count(),
        without_type=int((unnamed & (frame["ns"] >= 0)).sum()),
    )
    grouped = frame.filter(pl.col("ns") >= 0).group_by("device", "type", "core").agg(*_AGGREGATES)
    grouped = grouped.sort("device", "total", "type", descending=[False, True, False])
    named = grouped.with_columns(
        types.gather(grouped["type"]).fill_null(NOT_AVAILABLE).alias("type"),
        cores.gather(grouped["core"]).fill_null(NOT_AVAILABLE).alias("core"),
        (pl.col("total") * 100 / pl.col("total").sum().over("device")).alias("ratio"),
    ).filter(pl.col("type") != NOT_AVAILABLE)
    columns = [column_for(header) for header in HEADERS]
    store = MemoryStore(columns, [_cells(row) for row in named.iter_rows()])
    iteration = None if scope.iteration == OUTSIDE else scope.iteration
    source = TableSource(file_names, store, model=scope.model, iteration=iteration)
    return Table("op_statistic", [source], [*notices, *left_out])


def _about_left_out(*, negative: int, without_duration: int, without_type: int) -> list[str]:
    """Sentences on the ops that are in no Count."""
    counts = (
        (
            negative,
            "{n} op with a negative duration is left out.",
            "{n} ops with a negative duration are left out.",
        ),
        (
            without_duration,
            "{n} op without a duration is left out.",
            "{n} ops without a duration are left out.",
        ),
        (
            without_type,
            "{n} op without an OP Type is left out, but for Ratio.",
            "{n} ops without an OP Type are left out, but for Ratio.",
        ),
    )
    return [counted(one, many, n) for n, one, many in counts if n]


_AGGREGATES = (
    pl.len().alias("count"),
    pl.col("ns").sum().alias("total"),
    pl.col("ns").min().alias("min"),
    pl.col("ns").mean().round().cast(pl.Int64).alias("avg"),
    pl.col("ns").max().alias("max"),
)


def _cells(row: Sequence[object]) -> list[str]:
    device, op_type, core, number, *times, ratio = row
    return [
        str(NOT_AVAILABLE if device is None else device),
        str(op_type),
        str(core),
        str(number),
        *(microseconds(ns) for ns in times if isinstance(ns, int)),
        f"{ratio:.3f}",
    ]
