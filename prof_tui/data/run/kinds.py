"""Ops that can be compared: those of a kind, the same op in other iterations, and all of an iteration."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from prof_tui.data.run.ops import Ops
from prof_tui.data.run.periods import ModelRun
from prof_tui.data.tables.cells import MISSING

KIND = {"type": "op_type", "task": "task_type", "shapes": "input_shapes"}
"""What makes ops of one kind: ids of columns of op_summary by what they are called in frames."""
KIND_COLUMNS = {**KIND, "name": "op_name"}
"""With the name, which stands for a type or shapes that are N/A."""


def ops_by_kind(ops: Ops) -> pl.DataFrame:
    """``device``, ``ns`` and the kind of each op in scope, as codes; no ``name`` where the kind says all."""
    assert ops.ns is not None
    rows = (ops.in_scope & (ops.ns >= 0).fill_null(False)).arg_true()
    absent = pl.Series([None], dtype=pl.UInt32).new_from_index(0, len(rows))

    def codes(id_: str) -> pl.Series:
        values = ops.texts(id_)
        return absent if values is None else values.codes.gather(rows)

    frame = pl.DataFrame(
        {
            "device": ops.device.gather(rows),
            "ns": ops.ns.gather(rows),
            **{name: codes(id_) for name, id_ in KIND_COLUMNS.items()},
        }
    )
    vague = _is_missing(ops, "type") | _is_missing(ops, "shapes")
    return frame.with_columns(pl.when(vague).then(pl.col("name")).alias("name"))


def _is_missing(ops: Ops, name: str) -> pl.Expr:
    values = ops.texts(KIND_COLUMNS[name])
    none = [] if values is None else values.values.is_in(list(MISSING)).arg_true().to_list()
    return pl.col(name).is_null() | pl.col(name).is_in(none)


def iteration_sums(ops: Ops, device: ModelRun) -> pl.DataFrame:
    """``count``, ``ns`` and ``communication_ns`` of valid ops by ``iteration``, of the steady ones."""
    if ops.ns is None:
        return pl.DataFrame(schema=dict.fromkeys(("iteration", "count", "ns", "communication_ns"), pl.Int64))
    steady = [step.iteration for step in device.steady]
    here = ops.of_model & ops.of_device(device.device) & (ops.ns >= 0).fill_null(False)
    rows = here.arg_true()
    frame = pl.DataFrame(
        {
            "iteration": ops.iteration.gather(rows).cast(pl.Int64),
            "ns": ops.ns.gather(rows),
            "communicates": ops.flags.communicates.gather(rows),
        }
    )
    return (
        frame.filter(pl.col("iteration").is_in(steady))
        .group_by("iteration")
        .agg(
            pl.len().cast(pl.Int64).alias("count"),
            pl.col("ns").sum(),
            pl.col("ns").filter(pl.col("communicates")).sum().alias("communication_ns"),
        )
        .sort("iteration")
    )


_MOST_NAMES = 50
"""Op Names of an iteration that are compared, those of its longest ops."""


@dataclass(frozen=True)
class SlowOp:
    """An op that took longer than the same op elsewhere."""

    row: int
    name: str
    ns: int
    usual_ns: int
    """Median over the other iterations of its model that op_summary holds."""
    others: int
    """How many those are."""
    factor: float
    """How many times as long as usual; infinite where that is nothing."""
    communicates: bool


def slowest_op(ops: Ops, device: int | None, iteration: int, least_ns: int) -> SlowOp | None:
    """The op of an iteration with most excess over the usual, if that is ``least_ns`` at least."""
    names, start, ns = ops.texts("op_name"), ops.start, ops.ns
    if names is None or start is None or ns is None:
        return None
    here = ops.of_model & ops.of_device(device)
    own = here & (ops.iteration == iteration).fill_null(False) & (ns >= least_ns).fill_null(False)
    long = own.arg_true()
    longest = long.gather(ns.gather(long).arg_sort(descending=True)).head(_MOST_NAMES)
    if not len(longest):
        return None
    wanted = names.codes.gather(longest).unique()
    rows = (here & names.codes.is_in(wanted.implode()).fill_null(False)).arg_true()
    frame = pl.DataFrame(
        {
            "row": rows,
            "name": names.codes.gather(rows),
            "iteration": ops.iteration.gather(rows),
            "start": start.gather(rows),
            "ns": ns.gather(rows),
        }
    )
    compared = _compare(frame, iteration).filter(pl.col("excess") >= least_ns).head(1)
    for row, took, usual, others in compared.select("row", "ns", "usual", "others").iter_rows():
        communicates = bool(ops.flags.communicates[row])
        factor = took / usual if usual else float("inf")
        return SlowOp(
            row, ops.text("op_name", row), int(took), round(usual), int(others), factor, communicates
        )
    return None


def _compare(frame: pl.DataFrame, iteration: int) -> pl.DataFrame:
    """The iteration's ops that ran in others too, most excess first.

    With ``usual`` and ``excess``, and ``others``: how many iterations that is the median of.
    """
    op = ["name", "occurrence"]
    numbered = frame.sort("start", "row").with_columns(
        pl.int_range(pl.len()).over("iteration", "name").alias("occurrence")
    )
    others = numbered.filter((pl.col("ns") >= 0) & (pl.col("iteration") != iteration))
    usual = others.group_by(op).agg(pl.col("ns").median().alias("usual"), pl.len().alias("others"))
    own = numbered.filter(pl.col("iteration") == iteration).join(usual, on=op)
    return own.with_columns((pl.col("ns") - pl.col("usual")).alias("excess")).sort(
        "excess", "row", descending=[True, False]
    )
