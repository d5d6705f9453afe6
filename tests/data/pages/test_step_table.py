"""Which iterations count: the same for the step trace, the times, the findings and the keys [ and ]."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.iterations.step_trace import Step, StepTrace
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.neighbours import neighbour
from prof_tui.data.pages.step_table import OTHER_MODEL, STEADY, WARM_UP, phases, step_table
from prof_tui.data.query.query import Scope
from prof_tui.data.run.periods import choose_models
from prof_tui.errors import UsageError


def trace(*ids: tuple[int, int, int]) -> StepTrace:
    """Of (device, model, iteration)."""
    times = (None, None, 1000, 700, None, None, None)
    return StepTrace(tuple(Step(row, *key, *times) for row, key in enumerate(sorted(set(ids)))))


def test_the_phase_of_each_iteration(capture: OpenCapture) -> None:
    """Model 1 has one iteration, model 11 has four."""
    assert phases(capture.steps) == [OTHER_MODEL, WARM_UP, WARM_UP, STEADY, STEADY]


def test_what_is_chosen_as_steady_holds_wherever_the_capture_is_asked(capture: OpenCapture) -> None:
    capture.steady_from = 2
    assert phases(capture.steps) == [OTHER_MODEL, WARM_UP, STEADY, STEADY, STEADY]
    table = step_table(capture.table("step_trace"), capture.steps)
    assert table.texts(table.column("phase")).texts().to_list() == phases(capture.steps)
    [run] = choose_models(capture.steps).devices
    assert [step.iteration for step in run.steady] == [2, 3, 4]
    assert (run.first, run.why) == (2, "as chosen")
    assert neighbour(capture, Scope(), 1) == Scope(0, 11, 2)
    capture.steady_from = None
    assert neighbour(capture, Scope(), 1) == Scope(0, 11, 3)


IDS = st.lists(st.tuples(st.integers(0, 1), st.integers(1, 2), st.integers(1, 6)), min_size=1, max_size=12)


@given(IDS, st.none() | st.integers(1, 7))
def test_there_is_one_notion_of_steady(ids: list[tuple[int, int, int]], first: int | None) -> None:
    steps = trace(*ids).counted_from(first)
    by_phase = {
        (step.device, step.iteration)
        for step, phase in zip(steps.steps, phases(steps), strict=True)
        if phase == STEADY
    }
    if not by_phase:
        with pytest.raises(UsageError):
            choose_models(steps)
        return
    runs = choose_models(steps).devices
    assert {(run.device, step.iteration) for run in runs for step in run.steady} == by_phase
