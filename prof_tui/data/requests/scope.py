"""From ``--device``, ``--model`` and ``--iteration`` to the one scope that they mean.

An iteration is (device, Model ID, Iteration ID); what is left open must fit exactly one, else a
UsageError names the choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import polars as pl

from prof_tui.data.capture.export import join_numbers, no_device
from prof_tui.data.iterations.step_trace import none_first
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.value_counts import TASK_TYPE_COLUMNS
from prof_tui.data.query.query import PLACED, Iterations, ModelFrom, OnFrom, Outside, Scope
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table, device_numbers, model_numbers
from prof_tui.errors import UnreadableError, UsageError
from prof_tui.words import _, number_text


@dataclass(frozen=True)
class IterationKey:
    """An iteration of a model of a device; None where the export doesn't say which."""

    device: int | None
    model: int | None
    iteration: int

    def words(self) -> str:
        """The options that say which one it is."""
        said = (("--device", self.device), ("--model", self.model))
        return " ".join(f"{option} {number}" for option, number in said if number is not None)


class Named(Protocol):
    """What the name of a file says of all that is in it; None where it says nothing."""

    @property
    def device(self) -> int | None: ...
    @property
    def model(self) -> int | None: ...
    @property
    def iteration(self) -> int | None: ...


def choose_iteration(
    known: Iterable[IterationKey],
    files: Sequence[Named] | None,
    iteration: int,
    *,
    device: int | None = None,
    model: int | None = None,
) -> IterationKey:
    """The one of the ``known`` that the numbers mean and that one of the ``files`` may hold.

    ``files`` None: whatever is known was exported.  UsageError for none, or for several.
    """
    of_device = [key for key in known if device in (None, key.device)]
    open_ = [key for key in of_device if model in (None, key.model)]
    if of_device and not open_:
        raise UsageError(_no_model(of_device, model))
    wanted = [key for key in open_ if key.iteration == iteration]
    if not wanted:
        raise UsageError(_no_iteration(open_, iteration))
    exported = [key for key in wanted if files is None or any(may_hold(file, key) for file in files)]
    if not exported:
        raise UsageError(_not_exported(files or (), iteration))
    if len(exported) > 1:
        raise UsageError(_several(exported, iteration))
    return exported[0]


def _no_model(known: Iterable[IterationKey], model: int | None) -> str:
    text = _("There is no iteration of model {model}; there are some of: {known}.")
    return text.format(model=model, known=join_numbers(key.model for key in known))


def may_hold(file: Named, key: IterationKey) -> bool:
    """Whether a file may hold something of an iteration: one of one iteration holds no other."""
    said = ((file.device, key.device), (file.model, key.model), (file.iteration, key.iteration))
    return all(own is None or own == wanted for own, wanted in said)


def in_order(key: IterationKey) -> tuple[int, int, int]:
    """Sort key by device, model and iteration."""
    return none_first(key.device), none_first(key.model), key.iteration


