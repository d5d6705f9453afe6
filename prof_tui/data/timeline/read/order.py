"""B and E events made slices: each end closes the begin that was opened last on its lane."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl


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
