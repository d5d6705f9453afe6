"""What the user does while a worker is still at it stands when its answer comes."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from prof_tui.data.open_capture import OpenCapture, Traces
from prof_tui.data.query.query import Scope
from prof_tui.panes import step_trace
from prof_tui.panes.other_tables import ITERATION_OPS
from prof_tui.panes.table import reader as table_reader
from prof_tui.panes.table.kind import Opening
from prof_tui.panes.table.pane import TablePane
from prof_tui.screens import iteration as iteration_screen
from prof_tui.screens.destinations import ToIteration
from prof_tui.screens.iteration import IterationScreen
from tests.helpers.driven_app import opened, until

Hold = Callable[[object, str], threading.Event]


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hold]:
    """Make a function of a module or class wait until the event that is given back is set."""
    events = []

    def held(owner: object, name: str) -> threading.Event:
        events.append(threading.Event())
        go_on, original = events[-1], getattr(owner, name)

        def waiting(*arguments: object, **named: object) -> object:
            go_on.wait(20)
            return original(*arguments, **named)

        monkeypatch.setattr(owner, name, waiting)
        return go_on

    yield held
    for event in events:
        event.set()


async def test_a_cursor_moved_meanwhile_stays_where_it_is(capture: OpenCapture, hold: Hold) -> None:
    async with opened(capture, pane="op_summary") as user:
        go_on = hold(table_reader, "answer")
        await user.pilot.press("r", "j", "j")
        row = user.pane.row
        go_on.set()
        await user.settle()
        assert user.pane.question.relative
        assert (user.pane.frame.cursor_row, user.pane.row) == (2, row)


async def test_a_sort_goes_to_its_first_row_all_the_same(capture: OpenCapture, hold: Hold) -> None:
    async with opened(capture, pane="op_summary") as user:
        go_on = hold(table_reader, "answer")
        await user.pilot.press("o", "j", "j")
        go_on.set()
        await user.settle()
        assert user.pane.frame.cursor_row == 0


async def test_what_is_asked_while_the_table_is_opened_anew_stands(capture: OpenCapture, hold: Hold) -> None:
    async with opened(capture, pane="op_summary") as user:
        go_on = hold(OpenCapture, "table")
        await user.pilot.press("R")
        await until(user, lambda: "opening" in user.pane.reader.progress)
        await user.pilot.press("o", "j", "j")
        go_on.set()
        await user.settle()
        assert "by Op Name" in user.status
        assert user.column("Op Name")[0] == "Assign_0"


async def test_so_does_what_is_asked_of_the_step_trace_while_it_is_joined_with_its_timeline(
    traced: OpenCapture, monkeypatch: pytest.MonkeyPatch, hold: Hold
) -> None:
    monkeypatch.setattr(Traces, "read_unasked", lambda held: None)
    async with opened(traced, pane="step_trace") as user:
        assert "Free(us)" not in user.headers
        monkeypatch.undo()
        user.pane.capture.traces.read_unasked()
        go_on = hold(step_trace, "step_table")
        user.pane.take_timeline()
        await user.pilot.press("x", "j")
        assert "opening" in user.pane.reader.progress
        go_on.set()
        await user.settle()
        assert "5 matched / 5 total" in user.status
        assert "Free(us)" in user.headers
        assert user.pane.frame.cursor_row == 2


async def test_ops_that_come_after_the_timeline_count_from_its_start_and_keep_the_row(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def read(capture: OpenCapture, scope: Scope) -> Opening:
        go_on.wait(20)
        return ITERATION_OPS.read(capture, scope)

    monkeypatch.setattr(iteration_screen, "ITERATION_OPS", replace(ITERATION_OPS, read=read))
    async with opened(capture) as user:
        screen = IterationScreen(user.navigator, ToIteration(Scope(0, 11, 3), row=9))
        await user.app.push_screen(screen)
        await until(user, lambda: screen.detail is not None)
        go_on.set()
        await user.settle()
        assert user.column("Task Start Time(us)") == ["0.000", "150.000", "300.000"]
        assert (user.pane.frame.cursor_row, user.pane.row) == (1, 9)


async def test_ops_that_come_before_the_timeline_keep_the_row_too(capture: OpenCapture, hold: Hold) -> None:
    async with opened(capture) as user:
        go_on = hold(iteration_screen, "iteration_detail")
        screen = IterationScreen(user.navigator, ToIteration(Scope(0, 11, 3), row=9))
        await user.app.push_screen(screen)
        await until(user, lambda: screen.query_one(TablePane).answer is not None)
        go_on.set()
        await user.settle()
        assert user.column("Task Start Time(us)") == ["0.000", "150.000", "300.000"]
        assert (user.pane.frame.cursor_row, user.pane.row) == (1, 9)
