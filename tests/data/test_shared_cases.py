import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OUTSIDE, OneOf, Query, Scope, Where
from prof_tui.data.report.formats import report_text
from prof_tui.data.report.report import read_report
from prof_tui.data.run.overview import read_overview
from prof_tui.data.tables.table import Table
from prof_tui.errors import UnreadableError
from prof_tui.words import microseconds
from tests.helpers.captures import column_cells, rows_of, shown, sort, within

SHARED = Path(__file__).parents[3] / "shared"
CASES = sorted(path.name for path in (SHARED / "cases").glob("*") if path.is_dir())
Case = Callable[[str], Path]

NO_TABLES = {
    "copy-and-resize",
    "ctrl-z-and-ctrl-c",
    "dumb-terminal-c-locale-no-tty",
    "json-object-commas-nan",
    "not-exported-yet",
    "output-of-msprof-op",
    "timeline-slices",
    "x10-mouse-bytes",
}
"""Cases about terminals, timelines and messages of other layers."""

LARGE = {"file-shrinks-while-open"}
"""Cases whose rows stay in their file in any case."""


def expectations(folder: Path) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """(PROF, pane, what is expected of it) of a case."""
    expected = json.loads((folder / "expect.json").read_text())
    if "dirs" in expected:
        for name, own in expected["dirs"].items():
            yield folder / name, own.get("pane", ""), own
        return
    profs = [path for path in sorted(folder.rglob("PROF_*")) if path.is_dir() and not path.is_symlink()]
    for pane, own in expected.get("panes", {}).items():
        yield profs[0], pane, own
    yield profs[0], expected.get("pane", ""), expected


def table_of(capture: OpenCapture, pane: str) -> Table:
    return capture.op_statistic(Scope())[0] if pane == "op_statistic" else capture.table(pane)


@pytest.mark.usefixtures("either_store")
@pytest.mark.parametrize("case", [name for name in CASES if name not in NO_TABLES | LARGE] or ["none"])
def test_a_case_reads_as_expected(shared_case: Case, case: str) -> None:
    check_case(shared_case, case)


@pytest.mark.parametrize("case", sorted(LARGE))
def test_a_large_case_reads_as_expected(shared_case: Case, case: str) -> None:
    check_case(shared_case, case)


def check_case(shared_case: Case, case: str) -> None:
    for prof, pane, expected in expectations(shared_case(case)):
        capture = OpenCapture(prof)
        if pane and pane != "timeline":
            check_pane(capture, pane, expected)
        for key, check in CHECKS.items():
            if key in expected:
                check(capture, expected[key])


def check_pane(capture: OpenCapture, pane: str, expected: dict[str, Any]) -> None:
    try:
        table = table_of(capture, pane)
    except UnreadableError as error:
        assert expected.get("rows", 0) == 0
        assert_contains([str(error)], expected.get("message_contains", []))
        return
    assert len(rows_of(table)) == expected.get("rows", expected.get("rows_complete", len(rows_of(table))))
    headers = [column.header for column in table.columns if not column.derived]
    assert len(headers) == expected.get("columns", len(headers))
    assert headers[0] == expected.get("first_column", headers[0])
    assert headers[-1] == expected.get("last_column", headers[-1])
    assert_contains(table.notices, expected.get("notice", "").split())
    for key, check in PANE_CHECKS.items():
        if key in expected:
            check(capture, table, expected[key])


def assert_contains(said: list[str], words: list[str]) -> None:
    text = " ".join(said).lower()
    assert [word for word in words if word.lower() not in text] == []


def check_sort(capture: OpenCapture, table: Table, expected: list[dict[str, Any]]) -> None:
    for one in expected:
        query = sort(one["by"], descending=one["dir"] == "desc")
        if "op_names" in one:
            assert column_cells(capture, table, "Op Name", query) == one["op_names"]
        else:
            devices = column_cells(capture, table, "Device_id", query)
            iterations = column_cells(capture, table, "Iteration ID", query)
            found = [[int(d or -1), int(i or -1)] for d, i in zip(devices, iterations, strict=True)]
            assert found == one["device_iteration"]


def check_filter(capture: OpenCapture, table: Table, expected: dict[str, dict[str, int]]) -> None:
    for column, counts in expected.items():
        for value, count in counts.items():
            assert len(shown(capture, table, Query(filters=(OneOf(column, (value,)),)))) == count


def check_cells(capture: OpenCapture, table: Table, expected: dict[str, dict[str, str]]) -> None:
    for name, cells in expected.items():
        query = Query(filters=(Where("Op Name", "=", name),))
        for header, cell in cells.items():
            assert column_cells(capture, table, header, query) == [cell]


