import pytest
from textual import events

from prof_tui.data.open_capture import OpenCapture
from prof_tui.panes.op_summary import OP_SUMMARY
from prof_tui.panes.table.pane import TablePane
from prof_tui.screens.capture import CaptureScreen
from tests.helpers.driven_app import Driven, opened

NAMES = {"/": "slash", " ": "space", "\r": "enter", "\x1b": "escape", "?": "question_mark"}


async def burst(user: Driven, text: str) -> None:
    """All keys at once, as a slow line delivers them."""
    for character in text:
        user.app.post_message(events.Key(NAMES.get(character, character), character))
    await user.settle()


async def test_what_is_typed_behind_a_slash_is_the_text_to_find(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await burst(user, "/Mul\r")
        assert user.pane.reader.find_text == "Mul"
        assert user.screen_name == "CaptureScreen"


async def test_what_is_typed_behind_f_never_quits(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await burst(user, "fq")
        assert user.screen_name == "PromptScreen"
        assert user.app.is_running


async def test_what_is_typed_behind_a_slash_on_the_timeline_is_the_text_to_find(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await burst(user, "/Mat\r")
        assert user.screen_name == "CaptureScreen"
        assert user.event_name == "MatMul_1"


async def test_what_is_typed_behind_g_on_the_timeline_is_the_place_to_go_to(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await burst(user, "gTopK_2\r")
        assert user.event_name == "TopK_2"


@pytest.mark.parametrize("keys", ["S\r\r", "T\r\r", "ll", "l\r\r", "g\r\r"])
async def test_a_second_key_in_one_read_does_not_answer_twice(traced: OpenCapture, keys: str) -> None:
    async with opened(traced, pane="timeline") as user:
        await burst(user, keys)
        assert user.app.is_running
        await user.press("escape", "escape", "2")
        assert user.pane_name == "step_trace"


@pytest.mark.parametrize("keys", ["O\r\r", "t\r\r", "c\r\r", "??", "f\r\r", "e\r\r\r\r"])
async def test_nor_does_it_in_a_table(capture: OpenCapture, keys: str) -> None:
    async with opened(capture, pane="op_summary") as user:
        await burst(user, keys)
        assert user.app.is_running
        await user.press("escape", "escape", "escape", "2")
        assert user.pane_name == "step_trace"


@pytest.mark.parametrize(
    "keys", ["\r\r", "\rn\r", "j\r", "\r\x1bj", "\r41j", "js4\r", "41j", "?\x1b\r", "41j\r"]
)
async def test_keys_typed_ahead_on_the_overview_do_what_they_do_one_by_one(
    capture: OpenCapture, keys: str
) -> None:
    """But for Escape behind a pane's number: it cancels the opening, once that is over it leads back."""
    async with opened(capture) as user:
        for key in keys:
            await burst(user, key)
        wanted = where(user)
    async with opened(capture) as user:
        await burst(user, keys)
        assert where(user) == wanted


def where(user: Driven) -> tuple[object, ...]:
    """Screens, pane and the overview's line."""
    home = user.app.screen_stack[1]
    assert isinstance(home, CaptureScreen)
    screens = [type(screen).__name__ for screen in user.app.screen_stack]
    return screens, home.pane and home.pane.id, user.overview.lines.highlighted, user.overview.asked


@pytest.mark.parametrize("keys", ["\x1bq", "\rq", "\r\x1bq", "4\x1bq"])
async def test_q_typed_ahead_quits(capture: OpenCapture, keys: str) -> None:
    async with opened(capture) as user:
        await burst(user, keys)
        assert not user.app.is_running


async def test_a_key_between_rows_and_a_prompt_is_not_lost(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await burst(user, "jj/\x1b")
        assert user.pane.frame.cursor_row == 2


@pytest.mark.parametrize("keys", ["\r]", "\r[", "\r]]", "\r[]", "\r0", "\r4", "\rR"])
async def test_an_iteration_may_be_left_before_its_screen_is_there(capture: OpenCapture, keys: str) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j")
        for _again in range(3):
            await burst(user, keys)
            assert user.app.is_running
            await user.press("escape", "escape", "2")
            assert user.pane_name == "step_trace"


def test_a_pane_that_was_taken_away_before_it_was_there_opens_nothing(capture: OpenCapture) -> None:
    pane = TablePane(capture, OP_SUMMARY)
    pane.on_mount()
    pane.say_status()
    assert (pane.table, pane.reader.progress) == (None, "")
