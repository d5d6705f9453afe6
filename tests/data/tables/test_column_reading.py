"""A column read at once is what reading each of its cells gives."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prof_tui.data.tables import open_table
from prof_tui.data.tables.cells import clean, is_wrapped, to_float, to_int, to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.file_store import FileStore
from prof_tui.data.tables.typed_columns import TextColumn
from tests.helpers.captures import csv_table

HEADERS = ["Op Name", "Task Start Time(us)", "Task Duration(us)", "Block Num", "aic_mac_ratio", "Task Type"]

NUMBERS = st.decimals(-10_000, 10**13, allow_nan=False, places=3).map(str)
HALVES = st.sampled_from(["0.0005", "2.0015", "1.2345", "-0.0005", "7.00049999", "1e-7", "0.1234567"])
COUNTS = st.integers(-5, 10**7).map(str)
EXPONENTS = st.sampled_from(["1.5E+15", "7e3", "1E-3", "5.E2"])
ODD = st.sampled_from(
    [
        "N/A",
        "",
        " 1.5",
        "2.5\t",
        "+3",
        ".5",
        "4.",
        "nan",
        "inf",
        "None",
        "x",
        "1_000",
        "NPU:0",
        "0x10",
        "12,5",
        "1,234.5",
        "-1,234,567",
    ]
)
HUGE = st.sampled_from(["18446744073709550.616", "99999999999999999999999", "4294967295", "-", '"6.25"'])
TEXTS = st.sampled_from(["Add", " Add", "Add\t", '"8,128"', "N/A", "", "conv\x1f2"])
CELL = st.one_of(NUMBERS, NUMBERS, COUNTS, HALVES, EXPONENTS, ODD, HUGE)


def column_of(cells: st.SearchStrategy[str]) -> st.SearchStrategy[st.SearchStrategy[str]]:
    """Most columns of real files are plain throughout."""
    return st.sampled_from([NUMBERS, COUNTS, COUNTS | st.just("N/A"), cells])


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    kinds = [TEXTS, *(draw(column_of(CELL)) for _header in HEADERS[1:-1]), TEXTS]
    return [[draw(kind) for kind in kinds] for _row in range(draw(st.integers(1, 6)))]


def one(column: Column, text: str) -> object:
    """The value of one cell."""
    text = clean(text)
    if column.kind == "text":
        return text
    if column.kind == "int":
        return to_int(text)
    if column.kind == "decimal":
        return to_float(text)
    return None if column.kind == "time" and is_wrapped(text, 1000) else to_ns(text, column.ns_per_unit)


@settings(max_examples=60, deadline=None)
@given(tables())
@pytest.mark.parametrize("small_file_bytes", [0, 1 << 30])
def test_a_column_is_what_its_cells_are(small_file_bytes: int, rows: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([HEADERS, *rows])
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_table, "SMALL_FILE_BYTES", small_file_bytes)
        table = csv_table(Path(folder), file.getvalue())
        for place, header in enumerate(HEADERS):
            column = table.column(header)
            values = table.values(column)
            found = values.texts() if isinstance(values, TextColumn) else values
            assert found.to_list() == [one(column, row[place]) for row in rows]


PLAIN = "1,Add,5.000\t,1.500,24,0.5\n2,Mul,6.000\t,N/A,N/A,0.25\n"
ODD_CELL = "3,Mul,7.000\t,2.500\t,24,0.5\n"


@pytest.mark.parametrize(("body", "readings"), [(PLAIN, [True]), (PLAIN + ODD_CELL, [True, False])])
def test_numbers_are_parsed_by_the_csv_reader_as_long_as_no_cell_is_odd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, readings: list[bool]
) -> None:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
    made: list[bool] = []
    frame = FileStore._frame

    def noted(store: FileStore, parsed: Mapping[str, type[pl.DataType]] = {}) -> pl.LazyFrame:
        made.append(bool(parsed))
        return frame(store, parsed)

    monkeypatch.setattr(FileStore, "_frame", noted)
    header = "Stream ID,Op Name,Task Start Time(us),Task Duration(us),Block Num,aic_mac_ratio\n"
    table = csv_table(tmp_path, header + body)
    values = [table.numbers(column) for column in table.columns if column.kind == "duration"]
    assert made[: len(readings)] == readings
    assert values[0].to_list()[:2] == [1500, None]
    assert table.notices == []
