"""Rows held as typed columns."""

import polars as pl

from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import FrameStore, TableSource
from prof_tui.data.tables.table import Table

HEADERS = ("Op Name", "Stream ID", "Task Start Time(us)", "Task Duration(us)", "Ratio(%)")
COLUMNS = tuple(column_for(header) for header in HEADERS)
FRAME = pl.DataFrame(
    {
        "Op Name": ["Cast", None, "Cast"],
        "Stream ID": [2, None, 70_000],
        "Task Start Time(us)": [1_790_000_000_000_000_001, None, 0],
        "Task Duration(us)": [1_500, -1, None],
        "Ratio(%)": [12.5, None, 0.0],
    }
)


def table() -> Table:
    return Table("made", [TableSource("a.json", FrameStore(COLUMNS, FRAME))])


def test_cells_are_texts_as_a_file_would_have_them() -> None:
    assert table().cells([2, 0, 1]) == [
        ["Cast", "70000", "0.000", "N/A", "0.000"],
        ["Cast", "2", "1790000000000000.001", "1.500", "12.500"],
        ["N/A", "N/A", "N/A", "-0.001", "N/A"],
    ]
    assert table().cells([]) == []


def test_values_are_exact() -> None:
    made = table()
    name, stream, start, duration, ratio = made.columns
    assert made.texts(name).texts().to_list() == ["Cast", "N/A", "Cast"]
    assert made.numbers(stream).to_list() == [2, None, 70_000]
    assert made.numbers(start).to_list() == [1_790_000_000_000_000_001, None, 0]
    assert made.numbers(duration).to_list() == [1_500, -1, None]
    assert made.numbers(ratio).to_list() == [12.5, None, 0.0]


def test_everything_is_there_at_once() -> None:
    made = table()
    assert made.ready
    assert made.judged
    assert (made.row_count, made.total) == (3, 3)
    assert made.peek(made.columns[3])
    assert made.order(made.columns[3], True).to_list() == [0, 1, 2]
    store = FrameStore(COLUMNS, FRAME)
    [skimmed] = store.skim([(COLUMNS[1], pl.Categories())])
    assert skimmed.to_list() == [2, None, 70_000]
