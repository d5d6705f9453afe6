"""The step trace as the screen shows it: in order, with each iteration's period and phase.

Where a timeline is at hand also how much of each iteration's window was computing, communication and
neither (vendor-analyses.md section 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.tables.columns import Column, ColumnSpec
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.words import NOT_AVAILABLE, _, microseconds

if TYPE_CHECKING:
    from prof_tui.data.timeline.overlap import Overlap

STEADY, WARM_UP, OTHER_MODEL = _("steady"), _("warm-up"), _("other model")


def _from_timeline(id_: str, header: str, meaning: str) -> Column:
    return Column(header, ColumnSpec(id_, "duration", (header,), meaning, "time"), "us", derived=True)


_OVERLAP = (
    _from_timeline("computing", "Computing(us)", _("From the timeline: time in which any task computed.")),
    _from_timeline(
        "communication", "Communication(us)", _("From the timeline: time in which anything communicated.")
    ),
    _from_timeline(
        "not_overlapped",
        "Communication(Not Overlapped)(us)",
        _("From the timeline: communication while nothing computed."),
    ),
    _from_timeline("free", "Free(us)", _("From the timeline: neither computing nor communication.")),
)
"""Headers as the exporter's Overlap Analysis names its lanes."""


def phases(trace: StepTrace) -> list[str]:
    """Where each iteration stands: steady or warm-up of its device's main model, or of another model."""
    mains = {device: trace.main_model(device) for device, _model in trace.models()}
    steady = {key: {step.iteration for step in trace.steady(key)} for key in trace.models()}
    return [
        OTHER_MODEL
        if mains[step.device] != step.model
        else (STEADY if step.iteration in steady[step.key] else WARM_UP)
        for step in trace.steps
    ]


def step_table(table: Table, trace: StepTrace, overlaps: Sequence[Overlap | None] = ()) -> Table:
    """One row per step of ``trace``, in its order: the file's columns, then ours, marked as derived.

    ``overlaps``: one per step, None where the timeline holds nothing of it; empty without a timeline.
    """
    if not trace.steps:
        return table
    cells = table.cells([step.row for step in trace.steps])
    columns = [column for column in table.columns if not column.derived]
    places = [table.columns.index(column) for column in columns]
    own = [column_for("period(us)", derived=True), column_for("phase", derived=True)]
    rows = [
        [*_texts(row, places), microseconds(step.period_ns), name]
        for row, step, name in zip(cells, trace.steps, phases(trace), strict=True)
    ]
    if overlaps:
        own += _OVERLAP
        for line, overlap in zip(rows, overlaps, strict=True):
            line += _overlap_cells(overlap)
    name = ", ".join(table.file_names)
    return Table(table.name, list(_sources(name, [*columns, *own], trace, rows)), table.notices)


def _sources(
    name: str, columns: Sequence[Column], trace: StepTrace, rows: Sequence[list[str]]
) -> Iterator[TableSource]:
    """The rows of each device and model: in the old layout only the files' names say whose they are."""
    for (device, model), pairs in groupby(zip(trace.steps, rows, strict=True), lambda pair: pair[0].key):
        yield TableSource(name, MemoryStore(columns, [row for _step, row in pairs]), device, model)


def _texts(row: Sequence[str | None], places: Sequence[int]) -> list[str]:
    return [NOT_AVAILABLE if (cell := row[place]) is None else cell for place in places]


def _overlap_cells(overlap: Overlap | None) -> Iterator[str]:
    """The cells of ``_OVERLAP``, in its order."""
    if overlap is None:
        return map(microseconds, [None] * len(_OVERLAP))
    parts = (overlap.computing_ns, overlap.communication_ns, overlap.not_overlapped_ns, overlap.free_ns)
    return map(microseconds, parts)
