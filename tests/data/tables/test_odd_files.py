"""Cells of any length, line ends, delimiters and spellings of numbers that msprof itself doesn't write."""

from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Query
from prof_tui.data.tables.stores import MemoryStore, StoredColumns
from prof_tui.demo.write import STAMP
from prof_tui.errors import UnreadableError
from tests.helpers.captures import column_cells, csv_capture, csv_table, rows_of, shown, sort, where

pytestmark = pytest.mark.usefixtures("either_store")

FILE = f"op_summary_{STAMP}.csv"
HEADER = "Op Name,Task Duration(us),Task Type\n"
TOO_LARGE = "99999999999999999999999"


def test_a_cell_of_any_length_is_a_cell(tmp_path: Path) -> None:
    long = "16,512;" * 40_000
    capture = csv_capture(tmp_path, op_summary=HEADER + f'"{long}",10.5,AI_CORE\nb,2.25,AI_CORE\n')
    table = capture.table("op_summary")
    assert rows_of(table) == [[long, "10.5", "AI_CORE"], ["b", "2.25", "AI_CORE"]]
    assert table.numbers(table.columns[1]).to_list() == [10_500, 2_250]
    assert len(shown(capture, table, Query(find="512;16"))) == 1


@pytest.mark.parametrize("odd", ["\r", "\x0b", "\x0c", "\x85", "\u2028", "\x1c"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_character_that_could_end_a_line_stays_in_its_cell(tmp_path: Path, odd: str, quote: str) -> None:
    text = HEADER + f'{quote}a{odd}b{quote},1,"AI_CORE"\nc,2,AI_CPU\n'
    table = csv_table(tmp_path, text)
    assert rows_of(table) == [[f"a{odd}b", "1", "AI_CORE"], ["c", "2", "AI_CPU"]]
    assert table.texts(table.columns[0]).texts().to_list() == [f"a{odd}b", "c"]
    assert table.notices == []


@pytest.mark.parametrize("end", ["\r", "\r\r\n"])
def test_lines_may_end_with_carriage_returns(tmp_path: Path, end: str) -> None:
    table = csv_table(tmp_path, (HEADER + "a,1,AI_CORE\nb,2,AI_CPU\n").replace("\n", end))
    assert rows_of(table) == [["a", "1", "AI_CORE"], ["b", "2", "AI_CPU"]]
    assert table.numbers(table.columns[1]).to_list() == [1000, 2000]
    said = [] if end == "\r\r\n" else [f"{FILE}: its lines end with carriage returns."]
    assert table.notices == said


def test_more_rows_than_the_first_end_with_carriage_returns(tmp_path: Path) -> None:
    rows = [f"op_{number},{number}.5,AI_CORE" for number in range(5_000)]
    table = csv_table(tmp_path, "\r".join([HEADER.rstrip(), *rows, ""]))
    table.prepare()
    assert (table.total, rows_of(table)[4_999]) == (5_000, ["op_4999", "4999.5", "AI_CORE"])


@pytest.mark.parametrize(("delimiter", "word"), [("\t", "tabs"), (";", "semicolons")])
def test_other_delimiters_are_read_and_said(tmp_path: Path, delimiter: str, word: str) -> None:
    text = (HEADER + "Cast,10.5,AI_CORE\n,5.5,\n\nAdd,1\n" + HEADER).replace(",", delimiter)
    table = csv_table(tmp_path, text)
    assert rows_of(table) == [["Cast", "10.5", "AI_CORE"], ["", "5.5", ""]]
    assert table.numbers(table.columns[1]).to_list()[:2] == [10_500, 5_500]
    assert table.notices == [
        f"{FILE}: its cells are separated by {word}.",
        f"{FILE}: 1 damaged row is left out.",
        f"{FILE}: 1 row that repeats the header is left out.",
    ]


def test_utf_16_with_tabs_is_read_as_spreadsheets_write_it(tmp_path: Path) -> None:
    text = (HEADER + "卷积,10.5,AI_CORE\nAdd,1,AI_CPU\n").replace(",", "\t").replace("\n", "\r\n")
    table = csv_table(tmp_path, text.encode("utf-16"))
    assert rows_of(table) == [["卷积", "10.5", "AI_CORE"], ["Add", "1", "AI_CPU"]]
    assert table.notices == [
        f"{FILE}: not UTF-8: read as UTF-16.",
        f"{FILE}: its cells are separated by tabs.",
    ]


def test_semicolons_and_decimal_commas_go_together_and_are_counted(tmp_path: Path) -> None:
    text = "Op Name;Task Duration(us);Input Shapes\na;10,5;16,512\nb;1.234,5;8,8\nc;7.25;4\nd;1,5\n"
    table = csv_table(tmp_path, text)
    assert rows_of(table) == [["a", "10.5", "16,512"], ["b", "1234.5", "8,8"], ["c", "7.25", "4"]]
    assert table.numbers(table.columns[1]).to_list()[:3] == [10_500, 1_234_500, 7_250]
    assert table.notices == [
        f"{FILE}: its cells are separated by semicolons.",
        f"{FILE}: 2 numbers with a decimal comma are read with a point.",
        f"{FILE}: 1 damaged row is left out.",
    ]


def test_a_header_without_any_known_column_is_one_of_commas(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "<meta;charset>,x\n1,2\n", "msprof_tx")
    assert [column.header for column in table.columns] == ["<meta;charset>", "x"]


def test_thousands_separators_are_read_where_they_can_be_nothing_else(tmp_path: Path) -> None:
    text = (
        'Op Name,Task Duration(us),Block Num,Hit Rate\na,"1,234.500","1,234,567","1,000.5"\nb,"1,234",2,3\n'
    )
    capture = csv_capture(tmp_path, op_summary=text)
    table = capture.table("op_summary")
    values = [table.numbers(column).to_list() for column in table.columns[1:]]
    assert values == [[1_234_500, None], [1_234_567, 2], [1000.5, 3.0]]
    assert column_cells(capture, table, "Op Name", where("Task Duration(us)", ">", "1000")) == ["a"]
    assert table.notices == [
        f"{FILE}: 3 cells of Task Duration(us), Block Num, Hit Rate with thousands separators are read as"
        " numbers.",
        f"{FILE}: 1 cell of Task Duration(us) is no number, and is taken for N/A.",
    ]


def test_cells_that_are_no_numbers_are_counted_once_and_by_column(tmp_path: Path) -> None:
    text = "Op Name,Task Duration(us),Hit Rate,Task ID\na,nan,inf,N/A\nb,--,nan,x\nc,None,,-\nd,1,2,3\n"
    table = csv_table(tmp_path, text)
    for _turn in range(2):
        table.load(table.columns)
    assert [table.numbers(column).to_list() for column in table.columns[1:]] == [
        [None, None, None, 1000],
        [None, None, None, 2.0],
        [None, None, None, 3],
    ]
    assert table.notices == [
        f"{FILE}: 5 cells of Task Duration(us), Hit Rate, Task ID are no numbers, and are taken for N/A."
    ]


@pytest.mark.parametrize("damaged", ["", "short\n"])
@pytest.mark.parametrize(
    "header", ["Task Duration(us)", "Task Start Time(us)", "Block Num", "Task ID", "Hit Rate"]
)
def test_a_number_that_no_column_can_hold_is_the_largest_and_in_no_sum(
    tmp_path: Path, header: str, damaged: str
) -> None:
    huge = "1e999" if header == "Hit Rate" else TOO_LARGE
    text = f"Op Name,{header},Task Type\na,7,X\nb,{huge},X\nc,N/A,X\n{damaged}d,5,X\nx,y,{huge},X\n"
    capture = csv_capture(tmp_path, op_summary=text)
    table = capture.table("op_summary")
    for descending, names in ((True, ["b", "x,y", "a", "d", "c"]), (False, ["d", "a", "b", "x,y", "c"])):
        assert column_cells(capture, table, "Op Name", sort(header, descending=descending)) == names
    assert column_cells(capture, table, "Op Name", where(header, ">", "6")) == ["a", "b", "x,y"]
    assert column_cells(capture, table, "Op Name", where(header, "=", "N/A")) == ["c"]
    assert column_cells(capture, table, header)[1] == huge
    if table.column(header).kind != "int":
        assert table.numbers(table.column(header)).drop_nulls().len() == 2
        assert f"2 numbers of {header} are too large" in table.notices[-1]


def test_an_id_in_exponent_form_is_a_text_and_no_id(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "Op Name,Model ID,Block Num\na,4.29E+09,1E+01\nb,11,2\n")
    assert rows_of(table) == [["a", "4.29E+09", "1E+01"], ["b", "11", "2"]]
    assert [table.numbers(column).to_list() for column in table.columns[1:]] == [[None, 11], [10, 2]]
    assert table.notices == [
        f"{FILE}: 1 number of Model ID is a rounded power of ten, as spreadsheets write it:"
        " precision is lost."
    ]


def test_slices_joined_by_cat_keep_each_row_and_no_second_header(tmp_path: Path) -> None:
    one = HEADER + "a,1,AI_CORE\nb,2,AI_CORE\n"
    capture = csv_capture(tmp_path, op_summary=one + one)
    table = capture.table("op_summary")
    assert column_cells(capture, table, "Op Name") == ["a", "b", "a", "b"]
    assert table.numbers(table.columns[1]).sum() == 6000
    assert table.notices == [f"{FILE}: 1 row that repeats the header is left out."]


@pytest.mark.parametrize("error", [ValueError("odd"), RecursionError("deep"), MemoryError()])
def test_what_nobody_foresaw_costs_one_table_and_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    capture = csv_capture(tmp_path, op_summary=HEADER + "a,1,AI_CORE\n", task_time="kernel_name\nx\n")

    def fail(_store: StoredColumns, _rows: object) -> list[list[str]]:
        raise error

    table, other = capture.table("op_summary"), capture.table("task_time")
    monkeypatch.setattr(type(table.sources[0].store), "read", fail)
    with pytest.raises(UnreadableError, match=rf"{FILE} can't be read.*{type(error).__name__}"):
        table.cells([0])
    monkeypatch.undo()
    assert rows_of(other) == [["x"]]


def test_a_summary_as_json_that_never_ends_is_a_sentence(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path)
    folder = capture.path / "mindstudio_profiler_output"
    folder.mkdir(exist_ok=True)
    (folder / f"op_summary_{STAMP}.json").write_text("[" * 100_000)
    with pytest.raises(UnreadableError, match=f"op_summary_{STAMP}.json"):
        OpenCapture(capture.path).table("op_summary")


def test_wrapped_durations_of_a_step_trace_are_said_when_it_is_opened(tmp_path: Path) -> None:
    header = "Iteration ID,Iteration End(us),Reduce Start(us),Reduce Duration(us)\n"
    table = csv_table(tmp_path, header + "1,900,100,18446744073709550.616\n2,950,1,5\n", "step_trace")
    assert isinstance(table.sources[0].store, MemoryStore)
    assert [row[3] for row in rows_of(table)] == ["1.000", "5"]
    said = f"step_trace_{STAMP}.csv: 1 wrapped unsigned number is shown as what it stands for."
    assert table.notices == [said]
    assert table.numbers(table.columns[3]).to_list() == [1000, 5000]
    assert table.notices == [said]


def test_a_file_cut_behind_the_quote_of_a_number_loses_that_row_only(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = '"Op Name","Task ID","Task Duration(us)"\n"a","1","1.5"\n"b","2","'
    table = csv_table(tmp_path, text)
    table.skim([table.columns[2]])
    assert rows_of(table) == [["a", "1", "1.5"]]
    assert table.numbers(table.columns[2]).to_list()[0] == 1500
    assert table.notices == [f"{FILE}: the last line is incomplete and left out; export or copy it again."]
    assert "panicked" not in capfd.readouterr().err
