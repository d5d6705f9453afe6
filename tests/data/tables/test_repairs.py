from pathlib import Path

import pytest

from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.repairs import fit
from prof_tui.demo.tables import OP_SUMMARY_HEADER
from prof_tui.demo.write import STAMP
from tests.helpers.captures import column_cells, csv_capture, csv_table, rows_of, shown, sort, where
from tests.helpers.odd_rows import op_row, step_row

pytestmark = pytest.mark.usefixtures("either_store")

FILE = f"op_summary_{STAMP}.csv"
HEADER = "Op Name,OP Type,Task Type,Task Duration(us),Task ID\n"


def lines(*rows: dict[str, str]) -> str:
    return "".join(",".join(row.values()) + "\n" for row in (dict(zip(rows[0], rows[0], strict=True)), *rows))


def test_an_unquoted_comma_in_a_name_is_put_right(tmp_path: Path) -> None:
    text = HEADER + "Mul[x,y],Mul,AI_CORE,20.0,7\nAdd,Add,AI_CORE,1.0,8\n"
    capture = csv_capture(tmp_path, op_summary=text)
    table = capture.table("op_summary")
    assert shown(capture, table, sort("Task Duration(us)", descending=True)) == [
        ["Mul[x,y]", "Mul", "AI_CORE", "20.0", "7"],
        ["Add", "Add", "AI_CORE", "1.0", "8"],
    ]
    assert table.numbers(table.column("Task Duration(us)")).to_list() == [20000, 1000]
    assert [row[0] for row in shown(capture, table, where("Op Name", "~", "x,y"))] == ["Mul[x,y]"]
    assert table.notices == [f"{FILE}: 1 row with too many or too few cells was repaired."]


def test_commas_in_names_of_a_whole_op_summary(tmp_path: Path) -> None:
    table = csv_table(tmp_path, lines(op_row(), op_row(name="a,b,c"), op_row(name="d,e")))
    place = OP_SUMMARY_HEADER["new"].index("Op Name")
    assert [row[place] for row in rows_of(table)] == ["MatMulV3_1", "a,b,c", "d,e"]
    assert table.notices == [f"{FILE}: 2 rows with too many or too few cells were repaired."]


def test_a_row_that_fits_in_two_ways_is_left_out(tmp_path: Path) -> None:
    header = "Op Name,Model Name,Task Duration(us)\n"
    table = csv_table(tmp_path, header + "a,b,c,1\nd,e,2\n")
    assert rows_of(table) == [["d", "e", "2"]]
    assert table.notices == [f"{FILE}: 1 damaged row is left out."]


@pytest.mark.parametrize("commas", [100, 600, 50_000])
@pytest.mark.parametrize("header", ["Op Name", "Input Shapes"])
def test_a_row_with_very_many_cells_is_judged_soon(tmp_path: Path, header: str, commas: int) -> None:
    columns = OP_SUMMARY_HEADER["new"]
    row = list(op_row().values())
    place = columns.index(header)
    row[place:place] = ["8"] * commas
    text = ",".join(columns) + "\n" + (",".join(row) + "\n") * 2
    table = csv_table(tmp_path, text)
    fits = commas == 100 or (header == "Op Name" and commas == 600)
    assert len(rows_of(table)) == (2 if fits else 0)
    assert table.notices[0] == (
        f"{FILE}: 2 rows with too many or too few cells were repaired."
        if fits
        else f"{FILE}: 2 damaged rows are left out."
    )


def test_a_short_row_is_left_out_and_counted(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=HEADER + "a,A\nb,B,AI_CORE,2.5,1\nc,C,AI_CORE\n")
    table = capture.table("op_summary")
    assert shown(capture, table) == [["b", "B", "AI_CORE", "2.5", "1"]]
    assert shown(capture, table, sort("Op Name")) == [["b", "B", "AI_CORE", "2.5", "1"]]
    assert table.notices == [f"{FILE}: 2 damaged rows are left out."]
    assert (capture.view(table, sort("Op Name")).total, table.total) == (1, 1)


