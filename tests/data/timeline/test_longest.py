"""The longest events."""

from prof_tui.data.timeline.events import longest_events
from tests.helpers.traces import host, names_of, stream, trace_index

INDEX = trace_index(
    {
        host(1): [(0, 50, "call"), (60, 10, "late")],
        stream(2): [(5, 10, "early"), (20, 30, "op"), (55, 0, "moment"), (58, -4, "broken")],
    }
)


def test_longest_first_then_in_time_order() -> None:
    names = names_of(INDEX, longest_events(INDEX).to_list())
    assert names == ["call", "op", "early", "late", "moment", "broken"]


def test_no_more_than_asked_for_ties_in_time_order() -> None:
    assert names_of(INDEX, longest_events(INDEX, most=3).to_list()) == ["call", "op", "early"]


def test_of_some_lanes() -> None:
    assert names_of(INDEX, longest_events(INDEX, lanes=[1], most=2).to_list()) == ["op", "early"]
    assert longest_events(INDEX, lanes=[]).is_empty()


def test_those_that_overlap_a_window_with_their_whole_length() -> None:
    names = names_of(INDEX, longest_events(INDEX, window=(49, 60)).to_list())
    assert names == ["call", "op", "moment", "broken"]
