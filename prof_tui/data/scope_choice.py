"""From ``--device``, ``--model`` and ``--iteration`` to the one scope that they mean.

An iteration is (device, Model ID, Iteration ID); what is left open must fit exactly one, else a
UsageError names the choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from prof_tui.data.columns import Column
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query import Outside, Scope
from prof_tui.data.row_facts import device_numbers, model_numbers
from prof_tui.data.table import Table
from prof_tui.data.table_source import TableSource
from prof_tui.data.value_counts import TASK_TYPE_COLUMNS
from prof_tui.errors import UnreadableError, UsageError
from prof_tui.words import NOT_AVAILABLE, _

_OPS = ("op_summary", "task_time", "op_statistic")
"""Tables whose rows are ops, or sums over ops."""
_STEPS = "step_trace"


@dataclass(frozen=True)
class _Place:
    """An iteration of a model of a device; None where the export doesn't say which."""

    device: int | None
    model: int | None
    iteration: int

    def words(self) -> str:
        """The options that say which one it is."""
        said = (("--device", self.device), ("--model", self.model))
        return " ".join(f"{option} {number}" for option, number in said if number is not None)


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
                device=device, known=_listed(known)
            )
        )


def _of_model(table: Table, device: int | None, model: int, iteration: Outside | None) -> Scope:
    pairs = _models(table)
    if not pairs and table.total:
        raise UsageError(_("The rows of {table} are not told apart by model.").format(table=table.name))
    here = sorted({own for own, known in pairs if known == model and device in (None, own)}, key=_none_first)
    if not here:
        raise UsageError(
            _("There is no model {model} in {table}; it has: {known}.").format(
                model=model, table=table.name, known=_listed(m for own, m in pairs if device in (None, own))
            )
        )
    if len(here) > 1:
        raise UsageError(
            _("Model {model} is on several devices; add --device, one of: {known}.").format(
                model=model, known=_listed(here)
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
    known = [place for place in _places(capture, table) if _fits(place, device, model)]
    wanted = [place for place in known if place.iteration == iteration]
    if not wanted:
        raise UsageError(_no_iteration(known, iteration))
    exported = [place for place in wanted if _is_exported(table, place)]
    if not exported:
        raise UsageError(_not_exported(table, iteration))
    if len(exported) > 1:
        raise UsageError(_several(exported, iteration))
    [place] = exported
    return Scope(place.device, place.model, iteration)


def _fits(place: _Place, device: int | None, model: int | None) -> bool:
    return device in (None, place.device) and model in (None, place.model)


def _none_first(number: int | None) -> int:
    return -2 if number is None else number  # -1 is how some exports spell "no model"


def _order(place: _Place) -> tuple[int, int, int]:
    return _none_first(place.device), _none_first(place.model), place.iteration


def _places(capture: OpenCapture, table: Table) -> list[_Place]:
    """Every iteration of the step trace, and those that ops name where it has none of their model."""
    steps = {_Place(step.device, step.model, step.iteration) for step in capture.steps.steps}
    if table.name == _STEPS:
        return sorted(steps, key=_order)
    placement = capture.placement(table)
    frame = pl.DataFrame(
        {
            "device": device_numbers(table),
            "model": placement.model,
            "iteration": placement.iteration,
        }
    )
    named = {_Place(*row) for row in frame.drop_nulls("iteration").unique().iter_rows()}
    return sorted(steps | named, key=_order)


def _is_exported(table: Table, place: _Place) -> bool:
    """Whether the table's files may hold ops of an iteration: a file of one iteration holds no other."""
    return table.name == _STEPS or any(_may_hold(source, place) for source in table.sources)


def _may_hold(source: TableSource, place: _Place) -> bool:
    said = ((source.device, place.device), (source.model, place.model), (source.iteration, place.iteration))
    return all(own is None or own == wanted for own, wanted in said)


def _no_iteration(known: Iterable[_Place], iteration: int) -> str:
    numbers = sorted({place.iteration for place in known})
    if not numbers:
        return _("There is no iteration {iteration}: no iterations are known here.").format(
            iteration=iteration
        )
    return _("There is no iteration {iteration}; there are: {known}.").format(
        iteration=iteration, known=_ranges(numbers)
    )


def _not_exported(table: Table, iteration: int) -> str:
    """Names the iterations that were, of every device and model that has some."""
    exported: dict[tuple[int | None, int | None], list[int]] = {}
    for source in table.sources:
        if source.iteration is not None:
            exported.setdefault((source.device, source.model), []).append(source.iteration)
    text = _("{iterations} of device {device}, model {model}")
    listed = [
        text.format(
            iterations=_ranges(sorted(set(numbers))),
            device=NOT_AVAILABLE if device is None else device,
            model=NOT_AVAILABLE if model is None else model,
        )
        for (device, model), numbers in exported.items()
    ]
    return _("Iteration {iteration} was not exported; exported are: {iterations}.").format(
        iteration=iteration, iterations="; ".join(listed)
    )


def _several(places: list[_Place], iteration: int) -> str:
    return _("There are several iterations {iteration}; add one of: {choices}.").format(
        iteration=iteration, choices=", ".join(place.words() for place in places)
    )


def _listed(numbers: Iterable[int | None]) -> str:
    known = {number for number in numbers if number is not None}
    return ", ".join(str(number) for number in sorted(known)) or _("none")


def _ranges(numbers: list[int]) -> str:
    """Sorted numbers with runs drawn together: ``1-3, 7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
