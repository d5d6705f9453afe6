"""The word that says what bounds an op: of one op, of a block, of a table."""

from pathlib import Path
from unittest import mock

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.pages.value_counts import ValueCount, value_counts
from prof_tui.data.query.query import OneOf, Query, Sort, Where
from prof_tui.data.tables.bound import (
    BANKS,
    ICACHE,
    MEMORY,
    NO_BOUND,
    WORDS,
    bound_word,
    pipe_columns,
    row_words,
)
from prof_tui.data.tables.bound_column import bound_words
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from prof_tui.words import NOT_AVAILABLE
from tests.helpers.captures import csv_capture

OLD = ("mac_ratio", "vec_ratio", "scalar_ratio", "mte1_ratio", "mte2_ratio", "mte3_ratio")
NEW = (
    "aic_mac_ratio",
    "aic_scalar_ratio",
    "aic_fixpipe_ratio",
    "aiv_vec_ratio",
    "aiv_scalar_ratio",
    "aiv_mte3_ratio",
)
EXACT = ("mac_exe_ratio", "vec_exe_ratio", "fixpipe_exe_ratio")
OTHERS = ("memory_bound", "vec_bank_cflt_ratio", "icache_miss_rate")


def test_every_generation_spells_its_pipes() -> None:
    def words(headers: tuple[str, ...]) -> list[str]:
        return sorted(pipe_columns([column_for(header) for header in headers]).pipes)

    assert words(OLD) == ["mac", "mte1", "mte2", "mte3", "scalar", "vector"]
    assert words(NEW) == ["fixpipe", "mac", "mte3", "scalar", "vector"]
    assert words(EXACT) == ["fixpipe", "mac", "vector"]
    assert words(("mac_fp16_ratio", "vec_bank_cflt_ratio", "aic_mac_time(us)")) == []


def test_the_first_word_that_holds() -> None:
    assert bound_word("mte2", 0.95, 1, memory_bound=2) == "mte2"
    assert bound_word("mac", 0.8, 1, memory_bound=1.01, icache_misses=0.5) == MEMORY
    assert bound_word("mac", 0.8, 1, bank_conflicts=0.041) == BANKS
    assert bound_word("mac", 0.8, 1, icache_misses=0.041) == ICACHE
    assert bound_word("mac", 0.8, 20_001) == NO_BOUND
    assert bound_word("mac", 0.8, 20_000) is None
    assert bound_word("mac", 0.0, 90_000) is None


def test_the_fullest_pipe_of_a_row() -> None:
    """Of several as full the first of the words, whatever their order in the file."""
    headers = ("mte2_ratio", "Task Duration(us)", "aiv_vec_ratio", "mac_ratio")
    word = row_words([column_for(header) for header in headers])
    assert word(["0.95", "1", "0.9", "0.9"]) == "mte2"
    assert word(["0.9", "1", "0.9", "N/A"]) == "vector"
    assert word(["0.9", "1", "0.9", "0.9"]) == "mac"
    assert word(["N/A", "90", "N/A", "N/A"]) == NOT_AVAILABLE


cells = st.one_of(st.none(), st.sampled_from([0.0, 0.04, 0.041, 0.5, 0.8, 0.81, 0.97, 1.0, 1.5]))
HEADERS = (*OLD, "fixpipe_ratio", *OTHERS)


@given(st.lists(st.tuples(st.integers(0, 40_000), *(cells for _header in HEADERS)), min_size=1, max_size=20))
def test_a_block_has_the_words_of_its_rows(rows: list[tuple[float | None, ...]]) -> None:
    types = {"ns": pl.Int64, **dict.fromkeys(HEADERS, pl.Float64)}
    frame = pl.DataFrame(rows, schema=types, orient="row")
    columns = pipe_columns([column_for(header) for header in HEADERS])
    word_of = row_words([column_for(header) for header in ("Task Duration(us)", *HEADERS)])
    texts = [
        [f"{(ns or 0) / 1000:.3f}", *("N/A" if value is None else str(value) for value in ratios)]
        for ns, *ratios in rows
    ]
    expected = [None if (word := word_of(row)) == NOT_AVAILABLE else word for row in texts]
    assert bound_words(frame, columns, "ns").to_list() == expected


TEXTS = st.sampled_from(["N/A", "", "nan", "-", "0.000", "0.8", "0.800", "0.801", "0.95", "1.5", "inf", "x"])
OP_HEADERS = ("Op Name", "Task Duration(us)", *NEW, "aic_mte2_ratio", *OTHERS)
DURATIONS = st.sampled_from(["N/A", "-5", "20.000", "20.001", "90", "18446744073709549.616"])


@given(st.lists(st.tuples(DURATIONS, *(TEXTS for _header in OP_HEADERS[2:])), min_size=1, max_size=20))
def test_a_cell_has_the_word_of_the_column(rows: list[tuple[str, ...]]) -> None:
    columns = [column_for(header) for header in OP_HEADERS]
    table = Table("op_summary", [TableSource("f", MemoryStore(columns, [["a", *row] for row in rows]))])
    cells = [row[-1] for row in table.cells(range(len(rows)))]
    assert table.texts(bound_of(table)).texts().to_list() == cells


