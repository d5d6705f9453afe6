"""What a table pane asks the user: how to sort, which rows, which columns, where to write them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from prof_tui.data.pages.value_counts import ValueCount, core_column, value_counts
from prof_tui.data.writing.new_files import write_new
from prof_tui.data.writing.rows import Format, WrittenView, write_rows
from prof_tui.panes.table.pane import (
    TablePane,
    choose_columns,
    choose_values,
    filter_by_text,
    find,
    sort_next,
)
from prof_tui.screens.copying import copy
from prof_tui.screens.dialogs.forms import (
    ColumnsScreen,
    OneScreen,
    PromptScreen,
    ValuesScreen,
    ask,
    ask_new_file,
)
from prof_tui.screens.working import work
from prof_tui.words import _, count, share

if TYPE_CHECKING:
    from prof_tui.data.tables.columns import Column


def ask_sort(pane: TablePane) -> None:
    """Ask for the column to sort by."""
    columns = pane.table.columns if pane.table else ()
    sort = pane.question.query.sort
    current = next((i for i, column in enumerate(columns) if sort and column.header == sort.column), None)
    names = [column.header for column in columns]
    hint = _("Enter sorts, on the sorted column the other way, Escape closes")
    dialog = OneScreen(_("Sort by"), names, hint=hint, current=current)
    ask(pane, dialog, lambda place: sort_next(pane, columns[place]))


def ask_values(pane: TablePane) -> None:
    """Ask for Task Types or Core Types, once their rows are counted."""
    table = pane.table
    column = core_column(table) if table else None
    if table is None or column is None:
        pane.notify(_("This table has no Task Type or Core Type."), severity="warning", markup=False)
        return
    query = pane.question.query
    work(
        pane,
        "values",
        lambda: value_counts(pane.capture, table, query, column),
        partial(_choose_counted_values, pane, column),
    )


def _choose_counted_values(pane: TablePane, column: Column, counts: list[ValueCount]) -> None:
    if not counts:
        pane.notify(_("No rows to choose from."), markup=False)
        return
    whole = sum(item.duration_ns for item in counts)
    names = max(len(item.value) for item in counts)
    lines = [
        (
            item.value,
            _("{value}  {count} rows  {share} of time").format(
                value=item.value.ljust(names),
                count=count(item.count).rjust(9),
                share=share(item.duration_ns, whole).rjust(7),
            ),
        )
        for item in counts
    ]
    dialog = ValuesScreen(column.header, lines, pane.question.query.chosen(column.header))
    ask(pane, dialog, partial(choose_values, pane, column))


def ask_condition(pane: TablePane) -> None:
    """Ask for one more filter; the column under the cursor is the example."""
    column = pane.cursor_column
    example = f"{column.header} {'~' if column.kind == 'text' else '>'} " if column else ""
    title = _("Filter: COLUMN OP VALUE with blanks around OP, one of = != < <= > >= ~ (contains) !~")
    pane.app.push_screen(PromptScreen(title, hint=example, accept=partial(filter_by_text, pane)))


def ask_text_to_find(pane: TablePane, why: str = "") -> None:
    """Ask for the text whose rows ``n`` and ``N`` go through; ``why``: what was wrong with the one before."""
    title = _("Find in all text columns; n next, N previous, empty ends it")
    text = pane.reader.find_text
    prompt = PromptScreen(title, value=text, replace=True, error=why, accept=partial(find, pane))
    pane.app.push_screen(prompt)


def ask_columns(pane: TablePane) -> None:
    """Ask which columns to show, in which order."""
    headers = [column.header for column in pane.table.columns] if pane.table else []
    shown = [column.header for column in pane.columns]
    ask(pane, ColumnsScreen(_("Columns"), headers, shown), partial(choose_columns, pane))


def ask_output(pane: TablePane) -> None:
    """Ask how to write the view: to a file, or as a copy."""

    def write(place: int) -> None:
        if place == 2:
            _copy_view(pane)
        else:
            _ask_file(pane, "csv" if place == 0 else "md")

    kinds = [_("CSV file"), _("Markdown file"), _("Copy as Markdown")]
    ask(pane, OneScreen(_("Write this view"), kinds, hint=_("Enter takes one, Escape closes")), write)


def _ask_file(pane: TablePane, form: Format) -> None:
    def write(path: Path) -> None:
        view = _written_view(pane)
        if view is not None:
            say = partial(pane.notify, markup=False)
            work(pane, "write", lambda: _write_file(view, form, path), say, exclusive=False)

    title = _("Write the view's rows to this new file")
    ask_new_file(pane, title, name=pane.table_name, suffix=form, write=write)


def _write_file(view: WrittenView, form: Format, path: Path) -> str:
    write_new(path, write_rows(view, form))
    return _("{n} rows written to {path}").format(n=count(view.matched), path=path)


def _copy_view(pane: TablePane) -> None:
    view = _written_view(pane)
    if view is not None:
        work(pane, "write", lambda: "".join(write_rows(view, "md")), partial(copy, pane), exclusive=False)


def _written_view(pane: TablePane) -> WrittenView | None:
    """The pane's view as it is written: its rows in order and the columns that it shows."""
    if pane.table is None or pane.answer is None:
        return None
    view = pane.answer.view
    return WrittenView(pane.table, view.rows, pane.columns, view.total, view.matched)


TABLE_DIALOGS: dict[str, Callable[[TablePane], None]] = {
    "sort": ask_sort,
    "values": ask_values,
    "filter": ask_condition,
    "find": ask_text_to_find,
    "columns": ask_columns,
    "write": ask_output,
}
"""What a key of a table pane asks for, by the name in its action."""
