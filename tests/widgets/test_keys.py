"""How a key is declared."""

import re

import pytest
from textual.binding import Binding

from prof_tui.widgets.keys import key


@pytest.mark.parametrize(
    ("action", "name", "id_"),
    [
        ("zoom_in", "", "trial.zoom-in"),
        ("app.leave", "", "trial.leave"),
        ("screen.ask('find')", "", "trial.ask-find"),
        ("dismiss(None)", "", "trial.dismiss"),
        ("step(-1)", "up", "trial.up"),
    ],
)
def test_the_id_is_the_room_and_the_words_of_the_action_or_the_name(action: str, name: str, id_: str) -> None:
    assert key("trial", "x", action, "What", "What it does", name=name).id == id_


def test_it_stands_on_the_last_line_when_it_is_said_so_or_is_of_a_group() -> None:
    group = Binding.Group("Zoom", compact=True)
    shown = [
        key("trial", "x", "go", "Go", "Goes"),
        key("trial", "x", "go", "Go", "Goes", show=True),
        key("trial", "x", "go", "Go", "Goes", group),
    ]
    assert [each.show for each in shown] == [False, True, True]
    assert shown[2].group is group
    assert [each.priority for each in (shown[0], key("trial", "x", "go", "Go", "Goes", priority=True))] == [
        False,
        True,
    ]


def test_one_id_does_one_thing() -> None:
    key("trial", "x", "page(-1)", "Page", "A page up", name="page")
    with pytest.raises(ValueError, match=re.escape("trial.page can't do page(1): it does page(-1)")):
        key("trial", "y", "page(1)", "Page", "A page down", name="page")


@pytest.mark.parametrize(("description", "tooltip"), [("", "What it does"), ("What", "")])
def test_it_says_what_it_does(description: str, tooltip: str) -> None:
    with pytest.raises(ValueError, match=r"trial\.tell doesn't say what it does"):
        key("trial", "x", "tell", description, tooltip)
