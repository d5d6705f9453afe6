"""One rule for the window of an iteration and for what is in it, whoever asks."""

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.iteration import events_of_ops, iteration_detail
from prof_tui.data.query.query import Scope
from prof_tui.data.requests.scope import IterationKey
from prof_tui.data.requests.trace import iteration_window
from prof_tui.data.timeline.carve import Cut
from prof_tui.data.timeline.op_link import event_of_op, op_of_event
from prof_tui.data.timeline.windows import place_event, scope_window


def test_page_timeline_and_trace_command_have_the_same_window(traced: OpenCapture) -> None:
    index, windows = traced.traces.read("msprof"), []
    for step in traced.steps.of_model((0, 11)):
        scope = Scope(0, 11, step.iteration)
        place = IterationKey(0, 11, step.iteration)
        windows.append(step.window)
        assert iteration_detail(traced, scope).window == step.window
        assert scope_window(traced.steps, index, scope).window == step.window
        assert iteration_window(traced.steps, index, Cut((0, 0)), place) == (step.window, ())
    assert len(windows) == 4
    assert None not in windows


def test_an_op_and_its_event_are_in_the_same_iteration(traced: OpenCapture) -> None:
    index, table = traced.traces.read("msprof"), traced.table("op_summary")
    placement, matched = traced.placement(table), 0
    for row in range(table.row_count):
        if (event := event_of_op(index, table, row).number) is not None:
            assert op_of_event(index, table, event).number == row
            own = Scope(0, placement.model[row], placement.iteration[row])
            assert place_event(index, traced.steps, event, placement.model[row]).scope == own
            matched += 1
    assert matched >= 12


def test_all_ops_of_an_iteration_find_the_events_that_each_finds_alone(traced: OpenCapture) -> None:
    index, table = traced.traces.read("msprof"), traced.table("op_summary")
    ops = iteration_detail(traced, Scope(0, 11, 3)).ops
    alone = {op.row: event_of_op(index, table, op.row).number for op in ops}
    assert events_of_ops(index, table, ops, 0).event_of == alone
