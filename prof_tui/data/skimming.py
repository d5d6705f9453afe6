"""Columns of a large file in one pass, without finding its rows: for sums that are wanted soon.

A file with any cell that is spelled otherwise than usual is left to the exact reading, N/A in a column of
numbers among them.  So is one with a cell too many before a number: a word stands in its place then.
Other damaged rows count as they stand until rows are judged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from prof_tui.data.column_loading import Wanted, scan


def skim(
    frame: pl.LazyFrame, wanted: Sequence[Wanted], parsed_names: Collection[str]
) -> list[pl.Series] | None:
    """Values as ``scan`` gives them; None where they may be wrong."""
    scanned = scan(frame, wanted, parsed_names=parsed_names)
    numbers = [
        values
        for (column, _name, _own), values in zip(wanted, scanned.values, strict=True)
        if column.kind != "text"
    ]
    return None if scanned.doubts or any(values.null_count() for values in numbers) else scanned.values
