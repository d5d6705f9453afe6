from pathlib import Path

import pytest
from textual import events

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from tests.helpers.driven_app import opened

IN_3 = ["MatMul_3", "Cast_3", "TopK_3"]


async def test_entering_an_iteration_sets_one_chip_that_every_pane_honours(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j", "enter")
        assert user.chip == "device 0, Model ID 11, iteration 3"
        await user.press("4")
        assert user.chip == "device 0, Model ID 11, iteration 3"
        assert user.column("Op Name") == IN_3
        assert "3 matched / 14 total" in user.status
        await user.press("3")
        assert user.column("Count") == ["1", "1", "1"]


async def test_0_clears_it_also_from_the_screens_above(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("j", "j", "enter", "4", "0")
        assert user.chip == ""
        assert "14 matched" in user.status
        await user.press("2", "enter", "0")
        assert (user.screen_name, user.chip) == ("CaptureScreen", "")


async def test_the_next_key_starts_at_the_first_steady_iteration_and_then_goes_on(
    capture: OpenCapture,
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("right_square_bracket")
        assert user.chip == "device 0, Model ID 11, iteration 3"
        assert user.column("Op Name") == IN_3
        await user.press("right_square_bracket")
        assert user.chip.endswith("iteration 4")
        await user.press("right_square_bracket")
        assert user.chip.endswith("iteration 4")
        assert user.said == ["There is no further iteration of this model with ops here."]
        await user.press(*["left_square_bracket"] * 3)
        assert user.chip.endswith("iteration 1")


async def test_on_the_iteration_screen_the_timeline_goes_along(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "enter", "right_square_bracket")
        assert user.screen_name == "IterationScreen"
        assert user.column("Op Name") == IN_3
        assert "period 1,000.000 us" in user.text
        await user.press("right_square_bracket")
        assert "period 2,000.000 us" in user.text
        await user.press("escape")
        assert user.chip == "device 0, Model ID 11, iteration 4"


async def test_in_the_old_layout_only_exported_iterations_are_gone_through(tmp_path: Path) -> None:
    path = write_capture(
        tmp_path / "old", demo_run(iterations=8), layout="old", iterations_exported=(1, 4, 7)
    )
    async with opened(path, pane="op_summary") as user:
        seen = []
        for _ in range(3):
            await user.press("right_square_bracket")
            seen.append(user.chip.rpartition(" ")[2])
        assert seen == ["4", "7", "7"]
        await user.press("left_square_bracket", "left_square_bracket")
        assert user.chip.endswith("iteration 1")


@pytest.mark.parametrize("opening", ["enter", "6"])
async def test_from_other_screens_the_keys_lead_home_with_the_iteration(
    capture: OpenCapture, opening: str
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press(opening, "right_square_bracket")
        assert user.screen_name == "CaptureScreen"
        assert user.chip == "device 0, Model ID 11, iteration 3"


async def test_files_of_one_iteration_each_are_shown_for_the_iteration_looked_at(tmp_path: Path) -> None:
    whole = OpenCapture(write_capture(tmp_path / "old", demo_run(), layout="old", json_timeline=False))
    async with opened(whole, pane="step_trace") as user:
        await user.press("G", "enter", "escape", "3")
        assert user.chip == "device 0, Model ID 11, iteration 12"
        assert set(user.column("iteration")) == {"12"}
        await user.press("left_square_bracket")
        assert set(user.column("iteration")) == {"11"}


async def test_every_press_counts_also_while_one_is_answered(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("enter")
        assert user.chip.endswith("iteration 1")
        for _press in range(3):
            user.app.post_message(events.Key("right_square_bracket", "]"))
        await user.settle()
        assert user.chip.endswith("iteration 4")


async def test_a_look_from_an_op_page_leaves_the_scope_as_it_was(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        before = user.column("Op Name")
        await user.press("enter", "enter")
        assert user.screen_name == "IterationScreen"
        await user.press("escape", "escape")
        assert (user.chip, user.column("Op Name")) == ("", before)
