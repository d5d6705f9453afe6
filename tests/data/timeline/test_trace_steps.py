"""Iterations on a timeline."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from prof_tui.data.iterations.placement import BY_FILE, BY_TIME, BY_WINDOW, place_times
from prof_tui.data.iterations.step_trace import Step, StepTrace
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Scope
from prof_tui.data.timeline.read.files import read_trace
from prof_tui.data.timeline.windows import (
    EventPlace,
    clock_problem,
    place_event,
)
from tests.helpers.traces import counter, event_named, host, stream, trace_file, trace_index


def steps(*rows: tuple[int, int, int, int, int]) -> StepTrace:
    """device, model, iteration, begin_ns, end_ns of each."""
    return StepTrace(tuple(_step(*row) for row in rows))


def _step(device: int, model: int, iteration: int, begin_ns: int, end_ns: int) -> Step:
    return Step(0, device, model, iteration, None, None, end_ns, end_ns - begin_ns, None, None, None)


STEPS = steps((0, 11, 1, 10, 20), (0, 11, 2, 30, 40), (0, 1, 1, 36, 50), (1, 11, 1, 100, 200))


def placed(times: Sequence[int], device: int | None = 0) -> list[tuple[int | None, int | None]]:
    return place_times(STEPS, device, pl.Series(times, dtype=pl.Int64)).rows()


def test_moments_are_in_the_iteration_of_the_one_model_that_has_a_window() -> None:
    assert placed([9, 10, 19, 20, 30, 35]) == [
        (None, None),
        (11, 1),
        (11, 1),
        (None, None),
        (11, 2),
        (11, 2),
    ]


def test_where_two_models_have_a_window_it_is_neither() -> None:
    assert placed([36, 39, 40, 49, 50]) == [(None, None), (None, None), (1, 1), (1, 1), (None, None)]


def test_a_device_without_iterations_has_none() -> None:
    assert placed([15], device=2) == [(None, None)]
    assert placed([]) == []


INDEX = trace_index(
    {
        stream(2): [(12, 3, "op 1"), (38, 3, "op 2"), (60, 1, "outside")],
        host(1): [(9, 5, "call"), (13, 5, "later call")],
        counter("AI Core Freq"): [],
    },
    counters=[(2, 15, 1650.0), (2, 20, 1800.0)],
)


@pytest.mark.parametrize(
    ("name", "model", "place"),
    [
        ("op 1", None, EventPlace(Scope(0, 11, 1), BY_TIME)),
        ("op 1", 4294967295, EventPlace(Scope(0, 11, 1), BY_TIME)),
        ("op 1", 11, EventPlace(Scope(0, 11, 1), BY_WINDOW)),
        ("op 1", 1, EventPlace(Scope(0, 1), None)),  # its own model has no iteration then
        ("op 1", 7, EventPlace(Scope(0, 11, 1), BY_TIME)),  # a model without iterations
        ("op 2", None, EventPlace(Scope(0), None)),
        ("op 2", 11, EventPlace(Scope(0, 11, 2), BY_WINDOW)),
        ("op 2", 1, EventPlace(Scope(0, 1, 1), BY_WINDOW)),
        ("outside", 11, EventPlace(Scope(0, 11), None)),
        ("outside", None, EventPlace(Scope(0), None)),
    ],
)
def test_which_iteration_an_event_is_in(name: str, model: int | None, place: EventPlace) -> None:
    assert place_event(INDEX, STEPS, event_named(INDEX, name), model) == place


def test_events_of_the_host_are_placed_where_there_is_one_device() -> None:
    call = event_named(INDEX, "later call")
    assert place_event(INDEX, STEPS, call) == EventPlace(Scope(), None)
    only = steps((0, 11, 1, 10, 20))
    assert place_event(INDEX, only, call) == EventPlace(Scope(0, 11, 1), BY_TIME)


def test_the_iteration_in_the_files_name_goes_first() -> None:
    index = trace_index(
        {stream(2, None): [(12, 3, "op", "AI_CORE", None, 1)]},
        files=[trace_file(iteration=1), trace_file(device=0, model=2, iteration=5)],
    )
    assert place_event(index, STEPS, 0, 11) == EventPlace(Scope(0, 2, 5), BY_FILE)


def test_another_clock_is_said() -> None:
    assert clock_problem(INDEX, STEPS) == ""
    assert clock_problem(INDEX, STEPS, device=0) == ""
    assert clock_problem(INDEX, STEPS, device=1).startswith("No iteration of step_trace lies within")
    assert clock_problem(INDEX, StepTrace()) == ""


@pytest.mark.parametrize(
    ("capture", "device"),
    [
        ("PROF_000001_20230818142704322_COJGGGCANRMICFBC", 0),
        ("PROF_000001_20230818142704567_GQFAMHBKGODKJMLA", 1),
    ],
)
def test_real_iterations_have_all_their_tasks_inside(shared_data: Path, capture: str, device: int) -> None:
    opened = OpenCapture(shared_data / "mindspore-910-two-devices-2023" / capture)
    index = read_trace(opened.export, "msprof")
    streams = pl.Series(index.lanes_where(lambda lane: lane.is_stream), dtype=pl.UInt16)
    tasks = index.events.filter(pl.col("lane").is_in(streams.implode()))
    windows = [(step.iteration, window) for step in opened.steps.steps if (window := step.window)]
    assert len(windows) == 10
    for iteration, (begin_ns, end_ns) in windows:
        starts = tasks["start_ns"]
        assert int(((starts >= begin_ns) & (starts < end_ns)).sum()) == 490
        of_file = [n for n, file in enumerate(index.files) if file.iteration == iteration]
        assert len(tasks.filter(pl.col("file").is_in(of_file))) == 490
    assert clock_problem(index, opened.steps) == ""
