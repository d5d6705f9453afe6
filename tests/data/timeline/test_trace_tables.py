"""Tables made from a timeline."""

import polars as pl
import pytest

from prof_tui.data.iterations.placement import Placement
from prof_tui.data.query.query import Query, Sort
from prof_tui.data.query.view import answer_query
from prof_tui.data.tables.table import Table
from prof_tui.data.timeline import tables as trace_tables
from prof_tui.data.timeline.events import longest_events, range_stats
from prof_tui.data.timeline.gaps import largest_gaps
from prof_tui.data.timeline.tables import (
    gaps_table,
    longest_table,
    ops_table,
    range_lanes_table,
    range_names_table,
)
from prof_tui.words import NOT_AVAILABLE
from tests.helpers.traces import communication, event_named, host, stream, trace_file, trace_index

BEGIN = 1_790_000_000_000_000_000
INDEX = trace_index(
    {
        host(1): [(BEGIN, 9_500, "Node@launch", "CANN", 7)],
        stream(2): [
            (BEGIN + 10_000, 5_250, "MatMul", "AI_CORE", 7),
            (BEGIN + 20_000, -1_000, "broken", "AI_CPU"),
            (BEGIN + 25_000, 2_000, "Cast", "AI_VECTOR_CORE"),
        ],
        communication(): [(BEGIN + 30_000, 40_000, "hcom_allReduce")],
    }
)


def headers(table: Table) -> list[str]:
    return [column.header for column in table.columns]


def rows(table: Table) -> list[list[str | None]]:
    return table.cells(range(table.row_count))


def test_longest_events() -> None:
    made = longest_table(INDEX, longest_events(INDEX))
    assert headers(made.table) == [
        "Name",
        "Duration(us)",
        "Kind",
        "Layer",
        "Thread",
        "Device_id",
        "Start Time(us)",
        "connection_id",
    ]
    allreduce, launch, matmul, _cast, broken = rows(made.table)
    assert allreduce[:6] == [
        "hcom_allReduce",
        "40.000",
        "Communication",
        "Communication",
        "Group 0 Communication",
        "0",
    ]
    assert launch[3:] == ["CANN", "Thread 1", NOT_AVAILABLE, "1790000000000000.000", "7"]
    assert matmul[:3] == ["MatMul", "5.250", "AI_CORE"]
    assert broken[:2] == ["broken", "-1.000"]
    assert made.events[0] == event_named(INDEX, "hcom_allReduce")


def test_a_table_is_sorted_and_filtered_like_any_other() -> None:
    made = longest_table(INDEX, longest_events(INDEX))
    by_name = answer_query(made.table, Query(sort=Sort("Name", descending=False)), _nowhere)
    assert [made.table.cells([row])[0][0] for row in by_name.rows] == [
        "Cast",
        "MatMul",
        "Node@launch",
        "broken",
        "hcom_allReduce",
    ]
    found = answer_query(made.table, Query(find="matmul"), _nowhere)
    assert [made.events[row] for row in found.rows] == [event_named(INDEX, "MatMul")]
    by_connection = answer_query(made.table, Query(sort=Sort("connection_id", descending=True)), _nowhere)
    assert [made.table.cells([row])[0][7] for row in by_connection.rows][:3] == ["7", "7", NOT_AVAILABLE]


def _nowhere(table: Table) -> Placement:
    raise AssertionError("no scope is asked for")


def test_ops_have_the_headers_of_op_summary() -> None:
    events = pl.Series([event_named(INDEX, name) for name in ("MatMul", "hcom_allReduce")], dtype=pl.UInt32)
    made = ops_table(INDEX, events)
    assert headers(made.table) == [
        "Device_id",
        "Op Name",
        "Task Duration(us)",
        "Task Type",
        "Task Start Time(us)",
        "Stream ID",
        "connection_id",
    ]
    assert rows(made.table) == [
        ["0", "MatMul", "5.250", "AI_CORE", "1790000000000010.000", "2", "7"],
        [
            "0",
            "hcom_allReduce",
            "40.000",
            "Communication",
            "1790000000000030.000",
            NOT_AVAILABLE,
            NOT_AVAILABLE,
        ],
    ]
    assert {column.id for column in made.table.columns} >= {"op_name", "task_duration", "task_type"}
    start = made.table.get("task_start")
    assert start is not None
    assert made.table.numbers(start).to_list() == [BEGIN + 10_000, BEGIN + 30_000]


