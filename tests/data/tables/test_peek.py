"""Durations read together with the line index, before rows are judged."""

from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Query, Sort
from prof_tui.data.tables import open_table
from prof_tui.data.tables.table import Table
from prof_tui.demo.write import capture_skeleton, write_table
from tests.helpers.odd_rows import op_row

DURATION = "Task Duration(us)"


@pytest.fixture(autouse=True)
def _in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)


def opened(tmp_path: Path, *lines: str) -> tuple[OpenCapture, Table]:
    capture = capture_skeleton(tmp_path, "new")
    rows = [op_row(name=f"Mul_{i}", duration=text) for i, text in enumerate(("1.5", "20.25", "3"))]
    header = list(rows[0])
    path = write_table(
        capture / "mindstudio_profiler_output",
        "op_summary_20260921101601.csv",
        header,
        [list(row.values()) for row in rows],
    )
    with path.open("a") as file:
        file.writelines(line + "\n" for line in lines)
    whole = OpenCapture(capture)
    return whole, whole.table("op_summary")


def cells_of(whole: OpenCapture, table: Table, header: str, *, soon: bool) -> list[str | None]:
    rows = whole.view(table, Query(sort=Sort(DURATION, True)), soon=soon).rows.to_list()
    place = [column.header for column in table.columns].index(header)
    return [row[place] for row in table.cells(rows)]


def test_a_sound_file_is_sorted_before_its_rows_are_judged(tmp_path: Path) -> None:
    whole, table = opened(tmp_path)
    assert cells_of(whole, table, "Op Name", soon=True) == ["Mul_1", "Mul_2", "Mul_0"]
    assert table.ready
    assert not table.judged
    assert table.numbers(table.column(DURATION)).to_list() == [1500, 20250, 3000]


def test_judging_afterwards_leaves_out_a_short_row(tmp_path: Path) -> None:
    row = ",".join(op_row(name="Short", duration="9").values())
    whole, table = opened(tmp_path, row.rsplit(",", 3)[0])
    assert cells_of(whole, table, "Op Name", soon=True) == ["Mul_1", "Short", "Mul_2", "Mul_0"]
    table.prepare()
    assert cells_of(whole, table, "Op Name", soon=True) == ["Mul_1", "Mul_2", "Mul_0"]
    assert table.notices == ["op_summary_20260921101601.csv: 1 damaged row is left out."]


def test_a_comma_in_a_name_is_never_taken_for_a_duration(tmp_path: Path) -> None:
    row = ",".join(op_row(name="Mul[x,y]", duration="9").values())
    whole, table = opened(tmp_path, row)
    assert cells_of(whole, table, DURATION, soon=True) == ["20.25", "9", "3", "1.5"]
    assert table.judged
    assert cells_of(whole, table, "Op Name", soon=True)[1] == "Mul[x,y]"


def test_a_missing_duration_sorts_last(tmp_path: Path) -> None:
    row = ",".join(op_row(name="None", duration="N/A").values())
    whole, table = opened(tmp_path, row)
    assert cells_of(whole, table, DURATION, soon=True) == ["20.25", "3", "1.5", "N/A"]