def test_a_damaged_row_has_no_share_in_a_sum(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "Op Name,Task Duration(us),Task ID\na,5\nb,2.5,1\n")
    assert table.numbers(table.column("Task Duration(us)")).sum() == 2500


def test_commas_at_the_end_of_a_row_say_nothing(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,A,AI_CORE,1,7,\nb,B,AI_CORE,2,8,,,\n")
    assert [row[0] for row in rows_of(table)] == ["a", "b"]
    assert table.notices == []


def test_a_shifted_row_whose_last_cell_is_empty_is_found(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,b,A,AI_CORE,1,\n")
    assert rows_of(table) == [["a,b", "A", "AI_CORE", "1", ""]]
    assert table.numbers(table.column("Task Duration(us)")).to_list() == [1000]


def test_a_header_among_the_rows_is_left_out(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,A,AI_CORE,1,7\n" + HEADER + "b,B,AI_CORE,2,8\n")
    assert [row[0] for row in rows_of(table)] == ["a", "b"]
    assert table.notices == [f"{FILE}: 1 row that repeats the header is left out."]


def test_an_op_with_a_headers_name_is_no_header(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "Op Name,A,AI_CORE,1,7\n")
    assert [row[0] for row in rows_of(table)] == ["Op Name"]


@pytest.mark.parametrize("end", ["b,B,AI_", "b,B,AI_CORE,2.", 'b,B,"AI_CO', "b"])
def test_a_cut_last_line_is_left_out_and_said(tmp_path: Path, end: str) -> None:
    table = csv_table(tmp_path, HEADER + "a,A,AI_CORE,1,7\n" + end)
    assert [row[0] for row in rows_of(table)] == ["a"]
    assert table.notices == [f"{FILE}: the last line is incomplete and left out; export or copy it again."]


def test_a_last_line_cut_in_its_last_cell_is_kept_and_said(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,A,AI_CORE,1,7\nb,B,AI_CORE,2,1")
    assert [row[0] for row in rows_of(table)] == ["a", "b"]
    assert table.notices == [
        f"{FILE} does not end with a line end: the last cell of its last row may be cut."
    ]


def test_a_file_whose_every_row_is_too_long(tmp_path: Path) -> None:
    rows = "".join(f"n{i},m,T{i},AI_CORE,{i}.5,{i}\n" for i in range(300))
    capture = csv_capture(tmp_path, op_summary=HEADER + rows)
    table = capture.table("op_summary")
    longest = shown(capture, table, sort("Task Duration(us)", descending=True))[0]
    assert longest == ["n299,m", "T299", "AI_CORE", "299.5", "299"]
    assert table.notices == [f"{FILE}: 300 rows with too many or too few cells were repaired."]


def test_a_file_whose_every_row_is_too_short(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,A\n" * 250)
    assert rows_of(table) == []
    assert f"{FILE}: 250 damaged rows are left out." in table.notices


def test_a_wrapped_duration_is_the_negative_it_stands_for(tmp_path: Path) -> None:
    capture = csv_capture(
        tmp_path, op_summary=HEADER + "a,A,AI_CORE,18446744073709301.116,7\nb,B,AI_CORE,2.5,8\n"
    )
    table = capture.table("op_summary")
    assert column_cells(capture, table, "Task Duration(us)", sort("Task Duration(us)")) == ["-250.500", "2.5"]
    assert table.numbers(table.column("Task Duration(us)")).to_list() == [-250500, 2500]
    assert table.notices == ["op_summary: 1 wrapped unsigned number is shown as what it stands for."]


def test_a_long_duration_is_not_taken_for_a_wrapped_one(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,A,AI_CORE,18446744073.500,7\n")
    assert table.numbers(table.column("Task Duration(us)")).to_list() == [18446744073500]
    assert rows_of(table)[0][3] == "18446744073.500"
    assert table.notices == []


def test_a_repaired_row_can_hold_a_wrapped_duration(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,b,A,AI_CORE,18446744073709551.515,7\n")
    assert table.numbers(table.column("Task Duration(us)")).to_list() == [-101]
    assert table.notices == [
        f"{FILE}: 1 row with too many or too few cells was repaired.",
        "op_summary: 1 wrapped unsigned number is shown as what it stands for.",
    ]


def test_times_that_a_spreadsheet_rounded_are_shown_as_they_are_and_said(tmp_path: Path) -> None:
    text = "Op Name,Task Start Time(us)\na,1.69512E+15\nb,1.69511E+15\n"
    capture = csv_capture(tmp_path, op_summary=text)
    table = capture.table("op_summary")
    assert column_cells(capture, table, "Task Start Time(us)", sort("Task Start Time(us)")) == [
        "1.69511E+15",
        "1.69512E+15",
    ]
    assert table.numbers(table.columns[1]).to_list() == [1695120 * 10**12, 1695110 * 10**12]
    assert table.notices == [
        f"{FILE}: 2 numbers of Task Start Time(us) are rounded powers of ten, as spreadsheets write them:"
        " precision is lost."
    ]


def test_zeros_that_the_new_exporter_writes_for_missing_marks_are_not_available(tmp_path: Path) -> None:
    zero = {"fp_start": "0.000\t", "bp_end": "0.000\t"}
    parts = {"fp_to_bp_time": "0.000", "iteration_refresh": "0.000", "data_aug_bound": "0.000"}
    table = csv_table(tmp_path, lines(step_row("new", **zero, **parts)), "step_trace")
    row = dict(zip([column.id for column in table.columns], rows_of(table)[0], strict=True))
    assert [row[id_] for id_ in ("fp_start", "bp_end", "fp_to_bp", "refresh", "data_aug")] == ["N/A"] * 5
    assert row["iteration_time"] == "1006.000"
    assert table.notices == [
        f"step_trace_{STAMP}.csv: 5 zeros that stand for missing times are shown as N/A."
    ]


def test_only_a_models_first_data_aug_bound_of_zero_is_missing(tmp_path: Path) -> None:
    rows = [
        step_row(iteration_id="10", data_aug_bound="0.000"),
        step_row(iteration_id="2", data_aug_bound="0.000"),
        step_row(iteration_id="1", data_aug_bound="0.000", model_id="3"),
        step_row(iteration_id="2", data_aug_bound="7.000", model_id="3"),
    ]
    table = csv_table(tmp_path, lines(*rows), "step_trace")
    data_aug = table.numbers(table.column("Data Aug Bound(us)")).to_list()
    assert data_aug == [0, None, None, 7000]


def test_reduce_pairs_beyond_the_first_devices_header_get_one(tmp_path: Path) -> None:
    text = (
        "Iteration ID,Model ID,Reduce Start(us),Reduce Duration(us)\n"
        "1,11,100.000,5.000\n2,11\n1,12,200.000,6.000,210.000,9.750\n2,12,300.000,7.000,N/A\n"
    )
    table = csv_table(tmp_path, text, "step_trace")
    assert [column.header for column in table.columns[4:]] == ["Reduce Start(us) 2", "Reduce Duration(us) 2"]
    assert [row[3:] for row in rows_of(table)] == [
        ["5.000", "N/A", "N/A"],
        ["N/A", "N/A", "N/A"],
        ["6.000", "210.000", "9.750"],
        ["7.000", "N/A", "N/A"],
    ]


def test_a_wrapped_first_reduce_duration_is_turned(tmp_path: Path) -> None:
    text = "Iteration ID,Model ID,Reduce Start(us),Reduce Duration(us)\n1,11,100.000,18446744073709551.515\n"
    table = csv_table(tmp_path, text, "step_trace")
    assert rows_of(table) == [["1", "11", "100.000", "0.101"]]
    assert table.numbers(table.column("Reduce Duration(us)")).to_list() == [101]


def test_cells_are_joined_only_where_a_name_or_a_shape_stands() -> None:
    columns = [column_for(header) for header in ("Op Name", "Task Type", "Task ID", "Input Shapes")]
    assert fit(["a", "AI_CORE", "7", "1", "2;3"], columns).cells == ("a", "AI_CORE", "7", "1,2;3")
    assert fit(["a", "AI_CORE", "7", "8", "FLOAT"], columns).cells is None
    assert fit(["a", "AI_CORE"], columns).cells is None
