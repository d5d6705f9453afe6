from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.periods import ModelFacts, Part, Spread, choose_models, model_facts, spread
from prof_tui.data.run.texts import step_notes, step_rows
from prof_tui.errors import UsageError
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import STEP_HEADER, at, text

US = 1000


def test_the_spread_is_the_median_and_where_eight_of_ten_values_lie() -> None:
    assert spread([5, None, *range(10, 110, 10)]) == Spread(11, 50, 10, 90)
    assert spread([4, 7]) == Spread(2, 6, 4, 7)
    assert spread([None, None]) is None


def test_models_come_with_the_reason_for_the_main_one(capture: OpenCapture) -> None:
    assert model_facts(capture.steps) == (
        ModelFacts(0, 11, 4, 2800 * US, True, "most iterations"),
        ModelFacts(0, 1, 1, 100 * US, False, ""),
    )


def test_steady_iterations_give_medians_of_period_and_parts(capture: OpenCapture) -> None:
    [times] = choose_models(capture.steps).devices
    assert (times.device, times.model, times.is_main) == (0, 11, True)
    assert (times.first, len(times.warm_up)) == (3, 2)
    assert times.why == "iterations before 3 carry compilation and warm-up"
    assert times.period == Spread(2, 1500 * US, 1000 * US, 2000 * US)
    assert times.iteration_time == Spread(2, 700 * US, 700 * US, 700 * US)
    assert times.periods_ns == (1000 * US, 2000 * US)
    assert times.parts == (
        Part("data_aug_bound", "Data Aug Bound", 800 * US),
        Part("fp_to_bp", "FP to BP", 500 * US),
        Part("refresh", "Refresh", 200 * US),
    )


def test_the_first_steady_iteration_can_be_chosen(capture: OpenCapture) -> None:
    [times] = choose_models(capture.steps.counted_from(4)).devices
    assert (times.first, len(times.warm_up), times.why) == (4, 3, "as chosen")
    assert times.period == Spread(1, 2000 * US, 2000 * US, 2000 * US)
    with pytest.raises(UsageError, match="Model ID 11 has no iteration from 5 on: its last is 4"):
        choose_models(capture.steps.counted_from(5))


def test_another_model_is_said_to_be_none_of_the_main_ones(capture: OpenCapture) -> None:
    [times] = choose_models(capture.steps, model=1).devices
    assert not times.is_main
    assert times.why == "it has no more than 1 iteration"
    assert times.period is None
    assert times.whole_ns == 100 * US
    with pytest.raises(UsageError, match="no iteration of Model ID 7"):
        choose_models(capture.steps, model=7)


def test_each_device_has_its_own(two_devices: OpenCapture) -> None:
    assert [times.device for times in choose_models(two_devices.steps).devices] == [0, 1]
    assert [times.device for times in choose_models(two_devices.steps, device=1).devices] == [1]


def test_parts_that_are_not_there_are_none_and_not_0(tmp_path: Path) -> None:
    lines = [f"0,5,{i},N/A,N/A,{at(1000 * i)},700.000,N/A,N/A,N/A" for i in (1, 2, 3, 4)]
    capture = csv_capture(tmp_path, step_trace=text(STEP_HEADER, lines))
    [times] = choose_models(capture.steps).devices
    assert [part.median_ns for part in times.parts] == [None, None, None]
    assert times.period == Spread(2, 1000 * US, 1000 * US, 1000 * US)


def test_without_step_trace_there_is_none(tmp_path: Path) -> None:
    assert choose_models(csv_capture(tmp_path).steps).devices == ()
    assert model_facts(csv_capture(tmp_path).steps) == ()


def test_the_parts_stand_under_the_period_that_they_are_of(capture: OpenCapture) -> None:
    [times] = choose_models(capture.steps).devices
    assert [(row.name, row.ns, row.per_cent) for row in step_rows(times)] == [
        ("Period", 1500 * US, "100.0 %"),
        ("Data Aug Bound", 800 * US, "53.3 %"),
        ("FP to BP", 500 * US, "33.3 %"),
        ("Refresh", 200 * US, "13.3 %"),
        ("Iteration Time", 700 * US, "46.7 %"),
    ]
    assert list(step_notes(times)) == [
        "2 steady iterations, from Iteration ID 3 on: iterations before 3 carry compilation and warm-up",
        "Medians: those of the parts need not add up to that of the period; Iteration Time overlaps them.",
    ]


def test_without_parts_nothing_is_said_of_their_sum(capture: OpenCapture) -> None:
    [times] = choose_models(capture.steps, model=1).devices
    assert list(step_notes(times)) == [
        "1 steady iteration, from Iteration ID 1 on: it has no more than 1 iteration"
    ]