def test_gaps_name_what_is_around_them() -> None:
    gaps = largest_gaps(INDEX, [1], (BEGIN, BEGIN + 27_000))
    made = gaps_table(INDEX, gaps)
    assert headers(made.table) == [
        "Gap(us)",
        "Start Time(us)",
        "Op Before",
        "Op After",
        "Host Call",
        "Host Calls",
        "Host Union(us)",
        "Host Sum(us)",
    ]
    [between] = rows(made.table)
    assert between == [
        "9.750",
        "1790000000000015.250",
        "MatMul",
        "Cast",
        NOT_AVAILABLE,
        "0",
        "0.000",
        "0.000",
    ]
    assert made.events == [event_named(INDEX, "Cast")]
    assert made.spans == [(BEGIN + 15_250, BEGIN + 25_000)]


def test_gaps_with_the_iterations_they_begin_in() -> None:
    gaps = largest_gaps(INDEX, [1], (BEGIN, BEGIN + 27_000))
    iterations = pl.DataFrame({"model": [11], "iteration": [5]})
    made = gaps_table(INDEX, gaps, iterations)
    column = made.table.column("Iteration ID")
    assert made.table.numbers(column).to_list() == [5]
    assert [row[headers(made.table).index("Model ID")] for row in rows(made.table)] == ["11"]


def test_a_range_per_lane_and_per_name() -> None:
    stats = range_stats(INDEX, (BEGIN, BEGIN + 20_000))
    lanes = range_lanes_table(INDEX, stats)
    assert headers(lanes.table) == [
        "Layer",
        "Thread",
        "Device_id",
        "Events",
        "Sum(us)",
        "Union(us)",
        "Union(%)",
    ]
    assert rows(lanes.table) == [
        ["CANN", "Thread 1", NOT_AVAILABLE, "1", "9.500", "9.500", "47.500"],
        ["Ascend Hardware", "Stream 2", "0", "1", "5.250", "5.250", "26.250"],
    ]
    assert (lanes.lanes, lanes.events) == ([0, 1], ())
    names = range_names_table(INDEX, stats)
    assert [row[:3] for row in rows(names.table)] == [
        ["Node@launch", "CANN", "1"],
        ["MatMul", "AI_CORE", "1"],
    ]


def test_tables_of_nothing() -> None:
    nothing = pl.Series([], dtype=pl.UInt32)
    assert rows(longest_table(INDEX, nothing).table) == []
    empty = range_stats(INDEX, (0, 10))
    assert rows(range_lanes_table(INDEX, empty).table) == []
    assert rows(range_names_table(INDEX, empty).table) == []
    assert rows(gaps_table(INDEX, largest_gaps(INDEX, [1], (0, 0))).table) == []


def test_a_table_names_its_files() -> None:
    one = trace_index({stream(2): []}, files=[trace_file("a.json")])
    many = trace_index({stream(2): []}, files=[trace_file(f"{name}.json") for name in "abc"])
    nothing = pl.Series([], dtype=pl.UInt32)
    assert longest_table(one, nothing).table.file_names == ["a.json"]
    assert longest_table(many, nothing).table.file_names == ["a.json, b.json, …"]


def test_every_column_says_what_it_means() -> None:
    made = gaps_table(INDEX, largest_gaps(INDEX, [1], (BEGIN, BEGIN + 27_000)))
    for table in (made.table, longest_table(INDEX, longest_events(INDEX)).table):
        assert all(
            column.spec.meaning and "not described" not in column.spec.meaning for column in table.columns
        )


def test_a_list_that_may_be_cut_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_tables, "MOST_EVENTS", 2)
    monkeypatch.setattr(trace_tables, "MOST_GAPS", 1)
    longest = longest_table(INDEX, longest_events(INDEX, most=2)).table
    gaps = gaps_table(INDEX, largest_gaps(INDEX, [1], (BEGIN, BEGIN + 27_000), most=1)).table
    assert longest.notices == ["Only the 2 longest events are listed."]
    assert gaps.notices == ["Only the 1 largest gaps are listed."]
    assert longest_table(INDEX, longest_events(INDEX, most=1)).table.notices == []
