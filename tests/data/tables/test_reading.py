import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables.cells import PADDING, to_ns
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.demo.tables import OP_SUMMARY_HEADER
from prof_tui.demo.write import MERGED_DIRECTORY, PROF_NAME, STAMP, capture_skeleton, write_table
from prof_tui.errors import UnreadableError, UsageError
from tests.helpers.captures import column_cells, csv_capture, csv_table, rows_of, shown, sort, where
from tests.helpers.odd_rows import op_row

pytestmark = pytest.mark.usefixtures("either_store")

NAMES = "Op Name,Task Duration(us)\n"


def test_a_start_of_19_digits_keeps_each_of_them(tmp_path: Path) -> None:
    starts = ["1790000000123456.760\t", "1790000000123456.700\t", "1790000000123456.801\t"]
    text = "Op Name,Task Start Time(us)\n" + "".join(f"op_{i},{start}\n" for i, start in enumerate(starts))
    capture = csv_capture(tmp_path, op_summary=text)
    table = capture.table("op_summary")
    assert table.numbers(table.column("Task Start Time(us)")).to_list() == [
        1790000000123456760,
        1790000000123456700,
        1790000000123456801,
    ]
    assert column_cells(capture, table, "Task Start Time(us)", sort("Task Start Time(us)")) == [
        "1790000000123456.700",
        "1790000000123456.760",
        "1790000000123456.801",
    ]


def test_quotes_around_shapes_are_no_part_of_them(tmp_path: Path) -> None:
    text = 'Op Name,Input Shapes\na,"""16,512;512"""\nb,"16,512;512"\nc,;;;\nd,N/A\n'
    table = csv_table(tmp_path, text)
    assert [row[1] for row in rows_of(table)] == ["16,512;512", "16,512;512", ";;;", "N/A"]
    assert table.notices == []


def test_missing_is_not_zero(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "Op Name,Task Duration(us),Task ID\na,N/A,N/A\nb,0,0\nc,,\n")
    assert table.numbers(table.column("Task Duration(us)")).to_list() == [None, 0, None]
    assert table.numbers(table.column("Task ID")).to_list() == [None, 0, None]
    assert [row[1] for row in rows_of(table)] == ["N/A", "0", ""]


def test_repeated_headers_are_told_apart(tmp_path: Path) -> None:
    text = (
        "Iteration ID,Reduce Start(us),Reduce Duration(us),Reduce Start(us),Reduce Duration(us)\n1,5,6,7,8\n"
    )
    table = csv_table(tmp_path, text, "step_trace")
    assert [column.header for column in table.columns[1:]] == [
        "Reduce Start(us)",
        "Reduce Duration(us)",
        "Reduce Start(us) 2",
        "Reduce Duration(us) 2",
    ]
    assert table.numbers(table.column("Reduce Duration(us) 2")).to_list() == [8000]


def test_a_repeated_header_takes_no_name_that_is_there(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "X,X 2,X\n1,2,3\n", "msprof_tx")
    assert [column.header for column in table.columns] == ["X", "X 2", "X 3"]


def test_blanks_around_headers_are_ignored(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "pid, tid, category\n1,2,3\n", "msprof_tx")
    assert [column.header for column in table.columns] == ["pid", "tid", "category"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [False, True])
def test_bom_and_line_ends_do_not_matter(tmp_path: Path, newline: str, bom: bool) -> None:
    prof = capture_skeleton(tmp_path, "new")
    rows = [list(op_row(name=name).values()) for name in ("a", "b")]
    write_table(
        prof / MERGED_DIRECTORY,
        f"op_summary_{STAMP}.csv",
        OP_SUMMARY_HEADER["new"],
        rows,
        newline=newline,
        bom=bom,
    )
    table = OpenCapture(prof).table("op_summary")
    assert tuple(column.header for column in table.columns) == (*OP_SUMMARY_HEADER["new"], "bound")
    assert [row[:-1] for row in rows_of(table)] == [[cell.strip(PADDING) for cell in row] for row in rows]
    assert table.notices == []


def test_mixed_line_ends_and_blank_lines(tmp_path: Path) -> None:
    table = csv_table(tmp_path, NAMES + "a,1\r\n\nb,2\n\r\n \r\nc,3\r\n\n")
    assert rows_of(table) == [["a", "1"], ["b", "2"], ["c", "3"]]
    assert (table.total, table.notices) == (3, [])


