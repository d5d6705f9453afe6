"""A handful of sums as lines of a finding's page, and what an op is called there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.findings.finding import EvidenceRow
from prof_tui.data.tables.cells import MISSING
from prof_tui.words import NOT_AVAILABLE, _, printable

if TYPE_CHECKING:
    from prof_tui.data.findings.host_waits import HostGap
    from prof_tui.data.findings.ops import Ops

MOST_ROWS = 5


def named(*texts: str) -> str:
    """The first of these texts of a capture that says something, printable; N/A where none does."""
    return next((printable(text) for text in texts if text.strip() not in MISSING), NOT_AVAILABLE)


def op_named(ops: Ops, row: int) -> str:
    """What an op is called: its Op Name, else OP Type, else Task Type such as PLACE_HOLDER_SQE."""
    return named(*(ops.text(id_, row) for id_ in ("op_name", "op_type", "task_type")))


def gap_label(before: str, after: str) -> str:
    """What a gap lies between."""
    if before == after:
        return _("between two {name}").format(name=after)
    return _("{before} – {after}").format(before=before, after=after)


def gap_row(gap: HostGap, time_ns: int, note: str) -> EvidenceRow:
    """A gap between two ops: where it is, ``note``, and what the host did meanwhile."""
    place = gap.place
    notes = [
        "" if place.device is None else _("device {device}").format(device=place.device),
        "" if place.iteration is None else _("iteration {id}").format(id=place.iteration),
        note,
        _("host in {call}").format(call=printable(gap.host_call)) if gap.host_call else "",
    ]
    return EvidenceRow(
        gap_label(named(gap.before), named(gap.after)),
        time_ns=time_ns,
        note=", ".join(part for part in notes if part),
    )


def first_said(*columns: str) -> pl.Expr:
    """The first of these columns of texts that says something; N/A where none does."""
    said = (
        pl.when(~pl.col(each).str.strip_chars().is_in(list(MISSING))).then(pl.col(each)) for each in columns
    )
    return pl.coalesce(*said, pl.lit(NOT_AVAILABLE))


def largest_rows(
    frame: pl.DataFrame, *label: str, note: str = "", most: int = MOST_ROWS
) -> tuple[EvidenceRow, ...]:
    """The rows with most ``ns`` of a frame with ``count`` and ``ns``.

    ``label``: columns of which the first that says something names a row; ``note``: a column.
    """
    ordered = frame.sort("ns", *label, descending=[True, *(False for _each in label)]).head(most)
    return tuple(
        EvidenceRow(
            named(*(str(row[each]) for each in label)),
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
