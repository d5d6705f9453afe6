"""What each iteration of a device has, one beside the other: for whatever makes one stand out."""

from __future__ import annotations

import polars as pl

from prof_tui.data.findings.ops import Ops
from prof_tui.data.run.devices import DeviceRun


def iteration_sums(ops: Ops, device: DeviceRun) -> pl.DataFrame:
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
            "talks": ops.flags.communicates.gather(rows),
        }
    )
    return (
        frame.filter(pl.col("iteration").is_in(steady))
        .group_by("iteration")
        .agg(
            pl.len().cast(pl.Int64).alias("count"),
            pl.col("ns").sum(),
            pl.col("ns").filter(pl.col("talks")).sum().alias("communication_ns"),
        )
        .sort("iteration")
    )
