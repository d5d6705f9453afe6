"""What works for a table pane behind the screen: opens its table, asks, reads rows, finds, reads ahead.

The state is one frozen question, and the answer that is shown.  Workers post what is to be done with what
they found; what was found for an older question, or in an older table, is dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from textual.message import Message
from textual.worker import Worker, WorkerState

from prof_tui.data.query.query import Scope, place_of
from prof_tui.data.tables.bound import is_bound
from prof_tui.data.tables.stores import MemoryStore
from prof_tui.errors import CancelledError, ProfTuiError
from prof_tui.panes.pane import CapturePane, Changed, FromPane, TimelineRead, Told
from prof_tui.panes.table import status
from prof_tui.panes.table.kind import (
    Cells,
    Opening,
    TableKind,
    chosen_columns,
    column_views,
    drawn_rows,
)
from prof_tui.panes.table.questions import (
    FIRST_ROW,
    Answer,
    Place,
    Question,
    answer,
    found_places,
    left_out,
    shown_by,
)
from prof_tui.widgets.table.pages import PAGE_ROWS
from prof_tui.widgets.table.table import ColumnView, Row
from prof_tui.words import _, glyphs

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.query.query import View
    from prof_tui.data.tables.columns import Column
    from prof_tui.data.tables.table import Table
    from prof_tui.data.timeline.model import TraceIndex


Change = Callable[[Question], Question]
Found = TypeVar("Found")


def unchanged(question: Question) -> Question:
    """The same question: it is asked again."""
    return question


_HEAD_ROWS = 200
"""Rows of a large file that are shown before all are found."""
_ROWS_AROUND = 3 * PAGE_ROWS
"""Rows that come with an answer: the cursor's page and one on each side."""
_SOON_SECONDS = 0.1
"""Steps shorter than this are not announced: that would cost a frame of its own."""


@dataclass
class WorkerDone(Message, bubble=False):
    """A worker is through; ``then`` is to be called by the pane that it worked for."""

    then: Callable[[], None]


@dataclass(frozen=True)
class Page:
    """Rows of a view from place ``first`` on: their cells, and as they are drawn."""

    first: int = 0
    cells: Sequence[Cells] = ()
    rows: Sequence[Row] = ()


class Owner(Protocol):
    """The pane that a reader works for: it shows what the reader has, and runs its workers."""

    scope: Scope

    @property
    def is_running(self) -> bool: ...
    def place(self) -> Place: ...
    def show_opening(self, head: Page) -> None: ...
    def show_answer(self, page: Page, cursor: int) -> None: ...
    def show_page(self, generation: int, page: Page) -> None: ...
    def say_status(self) -> None: ...
    def tell(self, message: Callable[[CapturePane], FromPane]) -> None: ...
    def post_message(self, message: Message) -> bool: ...
    def set_timer(self, delay: float, callback: Callable[[], None]) -> object: ...
    def run_worker(
        self, work: Callable[[], None], *, group: str, exit_on_error: bool, exclusive: bool, thread: bool
    ) -> object: ...


@dataclass(frozen=True)
class _Pending:
    """What is asked of a table once it is open."""

    change: Change
    """From the question that it opens with."""
    kept: Place | None


