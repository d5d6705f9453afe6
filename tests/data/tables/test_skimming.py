from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prof_tui.data.tables import open_table
from prof_tui.data.tables import typed_columns as skimming
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.file_store import FileStore
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.typed_columns import TextColumn
from tests.helpers.captures import csv_table

HEADER = "Op Name,Task Type,Task Start Time(us),Task Duration(us)\n"
IDS = ("task_start", "task_duration", "task_type")

START = st.integers(0, 2_000_000_000_000_000_000).map(lambda ns: f"{ns // 1000}.{ns % 1000:03d}")
DURATION = st.integers(0, 10**9).map(lambda ns: f"{ns / 1000:.3f}")
ODD = st.sampled_from(["N/A", "", "12", "1.5", "-3.250", "7e3", "18446744073709551.615", "\t1.000\t", "x"])
ROW = st.tuples(START | ODD, DURATION | ODD, st.sampled_from(["AI_CORE", "AI_CPU", "N/A"]))


def written(rows: list[tuple[str, str, str]]) -> str:
    return HEADER + "".join(f"Add,{type_},{start},{ns}\n" for start, ns, type_ in rows)


def values(table: Table, *, soon: bool) -> list[list[object]]:
    columns = [column for id_ in IDS if (column := table.get(id_))]
    found = table.skim(columns) if soon else {column.header: table.values(column) for column in columns}
    in_order = (found[column.header] for column in columns)
    return [each.texts().to_list() if isinstance(each, TextColumn) else each.to_list() for each in in_order]


@pytest.fixture(autouse=True)
def _in_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(ROW, min_size=1, max_size=6))
def test_what_is_skimmed_is_what_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]
) -> None:
    folder, content = tmp_path_factory.mktemp("skim"), written(rows)
    assert values(csv_table(folder, content), soon=True) == values(csv_table(folder, content), soon=False)


def test_a_plain_file_is_read_without_finding_its_rows(tmp_path: Path) -> None:
    table = csv_table(tmp_path, written([("1790000000000000.125", "1.500", "AI_CORE")]))
    assert values(table, soon=True) == [[1_790_000_000_000_000_125], [1500], ["AI_CORE"]]
    assert not table.judged


@pytest.mark.parametrize(
    "line",
    ["Add,AI_CORE,1.000\n", "Add,x,AI_CORE,2.000,1.000\n", "Op Name,Task Type,Task Start Time(us),x\n"],
)
def test_a_damaged_row_is_left_to_the_exact_reading(tmp_path: Path, line: str) -> None:
    table = csv_table(tmp_path, written([("5.000", "1.500", "AI_CORE")]) + line)
    assert values(table, soon=True) == values(table, soon=False)
    assert table.judged


LINE = st.one_of(
    ROW.map(lambda row: written([row]).removeprefix(HEADER)),
    st.sampled_from(["Add,AI_CORE,1.000\n", "Add,x,AI_CORE,2.000,1.000\n", HEADER, "\n", "Add,AI_CPU\n"]),
)


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(LINE, min_size=1, max_size=5))
def test_what_was_skimmed_does_not_change_what_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    content = written([("5.000", "1.500", "AI_CORE")]) + "".join(lines)
    before, alone = (csv_table(tmp_path_factory.mktemp("skim"), content) for _each in range(2))
    values(before, soon=True)
    for table in (before, alone):
        table.load(table.columns)
    assert values(before, soon=False) == values(alone, soon=False)
    assert (before.notices, before.total) == (alone.notices, alone.total)


def test_a_sound_file_is_not_asked_again_for_what_was_skimmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = csv_table(tmp_path, written([("5.000", "1.500", "AI_CORE")]))
    skimmed = values(table, soon=True)
    loaded: list[str] = []
    load = FileStore.load

    def noted(store: FileStore, wanted: Sequence[tuple[Column, pl.Categories]]) -> list[pl.Series]:
        loaded.extend(column.header for column, _own in wanted)
        return load(store, wanted)

    monkeypatch.setattr(FileStore, "load", noted)
    table.load(table.columns)
    assert loaded == ["Op Name"]
    assert values(table, soon=False) == skimmed


def test_columns_that_were_read_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = csv_table(tmp_path, written([("5.000", "1.500", "AI_CORE")]))
    loaded = values(table, soon=False)
    monkeypatch.setattr(skimming, "skim", None)
    assert values(table, soon=True) == loaded
