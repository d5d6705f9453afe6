"""From ``--device``, ``--model`` and ``--iteration`` to the one scope that they mean.

An iteration is (device, Model ID, Iteration ID); what is left open must fit exactly one, else a
UsageError names the choices.
"""

from __future__ import annotations

import polars as pl

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.value_counts import TASK_TYPE_COLUMNS
from prof_tui.data.query.query import Outside, Scope
from prof_tui.data.requests.iteration import IterationPlace, choose_iteration, in_order, listed, none_first
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.rows import device_numbers, model_numbers
from prof_tui.data.tables.table import Table
from prof_tui.errors import UnreadableError, UsageError
from prof_tui.words import _

_OPS = ("op_summary", "task_time", "op_statistic")
"""Tables whose rows are ops, or sums over ops."""
_STEPS = "step_trace"


def resolve_scope(
    capture: OpenCapture,
    name: str,
    *,
    device: int | None = None,
    model: int | None = None,
    iteration: int | Outside | None = None,
    path_device: int | None = None,
) -> Scope:
    """The scope for the table ``name``.

    ``path_device``: the device whose directory was opened, taken where rows are told apart by device.
    UsageError for a device, model or iteration that isn't there, that leaves more than one choice, or by
    which the table's rows can't be told apart.  UnreadableError when the table can't be read.
    """
    if iteration is not None and name not in (*_OPS, _STEPS):
        raise UsageError(
            _("{table} can't be cut by iteration: its rows are neither ops nor iterations.").format(
                table=name
            )
        )
    table = _scoped_table(capture, name, whole=model is None and iteration is None)
    if device is not None:
        _check_device(capture, table, device)
    elif path_device is not None and has_devices(table):
        device = path_device
    if isinstance(iteration, int):
        return _of_iteration(capture, table, device, model, iteration)
    return Scope(device, model, iteration) if model is None else _of_model(table, device, model, iteration)


def task_type_column(table: Table) -> Column:
    """The column that ``--task-type`` chooses by; UsageError for a table without one."""
    found = next((column for id_ in TASK_TYPE_COLUMNS if (column := table.get(id_))), None)
    if found is None:
        raise UsageError(_("{table} has no Task Type or Core Type to choose by.").format(table=table.name))
    return found


def has_devices(table: Table) -> bool:
    """Whether any row says which device it is of: those of the host don't."""
    table.prepare()
    return bool(device_numbers(table).is_not_null().any())


def shown_table(capture: OpenCapture, name: str, scope: Scope) -> tuple[Table, bool]:
    """The table for a scope, and whether it is op_statistic computed from op_summary.

    A damaged op_statistic is no missing one: UnreadableError says what is wrong with it.
    """
    own = capture.export.table(name)
    whole = scope.model is None and scope.iteration is None
    if name != "op_statistic" or (whole and own is not None and own.status != "missing"):
        return capture.table(name), False
    return capture.op_statistic(scope)


def _scoped_table(capture: OpenCapture, name: str, whole: bool) -> Table:
    """The table whose rows the scope chooses: op_summary where op_statistic is computed from it."""
    if name != "op_statistic" or whole:
        return shown_table(capture, name, Scope())[0]
    try:
        return capture.table("op_summary")
    except UnreadableError:
        return capture.table(name)


def _check_device(capture: OpenCapture, table: Table, device: int) -> None:
    if not has_devices(table) and table.total:
        raise UsageError(
            _("The rows of {table} are not told apart by device: leave --device out.").format(
                table=table.name
            )
        )
    known = {*capture.export.devices, *device_numbers(table).drop_nulls().unique().to_list()}
    if device not in known:
        raise UsageError(
            _("There is no device {device} in this capture; it has: {known}.").format(
                device=device, known=listed(known)
            )
        )


def _of_model(table: Table, device: int | None, model: int, iteration: Outside | None) -> Scope:
    pairs = _models(table)
    if not pairs and table.total:
        raise UsageError(_("The rows of {table} are not told apart by model.").format(table=table.name))
    here = sorted({own for own, known in pairs if known == model and device in (None, own)}, key=none_first)
    if not here:
        raise UsageError(
            _("There is no model {model} in {table}; it has: {known}.").format(
                model=model, table=table.name, known=listed(m for own, m in pairs if device in (None, own))
            )
        )
    if len(here) > 1:
        raise UsageError(
            _("Model {model} is on several devices; add --device, one of: {known}.").format(
                model=model, known=listed(here)
            )
        )
    return Scope(here[0], model, iteration)


def _models(table: Table) -> set[tuple[int | None, int]]:
    """(device, model) of the rows that name a model; device None where unknown."""
    table.prepare()
    frame = pl.DataFrame({"device": device_numbers(table), "model": model_numbers(table)})
    return set(frame.drop_nulls("model").unique().iter_rows())


def _of_iteration(
    capture: OpenCapture, table: Table, device: int | None, model: int | None, iteration: int
) -> Scope:
    sources = None if table.name == _STEPS else table.sources
    place = choose_iteration(known_places(capture, table), sources, iteration, device=device, model=model)
    return Scope(place.device, place.model, iteration)


def known_places(capture: OpenCapture, table: Table) -> list[IterationPlace]:
    """Every iteration of the step trace, and those that ops name where it has none of their model."""
    steps = {IterationPlace(step.device, step.model, step.iteration) for step in capture.steps.steps}
    if table.name == _STEPS:
        return sorted(steps, key=in_order)
    placement = capture.placement(table)
    frame = pl.DataFrame(
        {
            "device": device_numbers(table),
            "model": placement.model,
            "iteration": placement.iteration,
        }
    )
    named = {IterationPlace(*row) for row in frame.drop_nulls("iteration").unique().iter_rows()}
    return sorted(steps | named, key=in_order)