class TableReader:
    """Opens a table and answers questions on it, one at a time, for the pane that owns it.

    ``kept`` is the place that the cursor goes to with an answer, None for where it is then; a cursor that is
    moved while the answer is being found stays where it was moved to, but for a question on the first row.
    """

    def __init__(self, capture: OpenCapture, kind: TableKind, owner: Owner) -> None:
        self.capture, self.kind, self._owner = capture, kind, owner
        self.question = Question()
        """What is asked last; the view answers it once the worker is through."""
        self.opening: Opening | None = None
        self.answer: Answer | None = None
        self.generation = 0
        """Counts the views that were shown: rows of an older one are not to be drawn."""
        self.headers: tuple[str, ...] = ()
        """Columns that the user chose, in order; empty for the kind's own choice."""
        self.shows_other = False
        """Whether the kind's other table is shown."""
        self.refusal = ""
        """Why there are no rows to show."""
        self.trouble = ""
        """A sentence on what went wrong since the last question."""
        self._step = ""
        """What is being done for the question asked last."""
        self._is_opening = False
        self.find_text = ""
        self.found: pl.Series | None = None
        """Places in the view of the rows with ``find_text``, ascending; None while they are looked for."""
        self._turn = 0
        """Counts the openings: only the last one is shown."""
        self._pending: _Pending | None = None
        """Set while a table is being opened, and after a refusal for the next time."""
        self._cancelled = threading.Event()
        self._read_ahead_of: Table | None = None
        self._asked_for_timeline = False
        self._measured: tuple[Table, tuple[str, ...]] | None = None
        """Which table and chosen columns the widths were measured for."""

    @property
    def table(self) -> Table | None:
        return None if self.opening is None else self.opening.table

    @property
    def columns(self) -> tuple[Column, ...]:
        """The table's columns that are shown."""
        if self.table is None:
            return ()
        chosen = chosen_columns(self.table, self.headers)
        return chosen or self.kind.own_columns(self.table, self._several_devices)

    @property
    def _several_devices(self) -> bool:
        return len(self.capture.export.devices) > 1

    @property
    def notices(self) -> list[str]:
        """All that is to be said of the rows."""
        said = [self.trouble] if self.trouble else []
        if self.opening is not None:
            said += [*self.opening.notices, *self.opening.table.notices]
        return said

    @property
    def progress(self) -> str:
        """What is being done; empty while nothing is."""
        opening = _("opening {mark}").format(mark=glyphs().ellipsis) if self._is_opening else ""
        return self._step or opening

    # Opening

    def open(self, change: Change = unchanged, kept: Place | None = FIRST_ROW) -> None:
        """Open the table anew, and ask its first question with this change."""
        self._is_opening = True
        self._pending = _Pending(change, kept)
        self._turn += 1
        turn, scope = self._turn, self._owner.scope
        read = (
            self.kind.read if self.kind.other_read is None or not self.shows_other else self.kind.other_read
        )

        def work() -> tuple[Opening, list[list[str | None]]]:
            opening = read(self.capture, scope)
            table = opening.table
            return opening, [] if table.ready else table.cells(range(min(_HEAD_ROWS, table.row_count)))

        self._owner.say_status()
        self._work("open", work, partial(self._take_opening, turn), partial(self._take_refusal, turn))

    def open_again(self, kept: Place | None = None) -> None:
        """Open the table anew with what is asked of it now; the cursor stays, or goes to ``kept``."""
        question = self.question
        if self.opening is not None:
            self.open(lambda first: question, kept)
        elif self._pending is not None:
            self.open(self._pending.change, self._pending.kept)
        else:
            self.open()

    def reload(self) -> None:
        """Open the table anew, and look for a timeline anew."""
        self._asked_for_timeline = False
        self.open_again()

    def _take_refusal(self, turn: int, sentence: str) -> None:
        if turn != self._turn:
            return
        self.opening = self.answer = None
        self.refusal, self._step, self._is_opening = sentence, "", False
        self._owner.show_opening(Page())
        self._owner.tell(Changed)

    def _take_opening(self, turn: int, found: tuple[Opening, list[list[str | None]]]) -> None:
        (opening, head), pending = found, self._pending
        if turn != self._turn or pending is None:
            return
        self._pending, self._is_opening = None, False
        kept = self._owner.place() if pending.kept is None else pending.kept
        if self.table is not opening.table:
            self.answer = None
        self.opening, self.refusal = opening, ""
        if head:
            self.generation += 1
        rows = drawn_rows(self.kind, opening, self.columns, head, None)
        self._owner.show_opening(Page(0, head, rows))
        self._ask(opening, pending.change(opening.question), kept)

    # Asking

    def change(self, change: Change, kept: Place | None = FIRST_ROW) -> None:
        """Ask the question anew with this change; also of a table that is being opened."""
        if (pending := self._pending) is not None:
            self._pending = _Pending(
                lambda first: change(pending.change(first)), pending.kept if kept is None else kept
            )
        if self.opening is not None:
            self._ask(self.opening, change(self.question), kept)

    def _ask(self, opening: Opening, question: Question, kept: Place | None) -> None:
        """Show the answer to another question once it is there."""
        question = self.question = self._fitted(opening, question)
        self.trouble = ""
        moved_from = None if kept is FIRST_ROW else self._owner.place().row
        wanted = self._owner.place() if kept is None else kept
        self._cancelled.set()
        cancelled = self._cancelled = threading.Event()
        self._step = _("working {mark}").format(mark=glyphs().ellipsis)
        self._owner.set_timer(_SOON_SECONDS, self._owner.say_status)

        def progress(done: int, steps: int) -> bool:
            self._post(partial(self._take_step, done, steps))
            return self._owner.is_running and not cancelled.is_set()

        def work() -> tuple[Answer, Page]:
            found = answer(self.capture, opening.table, question, wanted, progress)
            return found, self._read_page(opening, found, max(0, found.cursor // PAGE_ROWS - 1) * PAGE_ROWS)

        self._work(
            "view", work, partial(self._take_answer, moved_from), partial(self._take_failure, question)
        )

    def _fitted(self, opening: Opening, question: Question) -> Question:
        """The question in the table's own words, within the scope; says which parts the table lacks."""
        said = left_out(opening.table, question.query)
        if said:
            self._fail(said)
        kind, own = self.kind, opening.question.query.scope
        scope = own if kind.opens_anew else kind.own_scope(self._owner.scope)
        return replace(question, query=shown_by(opening.table, question.query, scope))

    def cancel(self) -> bool:
        """Give up the running step and stay with what is shown; False when there is none."""
        if self.opening is None or not self.progress:
            return False
        self._cancelled.set()
        if self._is_opening:
            self._pending, self._is_opening = None, False
            self._turn += 1
        self._stay()
        return True

    def _stay(self) -> None:
        """Go on with what is shown: what was asked last is not to be answered any more."""
        self._step = ""
        if self.answer is not None:
            self.question = self.answer.question
        self._owner.say_status()

    def _take_step(self, done: int, steps: int) -> None:
        if self._step and steps > 1:
            self._step = _("reading file {done} of {steps}; Escape cancels").format(
                done=min(done + 1, steps), steps=steps
            )
            self._owner.say_status()

    def _take_failure(self, question: Question, sentence: str) -> None:
        if question != self.question:
            return
        self._stay()
        if self.answer is None:
            self.refusal = sentence
            self._owner.show_opening(Page())
        else:
            self._fail(sentence)

    def _take_answer(self, moved_from: int | None, answered: tuple[Answer, Page]) -> None:
        found, page = answered
        if found.question != self.question or found.table is not self.table:
            return
        row, place = self._owner.place().row, None
        if moved_from is not None and row is not None and row != moved_from:
            place = place_of(found.view, row)
        self.answer, self._step, self.found = found, "", None
        self.generation += 1
        self._owner.show_answer(page, found.cursor if place is None else place)
        if self.find_text:
            self.find(self.find_text, self._owner.say_status)
        self._owner.say_status()
        self._owner.tell(Changed)
        self._ask_for_timeline(found.table)
        self._read_ahead(found.table)

    # Rows

    def read_rows(self, generation: int, first: int, count: int) -> None:
        """Read rows of the view that are to be drawn."""
        found, opening = self.answer, self.opening
        if found is not None and opening is not None:
            self._work(
                "rows",
                lambda: self._read_page(opening, found, first, count),
                partial(self._owner.show_page, generation),
                partial(self._take_no_page, generation, Page(first)),
                exclusive=False,
            )

    def _read_page(self, opening: Opening, found: Answer, first: int, count: int = _ROWS_AROUND) -> Page:
        cells = found.table.cells(found.view.rows[first : first + count].to_list())
        return Page(first, cells, drawn_rows(self.kind, opening, self.columns, cells, found.base_ns))

    def _take_no_page(self, generation: int, page: Page, sentence: str) -> None:
        self._owner.show_page(generation, page)
        if generation == self.generation:
            self.trouble = sentence
            self._owner.say_status()

    def read_row(self, row: int, then: Callable[[list[str | None]], None]) -> None:
        """Read a row by its number, then call ``then`` with all its cells."""
        table = self.table
        if table is not None:
            self._work("cell", lambda: table.cells([row])[0], then)

    def columns_to_draw(self, sample: Sequence[Cells]) -> list[ColumnView]:
        """The columns, measured by a sample of rows; none where those that are drawn stay as they are."""
        table, columns = self.table, self.columns
        if table is None or not columns or self._measured == (table, self.headers):
            return []
        self._measured = (table, self.headers) if sample else None
        views = column_views(table, columns, sample, several_devices=self._several_devices)
        return views if self.kind.add_columns is None else self.kind.add_columns(columns, views)

    # Finding and reading ahead

    def find(self, text: str, then: Callable[[], None]) -> None:
        """Look for the rows with ``text`` in any text column, then call ``then``; an empty text ends it."""
        self.find_text, self.found = text, None
        answered = self.answer
        if text and answered is not None:
            self._work(
                "find",
                lambda: found_places(answered.table, answered.view, text),
                partial(self._take_found, text, answered.view, then),
            )

    def _take_found(self, text: str, view: View, then: Callable[[], None], places: pl.Series) -> None:
        if text == self.find_text and self.answer is not None and view is self.answer.view:
            self.found = places
            then()
            self._owner.say_status()

    def _read_ahead(self, table: Table) -> None:
        """Read the columns of a large table that the next keys need: those drawn, then all texts for find."""
        if self._read_ahead_of is table or all(type(each.store) is MemoryStore for each in table.sources):
            return
        self._read_ahead_of = table
        columns = [column for column in self.columns if not is_bound(column)]

        def go_on(_done: int, _steps: int) -> bool:
            return self._owner.is_running

        def work() -> None:
            table.load(columns, go_on)
            self._post(partial(self._take_judged, table))
            table.load(table.text_columns, go_on)

        self._work("ahead", work)

    def _take_judged(self, table: Table) -> None:
        """Damaged rows are known now: without them, or with them repaired, the view may be another one."""
        if table is self.table and self.answer is not None and table.notices:
            self.change(unchanged, kept=None)
        self._owner.say_status()

    def lacks_timeline(self) -> bool:
        """Whether the rows will say more once a timeline is read."""
        lacks, table = self.kind.lacks_timeline, self.table
        return lacks is not None and table is not None and lacks(table)

    def _ask_for_timeline(self, table: Table) -> None:
        """Once the rows stand, a small timeline is read for what it tells of each of them."""
        if self._asked_for_timeline or not self.lacks_timeline():
            return
        self._asked_for_timeline = True

        def tell(index: TraceIndex | None) -> None:
            if index is not None:
                self._owner.tell(TimelineRead)

        def keep_quiet(_sentence: str) -> None:
            """The timeline pane says why it can't be read."""

        self._work("timeline", self.capture.traces.read_unasked, tell, keep_quiet)

    # Workers

    def hear(self, message: WorkerDone | Worker.StateChanged) -> None:
        """Take in what a worker found, or that it failed."""
        if isinstance(message, WorkerDone):
            message.then()
        elif message.state is WorkerState.ERROR:
            self._take_unexpected(message.worker)

    def _take_unexpected(self, worker: Worker[object]) -> None:
        """What no sentence was prepared for is still said, and the pane goes on with what it has."""
        self.trouble = status.unexpected(worker)
        if worker.group == "open":
            self._is_opening = False
        if worker.group in ("open", "view"):
            self._stay()
        self._owner.say_status()

    def _post(self, then: Callable[[], None]) -> None:
        self._owner.post_message(WorkerDone(then))

    def _fail(self, sentence: str) -> None:
        self._owner.tell(partial(Told, sentence=sentence, failed=True))

    def _work(
        self,
        group: str,
        work: Callable[[], Found],
        then: Callable[[Found], None] = lambda _found: None,
        refused: Callable[[str], None] | None = None,
        *,
        exclusive: bool = True,
    ) -> None:
        """Call ``then`` in the pane's own thread with what ``work`` finds, or ``refused`` with why not."""

        def run() -> None:
            try:
                found = work()
            except CancelledError:
                return
            except ProfTuiError as error:
                self._post(partial(refused or self._fail, str(error)))
            else:
                self._post(partial(then, found))

        self._owner.run_worker(run, group=group, exit_on_error=False, exclusive=exclusive, thread=True)
