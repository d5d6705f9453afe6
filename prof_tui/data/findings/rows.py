"""A handful of sums as lines of a finding's page."""

import polars as pl

from prof_tui.data.findings.finding import EvidenceRow
from prof_tui.words import printable

MOST_ROWS = 5


def largest_rows(
    frame: pl.DataFrame, label: str, *, note: str = "", most: int = MOST_ROWS
) -> tuple[EvidenceRow, ...]:
    """The rows with most ``ns`` of a frame with ``count`` and ``ns``; ``label`` and ``note`` are columns."""
    ordered = frame.sort("ns", label, descending=[True, False]).head(most)
    return tuple(
        EvidenceRow(
            printable(str(row[label])),
            int(row["count"]),
            int(row["ns"]),
            printable(str(row[note] or "")) if note else "",
        )
        for row in ordered.iter_rows(named=True)
    )


def added(frame: pl.DataFrame, *group: str) -> pl.DataFrame:
    """``count`` and ``ns`` added up by fewer columns, most ``ns`` first."""
    summed = frame.group_by(group).agg(pl.col("count").sum(), pl.col("ns").sum())
    return summed.sort("ns", *group, descending=[True, *(False for _each in group)])
