from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from textual.message import Message

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OneOf, Scope, Sort
from prof_tui.errors import UnreadableError
from prof_tui.panes.op_statistic import OP_STATISTIC
from prof_tui.panes.op_summary import OP_SUMMARY
from prof_tui.panes.pane import CapturePane, FromPane
from prof_tui.panes.step_trace import STEP_TRACE
from prof_tui.panes.table.kind import Opening, TableKind
from prof_tui.panes.table.questions import FIRST_ROW, Place, Question
from prof_tui.panes.table.reader import Page, TableReader, WorkerDone

BY_NAME = Sort("Op Name", descending=False)
BY_STREAM = Sort("Stream ID", descending=True)


class Owner:
    """A pane without a screen: it keeps what it is to show, and works when it is told to."""

    def __init__(self, capture: OpenCapture, kind: TableKind = OP_SUMMARY, scope: Scope = Scope()) -> None:
        self.scope, self.is_running = scope, True
        self.shown: list[str] = []
        self.cursor: int | None = None
        self.workers: list[tuple[str, Callable[[], None]]] = []
        self.posted: list[Message] = []
        self.reader = TableReader(capture, kind, self)

    def place(self) -> Place:
        answer = self.reader.answer
        if answer is None or self.cursor is None or not answer.view.matched:
            return Place()
        return Place(int(answer.view.rows[self.cursor]), answer.view, self.cursor)

    def show_opening(self, head: Page) -> None:
        self.shown.append(self.reader.refusal or "opened")

    def show_answer(self, page: Page, cursor: int) -> None:
        self.shown.append("answered")
        self.cursor, self.page = cursor, page

    def show_page(self, generation: int, page: Page) -> None:
        self.shown.append(f"page {generation}")

    def say_status(self) -> None:
        pass

    def tell(self, message: Callable[[CapturePane], FromPane]) -> None:
        self.shown.append(str(getattr(message, "keywords", {}).get("sentence", message)))

    def post_message(self, message: Message) -> bool:
        self.posted.append(message)
        return True

    def set_timer(self, delay: float, callback: Callable[[], None]) -> object:
        return None

    def run_worker(
        self, work: Callable[[], None], *, group: str, exit_on_error: bool, exclusive: bool, thread: bool
    ) -> object:
        self.workers.append((group, work))
        return None

    def work(self, *groups: str) -> None:
        """Let the workers of these groups work, of all without any; what they find is not taken in."""
        now = [each for each in self.workers if not groups or each[0] in groups]
        self.workers = [each for each in self.workers if each not in now]
        for _group, work in now:
            work()

    def settle(self) -> None:
        """Work and take in what was found, until there is nothing to do."""
        while self.workers or self.posted:
            self.work()
            self.take_in()

    def take_in(self) -> None:
        while self.posted:
            message = self.posted.pop(0)
            assert isinstance(message, WorkerDone)
            self.reader.hear(message)

    @property
    def sort(self) -> Sort | None:
        """What the rows that are shown are sorted by."""
        assert self.reader.answer is not None
        return self.reader.answer.question.query.sort

    @property
    def row(self) -> int | None:
        return self.place().row


def sorted_by(sort: Sort) -> Callable[[Question], Question]:
    return lambda asked: asked.but(sort=sort)


@pytest.fixture
def owner(capture: OpenCapture) -> Owner:
    opened = Owner(capture)
    opened.reader.open()
    opened.settle()
    return opened


def test_a_table_opens_with_its_first_question(owner: Owner) -> None:
    assert owner.sort == Sort("Task Duration(us)", descending=True)
    assert owner.shown[:2] == ["opened", "answered"]
    assert [row.cells[0] for row in owner.page.rows[:2]] == ["MatMul_4", "MatMul_3"]
    assert owner.reader.progress == ""


def test_what_is_asked_before_it_is_open_is_asked_then(capture: OpenCapture) -> None:
    owner = Owner(capture)
    owner.reader.open()
    owner.reader.change(sorted_by(BY_NAME))
    owner.reader.change(lambda asked: replace(asked, relative=True))
    owner.settle()
    assert owner.sort == BY_NAME
    assert owner.reader.question.relative


def test_what_is_asked_while_it_is_opened_anew_is_newer_than_what_was_asked_before(owner: Owner) -> None:
    owner.reader.reload()
    owner.work("open")
    owner.reader.change(sorted_by(BY_NAME))
    owner.settle()
    assert owner.sort == BY_NAME
    assert owner.shown.count("opened") == 2


def test_a_cursor_that_is_moved_while_it_is_opened_anew_stays_there(owner: Owner) -> None:
    owner.reader.reload()
    owner.cursor = 5
    row = owner.row
    owner.settle()
    assert (owner.cursor, owner.row) == (5, row)