def test_gbk_is_read_and_said(tmp_path: Path) -> None:
    table = csv_table(tmp_path, (NAMES + "卷积,1.5\nRelu,2\n").encode("gbk"))
    assert rows_of(table) == [["卷积", "1.5"], ["Relu", "2"]]
    assert table.notices == [f"op_summary_{STAMP}.csv: not UTF-8: read as GBK."]


def test_unreadable_bytes_become_marks_and_numbers_stay(tmp_path: Path) -> None:
    table = csv_table(tmp_path, NAMES.encode() + b"a\xff\xff\xff,1.5\nb,2\n")
    assert rows_of(table) == [["a���", "1.5"], ["b", "2"]]
    assert "replacement marks" in table.notices[0]


def test_zero_bytes_are_taken_out(tmp_path: Path) -> None:
    table = csv_table(tmp_path, NAMES.encode() + b"a\0b,1\nc,2\n\0\0\0")
    assert rows_of(table) == [["ab", "1"], ["c", "2"]]
    assert table.notices == [f"op_summary_{STAMP}.csv: 4 zero bytes were taken out."]


def test_a_cell_over_several_lines(tmp_path: Path) -> None:
    table = csv_table(tmp_path, NAMES + '"one\ntwo",1\nb,2\n')
    assert rows_of(table) == [["one\ntwo", "1"], ["b", "2"]]


def test_header_only_is_a_table_without_rows(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=NAMES)
    table = capture.table("op_summary")
    assert shown(capture, table, sort("Task Duration(us)")) == []
    assert shown(capture, table, where("Op Name", "~", "x")) == []
    assert table.notices == [f"op_summary: no rows in op_summary_{STAMP}.csv."]


def test_an_empty_file_is_refused_by_name(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary="")
    with pytest.raises(UnreadableError, match=f"op_summary_{STAMP}.csv is empty"):
        capture.table("op_summary")


def test_what_is_no_table_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=f"op_summary_{STAMP}.csv is not a CSV table"):
        csv_table(tmp_path, b"\x7fELF\x02\x01\x01\0\0\0\n\x01\x02\n")


def test_a_summary_written_as_json(tmp_path: Path) -> None:
    rows = [{"Op Name": "Conv2D", "Task Duration(us)": 10.5}, {"Op Name": "Cast", "Task Duration(us)": "N/A"}]
    prof = capture_skeleton(tmp_path, "new")
    (prof / MERGED_DIRECTORY / f"op_summary_0_{STAMP}.json").write_text(json.dumps(rows))
    table = OpenCapture(prof).table("op_summary")
    assert rows_of(table) == [["Conv2D", "10.5"], ["Cast", "N/A"]]
    assert table.numbers(table.column("Task Duration(us)")).to_list() == [10500, None]


def test_a_broken_json_summary_names_the_place(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "new")
    (prof / MERGED_DIRECTORY / f"op_summary_{STAMP}.json").write_text('[{"Op Name": "a"},\n{"Op Name": }]')
    with pytest.raises(UnreadableError, match="line 2, column 13"):
        OpenCapture(prof).table("op_summary")


def test_slices_are_one_table_and_rows_count_through(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "new")
    for part, names in enumerate((["a", "b"], ["c"], ["d"])):
        rows = [[name, f"{i}.5"] for i, name in enumerate(names)]
        name = f"op_summary_slice_{part}_{STAMP}.csv"
        write_table(prof / MERGED_DIRECTORY, name, ["Op Name", "Task Duration(us)"], rows)
    capture = OpenCapture(prof)
    table = capture.table("op_summary")
    assert [row[0] for row in rows_of(table)] == ["a", "b", "c", "d"]
    assert [row[0] for row in shown(capture, table, sort("Task Duration(us)"))] == ["a", "c", "d", "b"]
    assert [row[0] for row in table.cells([3, 0, 2])] == ["d", "a", "c"]
    assert table.texts(table.column("Op Name")).texts().to_list() == ["a", "b", "c", "d"]


def test_files_with_other_columns_leave_a_hole_not_a_zero(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "new")
    folder = prof / MERGED_DIRECTORY
    write_table(folder, f"op_summary_slice_0_{STAMP}.csv", ["Op Name", "Task ID"], [["a", "1"]])
    write_table(folder, f"op_summary_slice_1_{STAMP}.csv", ["Op Name", "OP Type"], [["b", "Add"]])
    table = OpenCapture(prof).table("op_summary")
    assert rows_of(table) == [["a", "1", None], ["b", None, "Add"]]
    assert table.numbers(table.column("Task ID")).to_list() == [1, None]
    assert table.texts(table.column("OP Type")).texts().to_list() == ["N/A", "Add"]


