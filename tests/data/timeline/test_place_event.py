from prof_tui.data.timeline.events import event_of_place
from prof_tui.data.timeline.model import TraceIndex
from tests.helpers.traces import communication, stream, trace_index

LANES = {
    stream(2): [(0, 100, "Mul"), (500, 50, "Add")],
    stream(3): [(500, 80, "Cast"), (900, 10, "Relu")],
    communication(): [(620, 200, "hcom_allReduce_")],
}


def name(index: TraceIndex, begin_ns: int, end_ns: int) -> str | None:
    found = event_of_place(index, (begin_ns, end_ns))
    return None if found is None else str(index.events["name"][found])


def test_a_gap_is_about_the_op_that_ends_it_the_longest_of_those_that_start_together() -> None:
    assert name(trace_index(LANES), 100, 500) == "Cast"
    assert name(trace_index(LANES), 830, 890) == "Relu"


def test_what_fills_half_of_the_time_is_what_it_is_about() -> None:
    assert name(trace_index(LANES), 620, 820) == "hcom_allReduce_"
    assert name(trace_index(LANES), 720, 900) == "hcom_allReduce_"
    assert name(trace_index(LANES), 750, 900) == "Relu"


def test_behind_the_last_op_there_is_none() -> None:
    assert name(trace_index(LANES), 950, 990) is None
