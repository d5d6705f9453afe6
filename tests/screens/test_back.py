import pytest

from prof_tui.data.open_capture import OpenCapture
from tests.helpers.driven_app import Driven, opened

BACK = pytest.mark.parametrize("back", ["escape", "backspace"])


def where(user: Driven) -> tuple[str, str, int]:
    return user.screen_name, user.pane_name, user.pane.frame.cursor_row


@BACK
async def test_at_the_top_it_does_nothing(capture: OpenCapture, back: str) -> None:
    async with opened(capture) as user:
        before = user.text
        await user.press(back, back, back)
        assert user.text == before
        assert user.app.is_running


@BACK
async def test_from_pane_to_pane_to_the_same_rows(capture: OpenCapture, back: str) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "4", "j", "j", "6", "j", "3", "j", "j", "j")
        await user.press(back)
        assert where(user) == ("CaptureScreen", "files", 1)
        await user.press(back)
        assert where(user) == ("CaptureScreen", "op_summary", 2)
        await user.press(back)
        assert where(user) == ("CaptureScreen", "step_trace", 1)
        await user.press(back)
        assert where(user) == ("CaptureScreen", "step_trace", 1)


@BACK
async def test_from_the_iteration_and_the_op_page_to_the_same_rows(capture: OpenCapture, back: str) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j", "enter")
        assert where(user) == ("IterationScreen", "op_summary", 0)
        await user.press("j", "enter")
        assert user.screen_name == "RowView"
        await user.press("enter")
        assert where(user) == ("IterationScreen", "op_summary", 1)
        await user.press(back)
        assert user.screen_name == "RowView"
        await user.press(back)
        assert where(user) == ("IterationScreen", "op_summary", 1)
        await user.press(back)
        assert where(user) == ("CaptureScreen", "step_trace", 2)


@BACK
async def test_from_a_pane_to_the_iteration_that_it_was_called_from(capture: OpenCapture, back: str) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j", "enter", "j", "4")
        assert where(user) == ("CaptureScreen", "op_summary", 0)
        await user.press(back)
        assert where(user) == ("IterationScreen", "op_summary", 1)
        assert user.cursor["Op Name"] == "Cast_3"
        await user.press(back)
        assert where(user) == ("CaptureScreen", "step_trace", 2)


@BACK
async def test_from_a_pane_to_the_op_page_and_to_the_file_that_it_was_called_from(
    capture: OpenCapture, back: str
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("j", "enter", "3")
        assert user.pane_name == "op_statistic"
        await user.press(back)
        assert (user.screen_name, user.title.parts) == ("RowView", ("MatMul_3",))
        await user.press(back)
        assert where(user) == ("CaptureScreen", "op_summary", 1)
        await user.press("6", "j", "enter", "o", "j", "2", back)
        assert (user.screen_name, user.pane.frame.cursor_row) == ("TableScreen", 1)
        assert "by " in user.status
        await user.press(back)
        assert where(user) == ("CaptureScreen", "files", 1)


@BACK
async def test_a_drill_down_gives_the_filters_back_that_it_replaced(capture: OpenCapture, back: str) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("f")
        await user.enter_text("Task Type = AI_CPU")
        await user.press("j", "3", "enter")
        assert user.column("Op Name") == ["MatMul_4", "MatMul_3", "MatMul_2", "MatMul_1"]
        await user.press(back, back)
        assert user.column("Op Name") == ["TopK_1", "TopK_2", "TopK_3", "TopK_4"]
        assert user.pane.frame.cursor_row == 1


async def test_after_a_drill_down_its_pane_is_its_own_again(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_statistic") as user:
        await user.press("enter")
        assert "4 matched / 14 total" in user.status
        await user.press("escape", "4")
        assert (user.pane_name, user.chips) == ("op_summary", "")
        assert "14 matched / 14 total" in user.status


@pytest.mark.parametrize("opening", ["O", "t", "c", "e", "f", "slash", "question_mark"])
async def test_escape_closes_a_dialog_and_nothing_else(capture: OpenCapture, opening: str) -> None:
    async with opened(capture) as user:
        await user.press("4", "j")
        before = user.text
        await user.press(opening)
        assert user.screen_name != "CaptureScreen"
        await user.press("escape")
        assert user.text == before


async def test_in_a_prompt_backspace_and_letters_are_text(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("4", "slash", *"q2x", "backspace")
        assert user.screen_name == "PromptScreen"
        await user.press("enter")
        assert "0 rows with 'q2'" in user.status


async def test_help_is_left_with_any_of_its_keys(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        for key in ("escape", "backspace", "question_mark", "q"):
            await user.press("question_mark")
            assert user.screen_name == "HelpScreen"
            await user.press(key)
            assert user.screen_name == "CaptureScreen"
