"""The ways between screens: what leads where, and what holds when an answer comes late."""

import importlib
import pkgutil
import re
import threading
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.message import Message

import prof_tui
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.op import OpDetail, op_detail
from prof_tui.data.query.query import Scope
from prof_tui.data.tables.table import Table
from prof_tui.errors import UnreadableError
from prof_tui.panes.registry import PANES
from prof_tui.panes.table.keys import TABLE_PANE_BINDINGS
from prof_tui.panes.timeline.pane import TIMELINE_PANE_BINDINGS
from prof_tui.screens import navigation
from prof_tui.screens.capture import INTO_ROWS
from prof_tui.screens.dialogs.table import TABLE_DIALOGS
from prof_tui.screens.dialogs.timeline import TIMELINE_DIALOGS
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened


def asked_by(bindings: object, action: str) -> set[str]:
    """What the keys whose action has this name ask for."""
    actions = " ".join(each.action for each in Binding.make_bindings(bindings))  # type: ignore[arg-type]
    return set(re.findall(rf"screen\.{action}\('(\w+)'\)", actions))


async def test_without_a_step_trace_the_key_for_iterations_says_so(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary="Op Name,OP Type,Task Duration(us)\na,Add,1.5\n")
    async with opened(capture, pane="op_summary") as user:
        await user.press("right_square_bracket")
        assert user.said[-1].startswith(
            "No iterations are known here: There is no step_trace in this export."
        )


def test_every_key_that_asks_has_its_dialog_and_no_dialog_is_without_a_key() -> None:
    assert asked_by(TABLE_PANE_BINDINGS, "ask") == TABLE_DIALOGS.keys()
    assert asked_by(TIMELINE_PANE_BINDINGS, "ask_timeline") == TIMELINE_DIALOGS.keys() | {"file"}


def test_rows_are_entered_in_panes_that_there_are() -> None:
    assert INTO_ROWS.keys() <= PANES.keys()


def widget_classes() -> list[type[DOMNode]]:
    """The program's own screens, panes and widgets."""
    names = [module.name for module in pkgutil.walk_packages(prof_tui.__path__, "prof_tui.")]
    named = {name: vars(importlib.import_module(name)) for name in names if name != "prof_tui.__main__"}
    return [
        each
        for name, found in named.items()
        for each in found.values()
        if isinstance(each, type) and issubclass(each, DOMNode) and each.__module__ == name
    ]


def test_no_class_hides_a_message_of_its_base() -> None:
    for found in widget_classes():
        own = {
            name for name, each in vars(found).items() if isinstance(each, type) and issubclass(each, Message)
        }
        for base in found.__mro__[1:]:
            if base.__module__.startswith("prof_tui"):
                assert not own & vars(base).keys(), found


@pytest.mark.parametrize("keys", [("2",), ("2", "enter"), ("4", "enter")])
async def test_a_next_iteration_that_cant_be_told_is_said_on_every_screen(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    def refuse(_capture: OpenCapture, _scope: Scope, _steps: int) -> Scope | None:
        raise UnreadableError("step_trace can't be read.")

    monkeypatch.setattr(navigation, "neighbour", refuse)
    async with opened(capture) as user:
        await user.press(*keys)
        name = user.screen_name
        await user.press("right_square_bracket")
        assert (user.screen_name, user.said) == (name, ["step_trace can't be read."])


async def test_an_answer_for_a_page_that_was_left_is_dropped(
    capture: OpenCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def wait(capture: OpenCapture, table: Table, row: int) -> OpDetail:
        go_on.wait()
        return op_detail(capture, table, row)

    monkeypatch.setattr("prof_tui.screens.row.op_detail", wait)
    async with opened(capture, pane="op_summary") as user:
        await user.pilot.press("enter")
        await user.pilot.pause(0.1)
        assert user.screen_name == "RowView"
        await user.pilot.press("escape")
        await user.pilot.pause(0.1)
        go_on.set()
        await user.settle()
        assert (user.screen_name, user.said) == ("CaptureScreen", [])
