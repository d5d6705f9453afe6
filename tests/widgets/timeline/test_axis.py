from collections.abc import Iterator

import pytest

from prof_tui import words
from prof_tui.widgets.timeline.drawing import axis_text, marks_text, round_step_ns
from prof_tui.widgets.timeline.model import Mark
from prof_tui.widgets.timeline.zoom import TimeGrid


@pytest.fixture(autouse=True)
def unicode_terminal() -> Iterator[None]:
    words.use_ascii(False)
    yield
    words.use_ascii(not words.terminal_speaks_unicode())


def test_steps_are_one_two_or_five() -> None:
    assert [round_step_ns(at_least) for at_least in (1, 2, 3, 6, 19, 21, 501)] == [1, 2, 5, 10, 20, 50, 1000]


def test_the_axis_has_round_ticks_from_the_begin_of_the_window() -> None:
    assert axis_text(TimeGrid(1000, 100, 30), 1000) == "┬0.000    ┬1.000    ┬2.000    "
    assert axis_text(TimeGrid(900, 100, 25), 1000) == " ┬0.000    ┬1.000    ┬   "


def test_titles_of_marks_give_way_but_their_ticks_stay() -> None:
    grid = TimeGrid(0, 10, 30)
    marks = [Mark(0, "FP Start"), Mark(300, "Iteration End")]
    assert marks_text(marks, grid) == "┬FP Start       Iteration End┬"
    assert marks_text([Mark(20, "FP Start"), Mark(50, "BP End")], grid) == "  ┬F…┬BP End" + " " * 18
    assert marks_text([Mark(20, "FP Start"), Mark(30, "BP End")], grid) == "F…┬┬BP End" + " " * 20
    assert marks_text([Mark(21, "A"), Mark(22, "B")], grid) == "  ┬A · B" + " " * 22
    assert marks_text([Mark(-1, "A"), Mark(301, "B")], grid) == " " * 30
