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
