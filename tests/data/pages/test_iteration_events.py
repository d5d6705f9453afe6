from prof_tui.data.pages.iteration import TimedOp, events_of_ops, tasks_of_window
from tests.helpers.traces import communication, host, stream, trace_index

INDEX = trace_index(
    {
        host(7): [(0, 900, "Model@execute")],
        stream(2): [(100, 50, "MatMul_1"), (200, 10, "Cast_1"), (400, 10, "MatMul_2")],
        stream(3): [(100, 30, "TopK_1"), (250, 0, "Notify")],
        stream(2, device=1): [(100, 50, "MatMul_1")],
        communication(): [(300, 40, "hcom_allReduce__1")],
    }
)
NAMES = INDEX.events["name"].cast(str).to_list()


def op(row: int, start_ns: int, duration_ns: int, name: str) -> TimedOp:
    return TimedOp(row, start_ns, duration_ns, name, "AI_CORE", 2, communicates=False)


def test_an_op_is_the_event_of_its_device_that_starts_with_it() -> None:
    ops = [op(7, 200, 10, "Cast_1"), op(8, 300, 40, "hcom_allReduce__1"), op(9, 310, 1, "Gone")]
    found = events_of_ops(INDEX, ops, 0)
    assert {row: NAMES[event] for row, event in found.event_of.items()} == {
        7: "Cast_1",
        8: "hcom_allReduce__1",
    }
    assert {row: found.row_of[event] for row, event in found.event_of.items()} == {7: 7, 8: 8}


def test_of_several_events_with_the_same_start_the_name_decides_then_the_length() -> None:
    ops = [op(0, 100, 30, "MatMul_1"), op(1, 100, 31, "Renamed")]
    found = events_of_ops(INDEX, ops, 0)
    assert [NAMES[found.event_of[row]] for row in (0, 1)] == ["MatMul_1", "TopK_1"]


def test_tasks_of_a_window_are_those_of_the_devices_streams_that_start_in_it() -> None:
    assert [NAMES[event] for event in tasks_of_window(INDEX, (100, 400), 0)] == [
        "MatMul_1",
        "TopK_1",
        "Cast_1",
        "Notify",
    ]
    assert len(tasks_of_window(INDEX, (100, 400), None)) == 5
    assert tasks_of_window(INDEX, (500, 600), 0).is_empty()
