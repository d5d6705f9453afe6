"""The page of a row of a table: its columns in groups, explained; of an op also its rank and neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from prof_tui.data.iterations.placement import rule_text
from prof_tui.data.tables.cells import is_number
from prof_tui.data.tables.columns import Column
from prof_tui.panes.pages.page import Page, Section, indent, paragraphs
from prof_tui.panes.table.questions import row_lines
from prof_tui.widgets.sparkline import bar, sparkline
from prof_tui.words import NOT_AVAILABLE, _, count, counted, duration, glyphs, printable, share

if TYPE_CHECKING:
    from prof_tui.data.pages.op import Neighbour, OpDetail
    from prof_tui.data.tables.table import Table

Cells = Sequence[tuple[Column, str | None]]

_GROUPS = {
    "identity": _("Identity"),
    "time": _("Time"),
    "shapes": _("Shapes"),
    "pipes": _("Pipes and cores"),
    "other": _("Other columns"),
}
_NAMES = ("op_name", "kernel_name", "api_name")
"""Columns that name a row."""
_BAR_CELLS = 16
_WIDEST_TITLE = 22


def row_page(table: Table, cells: Cells) -> Page:
    """All columns in groups, each with its value and meaning."""
    return _page(table, cells, Section("", ()))


def op_page(table: Table, op: OpDetail, width: int) -> Page:
    """The op's place among others first, then all its columns."""
    return _page(table, op.cells, Section(_("Among the others"), (paragraphs(_describe_op(op, width)),)))


def _page(table: Table, cells: Cells, first: Section) -> Page:
    titles = max((len(column.header) for column, _cell in cells), default=0)
    groups = [
        (title, [(column, cell) for column, cell in cells if column.spec.group == group])
        for group, title in _GROUPS.items()
    ]
    sections = (Section(title, (_columns(own, titles),)) for title, own in groups if own)
    named = {column.id: cell for column, cell in cells}
    name = next((name for id_ in _NAMES if (name := named.get(id_))), "")
    return Page((name,), ", ".join(table.file_names), (first, *sections), row_lines(cells))


def _columns(cells: Cells, titles: int) -> Padding:
    grid = Grid.grid(padding=(0, 2), expand=True)
    grid.add_column(width=min(titles, _WIDEST_TITLE), overflow="fold")
    grid.add_column(ratio=1, overflow="fold")
    grid.add_column(ratio=1)
    for column, cell in cells:
        grid.add_row(
            Text(printable(column.header)), _value(column, cell), Text(column.spec.meaning, style="dim")
        )
    return indent(grid)


_MOST_CHARACTERS = 200_000
"""Of a cell that are drawn: three million would take a terminal half a minute."""


def _value(column: Column, cell: str | None) -> Text:
    whole = NOT_AVAILABLE if cell is None else cell
    value = printable(whole[:_MOST_CHARACTERS])
    if len(whole) > _MOST_CHARACTERS:
        more = _("{text}{mark} and {n} more characters; y copies all")
        value = more.format(text=value, mark=glyphs().ellipsis, n=count(len(whole) - _MOST_CHARACTERS))
    text = Text(value, style="dim" if value == NOT_AVAILABLE else "bold")
    if column.spec.group == "pipes" and (part := _part(column, value)) is not None:
        text.pad_right(max(0, 8 - len(value)))
        text.append(bar(part, 1.0, _BAR_CELLS), style="not bold")
    return text


def _part(column: Column, value: str) -> float | None:
    """A share between 0 and 1 to draw as a bar; None for what is none."""
    if not is_number(value) or not (column.header.endswith("_ratio") or column.unit == "%"):
        return None
    number = float(value) / (100 if column.unit == "%" else 1)
    return min(1.0, max(0.0, number))


def _describe_op(op: OpDetail, width: int) -> Iterable[str]:
    yield _iteration_line(op)
    if op.duration_ns is not None and op.overall is not None:
        yield _(
            "Task Duration {duration}: rank {place} of {n} ops of its device, {share} of their summed time"
        ).format(
            duration=duration(op.duration_ns),
            place=count(op.overall.place),
            n=count(op.overall.count),
            share=share(max(0, op.duration_ns), op.overall.sum_ns),
        )
    if op.duration_ns is not None and op.duration_ns < 0:
        yield _("Its duration is negative, so it is invalid: it is left out of busy time.")
    yield from _kind_lines(op, width)
    if op.why_unplaced:
        yield op.why_unplaced
        return
    yield _neighbour_line(
        op.before,
        _("Before it on the device: {name}, ended {gap} earlier"),
        _("Before it on the device: {name}, still running for {gap}"),
        _("It is the first op of its device."),
    )
    yield _neighbour_line(
        op.after,
        _("After it on the device: {name}, {gap} later"),
        _("After it on the device: {name}, begins {gap} before its end"),
        _("It is the last op of its device."),
    )


def _iteration_line(op: OpDetail) -> str:
    if op.scope.iteration is None or op.rule is None:
        return _("In no iteration: it is outside, or the export has no step trace.")
    return _("In iteration {iteration} of Model ID {model} ({rule}); Enter opens its timeline").format(
        iteration=op.scope.iteration,
        model=NOT_AVAILABLE if op.scope.model is None else op.scope.model,
        rule=rule_text(op.rule),
    )


def _kind_lines(op: OpDetail, width: int) -> Iterable[str]:
    kind = op.kind
    if kind is None:
        return
    yield counted(
        "Of its kind (OP Type, Task Type, Input Shapes) {n} op, rank {place}; "
        "min {low}, median {middle}, max {high}",
        "Of its kind (OP Type, Task Type, Input Shapes) {n} ops, rank {place}; "
        "min {low}, median {middle}, max {high}",
        kind.rank.count,
        place=count(kind.rank.place),
        low=duration(kind.min_ns),
        middle=duration(kind.median_ns),
        high=duration(kind.max_ns),
    )
    if len(kind.in_time_order_ns) > 1:
        line = sparkline(list(kind.in_time_order_ns), min(len(kind.in_time_order_ns), max(10, width - 30)))
        yield _("in time order  {sparkline}").format(sparkline=line)


def _neighbour_line(neighbour: Neighbour | None, idle: str, overlapping: str, none: str) -> str:
    if neighbour is None:
        return none
    template = idle if neighbour.gap_ns >= 0 else overlapping
    return template.format(name=printable(neighbour.name), gap=duration(abs(neighbour.gap_ns)))
