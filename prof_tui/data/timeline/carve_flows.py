"""The arrows that a part of a timeline touches."""

from __future__ import annotations

import polars as pl

from prof_tui.data.spans.span import Span
from prof_tui.data.timeline.events import ENDS_NS
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
