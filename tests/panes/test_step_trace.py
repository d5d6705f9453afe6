from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from tests.helpers.driven_app import opened


async def test_it_shows_the_main_model_and_says_so_in_a_chip(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        assert user.column("Model ID") == ["11"] * 4
        assert user.column("Iteration ID") == ["1", "2", "3", "4"]
        assert user.chips.startswith(" phase: steady, warm-up ×")
        assert user.status == "rows 1 to 4 shown / 4 matched / 5 total · file order"


async def test_x_shows_the_other_models_too_in_order_of_model_and_iteration(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("x")
        assert [(row["Model ID"], row["Iteration ID"]) for row in user.rows] == [
            ("1", "1"),
            ("11", "1"),
            ("11", "2"),
            ("11", "3"),
            ("11", "4"),
        ]
        assert user.column("phase") == ["other model", "warm-up", "warm-up", "steady", "steady"]
        assert user.chips == ""


async def test_the_period_is_a_column_and_a_bar_against_the_longest(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        assert user.column("period(us)") == ["N/A", "1000.000", "1000.000", "2000.000"]
        assert user.column("of longest") == ["", "█████░░░░░", "█████░░░░░", "██████████"]
        assert user.column("Iteration Time(us)") == ["700.000"] * 4
        assert user.column("Data Aug Bound(us)") == ["N/A", "300.000", "300.000", "1300.000"]


async def test_devices_come_one_after_the_other_with_their_number_first(two_devices: OpenCapture) -> None:
    async with opened(two_devices, pane="step_trace") as user:
        assert user.headers[0] == "Device_id"
        ids = [(row["Device_id"], row["Iteration ID"]) for row in user.rows]
        assert ids == [(device, iteration) for device in "01" for iteration in "1234"]


async def test_a_chosen_device_is_the_scope(two_devices: OpenCapture) -> None:
    async with opened(two_devices, pane="step_trace", device=1) as user:
        assert user.chip == "device 1"
        assert user.column("Device_id") == ["1"] * 4
        await user.press("0")
        assert user.chip == ""
        assert user.column("Device_id") == ["0"] * 4 + ["1"] * 4


async def test_all_iterations_stay_in_sight_when_one_is_the_scope(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j", "enter", "escape")
        assert user.chip == "device 0, Model ID 11, iteration 3"
        assert user.column("Iteration ID") == ["1", "2", "3", "4"]
        assert user.cursor["Iteration ID"] == "3"


@pytest.fixture
def named_devices(tmp_path: Path) -> OpenCapture:
    """In the old layout only the names of files say which device an iteration is of."""
    run = demo_run(devices=2, iterations=6)
    return OpenCapture(write_capture(tmp_path / "old", run, layout="old", json_timeline=False))


async def test_devices_that_files_are_named_after_have_a_column_too(named_devices: OpenCapture) -> None:
    async with opened(named_devices, pane="step_trace") as user:
        ids = [(row["device"], row["Iteration ID"]) for row in user.rows]
        assert ids == [(device, iteration) for device in "01" for iteration in "123456"]
        await user.press("G", "enter")
        assert user.chip == "device 1, Model ID 11, iteration 6"


async def test_a_device_that_files_are_named_after_is_a_scope(named_devices: OpenCapture) -> None:
    async with opened(named_devices, pane="step_trace", device=1) as user:
        assert user.column("Iteration ID") == ["1", "2", "3", "4", "5", "6"]
        assert user.column("device") == ["1"] * 6
