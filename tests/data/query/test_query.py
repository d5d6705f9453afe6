from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OneOf, Query, Scope, Sort, Where, first_descending, parse_where
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.errors import CancelledError, UsageError
from tests.helpers.captures import column_cells, csv_capture, shown, sort, where
from tests.helpers.small_capture import small_capture

HEADER = "Device_id,Op Name,Task Type,Task ID,Task Start Time(us),Task Duration(us),aic_mac_ratio\n"
ROWS = (
    "0,conv,AI_CORE,3,1790000000123456.700\t,10.500,0.5\n"
    "0,relu,AI_VECTOR_CORE,20,1790000000123456.701\t,2.000,N/A\n"
    "1,Conv,AI_CORE,N/A,1790000000123456.702\t,10.500,0.25\n"
    "1,,N/A,100,N/A,N/A,nan\n"
)


@pytest.fixture
def capture(tmp_path: Path, either_store: None) -> OpenCapture:
    return csv_capture(tmp_path, op_summary=HEADER + ROWS)


def names(capture: OpenCapture, query: Query) -> list[str | None]:
    return column_cells(capture, capture.table("op_summary"), "Op Name", query)


@pytest.mark.parametrize(
    ("column", "ascending", "descending"),
    [
        ("Task ID", ["conv", "relu", "", "Conv"], ["", "relu", "conv", "Conv"]),
        ("Task Duration(us)", ["relu", "conv", "Conv", ""], ["conv", "Conv", "relu", ""]),
        ("aic_mac_ratio", ["Conv", "conv", "relu", ""], ["conv", "Conv", "relu", ""]),
        ("Task Type", ["conv", "Conv", "relu", ""], ["relu", "conv", "Conv", ""]),
        ("Op Name", ["Conv", "conv", "relu", ""], ["relu", "conv", "Conv", ""]),
    ],
)
def test_missing_values_are_last_both_ways_and_ties_keep_their_order(
    capture: OpenCapture, column: str, ascending: list[str], descending: list[str]
) -> None:
    assert names(capture, sort(column)) == ascending
    assert names(capture, sort(column, descending=True)) == descending


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("Task Duration(us) > 2", ["conv", "Conv"]),
        ("Task Duration(us) >= 2.000", ["conv", "relu", "Conv"]),
        ("Task Duration(us) < 10.5", ["relu"]),
        ("Task Duration(us) <= 10.5", ["conv", "relu", "Conv"]),
        ("Task Duration(us) = 10.5", ["conv", "Conv"]),
        ("Task Duration(us) = 10.5004", []),
        ("Task Duration(us) > 10.4999", ["conv", "Conv"]),
        ("Task Duration(us) >= 10.5001", []),
        ("Task Duration(us) < 2.0001", ["relu"]),
        ("Task Duration(us) != 10.5", ["relu", ""]),
        ("Task Duration(us) != 10.50001", ["conv", "relu", "Conv", ""]),
        ("Task Duration(us) = N/A", [""]),
        ("Task Duration(us) != N/A", ["conv", "relu", "Conv"]),
        ("Task Duration(us) > N/A", []),
        ("Task Duration(us) ~ .5", ["conv", "Conv"]),
        ("Task Duration(us) !~ .5", ["relu"]),
        ("Task Start Time(us) = 1790000000123456.701", ["relu"]),
        ("Task Start Time(us) > 1790000000123456.700", ["relu", "Conv"]),
        ("Task Start Time(us) >= 1790000000123456.7005", ["relu", "Conv"]),
        ("Task Start Time(us) ~ 456.70", ["conv", "relu", "Conv"]),
        ("Task ID = 20", ["relu"]),
        ("Task ID != 20", ["conv", "Conv", ""]),
        ("Task ID < 99999999999999999999", ["conv", "relu", ""]),
        ("Task ID > 20.5", [""]),
        ("Task ID ~ 0", ["relu", ""]),
        ("aic_mac_ratio = 0.25", ["Conv"]),
        ("aic_mac_ratio != 0.25", ["conv", "relu", ""]),
        ("aic_mac_ratio > 0.3", ["conv"]),
        ("Op Name = conv", ["conv"]),
        ("Op Name != conv", ["relu", "Conv", ""]),
        ("Op Name ~ CON", ["conv", "Conv"]),
        ("Op Name !~ con", ["relu", ""]),
        ("Task Type = N/A", [""]),
        ("Task Type != AI_CORE", ["relu", ""]),
        ("Task Type !~ core", []),
        ("Task Type ~ vector", ["relu"]),
        ("task duration > 1,0", ["conv", "Conv"]),
    ],
)
def test_conditions(capture: OpenCapture, condition: str, expected: list[str]) -> None:
    assert names(capture, Query(filters=(parse_where(condition),))) == expected


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("Op Nam = x", "near: 'Op Name'"),
        ("Op Name > x", "Op Name is text"),
        ("Task ID > x", "'x' is not a number"),
        ("Task ID > inf", "'inf' is not a number"),
    ],
)
def test_what_can_not_be_meant_is_a_usage_error(capture: OpenCapture, condition: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        names(capture, Query(filters=(parse_where(condition),)))


def test_an_unknown_sort_column_is_a_usage_error(capture: OpenCapture) -> None:
    with pytest.raises(UsageError, match="No column 'Nothing like it'"):
        names(capture, sort("Nothing like it"))


def test_conditions_are_joined_by_and_choices_by_or(capture: OpenCapture) -> None:
    cores = OneOf("Task Type", ("AI_CORE", "N/A"))
    assert names(capture, Query(filters=(cores,))) == ["conv", "Conv", ""]
    assert names(capture, Query(filters=(cores, Where("Device_id", "=", "1")))) == ["Conv", ""]
    assert names(capture, Query(filters=(OneOf("Task ID", ("3", "N/A")),))) == ["conv", "Conv"]


def test_find_looks_in_every_text_column_and_ignores_case(capture: OpenCapture) -> None:
    assert names(capture, Query(find="CONV")) == ["conv", "Conv"]
    assert names(capture, Query(find="vector")) == ["relu"]
    assert names(capture, Query(find="10.5")) == []


def test_counts_are_honest(capture: OpenCapture) -> None:
    table = capture.table("op_summary")
    view = capture.view(table, Query(Scope(device=1), (Where("Op Name", "=", "Conv"),)))
    assert (view.matched, view.total, table.total) == (1, 2, 4)


def test_a_column_goes_by_any_spelling(capture: OpenCapture) -> None:
    assert names(capture, sort("Task Start Time", descending=True)) == ["Conv", "relu", "conv", ""]


def test_a_where_text_is_taken_apart_at_its_first_operator() -> None:
    assert parse_where("Op Name ~ a >= b") == Where("Op Name", "~", "a >= b")
    assert parse_where("  Task Duration(us)   >=  10 ") == Where("Task Duration(us)", ">=", "10")
    assert parse_where("cube_utilization(%) = N/A") == Where("cube_utilization(%)", "=", "N/A")
    with pytest.raises(UsageError, match="is not a condition"):
        parse_where("Op Name=conv")


def test_choosing_values_again_replaces_the_choice() -> None:
    query = Query().filtered(OneOf("Task Type", ("A",))).filtered(Where("Op Name", "=", "x"))
    query = query.filtered(OneOf("Task Type", ("B", "C")))
    assert query.filters == (Where("Op Name", "=", "x"), OneOf("Task Type", ("B", "C")))
    assert query.filtered(Where("Op Name", "=", "x")) is query
    assert (query.chosen("Task Type"), query.chosen("Op Name")) == (("B", "C"), ())


def test_numbers_are_sorted_largest_first_text_and_times_from_the_beginning() -> None:
    assert [first_descending(kind) for kind in ("int", "decimal", "duration", "text", "time")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_columns_in_ns_are_searched_as_they_are_shown(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, task_time="kernel_name,task_start(ns)\na,56635864652490\nb,5\n")
    table = capture.table("task_time")
    assert shown(capture, table, where("task_start(ns)", "~", "652490")) == [["a", "56635864652490"]]
    assert shown(capture, table, where("task_start(ns)", ">", "5")) == [["a", "56635864652490"]]


def test_reading_can_be_cancelled(capture: OpenCapture) -> None:
    table = capture.table("op_summary")
    with pytest.raises(CancelledError):
        table.prepare(lambda _done, _all: False)
    assert len(shown(capture, table)) == 4


CELLS = st.tuples(
    st.sampled_from(["conv", "relu", "Conv", "", "N/A"]),
    st.sampled_from(["AI_CORE", "AI_CPU", "N/A"]),
    st.one_of(st.decimals(-9, 99, places=3).map(str), st.just("N/A")),
)
CONDITIONS = st.one_of(
    st.builds(
        Where,
        st.just("Task Duration(us)"),
        st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
        CELLS.map(lambda c: c[2]),
    ),
    st.builds(Where, st.just("Op Name"), st.sampled_from(["=", "!=", "~", "!~"]), CELLS.map(lambda c: c[0])),
)


def op_table(rows: list[tuple[str, str, str]]) -> Table:
    columns = [column_for(header) for header in ("Op Name", "Task Type", "Task Duration(us)")]
    return Table("op_summary", [TableSource("f", MemoryStore(columns, [list(row) for row in rows]))])


def row_numbers(table: Table, query: Query) -> list[int]:
    return OpenCapture(Path()).view(table, query).rows.to_list()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(CELLS, max_size=25),
    CONDITIONS,
    st.sampled_from(["Op Name", "Task Duration(us)", "Task Type"]),
    st.booleans(),
)
def test_to_filter_then_sort_is_to_sort_then_filter(
    rows: list[tuple[str, str, str]], condition: Where, column: str, descending: bool
) -> None:
    table, order = op_table(rows), Sort(column, descending)
    kept = set(row_numbers(table, Query(filters=(condition,))))
    both = row_numbers(table, Query(filters=(condition,), sort=order))
    assert both == [row for row in row_numbers(table, Query(sort=order)) if row in kept]


@settings(deadline=None, max_examples=60)
@given(st.lists(CELLS, max_size=25))
def test_the_values_of_a_column_part_its_rows(rows: list[tuple[str, str, str]]) -> None:
    table = op_table(rows)
    parts = [
        row_numbers(table, Query(filters=(OneOf("Task Type", (v,)),))) for v in ("AI_CORE", "AI_CPU", "N/A")
    ]
    assert sorted(row for part in parts for row in part) == list(range(len(rows)))


@settings(deadline=None, max_examples=80)
@given(
    st.lists(CELLS, max_size=15),
    st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
    st.decimals(-9, 99, places=5),
)
def test_durations_compare_as_decimals(
    rows: list[tuple[str, str, str]], operator: str, value: Decimal
) -> None:
    found = row_numbers(op_table(rows), where("Task Duration(us)", operator, str(value)))

    def holds(cell: str) -> bool:
        if cell == "N/A":
            return operator == "!="
        number = Decimal(cell)
        return {
            "=": number == value,
            "!=": number != value,
            "<": number < value,
            "<=": number <= value,
            ">": number > value,
            ">=": number >= value,
        }[operator]

    assert found == [i for i, (_name, _type, cell) in enumerate(rows) if holds(cell)]


@pytest.mark.parametrize("text", ["Task Duration >", "Op Name = ", "Op Name ~  "])
def test_a_condition_without_a_value_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="has no value to compare with"):
        parse_where(text)


