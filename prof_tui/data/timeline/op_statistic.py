"""The columns of op_statistic computed from a timeline, where the export has no op_summary either.

One row per device, OP Type and Task Type over the tasks of its streams that compute.  A timeline has no OP
Type: it is taken for the last part of an op's name without its number, as MindSpore names ops
(``Default/network/Cast-op239``), and a notice says so.
"""

from __future__ import annotations

import polars as pl

from prof_tui.data.iterations.placement import place_times
from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.query.op_statistic import statistic_of
from prof_tui.data.query.query import OUTSIDE, Scope
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline.events import names_dictionary
from prof_tui.data.timeline.model import TraceIndex
from prof_tui.data.timeline.overlap import op_tasks, overlap_devices
from prof_tui.words import _

_PATH = r"^.*/"
_NUMBER = r"(?:-op\d+|_\d+)+$"


def traced_op_statistic(index: TraceIndex, steps: StepTrace, scope: Scope, why: str) -> Table:
    """op_statistic of a scope's model and iteration, of all devices; ``why``: what it stands in for."""
    types = names_dictionary(index).str.replace(_PATH, "").str.replace(_NUMBER, "")
    places = types.rank("dense").cast(pl.UInt32) - 1
    parts = [_ops(index, steps, device, scope) for device in overlap_devices(index)]
    frame = pl.concat([_NO_OPS, *parts])
    frame = frame.with_columns(places.gather(frame["type"]).alias("type"))
    said = _("OP Type is the last part of an op's name, without its number: timelines don't say it.")
    files = ", ".join(file.path.name for file in index.files)
    kinds = pl.Series(list(index.kinds), dtype=pl.String)
    return statistic_of(frame, types.unique().sort(), kinds, files, scope, [*([why] if why else []), said])


_NO_OPS = pl.DataFrame(schema={"device": pl.Int64, "type": pl.UInt32, "core": pl.UInt16, "ns": pl.Int64})


def _ops(index: TraceIndex, steps: StepTrace, device: int | None, scope: Scope) -> pl.DataFrame:
    """device, type (code of the name), core (number of the kind) and ns of the ops in scope."""
    tasks = op_tasks(index, device).filter(~pl.col("communicates"))
    if scope.model is not None or scope.iteration is not None:
        placed = place_times(steps, device, tasks["start_ns"])
        tasks = tasks.hstack(placed.select("model", "iteration")).filter(_in_scope(scope))
    return tasks.select(
        pl.lit(device, pl.Int64).alias("device"),
        pl.col("name").to_physical().alias("type"),
        pl.col("kind").alias("core"),
        pl.col("duration_ns").alias("ns"),
    )


def _in_scope(scope: Scope) -> pl.Expr:
    if scope.iteration == OUTSIDE:
        return pl.col("iteration").is_null()
    wanted = {"model": scope.model, "iteration": scope.iteration}
    return pl.all_horizontal(
        (pl.col(name) == number).fill_null(False) for name, number in wanted.items() if number is not None
    )