def check_search(capture: OpenCapture, table: Table, expected: dict[str, int]) -> None:
    for text, count in expected.items():
        assert len(shown(capture, table, Query(find=text))) == count


def durations_us(table: Table, query: Query) -> Decimal:
    rows = OpenCapture(Path()).view(table, query).rows
    return Decimal(int(table.numbers(table.column("Task Duration(us)")).gather(rows).sum())) / 1000


def check_sum(_capture: OpenCapture, table: Table, expected: dict[str, str] | str) -> None:
    sums = {"all": expected} if isinstance(expected, str) else expected
    for task_type, total in sums.items():
        chosen = () if task_type == "all" else (OneOf("Task Type", (task_type,)),)
        assert durations_us(table, Query(filters=chosen)) == Decimal(total)


def check_relative(capture: OpenCapture, table: Table, expected: dict[str, str]) -> None:
    starts = table.numbers(table.column("Task Start Time(us)"))
    names = table.texts(table.column("Op Name")).texts()
    first = int(starts.min())  # type: ignore[arg-type]
    assert {name: microseconds(start - first) for name, start in zip(names, starts, strict=True)} == expected


def check_types(_capture: OpenCapture, table: Table, expected: list[str]) -> None:
    assert sorted(set(table.texts(table.column("Task Type")).texts())) == expected


def check_names(capture: OpenCapture, table: Table, expected: list[str]) -> None:
    assert column_cells(capture, table, "Op Name") == expected


def check_op_types(capture: OpenCapture, table: Table, expected: list[str]) -> None:
    assert column_cells(capture, table, "OP Type") == expected


def check_totals(capture: OpenCapture, table: Table, expected: list[str] | str) -> None:
    cells = column_cells(capture, table, "Total Time(us)")
    if isinstance(expected, str):
        assert [Decimal(cell or "NaN") for cell in cells] == [Decimal(expected)]
    else:
        assert cells == expected


def check_device_totals(_capture: OpenCapture, table: Table, expected: dict[str, str]) -> None:
    totals: dict[str, Decimal] = defaultdict(Decimal)
    place = [column.header for column in table.columns].index("Total Time(us)")
    for row in rows_of(table):
        totals[row[0] or ""] += Decimal(row[place] or 0)
    assert totals == {device: Decimal(total) for device, total in expected.items()}


def check_reduces(_capture: OpenCapture, table: Table, expected: dict[str, list[str]]) -> None:
    places = [i for i, column in enumerate(table.columns) if column.id == "reduce_duration"]
    assert {row[1]: [row[place] for place in places] for row in rows_of(table)} == expected


def check_op(capture: OpenCapture, table: Table, name: str) -> None:
    assert column_cells(capture, table, "Op Name") == [name]


def cell_under(word: str) -> Callable[[OpenCapture, Table, object], None]:
    def check(capture: OpenCapture, table: Table, expected: object) -> None:
        [cell] = column_cells(capture, table, table.column(word).header)
        assert Decimal(cell or "NaN") == Decimal(str(expected))

    return check


def check_long_name(capture: OpenCapture, table: Table, length: int) -> None:
    assert max(len(name or "") for name in column_cells(capture, table, "Op Name")) == length


PANE_CHECKS: dict[str, Callable[[OpenCapture, Table, Any], None]] = {
    "sort": check_sort,
    "filter": check_filter,
    "cells": check_cells,
    "search": check_search,
    "sum_task_duration_us": check_sum,
    "relative_start_us": check_relative,
    "task_types": check_types,
    "op_names": check_names,
    "op_types": check_op_types,
    "total_time_us": check_totals,
    "per_device_total_us": check_device_totals,
    "reduce_duration_us": check_reduces,
    "op": check_op,
    "duration_us": cell_under("Task Duration(us)"),
    "block": cell_under("Block Num"),
    "aicore_us": cell_under("aicore_time(us)"),
    "long_name_length": check_long_name,
}


def check_drill(capture: OpenCapture, expected: dict[str, list[str]]) -> None:
    for key, names in expected.items():
        model, iteration = map(int, key.split("/"))
        table = capture.table("op_summary")
        query = within(iteration, model)
        assert sorted(map(str, column_cells(capture, table, "Op Name", query))) == sorted(names)


def check_drill_sums(capture: OpenCapture, expected: dict[str, str]) -> None:
    table = capture.table("op_summary")
    for key, total in expected.items():
        model, iteration = map(int, key.split("/"))
        rows = capture.view(table, within(iteration, model)).rows
        assert (
            int(table.numbers(table.column("Task Duration(us)")).gather(rows).sum()) == Decimal(total) * 1000
        )