def test_of_two_openings_only_the_last_is_shown_with_its_question_and_place(owner: Owner) -> None:
    """As a list that is opened again on the way back to one of its rows."""
    row = owner.row
    question = owner.reader.question.but(sort=BY_STREAM)
    place = Place(row)
    again = Owner(owner.reader.capture)
    again.reader.open()
    again.reader.open(lambda first: question, place)
    again.settle()
    assert again.shown.count("opened") == 1
    assert (again.sort, again.row) == (BY_STREAM, row)
    assert again.cursor != 0


def test_of_two_questions_only_the_last_is_answered(owner: Owner) -> None:
    owner.reader.change(sorted_by(BY_NAME))
    owner.reader.change(sorted_by(BY_STREAM))
    owner.shown.clear()
    owner.settle()
    assert owner.shown.count("answered") == 1
    assert owner.sort == BY_STREAM


def test_an_answer_from_the_table_before_is_dropped(owner: Owner) -> None:
    owner.reader.change(sorted_by(BY_NAME))
    owner.work("view")
    late = owner.posted.copy()
    owner.posted.clear()
    owner.reader.capture.forget()
    owner.reader.reload()
    owner.work("open")
    owner.take_in()
    owner.shown.clear()
    owner.posted = late
    owner.take_in()
    assert owner.shown == []


def test_giving_up_a_question_stays_with_what_is_shown(owner: Owner) -> None:
    before = owner.reader.answer
    owner.reader.change(sorted_by(BY_NAME))
    assert owner.reader.cancel()
    assert not owner.reader.cancel()
    owner.settle()
    assert owner.reader.answer is before
    assert before is not None
    assert owner.reader.question == before.question


def test_giving_up_an_opening_stays_with_what_is_shown_too(owner: Owner) -> None:
    owner.reader.reload()
    owner.shown.clear()
    assert owner.reader.cancel()
    owner.settle()
    assert owner.shown == []


def test_the_first_opening_is_not_given_up(capture: OpenCapture) -> None:
    owner = Owner(capture)
    owner.reader.open()
    assert not owner.reader.cancel()


def test_a_table_that_cannot_be_opened_says_why_until_it_can(capture: OpenCapture) -> None:
    refusals = ["There is none."]

    def read(capture: OpenCapture, scope: Scope) -> Opening:
        if refusals:
            raise UnreadableError(refusals.pop())
        return OP_SUMMARY.read(capture, scope)

    owner = Owner(capture, replace(OP_SUMMARY, read=read))
    owner.reader.open()
    owner.reader.change(sorted_by(BY_NAME))
    owner.settle()
    assert owner.shown[0] == "There is none."
    assert owner.reader.table is None
    owner.reader.reload()
    owner.settle()
    assert (owner.reader.refusal, owner.sort) == ("", BY_NAME)


def test_a_question_takes_the_words_of_the_table_and_the_scope_of_the_pane(two_devices: OpenCapture) -> None:
    owner = Owner(two_devices, scope=Scope(device=1))
    owner.reader.open(
        lambda first: first.but(filters=(OneOf("task_type", ("AI_CPU",)), OneOf("typo", ("x",))))
    )
    owner.settle()
    assert owner.reader.question.query.filters == (OneOf("Task Type", ("AI_CPU",)),)
    assert owner.reader.question.query.scope == Scope(device=1)
    assert "op_summary has no column for typo: x, which is left out." in owner.shown


def test_rows_computed_for_an_iteration_are_chosen_by_the_device_alone(capture: OpenCapture) -> None:
    owner = Owner(capture, OP_STATISTIC, Scope(0, 11, 3))
    owner.reader.open()
    owner.settle()
    assert owner.reader.question.query.scope == Scope(device=0)
    assert owner.reader.opening is not None
    assert owner.reader.opening.title == "computed from op_summary, iteration 3 of Model ID 11"


def test_all_iterations_stay_in_sight(capture: OpenCapture) -> None:
    owner = Owner(capture, STEP_TRACE, Scope(0, 11, 3))
    owner.reader.open()
    owner.settle()
    assert owner.reader.question.query.scope == Scope()


def test_rows_of_an_older_view_say_which_they_are_of(owner: Owner) -> None:
    generation = owner.reader.generation
    owner.reader.read_rows(generation, 0, 4)
    owner.reader.change(sorted_by(BY_NAME), FIRST_ROW)
    owner.shown.clear()
    owner.settle()
    assert f"page {generation}" in owner.shown
    assert owner.reader.generation == generation + 1


def test_a_row_is_read_whole(owner: Owner) -> None:
    read: list[Sequence[str | None]] = []
    owner.reader.read_row(2, read.append)
    owner.settle()
    assert read[0][4] == "MatMul_1"


def test_nothing_is_read_on_for_a_pane_that_is_gone(owner: Owner) -> None:
    owner.reader.change(sorted_by(BY_NAME))
    owner.is_running = False
    owner.shown.clear()
    owner.settle()
    assert "answered" not in owner.shown
