import pytest

from prof_tui.data.open_capture import OpenCapture
from tests.helpers.driven_app import Driven, opened

SIZES = ((20, 5), (1, 1), (300, 100), (140, 40))


async def through_all_sizes(user: Driven) -> None:
    for size in SIZES:
        await user.resize(*size)
        assert user.app.is_running


@pytest.mark.parametrize(
    "keys",
    ["2", "3", "4", "6", "2 j enter", "4 j enter", "6 j enter", "2 j enter tab j"],
)
async def test_every_screen_outlives_every_size_with_its_row(capture: OpenCapture, keys: str) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press(*keys.split())
        if user.screen_name != "RowView":
            await user.press("j", "j")
            before = user.cursor
        shown = user.text
        await through_all_sizes(user)
        assert user.text == shown
        if user.screen_name != "RowView":
            assert user.cursor == before


@pytest.mark.parametrize("key", ["O", "t", "c", "e", "f", "slash", "question_mark", "ctrl+p"])
async def test_every_dialog_outlives_every_size(capture: OpenCapture, key: str) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press(key)
        name = user.screen_name
        await through_all_sizes(user)
        assert user.screen_name == name
        await user.press("escape")
        assert user.screen_name == "CaptureScreen"


async def test_it_can_be_started_and_used_in_a_single_cell(capture: OpenCapture) -> None:
    async with opened(capture, size=(1, 1)) as user:
        await user.press("j", "j", "enter", "tab", "right", "w", "enter", "escape", "escape", "4", "o", "G")
        await user.resize(140, 40)
        assert user.pane_name == "op_summary"


async def test_at_80_columns_all_rows_have_their_durations_in_one_column(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary", size=(80, 24)) as user:
        lines = [user.pane.frame.render_line(y).text for y in range(1, 15)]
        ends = {
            line.index(row["Task Duration(us)"]) + len(row["Task Duration(us)"])
            for line, row in zip(lines, user.rows, strict=True)
        }
        assert len(ends) == 1
