import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.screens.dialogs.help import HelpScreen
from tests.helpers.driven_app import Driven, opened


def help_lines(user: Driven) -> list[str]:
    """The whole help, also what is scrolled off."""
    screen = user.app.screen
    assert isinstance(screen, HelpScreen)
    return screen._text().plain.splitlines()


async def test_it_explains_the_column_under_the_cursor_first(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary", size=(140, 100)) as user:
        await user.go_to(column="Task Duration(us)")
        await user.press("question_mark")
        lines = [line.strip(" │") for line in user.text.splitlines()]
        at = next(i for i, line in enumerate(lines) if "The column under the cursor" in line)
        assert "Task Duration(us)  How long the task took" in lines[at + 1]


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ("4", ["Sort by this column", "Choose Task Types", "Find text in all text columns", "q  "]),
        ("2 enter", ["The longest gap", "Half the time", "Sort by this column"]),
        ("4 enter", ["The op before it on the device", "Copy all columns"]),
    ],
)
async def test_it_lists_the_keys_of_the_screen_below_each_once(
    capture: OpenCapture, keys: str, named: list[str]
) -> None:
    async with opened(capture, size=(140, 120)) as user:
        await user.press(*keys.split(), "question_mark")
        for text in named:
            assert user.text.count(text) == 1
        assert "Shift+drag selects text with the mouse" in user.text


@pytest.mark.parametrize(
    ("keys", "groups"),
    [
        ("1", ["Overview pane", "Everywhere"]),
        ("1 enter", ["This screen", "Everywhere"]),
        ("2", ["Table", "Table pane", "Everywhere"]),
        ("2 enter", ["Table", "Table pane", "This screen", "Everywhere"]),
        ("4 enter", ["This screen", "Everywhere"]),
        ("6", ["Table", "Table pane", "Everywhere"]),
    ],
)
async def test_its_own_keys_come_before_those_of_everywhere(
    capture: OpenCapture, keys: str, groups: list[str]
) -> None:
    async with opened(capture, size=(140, 120)) as user:
        await user.press(*keys.split(), "question_mark")
        lines = help_lines(user)
        assert [line for line in lines if line in {*groups, "Other keys"}] == groups
        assert any(line.startswith("  q  ") for line in lines[lines.index("Everywhere") :])


async def test_that_of_the_timeline_begins_with_its_lanes(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline", size=(140, 120)) as user:
        await user.press("question_mark")
        lines = help_lines(user)
        places = [lines.index(group) for group in ("Lanes", "Timeline pane", "Everywhere")]
        assert places == sorted(places)


async def test_it_lists_all_notices_of_the_pane(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary", size=(140, 100)) as user:
        ops = capture.path / "mindstudio_profiler_output" / "op_summary_20260921101601.csv"
        ops.write_text(ops.read_text() + "0,11,1,2,Cut_off")
        await user.press("R")
        assert "op_summary_20260921101601.csv" in user.pane_notices
        await user.press("question_mark")
        assert "Notices" in user.text
        assert user.text.count("op_summary_20260921101601.csv") >= 2


async def test_the_footer_names_what_works_now(capture: OpenCapture) -> None:
    async with opened(capture, size=(140, 40), pane="step_trace") as user:
        assert "tab Other half" not in user.text.splitlines()[-1]
        await user.press("j", "enter")
        assert "tab Other half" in user.text.splitlines()[-1]
        await user.press("enter")
        assert "n Op after" in user.text.splitlines()[-1]


async def test_the_palette_has_the_keys_that_work_now(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("ctrl+p", *"step trace")
        assert "Which model and iterations" in user.text
        await user.press("enter")
        assert user.pane_name == "step_trace"