def number_ranges(numbers: Iterable[int]) -> str:
    """Numbers in order with runs drawn together: ``1-3, 7``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _no_iteration(known: Iterable[IterationKey], iteration: int) -> str:
    numbers = [key.iteration for key in known]
    if not numbers:
        return _("There is no iteration {iteration}: no iterations are known here.").format(
            iteration=iteration
        )
    return _("There is no iteration {iteration}; there are: {known}.").format(
        iteration=iteration, known=number_ranges(numbers)
    )


def _not_exported(files: Iterable[Named], iteration: int) -> str:
    """Names the iterations that were, of every device and model that has some."""
    exported: dict[tuple[int | None, int | None], list[int]] = {}
    for file in files:
        if file.iteration is not None:
            exported.setdefault((file.device, file.model), []).append(file.iteration)
    text = _("{iterations} of device {device}, model {model}")
    said = [
        text.format(iterations=number_ranges(numbers), device=number_text(device), model=number_text(model))
        for (device, model), numbers in exported.items()
    ]
    return _("Iteration {iteration} was not exported; exported are: {iterations}.").format(
        iteration=iteration, iterations="; ".join(said)
    )


def _several(keys: list[IterationKey], iteration: int) -> str:
    return _("There are several iterations {iteration}; add one of: {choices}.").format(
        iteration=iteration, choices=", ".join(key.words() for key in keys)
    )


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
    if model is None:
        return Scope(device, model, iteration)
    return _of_model(table, _models(capture, table), device, model, iteration)


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


def choose_table(capture: OpenCapture, name: str, scope: Scope) -> tuple[Table, str]:
    """The table for a scope, and what op_statistic is computed from; empty for a table of files.

    A damaged op_statistic is no missing one: UnreadableError says what is wrong with it.
    """
    whole = scope.model is None and scope.iteration is None
    if name != "op_statistic" or (whole and capture.export.has_table(name)):
        return capture.table(name), ""
    return capture.op_statistic(scope)


def _scoped_table(capture: OpenCapture, name: str, whole: bool) -> Table:
    """The table whose rows the scope chooses: op_summary where op_statistic is computed from it."""
    if name != "op_statistic" or whole:
        return choose_table(capture, name, Scope())[0]
    try:
        return capture.table("op_summary")
    except UnreadableError:
        return choose_table(capture, name, Scope())[0]


def _check_device(capture: OpenCapture, table: Table, device: int) -> None:
    if not has_devices(table) and table.total:
        raise UsageError(
            _("The rows of {table} don't name their device: leave --device out.").format(table=table.name)
        )
    known = {*capture.export.devices, *device_numbers(table).drop_nulls().unique().to_list()}
    if device not in known:
        raise no_device(device, known)


def _of_model(
    table: Table,
    pairs: set[tuple[int | None, int]],
    device: int | None,
    model: int,
    iteration: Outside | None,
) -> Scope:
    if not pairs and table.total:
        raise UsageError(_("The rows of {table} don't name their model.").format(table=table.name))
    here = sorted({own for own, known in pairs if known == model and device in (None, own)}, key=none_first)
    if not here:
        raise UsageError(
            _("There is no model {model} in {table}; it has: {known}.").format(
                model=model,
                table=table.name,
                known=join_numbers(m for own, m in pairs if device in (None, own)),
            )
        )
    if len(here) > 1:
        raise UsageError(
            _("Model {model} is on several devices; add --device, one of: {known}.").format(
                model=model, known=join_numbers(here)
            )
        )
    return Scope(here[0], model, iteration)


def _models(capture: OpenCapture, table: Table) -> set[tuple[int | None, int]]:
    """(device, model) of the rows that name a model; device None where unknown.

    Of the iterations where op_statistic is computed from a timeline, which names none.
    """
    if table.name == "op_statistic" and not capture.export.has_table("op_statistic"):
        return {(step.device, step.model) for step in capture.steps.steps if step.model is not None}
    table.prepare()
    frame = pl.DataFrame({"device": device_numbers(table), "model": model_numbers(table)})
    return set(frame.drop_nulls("model").unique().iter_rows())


def _of_iteration(
    capture: OpenCapture, table: Table, device: int | None, model: int | None, iteration: int
) -> Scope:
    sources = None if table.name == _STEPS else table.sources
    key = choose_iteration(known_iterations(capture, table), sources, iteration, device=device, model=model)
    return Scope(key.device, key.model, iteration)


def known_iterations(capture: OpenCapture, table: Table) -> list[IterationKey]:
    """Every iteration of the step trace, and those that ops name where it has none of their model."""
    steps = {IterationKey(step.device, step.model, step.iteration) for step in capture.steps.steps}
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
    named = {IterationKey(*row) for row in frame.drop_nulls("iteration").unique().iter_rows()}
    return sorted(steps | named, key=in_order)


def resolve_iterations(
    capture: OpenCapture,
    name: str,
    wanted: OnFrom,
    *,
    device: int | None = None,
    model: int | None = None,
    path_device: int | None = None,
) -> tuple[Scope, Iterations]:
    """The device, and the condition on rows of the table ``name``.

    UsageError where rows of the table are in no iterations, or none is left; UnreadableError when the
    table can't be read.
    """
    if name not in PLACED:
        text = _("{table} can't be cut to iterations {which}, only these can: {tables}.")
        raise UsageError(text.format(table=name, which=wanted, tables=", ".join(PLACED)))
    scope = resolve_scope(capture, name, device=device, path_device=path_device)
    table = capture.table(name)
    keys = [key for key in known_iterations(capture, table) if scope.device in (None, key.device)]
    own = _iterations_of_model(capture, keys, model)
    last = wanted.last
    late = [key for key in own if key.iteration >= wanted.first and (last is None or key.iteration <= last)]
    if not late:
        raise UsageError(_none_of(own, wanted))
    if name != "step_trace" and not any(may_hold(file, key) for file in table.sources for key in late):
        text = _("No iteration {which} was exported; exported are: {known}.")
        known = number_ranges(file.iteration for file in table.sources if file.iteration is not None)
        raise UsageError(text.format(which=wanted, known=known))
    models = dict.fromkeys((key.device, key.model) for key in late)
    firsts = (ModelFrom(own_device, own_model, wanted.first, last=last) for own_device, own_model in models)
    return scope, Iterations(tuple(firsts))


def _iterations_of_model(
    capture: OpenCapture, keys: Sequence[IterationKey], model: int | None
) -> list[IterationKey]:
    """The iterations of a model, or of the main model of each device."""
    if model is not None:
        own = [key for key in keys if key.model == model]
        if not own and keys:
            raise UsageError(_no_model(keys, model))
        return own
    mains = {device: _main(capture, keys, device) for device in {key.device for key in keys}}
    return [key for key in keys if key.model == mains[key.device]]


def _main(capture: OpenCapture, keys: Iterable[IterationKey], device: int | None) -> int | None:
    models = {key.model for key in keys if key.device == device}
    traced = any(step.device == device for step in capture.steps.steps)
    if not traced and len(models) > 1:
        text = _("No step_trace says which model is the main one; add --model, one of: {known}.")
        raise UsageError(text.format(known=join_numbers(models)))
    return capture.steps.main_model(device) if traced else next(iter(models))


def _none_of(keys: Sequence[IterationKey], wanted: OnFrom) -> str:
    if not keys:
        return _("There is no iteration {which}: no iterations are known here.").format(which=wanted)
    known = number_ranges(key.iteration for key in keys)
    return _("There is no iteration {which}; there are: {known}.").format(which=wanted, known=known)
