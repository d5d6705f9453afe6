"""What a table pane asks for, put before the user: the screen's side of a pane's messages."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from prof_tui.data.pages.value_counts import ValueCount, core_column, value_counts
from prof_tui.data.writing.new_files import check_new, folder_for_files, free_name, write_new
from prof_tui.data.writing.rows import Format, WrittenView, write_rows
from prof_tui.errors import ProfTuiError
from prof_tui.panes.pane import CopyWanted, Told
from prof_tui.panes.table.pane import (
    TablePane,
    choose_columns,
    choose_values,
    filter_by_text,
    find,
    sort_next,
)
from prof_tui.panes.table.status import unexpected
from prof_tui.screens.copying import copy_text
from prof_tui.screens.dialogs.choices import ColumnsScreen, OneScreen, ValuesScreen
from prof_tui.screens.dialogs.prompt import PromptScreen
from prof_tui.words import _, count, share

if TYPE_CHECKING:
    from prof_tui.data.tables.columns import Column


class DialogScreen(Screen[None]):
    """A screen with table panes, which answers what they ask."""

    def asked_pane(self) -> TablePane | None:
        """The table pane that a key is meant for."""
        node = self.focused
        while node is not None and not isinstance(node, TablePane):
            node = node.parent if isinstance(node.parent, Widget) else None
        return node

    def action_ask(self, what: str) -> None:
        """Ask for ``sort``, ``values``, ``filter``, ``find``, ``columns`` or ``write``."""
        pane = self.asked_pane()
        if pane is not None and pane.table is not None:
            getattr(self, f"_ask_{what}")(pane)

    def _ask_sort(self, pane: TablePane) -> None:
        columns = pane.table.columns if pane.table else ()
        sort = pane.question.query.sort
        current = next((i for i, column in enumerate(columns) if sort and column.header == sort.column), None)

        def chosen(place: int | None) -> None:
            if place is not None:
                sort_next(pane, columns[place])

        names = [column.header for column in columns]
        hint = _("Enter sorts, on the sorted column the other way, Escape closes")
        self.app.push_screen(OneScreen(_("Sort by"), names, hint=hint, current=current), chosen)

    def _ask_values(self, pane: TablePane) -> None:
        table = pane.table
        column = core_column(table) if table else None
        if table is None or column is None:
            self.notify(_("This table has no Task Type or Core Type."), severity="warning", markup=False)
            return

        def work() -> None:
            try:
                counts = value_counts(pane.capture, table, pane.question.query, column)
            except ProfTuiError as error:
                self.app.call_later(self.notify, str(error), severity="error", markup=False)
            else:
                self.app.call_later(self._show_values, pane, column, counts)

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="values")

    def _show_values(self, pane: TablePane, column: Column, counts: list[ValueCount]) -> None:
        if not counts:
            self.notify(_("No rows to choose from."), markup=False)
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

        def chosen(values: tuple[str, ...] | None) -> None:
            if values is not None:
                choose_values(pane, column, values)

        screen = ValuesScreen(column.header, lines, pane.question.query.chosen(column.header))
        self.app.push_screen(screen, chosen)

    def _ask_filter(self, pane: TablePane) -> None:
        column = pane.cursor_column
        example = f"{column.header} {'~' if column.kind == 'text' else '>'} " if column else ""
        title = _("Filter: COLUMN OP VALUE with blanks around OP, one of = != < <= > >= ~ (contains) !~")
        self.app.push_screen(PromptScreen(title, hint=example, accept=partial(filter_by_text, pane)))

    def _ask_find(self, pane: TablePane) -> None:
        title = _("Find in all text columns; n next, N previous, empty ends it")
        self.app.push_screen(
            PromptScreen(title, value=pane.reader.find_text, replace=True, accept=partial(find, pane))
        )

    def _ask_columns(self, pane: TablePane) -> None:
        headers = [column.header for column in pane.table.columns] if pane.table else []
        shown = [column.header for column in pane.columns]

        def chosen(columns: tuple[str, ...] | None) -> None:
            if columns is not None:
                choose_columns(pane, columns)

        self.app.push_screen(ColumnsScreen(_("Columns"), headers, shown), chosen)

    # Write and copy

    def _ask_write(self, pane: TablePane) -> None:
        kinds = [_("CSV file"), _("Markdown file"), _("Copy as Markdown")]

        def chosen(place: int | None) -> None:
            if place == 2:
                self._copy_view(pane)
            elif place is not None:
                self._ask_file(pane, "csv" if place == 0 else "md")

        hint = _("Enter takes one, Escape closes")
        self.app.push_screen(OneScreen(_("Write this view"), kinds, hint=hint), chosen)

    def _ask_file(self, pane: TablePane, form: Format) -> None:
        try:
            path = free_name(folder_for_files(Path.cwd()), pane.table_name, form)
        except ProfTuiError as error:
            self.notify(str(error), severity="error", markup=False)
            return

        def accept(name: str) -> None:
            wanted = Path(os.path.expanduser(name.strip()))
            check_new(wanted)
            self._write_view(pane, form, wanted)

        title = _("Write the view's rows to this new file")
        self.app.push_screen(PromptScreen(title, value=str(path), accept=accept))

    def _write_view(self, pane: TablePane, form: Format, path: Path) -> None:
        written = _written(pane)
        if written is None:
            return

        def work() -> None:
            try:
                write_new(path, write_rows(written, form))
            except ProfTuiError as error:
                pane.post_message(Told(pane, str(error), failed=True))
            else:
                said = _("{n} rows written to {path}").format(n=count(written.matched), path=path)
                pane.post_message(Told(pane, said))

        self.run_worker(work, thread=True, exit_on_error=False, group="write")

    def _copy_view(self, pane: TablePane) -> None:
        written = _written(pane)
        if written is None:
            return

        def work() -> None:
            try:
                text = "".join(write_rows(written, "md"))
            except ProfTuiError as error:
                pane.post_message(Told(pane, str(error), failed=True))
            else:
                pane.post_message(CopyWanted(pane, text))

        self.run_worker(work, thread=True, exit_on_error=False, group="write")

    @on(CopyWanted)
    def _copy(self, message: CopyWanted) -> None:
        message.stop()
        self.copy(message.text)

    def copy(self, text: str) -> None:
        """Copy a text, and say where it is."""

        def to_terminal(copied: str) -> None:
            self.app.call_later(self.app.copy_to_clipboard, copied)

        def work() -> None:
            said = copy_text(text, to_terminal)
            self.app.call_later(partial(self.notify, said, markup=False))

        self.run_worker(work, thread=True, exit_on_error=False, group="copy")

    @on(Worker.StateChanged)
    def _say_unexpected(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.node is self:
            self.notify(unexpected(event.worker), severity="error", markup=False)

    @on(Told)
    def _tell(self, message: Told) -> None:
        message.stop()
        self.notify(message.sentence, severity="error" if message.failed else "information", markup=False)


def _written(pane: TablePane) -> WrittenView | None:
    """The pane's view as it is written: its rows in order and the columns that it shows."""
    if pane.table is None or pane.answer is None:
        return None
    view = pane.answer.view
    return WrittenView(pane.table, view.rows, pane.columns, view.total, view.matched)
