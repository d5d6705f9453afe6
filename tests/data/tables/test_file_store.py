import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.tables import open_table
from prof_tui.data.tables.file_store import FileStore
from prof_tui.data.tables.table import Table, kept_rows
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import STAMP, write_capture
from prof_tui.errors import UnreadableError
from tests.helpers.captures import csv_capture, csv_table, rows_of, shown, sort

HEADER = "Op Name,Task Duration(us),Task Type\n"
FILE = f"op_summary_{STAMP}.csv"

ROWS = (
    "conv,1.5,AI_CORE\n",
    "relu,N/A,AI_CORE\r\n",
    '"x,y",3,AI_CPU\n',
    '"a""b",3,AI_CPU\n',
    "x,y,2.5,AI_CORE\n",
    "short,1\n",
    "trail,1,AI_CORE,,,\n",
    ",last,5,\n",
    "\n",
    " \r\n",
    'stray",1,AI_CORE\n',
    'st"ra"y,1,AI_CORE\n',
    '"multi\nline",4,AI_CORE\n',
    '"a"b,1,AI_CORE\n',
    'a, "x,y",1,AI\n',
    HEADER,
    "w,18446744073709550.616,AI_CORE\n",
    "end,7,AI_CO",
    'end,7,"AI',
    "end,7",
)
PIECES = ("a", "1", "2.5", "N/A", ",", ",", ",", "\n", "\n", "\r\n", '"', '"x,y"', '"""1,2"""', " ", "卷")


@pytest.fixture
def rows_in_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)


def bodies() -> st.SearchStrategy[str]:
    odd = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
    row = st.sampled_from(ROWS)
    return st.lists(st.one_of(row, row, row, odd), max_size=8).map("".join)


def everything(text: str, small_file_bytes: int) -> tuple[object, ...]:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_table, "SMALL_FILE_BYTES", small_file_bytes)
        table = csv_table(Path(folder), text)
        table.load(table.columns)
        kept = kept_rows(table)
        ns = table.numbers(table.columns[1])
        names = table.texts(table.columns[0]).texts()
        columns = (ns, names) if kept is None else (ns.filter(kept), names.filter(kept))
        return rows_of(table), table.notices, table.total, [column.to_list() for column in columns]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(bodies())
def test_rows_in_their_file_are_the_rows_in_memory(body: str) -> None:
    # A row that goes on with three empty cells and then some is taken for one that ends: nobody writes it.
    assume(not re.search(r",,,,[^\n]*[^,\n]", body))
    assert everything(HEADER + body, 0) == everything(HEADER + body, 1 << 30)


@pytest.mark.usefixtures("rows_in_file")
def test_a_whole_capture_reads_the_same_either_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prof = write_capture(tmp_path / "demo", demo_run(devices=2), layout="new", slice_rows=100)
    in_file, in_memory = OpenCapture(prof), OpenCapture(prof)
    large = in_file.table("op_summary")
    assert isinstance(large.sources[0].store, FileStore)
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 1 << 30)
    small = in_memory.table("op_summary")
    assert len(large.sources) > 2
    for query in (sort("Task Duration(us)", descending=True), sort("Op Name"), sort("Context ID")):
        assert shown(in_file, large, query) == shown(in_memory, small, query)
    assert in_file.placement(large).iteration.to_list() == in_memory.placement(small).iteration.to_list()


@pytest.mark.usefixtures("rows_in_file")
def test_the_first_rows_are_there_before_the_others_are_looked_for(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "short,1\n" + "a,1,AI_CORE\n" * 40_000)
    assert not table.ready
    assert 1_000 < table.row_count < 40_000
    assert table.cells([0]) == [["a", "1", "AI_CORE"]]
    table.prepare()
    assert (table.ready, table.row_count, table.total) == (True, 40_001, 40_000)
    assert table.notices == [f"{FILE}: 1 damaged row is left out."]


@pytest.mark.usefixtures("rows_in_file")
@pytest.mark.parametrize("prepared", [False, True])
def test_a_file_that_shrinks_is_a_sentence(tmp_path: Path, prepared: bool) -> None:
    capture = csv_capture(tmp_path, op_summary=HEADER + "a,1,AI_CORE\n" * 1_000)
    table = capture.table("op_summary")
    if prepared:
        table.prepare()
    (path := next(tmp_path.rglob(FILE))).write_bytes(b"")
    with pytest.raises(UnreadableError, match=f"{FILE} was changed while it was open"):
        capture.view(table, sort("Task Duration(us)"))
    if prepared:
        with pytest.raises(UnreadableError, match=FILE):
            table.cells([900])
    path.unlink()
    with pytest.raises(UnreadableError, match=f"{FILE} can't be read"):
        capture.view(table, sort("Task Duration(us)"))


@pytest.mark.usefixtures("rows_in_file")
def test_a_file_of_the_same_size_is_still_another_file(tmp_path: Path) -> None:
    table = csv_table(tmp_path, HEADER + "a,1,AI_CORE\n")
    table.prepare()
    path = next(tmp_path.rglob(FILE))
    path.write_text(HEADER + "b,2,AI_CORE\n")
    os.utime(path, ns=(1, 1))
    with pytest.raises(UnreadableError, match="was changed"):
        table.cells([0])


@pytest.mark.usefixtures("rows_in_file")
def test_a_file_cut_while_it_is_read_gives_no_half_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = csv_table(tmp_path, HEADER + "a,1,AI_CORE\n" * 10)
    table.prepare()
    whole = os.pread
    monkeypatch.setattr(os, "pread", lambda fd, length, offset: whole(fd, length, offset)[:-3])
    with pytest.raises(UnreadableError, match="was changed"):
        table.cells([3])


def test_the_kinds_of_damage_come_in_one_file_of_many_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = "".join(f"op_{i},{i}.5,AI_CORE\n" for i in range(5_000))
    text = HEADER + good + "x,y,7,AI_CPU\n" + "short,1\n" + HEADER + good + "cut,1"
    monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
    table = csv_table(tmp_path, text)
    assert len(rows_of(table)) == 10_001
    assert table.notices == [
        f"{FILE}: the last line is incomplete and left out; export or copy it again.",
        f"{FILE}: 1 row with too many or too few cells was repaired.",
        f"{FILE}: 1 damaged row is left out.",
        f"{FILE}: 1 row that repeats the header is left out.",
    ]
    assert table.cells([5_000]) == [["x,y", "7", "AI_CPU"]]


@pytest.mark.usefixtures("rows_in_file")
def test_many_distinct_texts_keep_their_own_codes(tmp_path: Path) -> None:
    text = HEADER + "".join(f"op_{i},1,T{i % 3}\n" for i in range(70_000))
    table: Table = csv_table(tmp_path, text)
    names, types = table.texts(table.columns[0]), table.texts(table.columns[2])
    assert names.texts().to_list() == [f"op_{i}" for i in range(70_000)]
    assert sorted(types.values) == ["T0", "T1", "T2"]
    assert types.texts().to_list() == [f"T{i % 3}" for i in range(70_000)]


@pytest.mark.usefixtures("rows_in_file")
def test_several_threads_may_find_the_rows_at_once(tmp_path: Path) -> None:
    text = HEADER + "".join(f"op{n},{n}.5,AI_CORE\n" for n in range(2000))
    for turn in range(5):
        (tmp_path / str(turn)).mkdir()
        table = csv_table(tmp_path / str(turn), text)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _thread, found=table: found.prepare(), range(4)))
        assert table.total == 2000