def check_outside(capture: OpenCapture, names: list[str]) -> None:
    query = Query(Scope(iteration=OUTSIDE))
    assert column_cells(capture, capture.table("op_summary"), "Op Name", query) == names


def check_whole(capture: OpenCapture, total: str) -> None:
    assert durations_us(capture.table("op_summary"), Query()) == Decimal(total)


def check_not_available(capture: OpenCapture, headers: list[str]) -> None:
    table = capture.table("step_trace")
    for header in headers:
        assert set(column_cells(capture, table, header)) == {"N/A"}


def check_iteration_times(capture: OpenCapture, times: list[str]) -> None:
    assert column_cells(capture, capture.table("step_trace"), "Iteration Time(us)") == times


def check_op_rows(capture: OpenCapture, count: int) -> None:
    assert len(rows_of(capture.table("op_summary"))) == count


def check_any_of(capture: OpenCapture, choices: list[dict[str, Any]]) -> None:
    assert {"rows": len(rows_of(capture.table("op_summary")))} in choices


def check_devices(capture: OpenCapture, devices: list[int]) -> None:
    assert list(capture.export.devices) == devices


def check_rows_before(capture: OpenCapture, count: int) -> None:
    assert len(capture.view(capture.table("op_summary"), sort("Task Duration(us)")).rows) == count


def check_report_times(capture: OpenCapture, expected: dict[str, str | None]) -> None:
    """Span, busy and idle time of the only device; null: nothing may be said of them."""
    overview = read_overview(capture)
    [found] = overview.busy or [None]
    told = {name: None if found is None else getattr(found, name.replace("_us", "_ns")) for name in expected}
    assert {name: None if ns is None else microseconds(ns) for name, ns in told.items()} == expected


def check_report_lacks(capture: OpenCapture, expected: list[str]) -> None:
    report = "\n".join(report_text(read_report(capture)))
    assert [words for words in expected if words in report] == []


CHECKS: dict[str, Callable[[OpenCapture, Any], None]] = {
    "report_us": check_report_times,
    "report_lacks": check_report_lacks,
    "drill": check_drill,
    "drill_sum_us": check_drill_sums,
    "outside": check_outside,
    "total_us": check_whole,
    "na_columns": check_not_available,
    "iteration_time_us": check_iteration_times,
    "op_summary_rows": check_op_rows,
    "any_of": check_any_of,
    "devices": check_devices,
    "rows_before": check_rows_before,
}


def test_the_oldest_step_trace_is_in_the_words_of_its_file(shared_case: Case) -> None:
    folder = shared_case("renamed-columns-four-versions")
    expected = json.loads((folder / "expect.json").read_text())["cann5_step_trace"]
    capture = OpenCapture(next((folder / "cann5").glob("PROF_*")))
    table = capture.table("step_trace")
    assert len(rows_of(table)) == expected["rows"]
    assert column_cells(capture, table, "Iteration Time(us)") == [expected["iteration_time_us"]]
    assert column_cells(capture, table, "Grad Refresh Bound(us)") == [expected["refresh_us"]]
    assert table.get("device_id") is None


def test_ragged_rows_of_two_devices_are_padded_not_lost(shared_case: Case) -> None:
    prof = next(shared_case("ragged-rows-two-devices").glob("PROF_*"))
    table = OpenCapture(prof).table("step_trace")
    place = table.columns.index(table.column("Reduce Duration(us) 2"))
    assert [row[place] for row in rows_of(table)] == ["N/A", "N/A", "9.750", "8.250"]
    assert [row[place - 2] for row in rows_of(table)][1] == "N/A"


def test_a_file_that_shrinks_while_open_is_a_sentence_and_opens_again(shared_case: Case) -> None:
    prof = next(shared_case("file-shrinks-while-open").glob("PROF_*"))
    path = next(prof.rglob("op_summary*.csv"))
    content = path.read_bytes()
    capture = OpenCapture(prof)
    table = capture.table("op_summary")
    assert len(capture.view(table, Query()).rows) == 200_000
    path.write_bytes(b"")
    with pytest.raises(UnreadableError, match=path.name):
        capture.view(table, sort("Task Duration(us)"))
    with pytest.raises(UnreadableError, match=path.name):
        table.cells([199_999])
    path.write_bytes(content)
    again = OpenCapture(prof)
    assert len(again.view(again.table("op_summary"), sort("Task Duration(us)")).rows) == 200_000
