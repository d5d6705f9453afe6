"""What launched an event and what it launched."""

import pytest

from prof_tui.data.timeline.links import links_of, slices_at
from prof_tui.data.timeline.model import TraceIndex
from tests.helpers.traces import event_named, host, names_of, stream, trace_index

STREAM, HOST = stream(2), host(1)


def linked(index: TraceIndex, name: str) -> tuple[list[tuple[str | None, str]], list[tuple[str | None, str]]]:
    """Names and means of what launched the event of this name, and of what it launched."""
    found = links_of(index, event_named(index, name))
    return tuple(  # type: ignore[return-value]
        [(names_of(index, [link.event])[0], "+".join(link.means)) for link in side]
        for side in (found.launched_by, found.launched)
    )


def test_flow_and_connection_id_are_one_link() -> None:
    index = trace_index(
        {
            HOST: [(0, 20, "Model@Execute"), (5, 3, "Node@launch", "CANN", 7)],
            STREAM: [(30, 4, "Cast", "AI_CORE", 7), (40, 4, "TopK", "AI_CPU", 7)],
        },
        flows=[(1, "s", 0, 5), (1, "f", 1, 30)],
    )
    assert linked(index, "Cast") == ([("Node@launch", "flow+connection_id")], [])
    assert linked(index, "TopK") == ([("Node@launch", "connection_id")], [])
    assert linked(index, "Node@launch") == ([], [("Cast", "flow+connection_id"), ("TopK", "connection_id")])
    assert linked(index, "Model@Execute") == ([], [])


def test_events_of_one_side_with_the_same_connection_id_did_not_launch_each_other() -> None:
    index = trace_index({HOST: [(0, 2, "a", "CANN", 7), (4, 2, "b", "CANN", 7)], STREAM: [(1, 1, "op")]})
    assert linked(index, "a") == ([], [])


def test_an_end_whose_start_is_not_in_the_file_is_counted() -> None:
    index = trace_index({STREAM: [(10, 5, "op")]}, flows=[(1, "f", 0, 10), (2, "f", 0, 10)])
    found = links_of(index, 0)
    assert (found.launched_by, found.ends_without_start) == ((), 2)


def test_a_start_whose_end_is_not_in_the_file_is_counted() -> None:
    index = trace_index({HOST: [(0, 5, "call")]}, flows=[(1, "s", 0, 0)])
    found = links_of(index, 0)
    assert (found.launched, found.starts_without_end) == ((), 1)


def test_one_start_may_have_several_ends() -> None:
    index = trace_index(
        {HOST: [(0, 5, "call")], STREAM: [(20, 5, "second"), (10, 5, "first")]},
        flows=[(1, "f", 1, 20), (1, "s", 0, 2), (1, "f", 1, 10)],
    )
    assert linked(index, "call") == ([], [("first", "flow"), ("second", "flow")])


def test_a_flow_that_begins_anew_does_not_mix_its_launches() -> None:
    index = trace_index(
        {HOST: [(0, 2, "one"), (20, 2, "two")], STREAM: [(10, 5, "op 1"), (30, 5, "op 2")]},
        flows=[(1, "s", 0, 0), (1, "f", 1, 10), (1, "s", 0, 20), (1, "f", 1, 30)],
    )
    assert linked(index, "one") == ([], [("op 1", "flow")])
    assert linked(index, "op 2") == ([("two", "flow")], [])


def test_an_end_before_its_only_start_belongs_to_it() -> None:
    """The clocks of host and device are only nearly the same."""
    index = trace_index(
        {HOST: [(10, 5, "call")], STREAM: [(9, 5, "op")]}, flows=[(1, "s", 0, 10), (1, "f", 1, 9)]
    )
    assert linked(index, "op") == ([("call", "flow")], [])


def test_steps_of_a_flow_are_launched_too() -> None:
    index = trace_index(
        {HOST: [(0, 5, "call"), (6, 3, "step")], STREAM: [(10, 5, "op")]},
        flows=[(1, "s", 0, 0), (1, "t", 0, 6), (1, "f", 1, 10)],
    )
    assert linked(index, "call") == ([], [("step", "flow"), ("op", "flow")])
    assert linked(index, "step") == ([("call", "flow")], [])


@pytest.mark.parametrize(
    ("at_ns", "name"),
    [
        (0, "outer"),
        (5, "inner"),
        (9, "inner"),
        (10, "next"),  # where one ends and another begins, it is the one that begins
        (15, "next"),
        (17, "moment"),  # one that takes no time
        (19, "next"),
        (20, "after"),
        (30, "after"),  # the end of the last one, where nothing else is
        (31, None),
        (-1, None),
    ],
)
def test_a_flow_event_belongs_to_the_innermost_slice_or_the_one_that_begins(at_ns: int, name: str) -> None:
    index = trace_index(
        {
            HOST: [
                (0, 20, "outer"),
                (5, 5, "inner"),
                (10, 10, "next"),
                (17, 0, "moment"),
                (20, 10, "after"),
                (12, -3, "broken"),
            ]
        },
        flows=[(1, "s", 0, at_ns)],
    )
    assert names_of(index, slices_at(index, index.flows).to_list()) == [name]


def test_a_slice_that_takes_time_goes_before_a_moment_at_its_start() -> None:
    index = trace_index({STREAM: [(10, 5, "op"), (10, 0, "moment")]}, flows=[(1, "f", 0, 10)])
    assert names_of(index, slices_at(index, index.flows).to_list()) == ["op"]


def test_a_flow_on_a_lane_without_events_belongs_to_none() -> None:
    index = trace_index({STREAM: [], HOST: [(0, 5, "call")]}, flows=[(1, "s", 1, 0), (1, "f", 0, 3)])
    assert linked(index, "call") == ([], [])
