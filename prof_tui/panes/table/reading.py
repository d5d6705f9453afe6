"""A table of the capture on the screen: opened, asked and drawn through workers.

The pane's state is one frozen question and one frozen layout.  Workers answer with messages that carry
what they answer; an answer to an older question is dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from prof_tui.data.query.query import Scope, place_of
from prof_tui.data.tables.bound import is_bound
from prof_tui.data.tables.stores import MemoryStore
from prof_tui.errors import CancelledError, ProfTuiError
from prof_tui.panes.pane import Changed, Told
from prof_tui.panes.table import status
from prof_tui.panes.table.hooks import TableHooks
from prof_tui.panes.table.messages import (
    Entered,
    PageRead,
    RowsJudged,
    StepDone,
    TableOpened,
    TableRefused,
    ViewAnswered,
    ViewFailed,
)
from prof_tui.panes.table.questions import Answer, Layout, Place, Question, answer, column_views, shown_rows
from prof_tui.widgets.table.pages import PAGE_ROWS
from prof_tui.widgets.table.table import FrameTable, Row
from prof_tui.words import _, glyphs, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.tables.columns import Column
    from prof_tui.data.tables.table import Table


_HEAD_ROWS = 200
"""Rows of a large file that are shown before all are found."""
_ROWS_AROUND = 3 * PAGE_ROWS
"""Rows that come with an answer: the cursor's page and one on each side."""
_SOON_SECONDS = 0.1
"""Steps shorter than this are not announced: that would cost a frame of its own."""