def test_an_unknown_column_is_text_when_one_file_has_text_in_it(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "new")
    for part, cell in enumerate(("1", "2.5", "x")):
        rows = [[cell, cell]] if cell != "x" else [["3", "x"]]
        name = f"msprof_tx_slice_{part}_{STAMP}.csv"
        write_table(prof / MERGED_DIRECTORY, name, ["numbers", "mixed"], rows)
    table = OpenCapture(prof).table("msprof_tx")
    assert [column.kind for column in table.columns] == ["decimal", "text"]
    assert table.numbers(table.columns[0]).to_list() == [1.0, 2.5, 3.0]


def test_a_file_that_cannot_be_read_costs_its_own_rows(tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, "new")
    folder = prof / MERGED_DIRECTORY
    write_table(folder, f"op_summary_slice_0_{STAMP}.csv", ["Op Name"], [["a"]])
    (folder / f"op_summary_slice_1_{STAMP}.csv").write_bytes(b"\x00\x01\x02\n")
    table = OpenCapture(prof).table("op_summary")
    assert rows_of(table) == [["a"]]
    assert "slice_1" in table.notices[0]


def test_ids_beyond_an_int64_are_the_largest_not_missing(tmp_path: Path) -> None:
    text = "Op Name,Model ID\na,18446744073709551615\nb,4294967295\nc,-1\nd,24.0\ne,N/A\n"
    capture = csv_capture(tmp_path, op_summary=text)
    table = capture.table("op_summary")
    assert [row[0] for row in shown(capture, table, sort("Model ID"))] == ["c", "d", "b", "a", "e"]
    assert column_cells(capture, table, "Model ID", where("Model ID", "=", "18446744073709551615")) == [
        "18446744073709551615"
    ]
    assert [row[0] for row in shown(capture, table, where("Model ID", "=", "N/A"))] == ["e"]


def test_a_device_is_a_number_however_it_is_written(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "Component,Device\nGE,NPU:3\nAPP,0\nx,host\n", "npu_module_mem")
    assert table.numbers(table.column("Device_id")).to_list() == [3, 0, None]


def test_a_path_with_glob_signs_is_a_path(tmp_path: Path) -> None:
    folder = tmp_path / "run[1]*"
    folder.mkdir()
    assert rows_of(csv_table(folder, NAMES + "a,1\n")) == [["a", "1"]]


def test_any_generation_names_a_column(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "Op Name,Block Num,Task Start Time(us)\na,24,1.5\n")
    assert table.column("Block Dim").header == "Block Num"
    assert table.column("task start time").header == "Task Start Time(us)"
    with pytest.raises(UsageError, match="'Block Num'"):
        table.column("Blok Num")


def test_the_only_device_is_known_where_no_column_says_it(tmp_path: Path) -> None:
    prof = tmp_path / PROF_NAME
    capture = csv_capture(tmp_path, op_summary=NAMES + "a,1\n")
    assert (prof / "device_0").is_dir()
    assert capture.table("op_summary").sources[0].device == 0


def decimal_texts() -> st.SearchStrategy[str]:
    digits = st.text("0123456789", max_size=18)
    sign = st.sampled_from(["", "", "-", "+"])
    exponent = st.sampled_from(["", "", "", "E+3", "e-2", "E15"])
    point = st.sampled_from(["", ".", "."])
    cells = st.tuples(sign, digits, point, st.text("0123456789", max_size=9), exponent).map("".join)
    odd = ["", "N/A", "inf", "nan", ".", "-", "1_0", "1e", "0x1", "18446744073709551.615", "9" * 30]
    return st.one_of(cells, st.sampled_from(odd))


@given(st.lists(decimal_texts(), max_size=20), st.sampled_from(["Task Duration(us)", "task_start(ns)"]))
def test_a_column_reads_what_its_cells_say(texts: list[str], header: str) -> None:
    column = column_for(header)
    table = Table("t", [TableSource("f", MemoryStore([column], [[text] for text in texts]))])
    assert table.numbers(column).to_list() == [to_ns(text, column.ns_per_unit) for text in texts]


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15, places=3))
def test_microseconds_are_exact_to_the_nanosecond(value: Decimal) -> None:
    assert to_ns(str(value), 1000) == value * 1000
