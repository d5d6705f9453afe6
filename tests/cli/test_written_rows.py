import json
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.shown_columns import default_columns, naming_columns
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.data.writing import rows as written_view
from prof_tui.data.writing.rows import FORMATS, Format, WrittenView, write_rows
from prof_tui.data.writing.text import aligned, widest


def table_of(headers: Sequence[str], *rows: Sequence[str], name: str = "op_summary") -> Table:
    columns = [column_for(header) for header in headers]
    return Table(name, [TableSource("a.csv", MemoryStore(columns, [list(row) for row in rows]))])


def written(table: Table, rows: Sequence[int] | None = None) -> WrittenView:
    numbers = range(table.row_count) if rows is None else rows
    series = pl.Series(numbers, dtype=pl.UInt32)
    return WrittenView(table, series, table.columns, table.total, len(series), files=("a.csv",))


def text_of(view: WrittenView, format_: Format, width: int | None = None) -> str:
    return "".join(write_rows(view, format_, width=width))


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("5", "5"),
        ("-0", "-0"),
        ("1.500", "1.500"),
        ("0.1000000000000000000001", "0.1000000000000000000001"),
        ("007", "7"),
        ("+5", "5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e3", "1e3"),
        ("+1e3", '"+1e3"'),
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993", '"9007199254740993"'),
        ("9" * 5000, f'"{"9" * 5000}"'),
        ("N/A", "null"),
        ("", "null"),
        ("host", '"host"'),
    ],
)
def test_a_number_is_written_digit_by_digit(cell: str, value: str) -> None:
    answer = text_of(written(table_of(["Count"], [cell])), "json")
    assert f'{{"Count": {value}}}' in answer
    json.loads(answer)


def test_text_is_never_null_and_an_empty_one_stays_empty() -> None:
    view = written(table_of(["Op Name"], [""], ["N/A"], ["2"]))
    assert [row["Op Name"] for row in json.loads(text_of(view, "json"))["rows"]] == ["", "N/A", "2"]


def test_rows_without_a_column_of_another_file_are_missing_there() -> None:
    store = MemoryStore([column_for("Op Name"), column_for("OP Type")], [["a", "Add"]])
    other = MemoryStore([column_for("Op Name")], [["b"]])
    table = Table("op_summary", [TableSource("a.csv", store), TableSource("b.csv", other)])
    assert text_of(written(table), "csv") == "Op Name,OP Type\na,Add\nb,N/A\n"
    assert json.loads(text_of(written(table), "json"))["rows"][1] == {"Op Name": "b", "OP Type": None}


def test_no_row_is_a_whole_answer_in_every_format() -> None:
    view = written(table_of(["Op Name", "Count"]))
    assert text_of(view, "csv") == "Op Name,Count\n"
    assert text_of(view, "md") == "| Op Name | Count |\n| --- | ---: |\n"
    assert text_of(view, "text") == "Op Name  Count\n"
    assert json.loads(text_of(view, "json"))["rows"] == []


def test_pieces_join_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    view = written(table_of(["Op Name"], *[[str(number)] for number in range(7)]), [6, 5, 4, 3, 2])
    whole = {format_: text_of(view, format_) for format_ in FORMATS}
    monkeypatch.setattr(written_view, "ROWS_AT_ONCE", 2)
    assert {format_: text_of(view, format_) for format_ in whole} == whole
    assert len(list(write_rows(view, "csv"))) == 3
    assert whole["csv"] == "Op Name\n6\n5\n4\n3\n2\n"


def test_csv_quotes_what_needs_it_and_changes_nothing() -> None:
    view = written(table_of(["Op Name"], ['a,"b"\nc']))
    assert text_of(view, "csv") == 'Op Name\n"a,""b""\nc"\n'


def test_a_row_stays_one_line_of_text_and_markdown() -> None:
    view = written(table_of(["Op Name"], ["a\nb"]))
    assert [text_of(view, "text").count("\n"), text_of(view, "md").count("\n")] == [2, 3]


def test_wide_characters_take_two_cells() -> None:
    view = written(table_of(["Op Name", "Count"], ["算子算子", "1"], ["abc", "22"]))
    assert text_of(view, "text") == "Op Name   Count\n算子算子      1\nabc          22\n"


def test_lines_are_cut_to_the_terminal() -> None:
    view = written(table_of(["Op Name", "Count"], ["算子算子", "1"]))
    assert text_of(view, "text", 6) == "Op Na…\n算子…\n"


_WIDTHS = ("算子算子", "👩\u200d👩\u200d👧", "🇨🇳", "e\u0301", "☁\ufe0f", "a")


@given(st.lists(st.sampled_from(_WIDTHS), max_size=9).map("".join), st.integers(1, 30))
def test_a_written_line_is_as_wide_as_the_same_text_on_the_screen(text: str, width: int) -> None:
    assert widest([[text]], [0]) == [cell_len(text)]
    assert cell_len(aligned([text, "1"], [80, 1], [False, True], None).rstrip("\n")) == 83
    assert cell_len(aligned([text], [0], [False], width).rstrip("\n")) <= width


def test_numbers_stand_to_the_right() -> None:
    assert aligned(["a", "1"], [3, 4], [False, True], None) == "a       1\n"


def test_default_columns_follow_the_panes_order_and_skip_what_is_absent() -> None:
    table = table_of(["Task ID", "Op Name", "Context ID", "Device_id"])
    assert [column.header for column in default_columns(table)] == ["Device_id", "Op Name", "Task ID"]
    one = default_columns(table, several_devices=False)
    assert [column.header for column in one] == ["Op Name", "Task ID"]


def test_a_table_without_a_choice_of_columns_shows_all() -> None:
    table = table_of(["Level", "Context ID"], name="api_statistic")
    assert default_columns(table) == table.columns


def test_the_columns_that_name_a_row() -> None:
    steps = table_of(["Model ID", "Iteration ID", "FP Start(us)", "Device_id"], name="step_trace")
    assert [column.id for column in naming_columns(steps)] == ["device_id", "model_id", "iteration_id"]
    assert [column.id for column in naming_columns(steps, several_devices=False)] == [
        "model_id",
        "iteration_id",
    ]


def test_what_could_end_a_line_is_quoted_in_csv() -> None:
    table = table_of(["Op Name", "Task ID"], ["a\rb", "1"], ["a\nb", "2"], ["a\r\n", "3"])
    assert text_of(written(table), "csv") == 'Op Name,Task ID\n"a\rb",1\n"a\nb",2\n"a\r\n",3\n'