class TableCore(TableHooks):
    """What every table pane does without being asked by a key."""

    def __init__(self, capture: OpenCapture, *, scope: Scope = Scope(), pane_id: str | None = None) -> None:
        super().__init__(capture, scope=scope, pane_id=pane_id)
        self._wanted: Question | None = None
        self._kept = Place()
        self._generation = 0
        self._cancel: threading.Event | None = None
        self._progress = ""
        self._read_ahead_of: Table | None = None
        self._gone = threading.Event()
        """Whether nobody waits any more for what is read."""
        self._columns_drawn: tuple[Table | None, Layout] | None = None
        """Which table and layout the column widths were measured for."""

    def on_mount(self) -> None:
        self.open()

    # Opening

    def open(self, question: Question | None = None, kept: Place | None = None) -> None:
        """Open the table anew; ``question`` instead of the first one, the cursor on the row kept."""
        self._progress = _("opening {mark}").format(mark=glyphs().ellipsis)
        self.say_status()
        self._kept, self._wanted = kept or Place(), question
        self.work("open", self._open_in_worker)

    def _open_in_worker(self) -> None:
        try:
            opening = self.source(self.scope)
            table = opening.table
            head = [] if table.ready else table.cells(range(min(_HEAD_ROWS, table.row_count)))
        except ProfTuiError as error:
            self.post_message(TableRefused(self, str(error)))
        else:
            self.post_message(TableOpened(self, opening, head))

    @on(TableRefused)
    def _show_refusal(self, message: TableRefused) -> None:
        self.opening = self.answer = None
        self._progress = ""
        self._show_message(message.sentence)
        self.post_message(Changed(self))

    @on(TableOpened)
    def _show_opening(self, message: TableOpened) -> None:
        if self.table is not message.opening.table:
            self.answer = None
        self.opening = message.opening
        self._show_message("")
        self._set_columns(message.head)
        if message.head:
            self._generation += 1
            self.frame.set_view(len(message.head), generation=self._generation)
            rows = self._drawn(message.head, None)
            self.frame.supply(self._generation, 0, rows)
        question = self.opened_question(message.opening, self._wanted)
        self.ask(question, kept=self._kept)

    def _set_columns(self, sample: Sequence[Sequence[str | None]]) -> None:
        table = self.table
        drawn = (table, self.pane_layout)
        if table is None or self._columns_drawn == drawn:
            return
        self._columns_drawn = drawn if sample else None
        place = {column.header: i for i, column in enumerate(table.columns)}
        texts = [[row[place[column.header]] or "" for column in self.columns] for row in sample]
        views = column_views(table, self.columns, texts, several_devices=self.several_devices)
        self.frame.set_columns(self.with_drawn_views(views))

    # Asking

    def ask(self, question: Question, *, kept: Place | None = None) -> None:
        """Show the answer to another question once it is there; the cursor stays on the kept row."""
        table = self.table
        if table is None:
            return
        self.question = question
        self.trouble = ""
        self._give_up()
        cancelled = self._cancel = threading.Event()
        moved_from = None if kept is None else self.row
        self._progress = _("working {mark}").format(mark=glyphs().ellipsis)
        self.set_timer(_SOON_SECONDS, self.say_status)

        def progress(done: int, steps: int) -> bool:
            self.post_message(StepDone(self, done, steps))
            return not cancelled.is_set()

        def work() -> None:
            try:
                found = answer(self.capture, table, question, kept or Place(), progress)
                first = max(0, found.cursor // PAGE_ROWS - 1) * PAGE_ROWS
                cells = table.cells(found.view.rows[first : first + _ROWS_AROUND].to_list())
            except CancelledError:
                return
            except ProfTuiError as error:
                self.post_message(ViewFailed(self, question, str(error)))
            else:
                rows = self._drawn(cells, found.base_ns)
                self.post_message(ViewAnswered(self, found, first, cells, rows, moved_from))

        self.work("view", work)

    def cancel(self) -> bool:
        """Give up the running step and stay with what is shown; False when there is none."""
        if self._cancel is None or self._cancel.is_set() or not self._progress:
            return False
        self._give_up()
        self._go_on_with_what_is_shown()
        return True

    def _give_up(self) -> None:
        if self._cancel is not None:
            self._cancel.set()

    def _go_on_with_what_is_shown(self) -> None:
        """What was asked last is not to be answered any more."""
        self._progress = ""
        if self.answer is not None:
            self.question = self.answer.question
        self.say_status()

    def on_unmount(self) -> None:
        self._gone.set()
        self._give_up()

    def work(self, group: str, work: Callable[[], None], *, exclusive: bool = True) -> None:
        self.run_worker(work, thread=True, exclusive=exclusive, exit_on_error=False, group=group)

    @on(Worker.StateChanged)
    def _say_unexpected(self, event: Worker.StateChanged) -> None:
        """What no sentence was prepared for is still said, and the pane goes on with what it has."""
        if event.state is WorkerState.ERROR:
            self.trouble = status.unexpected(event.worker)
            if event.worker.group in ("open", "view"):
                self._go_on_with_what_is_shown()
            self.say_status()

    @on(StepDone)
    def _show_step(self, message: StepDone) -> None:
        if self._progress and message.steps > 1:
            self._progress = _("reading file {done} of {steps}; Escape cancels").format(
                done=min(message.done + 1, message.steps), steps=message.steps
            )
            self.say_status()

    @on(ViewFailed)
    def _show_failure(self, message: ViewFailed) -> None:
        if message.question != self.question:
            return
        self._go_on_with_what_is_shown()
        if self.answer is None:
            self._show_message(message.sentence)
        else:
            self.post_message(Told(self, message.sentence, failed=True))

    @on(ViewAnswered)
    def _show_answer(self, message: ViewAnswered) -> None:
        found = message.answer
        if found.question != self.question:
            return
        cursor = self._cursor_of(message)
        self.answer, self._progress = found, ""
        self._generation += 1
        if self.columns:
            self._set_columns(message.cells)
        sort = found.question.query.sort
        self.frame.set_sort(sort.column if sort else None, bool(sort and sort.descending))
        self.frame.set_view(
            found.view.matched,
            cursor_row=cursor,
            generation=self._generation,
            supplied=(message.first, message.rows),
        )
        self.after_answer()
        self.say_status()
        self.post_message(Changed(self))
        self._read_ahead()

    def _cursor_of(self, message: ViewAnswered) -> int:
        """Where the cursor goes: where it was moved to while the answer was being found."""
        row, place = self.row, None
        if message.moved_from is not None and row is not None and row != message.moved_from:
            place = place_of(message.answer.view, row)
        return message.answer.cursor if place is None else place

    def _read_ahead(self) -> None:
        """Read the columns of a large table that the next keys need: those drawn, then all texts for find."""
        table = self.table
        if (
            table is None
            or self._read_ahead_of is table
            or all(type(s.store) is MemoryStore for s in table.sources)
        ):
            return
        self._read_ahead_of = table
        columns = [column for column in self.columns if not is_bound(column)]
        self.work("ahead", lambda: read_ahead(self, table, columns, self._gone))

    @on(RowsJudged)
    def _show_judged(self, message: RowsJudged) -> None:
        """Damaged rows are known now: without them, or with them put right, the view may be another one."""
        if message.table is self.table and self.answer is not None and message.table.notices:
            self.ask(self.question, kept=self.place())
        self.say_status()

    # Rows

    @on(FrameTable.RowsWanted)
    def _read_rows(self, message: FrameTable.RowsWanted) -> None:
        message.stop()
        found = self.answer
        if found is None:
            return

        def work() -> None:
            rows = found.view.rows[message.first : message.first + message.count].to_list()
            try:
                cells = found.table.cells(rows)
            except ProfTuiError as error:
                self.post_message(PageRead(self, message.generation, message.first, [], str(error)))
            else:
                self._post_page(message.first, cells, found, message.generation)

        self.work("rows", work, exclusive=False)

    def _post_page(self, first: int, cells: list[list[str | None]], found: Answer, generation: int) -> None:
        self.post_message(PageRead(self, generation, first, self._drawn(cells, found.base_ns)))

    def _drawn(self, cells: list[list[str | None]], base_ns: int | None) -> list[Row]:
        table = self.table
        if table is None:
            return []
        return self.with_drawn_cells(shown_rows(self.columns, table, cells, base_ns, self.tone), cells)

    @on(PageRead)
    def _show_page(self, message: PageRead) -> None:
        self.frame.supply(message.generation, message.first, message.rows)
        if message.trouble and message.generation == self._generation:
            self.trouble = message.trouble
            self.say_status()

    @on(FrameTable.CursorMoved)
    def _follow_cursor(self, message: FrameTable.CursorMoved) -> None:
        message.stop()
        self.say_status()
        self.post_message(Changed(self))

    @on(FrameTable.HeightChanged)
    def _follow_height(self, message: FrameTable.HeightChanged) -> None:
        message.stop()
        self.say_status()

    @on(FrameTable.RowEntered)
    def _enter(self, message: FrameTable.RowEntered) -> None:
        message.stop()
        if self.row is not None:
            self.post_message(Entered(self, self.row))

    # Lines

    def _show_message(self, sentence: str) -> None:
        message = self.query_one(".table--message", Static)
        message.update("\n".join(printable(line) for line in sentence.split("\n")))
        message.display = bool(sentence)
        self.frame.display = not sentence
        if not sentence and self.is_on_screen and self.screen.focused is None:
            self.frame.focus()
        self.say_status()

    def say_status(self) -> None:
        chips = status.chips(self.question.query)
        chip_line = self.query_one(".table--chips", Static)
        chip_line.update(chips)
        chip_line.display = bool(chips.plain)
        self.query_one(".table--status", Static).update(self._status_text())
        said = self.notices
        notice_line = self.query_one(".table--notices", Static)
        notice_line.update(status.notices(said))
        notice_line.display = bool(said)

    def _status_text(self) -> str:
        parts = []
        if self.answer is not None and self.table is not None:
            view = self.answer.view
            first, shown = self.frame.visible_range
            parts.append(status.hidden_by_filter(view.query, view.matched, view.total))
            parts.append(status.counts(first, shown, view.matched, view.total))
            parts.append(self.more_status())
            parts.append(status.sorted_by(view.query.sort))
            if not self.table.judged:
                parts.append(_("checking rows {mark}").format(mark=glyphs().ellipsis))
        parts.append(self._progress)
        return f" {glyphs().separator} ".join(part for part in parts if part)


def read_ahead(pane: TableCore, table: Table, columns: Sequence[Column], gone: threading.Event) -> None:
    """Read ``columns``, then all texts for find, file by file until ``gone``; slow, for a worker."""

    def go_on(_done: int, _steps: int) -> bool:
        return not gone.is_set()

    try:
        table.load(columns, go_on)
        pane.post_message(RowsJudged(pane, table))
        table.load(table.text_columns, go_on)
    except CancelledError:
        return
    except ProfTuiError as error:
        pane.post_message(Told(pane, str(error), failed=True))
