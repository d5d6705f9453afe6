"""The step trace as the screen shows it: in order, with each iteration's period and phase."""

from __future__ import annotations

from collections.abc import Sequence

from prof_tui.data.column_lookup import column_for
from prof_tui.data.row_stores import MemoryStore
from prof_tui.data.steps import StepTrace
from prof_tui.data.table import Table
from prof_tui.data.table_source import TableSource
from prof_tui.words import NOT_AVAILABLE, _, microseconds

STEADY, WARM_UP, OTHER_MODEL = _("steady"), _("warm-up"), _("other model")


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


def step_table(table: Table, trace: StepTrace) -> Table:
    """One row per step of ``trace``, in its order: the file's columns, then ours, marked as derived."""
    if not trace.steps:
        return table
    cells = table.cells([step.row for step in trace.steps])
    columns = [column for column in table.columns if not column.derived]
    places = [table.columns.index(column) for column in columns]
    own = (column_for("period(us)", derived=True), column_for("phase", derived=True))
    rows = [
        [*_texts(row, places), microseconds(step.period_ns), name]
        for row, step, name in zip(cells, trace.steps, phases(trace), strict=True)
    ]
    store = MemoryStore([*columns, *own], rows)
    return Table(table.name, [TableSource(", ".join(table.file_names), store)], table.notices)


def _texts(row: Sequence[str | None], places: Sequence[int]) -> list[str]:
    return [NOT_AVAILABLE if (cell := row[place]) is None else cell for place in places]
