import threading
from typing import Any

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Query, Sort, View
from prof_tui.data.tables.table import Table
from prof_tui.panes.table.pane import sort_by
from tests.helpers.driven_app import opened


async def test_of_two_questions_only_the_last_is_shown(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_may_end = threading.Event()
    view = OpenCapture.view

    def slow_at_first(self: OpenCapture, table: Table, query: Query, *more: Any, **named: Any) -> View:
        if query.sort == Sort("Op Name", descending=False):
            first_may_end.wait(20)
        return view(self, table, query, *more, **named)

    monkeypatch.setattr(OpenCapture, "view", slow_at_first)
    async with opened(capture, pane="op_summary") as user:
        await user.pilot.press("o")
        sort_by(user.pane, Sort("Stream ID", descending=True))
        first_may_end.set()
        await user.settle()
        assert "by Stream ID ▼" in user.status
        assert user.column("Stream ID")[:5] == ["4", "4", "4", "4", "3"]


async def test_escape_cancels_a_running_step_before_it_goes_back(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    view = OpenCapture.view

    def slow(self: OpenCapture, table: Table, query: Query, *more: Any, **named: Any) -> View:
        if query.sort == Sort("Op Name", descending=False):
            may_end.wait(20)
        return view(self, table, query, *more, **named)

    monkeypatch.setattr(OpenCapture, "view", slow)
    async with opened(capture, pane="op_statistic") as user:
        await user.press("4")
        await user.pilot.press("o")
        await user.pilot.press("escape")
        may_end.set()
        await user.settle()
        assert "Cancelled." in user.said
        assert user.pane_name == "op_summary"
        assert "working" not in user.status
        await user.press("escape")
        assert user.pane_name == "op_statistic"


async def test_a_failure_that_nobody_foresaw_is_a_sentence_and_the_rows_stay(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(capture, pane="op_summary") as user:
        before = user.column("Op Name")

        def broken(self: OpenCapture, table: Table, query: Query, *more: Any, **named: Any) -> View:
            raise RuntimeError("no luck [red]today[/]")

        monkeypatch.setattr(OpenCapture, "view", broken)
        await user.press("o")
        assert "RuntimeError: no luck [red]today[/]" in user.text
        assert user.column("Op Name") == before
        monkeypatch.undo()
        await user.go_to(column="Task Start Time(us)")
        await user.press("o")
        assert user.column("Op Name")[0] == "Assign_0"
        assert "RuntimeError" not in user.text


@pytest.mark.parametrize("pane", ["step_trace", "op_statistic", "op_summary", "files"])
async def test_a_pane_that_cannot_open_at_all_says_so(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch, pane: str
) -> None:
    def broken(self: OpenCapture, name: str) -> Table:
        raise RuntimeError("no luck")

    monkeypatch.setattr(OpenCapture, "table", broken)
    async with opened(capture, pane=pane) as user:
        assert "RuntimeError: no luck" in user.text
        assert "opening" not in user.status
