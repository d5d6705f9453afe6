from collections.abc import Iterator
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.words import terminal_speaks_unicode, use_ascii
from tests.helpers.driven_app import Driven, opened
from tests.helpers.small_capture import small_capture

WAYS = ["2", "3", "4", "6", "2 j enter", "2 j enter tab B", "4 enter", "6 j enter"]
DIALOGS = ["4 O", "4 t", "4 c", "4 e", "4 f", "4 slash", "4 question_mark", "4 ctrl+p", "4 y", "4 ctrl+c"]


@pytest.fixture
def only_ascii() -> Iterator[None]:
    use_ascii(True)
    yield
    use_ascii(not terminal_speaks_unicode())


def colours(user: Driven) -> set[object]:
    strips = user.app.screen._compositor.render_strips()
    styles = [segment.style for strip in strips for segment in strip if segment.style]
    return {colour for style in styles for colour in (style.color, style.bgcolor) if colour is not None}


@pytest.mark.usefixtures("only_ascii")
@pytest.mark.parametrize("keys", WAYS + DIALOGS)
async def test_in_ascii_mode_every_screen_is_ascii(capture: OpenCapture, keys: str) -> None:
    async with opened(capture, size=(100, 30)) as user:
        await user.press(*keys.split())
        assert user.text.isascii(), {c for c in user.text if not c.isascii()}


@pytest.mark.usefixtures("only_ascii")
async def test_in_ascii_mode_the_marks_are_still_there(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        assert "enter Open" in user.text
        assert "Task Duration(us)v" in user.text
        assert ">MatMul_4" in user.text
        await user.press("2")
        assert user.column("of longest") == ["", "#####.....", "#####.....", "##########"]


@pytest.mark.parametrize("keys", WAYS + DIALOGS)
async def test_without_colours_no_screen_has_any(
    capture: OpenCapture, keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(capture, size=(100, 30)) as user:
        await user.press(*keys.split())
        assert colours(user) == set()


async def test_with_colours_there_are_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    async with opened(small_capture(tmp_path)) as user:
        assert colours(user)


async def test_marked_values_are_told_from_others_by_characters(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("t", "down", "space")
        assert "[ ] AI_CORE" in user.text
        assert "[x] AI_VECTOR_CORE" in user.text