def bound_of(table: Table) -> Column:
    column = table.get("bound")
    assert column is not None
    return column


OPS = (
    "Op Name,Task Duration(us),aic_mac_ratio,aic_mte2_ratio,aiv_mte2_ratio",
    "a,30,0.9,0.1,0.0",
    "b,30,0.1,0.2,0.85",
    "c,30,0.1,0.2,0.3",
    "d,30,N/A,N/A,N/A",
    "e,5,0.1,0.2,0.3",
    "mac,40,0.85,0.2,0.3",
    "",
)


@pytest.mark.usefixtures("either_store")
def test_the_column_of_op_summary(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary="\n".join(OPS))
    table = capture.table("op_summary")
    bound = bound_of(table)
    assert (table.columns[-1], bound.header, bound.kind, bound.derived) == (bound, "bound", "text", True)
    words = ["mac", "mte2", NO_BOUND, NOT_AVAILABLE, NOT_AVAILABLE, "mac"]
    table.prepare()
    assert [row[-1] for row in table.cells(range(6))] == words
    assert table.texts(bound).texts().to_list() == words
    assert table.texts(bound).codes.dtype == pl.UInt8

    def rows(query: Query) -> list[int]:
        return list(capture.view(table, query).rows)

    assert rows(Query(filters=(Where("bound", "=", "mac"),))) == [0, 5]
    assert rows(Query(filters=(Where("bound", "=", "N/A"),))) == [3, 4]
    assert rows(Query(filters=(Where("bound", "!=", "mac"),))) == [1, 2, 3, 4]
    assert rows(Query(filters=(OneOf("bound", ("mte2", "N/A")),))) == [1, 3, 4]
    assert rows(Query(sort=Sort("bound", False))) == [0, 5, 1, 2, 3, 4]
    assert rows(Query(sort=Sort("bound", True))) == [2, 1, 0, 5, 3, 4]
    assert value_counts(capture, table, Query(), bound) == [
        ValueCount("mac", 2, 70_000),
        ValueCount("N/A", 2, 35_000),
        ValueCount("mte2", 1, 30_000),
        ValueCount(NO_BOUND, 1, 30_000),
    ]


@pytest.mark.usefixtures("either_store")
def test_find_passes_over_it(tmp_path: Path) -> None:
    """It would read all ratios."""
    capture = csv_capture(tmp_path, op_summary="\n".join(OPS))
    table = capture.table("op_summary")
    with mock.patch("prof_tui.data.tables.loading.bound_codes") as read:
        assert list(capture.view(table, Query(find="mac")).rows) == [5]
        assert capture.view(table, Query(sort=Sort("Task Duration(us)", True))).rows[0] == 5
    read.assert_not_called()


@pytest.mark.usefixtures("either_store")
def test_a_row_that_is_left_out_has_no_word(tmp_path: Path) -> None:
    lines = [*OPS[:3], "broken,line", *OPS[3:]]
    table = csv_capture(tmp_path, op_summary="\n".join(lines)).table("op_summary")
    words = table.texts(bound_of(table)).texts().to_list()
    assert [word for word in words if word != NOT_AVAILABLE] == ["mac", "mte2", NO_BOUND, "mac"]
    assert table.total == 6


def test_files_that_differ_in_their_ratios() -> None:
    """Each file is judged by its own; one without any has no word."""

    def source(headers: tuple[str, ...], *cells: str) -> TableSource:
        return TableSource("f", MemoryStore([column_for(header) for header in headers], [list(cells)]))

    duration = "Task Duration(us)"
    table = Table(
        "op_summary",
        [
            source((duration,), "90"),
            source((duration, "vec_ratio"), "90", "0.9"),
            source(("mac_ratio", duration), "0.5", "90"),
        ],
    )
    assert [row[-1] for row in table.cells([0, 1, 2])] == [None, "vector", NO_BOUND]
    assert table.texts(bound_of(table)).codes.to_list() == [
        None,
        WORDS.index("vector"),
        WORDS.index(NO_BOUND),
    ]


@pytest.mark.parametrize("header", ["Op Name,Task Duration(us)", "Op Name,mac_ratio"])
def test_a_table_that_cannot_tell(tmp_path: Path, header: str) -> None:
    table = csv_capture(tmp_path, op_summary=f"{header}\na,0.9\n").table("op_summary")
    assert table.get("bound") is None
    columns = [column_for(each) for each in header.split(",")]
    assert row_words(columns)(["a", "0.9"]) is None


def test_a_column_of_that_name_in_the_file_stays_what_it_is(tmp_path: Path) -> None:
    ops = "Task Duration(us),mac_ratio,bound\n30,0.9,their own\n"
    table = csv_capture(tmp_path, op_summary=ops).table("op_summary")
    assert (table.cells([0]), bound_of(table).derived) == ([["30", "0.9", "their own"]], False)
    assert table.texts(bound_of(table)).texts().to_list() == ["their own"]