NEAR = "Op Name,OP Type,Task Duration(us)\nMatMul_7,Cast,10.421\n  add ,MatMulV2,3\nAdd_2,MatMulV3,99.5\n"


@pytest.mark.parametrize(
    ("condition", "near"),
    [
        (("Op Name", "=", "matmul_7"), ("No row has Op Name = matmul_7; near: MatMul_7.",)),
        (("Op Name", "=", "MatMul_12"), ("No row has Op Name = MatMul_12; near: MatMul_7.",)),
        (("OP Type", "=", "MatMulV"), ("No row has OP Type = MatMulV; near: MatMulV2, MatMulV3.",)),
        (("Task Duration", "=", "10.42"), ("No row has Task Duration = 10.42; near: 10.421.",)),
        (("Op Name", "=", "Conv2D"), ()),
        (("Op Name", "~", "zzz"), ()),
        (("Op Name", "=", "N/A"), ()),
        (("Task Duration", ">", "1000"), ()),
    ],
)
def test_what_no_row_equals_is_named_beside_what_is_near(
    tmp_path: Path, condition: tuple[str, str, str], near: tuple[str, ...]
) -> None:
    capture = csv_capture(tmp_path, op_summary=NEAR)
    view = capture.view(capture.table("op_summary"), where(*condition))
    assert (view.matched, view.near) == (0, near)


def test_a_view_says_what_its_scope_holds(tmp_path: Path) -> None:
    capture = small_capture(tmp_path)
    query = Query(Scope(0, 11, 3), (Where("Op Name", "=", "MatMul_4"),))
    view = capture.view(capture.table("op_summary"), query)
    assert (view.total, view.in_scope, view.matched, view.near) == (14, 3, 0, ())
