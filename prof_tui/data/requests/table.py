"""What the ``table`` command asks of a table, checked and answered before anything is written."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prof_tui.data.capture.choice import list_alternatives
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.iterations.placement import rule_text
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.value_counts import value_counts
from prof_tui.data.query.conditions import same_values
from prof_tui.data.query.query import (
    Condition,
    OneOf,
    OnFrom,
    Outside,
    Query,
    Scope,
    Sort,
    first_descending,
    parse_where,
)
from prof_tui.data.requests.scope import choose_table, resolve_iterations, resolve_scope, task_type_column
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.shown_columns import default_columns
from prof_tui.data.tables.table import Table
from prof_tui.data.writing.rows import WrittenView
from prof_tui.errors import NothingToOpenError, UsageError
from prof_tui.words import _


@dataclass(frozen=True)
class TableRequest:
    """The command's words; None and empty for what isn't said."""

    name: str
    device: int | None = None
    model: int | None = None
    iteration: int | OnFrom | Outside | None = None
    path_device: int | None = None
    """The device whose directory was opened."""
    task_types: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    """Each COLUMN OP VALUE."""
    find: str = ""
    sort: str | None = None
    descending: bool | None = None
    """None for the way that suits the column."""
    columns: tuple[str, ...] = ()
    limit: int | None = None


def answer_request(capture: OpenCapture, request: TableRequest, *, all_columns: bool) -> WrittenView:
    """The rows asked for; without ``columns`` all of them, or those that the table's pane shows.

    UsageError for words that can't be meant, UnreadableError for a table that is not there or is damaged.
    """
    _check_name(capture, request.name)
    whole = _scoped(capture, request)
    scope = whole.scope
    table, source = choose_table(capture, request.name, scope)
    ops = capture.table("op_summary") if source == "op_summary" else table
    columns = _columns(capture, table, request, all_columns)
    query = _query(table, request, Query(Scope(scope.device)) if source else whole)
    table.load(_counted_columns(table, columns))
    view = capture.view(table, query)
    notices = [*_notices(capture, table, ops, source, whole), *_absent_types(capture, table, request, query)]
    notices += view.near
    return WrittenView(
        table=table,
        rows=view.rows if request.limit is None else view.rows.head(request.limit),
        columns=columns,
        total=view.total,
        matched=view.matched,
        device=scope.device,
        files=tuple(ops.file_names),
        notices=tuple(dict.fromkeys(notices)),
    )


def _check_name(capture: OpenCapture, name: str) -> None:
    """UsageError for a word that names no table; a known one that is missing is the reader's to refuse."""
    export = capture.export
    if alternatives := export.alternatives(name):
        raise NothingToOpenError(list_alternatives(name, [file.path for file in alternatives]))
    if export.table(name) is not None:
        return
    here = [table.name for table in export.tables if table.files]
    if any(timeline.name == name for timeline in export.timelines):
        text = _("{name} is a timeline here, not a table; the tables are: {tables}.")
        raise UsageError(text.format(name=name, tables=", ".join(here)))
    if name not in KINDS:
        near = difflib.get_close_matches(name, {*KINDS, *here}, n=1)
        text = (
            _("There is no table {name!r}, did you mean {near}? This export has: {tables}.")
            if near
            else _("There is no table {name!r}; this export has: {tables}.")
        )
        raise UsageError(text.format(name=name, near="".join(near), tables=", ".join(here)))


def _scoped(capture: OpenCapture, request: TableRequest) -> Query:
    """The query for all rows of the device, model and iterations asked for."""
    device, model, iteration = request.device, request.model, request.iteration
    name, path_device = request.name, request.path_device
    if not isinstance(iteration, OnFrom):
        return Query(
            resolve_scope(
                capture, name, device=device, model=model, iteration=iteration, path_device=path_device
            )
        )
    scope, iterations = resolve_iterations(
        capture, name, iteration, device=device, model=model, path_device=path_device
    )
    return Query(scope, (iterations,))


def _columns(
    capture: OpenCapture, table: Table, request: TableRequest, all_columns: bool
) -> tuple[Column, ...]:
    if request.columns:
        return tuple(dict.fromkeys(table.column(word) for word in request.columns))
    if all_columns:
        return table.columns
    return default_columns(table, several_devices=len(capture.export.devices) > 1)


def _counted_columns(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Those whose cells are all looked at, so that notices count what is odd about them.

    That is all that are written of a small table, and the times that the pane of a large one shows.
    """
    if table.ready:
        return list(columns)
    shown = default_columns(table)
    return [column for column in columns if column in shown and column.kind in ("time", "duration")]


def _query(table: Table, request: TableRequest, whole: Query) -> Query:
    filters: list[Condition] = [*whole.filters, *map(parse_where, request.conditions)]
    if request.task_types:
        column = task_type_column(table)
        filters.append(OneOf(column.header, same_values(table, column, request.task_types)))
    return Query(whole.scope, tuple(filters), request.find, _sort(table, request))


def _sort(table: Table, request: TableRequest) -> Sort | None:
    if request.sort is None:
        if request.descending is not None:
            raise UsageError(_("--asc and --desc need --sort COLUMN."))
        return None
    column = table.column(request.sort)
    down = first_descending(column.kind) if request.descending is None else request.descending
    return Sort(column.header, down)


def _notices(capture: OpenCapture, table: Table, ops: Table, source: str, whole: Query) -> Iterator[str]:
    """``ops``: the table that rows come from; ``source``: what op_statistic is computed from, if it is."""
    yield from capture.export.notices
    if ops is not table:
        yield from ops.notices
    if source:
        yield _computed_from(source, whole.scope)
    yield from table.notices
    if table.name == "step_trace" or (source and ops is table):
        yield from capture.steps.notices
    elif whole.scope.iteration is not None or whole.filters:
        yield from capture.steps.notices
        yield from _about_placement(capture, ops, whole)


def _absent_types(capture: OpenCapture, table: Table, request: TableRequest, query: Query) -> Iterator[str]:
    """Which of the Task Types asked for no row in scope has, and which there are instead."""
    if not request.task_types:
        return
    column = task_type_column(table)
    present = [entry.value for entry in value_counts(capture, table, Query(query.scope), column)]
    here = {value.casefold() for value in present}
    absent = [word for word in dict.fromkeys(request.task_types) if word.casefold() not in here]
    if absent:
        text = _("No row has {column} {absent}; there are: {present}.")
        yield text.format(column=column.header, absent=", ".join(absent), present=", ".join(present))


def _computed_from(ops: str, scope: Scope) -> str:
    if scope.iteration is not None:
        text = _("op_statistic is computed from {ops}, iteration {iteration}.")
        return text.format(ops=ops, iteration=scope.iteration)
    if scope.model is not None:
        return _("op_statistic is computed from {ops}, model {model}.").format(ops=ops, model=scope.model)
    return _("op_statistic is computed from {ops}.").format(ops=ops)


def _about_placement(capture: OpenCapture, ops: Table, whole: Query) -> Iterator[str]:
    """Anything odd about which op is in which iteration, and by which rules the ops in scope are."""
    placement = capture.placement(ops)
    yield from placement.notices
    rows = capture.view(ops, whole).rows
    rules = placement.rule.gather(rows).drop_nulls().unique().sort()
    if len(rules):
        text = _("Ops are in iteration {iteration} {rules}.")
        if whole.filters:
            text = _("Ops are in these iterations {rules}.")
        said = ", ".join(rule_text(rule) for rule in rules)
        yield text.format(iteration=whole.scope.iteration, rules=said)
