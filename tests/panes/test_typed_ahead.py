import pytest
from driven_app import Driven, opened
from textual import events

from prof_tui.data.open_capture import OpenCapture

NAMES = {"/": "slash", " ": "space", "\r": "enter"}


async def burst(user: Driven, text: str) -> None:
    """All keys at once, as a slow line delivers them."""
    for character in text:
        user.app.post_message(events.Key(NAMES.get(character, character), character))
    await user.settle()


async def test_what_is_typed_behind_a_slash_is_the_text_to_find(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await burst(user, "/Mul\r")
        assert user.pane.find_text == "Mul"
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
