"""Events by a part of their name."""

from prof_tui.data.timeline.events import find_events
from prof_tui.data.timeline.model import TraceIndex
from tests.helpers.traces import event_named, host, names_of, stream, trace_index

INDEX = trace_index(
    {
        host(1): [(5, 3, "Node@MatMul"), (1, 1, "Node@Cast")],
        stream(2): [(20, 5, "matmul-op2"), (5, 5, "MatMul-op1"), (5, 0, "Cast-op3")],
    }
)


def names(index: TraceIndex, text: str, lanes: list[int] | None = None) -> list[str | None]:
    return names_of(index, find_events(index, text, lanes).events.to_list())


def test_over_all_lanes_in_time_order_case_ignored() -> None:
    assert names(INDEX, "MATMUL") == ["Node@MatMul", "MatMul-op1", "matmul-op2"]
    assert find_events(INDEX, "matmul").count == 3


def test_of_some_lanes() -> None:
    assert names(INDEX, "matmul", [1]) == ["MatMul-op1", "matmul-op2"]


def test_a_text_is_no_pattern() -> None:
    assert names(INDEX, "Mat.*") == []
    assert names(INDEX, "") == []


def test_next_and_previous_from_an_event_among_them() -> None:
    found = find_events(INDEX, "matmul")
    one, two, three = found.events.to_list()
    assert [found.place(event, start) for event, start in ((one, 5), (two, 5), (three, 20))] == [0, 1, 2]
    assert (found.step(one, 5, 1), found.step(two, 5, 1), found.step(three, 20, 1)) == (two, three, None)
    assert (found.step(one, 5, -1), found.step(two, 5, -1), found.step(three, 20, -1)) == (None, one, two)


def test_next_and_previous_from_another_event() -> None:
    found = find_events(INDEX, "matmul")
    cast = event_named(INDEX, "Node@Cast")
    other = event_named(INDEX, "Cast-op3")
    one, two, three = found.events.to_list()
    assert (found.place(cast, 1), found.step(cast, 1, 1), found.step(cast, 1, -1)) == (None, one, None)
    assert (found.step(other, 5, -1), found.step(other, 5, 1)) == (two, three)


def test_without_matches_there_is_no_step() -> None:
    found = find_events(INDEX, "nothing")
    assert (found.count, found.step(0, 5, 1)) == (0, None)
