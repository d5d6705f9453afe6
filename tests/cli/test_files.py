import json
from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.requests.files import FileRow, FilesReport, file_rows, files_report
from prof_tui.data.requests.timeline_facts import read_timelines
from prof_tui.demo.write import capture_skeleton, write_table
from tests.helpers.odd_rows import op_row

from .conftest import Cli

MERGED = "mindstudio_profiler_output"


def odd_capture(tmp_path: Path) -> Path:
    prof = capture_skeleton(tmp_path / "odd", "new")
    row = op_row()
    write_table(prof / MERGED, "op_summary_20260921101601.csv", list(row), [list(row.values())])
    write_table(prof / MERGED, "op_summary_20260921111601.csv", list(row), [list(row.values())] * 2)
    (prof / MERGED / "op_statistic_20260921111601.csv").touch()
    (prof / MERGED / "task_time_20260921111601.csv").write_bytes(b"\x00\x01\x02\n")
    (prof / MERGED / "README.txt").write_text("read me")
    return prof


def report_of(path: Path) -> FilesReport:
    capture = OpenCapture(path)
    return files_report(capture, read_timelines(capture))


def rows_of(path: Path) -> list[FileRow]:
    capture = OpenCapture(path)
    return file_rows(capture, read_timelines(capture))


def test_json_lists_tables_and_timelines_with_their_status(cli: Cli, tmp_path: Path) -> None:
    prof = odd_capture(tmp_path)
    listing = json.loads(cli("files", prof, "--format", "json").out)
    assert list(listing) == [
        "capture",
        "generation",
        "devices",
        "exports",
        "tables",
        "timelines",
        "completeness",
        "notices",
    ]
    assert (listing["capture"], listing["generation"], listing["devices"]) == (str(prof), "new layout", [0])
    assert [(one["stamp"], one["used"]) for one in listing["exports"]] == [
        ("20260921111601", True),
        ("20260921101601", False),
    ]
    assert [(one["name"], one["rows"], one["status"]) for one in listing["tables"]] == [
        ("op_summary", 2, "ok"),
        ("op_statistic", None, "empty"),
        ("step_trace", None, "missing"),
        ("task_time", None, "damaged"),
        ("api_statistic", None, "missing"),
    ]
    assert listing["tables"][0] == {
        "name": "op_summary",
        "device": None,
        "files": [f"{MERGED}/op_summary_20260921111601.csv"],
        "rows": 2,
        "status": "ok",
        "reason": "",
    }
    assert [list(one) for one in listing["timelines"]] == [
        [
            "name",
            "device",
            "model",
            "iteration",
            "files",
            "bytes",
            "status",
            "reason",
            "events",
            "slices",
            "begin_us",
            "span_us",
            "layers",
        ]
    ]
    assert (listing["timelines"][0]["name"], listing["timelines"][0]["status"]) == ("msprof", "missing")


def test_every_file_of_the_export_has_a_row(tmp_path: Path) -> None:
    rows = rows_of(odd_capture(tmp_path))
    assert [(Path(row.name).name, row.type, row.rows, row.status, row.used) for row in rows] == [
        ("op_summary_20260921111601.csv", "op_summary", 2, "ok", True),
        ("op_statistic_20260921111601.csv", "op_statistic", None, "empty", False),
        ("", "step_trace", None, "missing", False),
        ("task_time_20260921111601.csv", "task_time", None, "damaged", False),
        ("", "api_statistic", None, "missing", False),
        ("", "msprof", None, "missing", False),
        ("op_summary_20260921101601.csv", "op_summary", None, "ok", False),
        ("README.txt", "README", None, "unsupported", False),
    ]
    assert rows[2].reason.startswith("Written when a graph ran in iterations")
    assert rows[6].reason == "The export of 20260921111601 is shown instead."


def test_rows_are_counted_per_file(old_layout: Path) -> None:
    rows = [row for row in rows_of(old_layout) if row.type == "op_summary"]
    assert [(row.name, row.device, row.rows) for row in rows] == [
        (f"device_0/summary/op_summary_0_11_{iteration}.csv", 0, 49) for iteration in (2, 3, 4, 6)
    ]


def test_a_step_trace_without_a_csv_is_read_from_its_timeline(tmp_path: Path, demo: Path) -> None:
    prof = capture_skeleton(tmp_path / "json", "new")
    source = next((demo / MERGED).glob("step_trace_*.json"))
    (prof / MERGED / source.name).write_bytes(source.read_bytes())
    report = report_of(prof)
    found = next(table for table in report.tables if table.name == "step_trace")
    assert (found.status, found.rows, found.files) == ("ok", 8, (f"{MERGED}/{source.name}",))
    assert found.reason == f"Read from {source.name}."


def test_text_has_a_line_per_file_and_what_makes_a_missing_one(cli: Cli, tmp_path: Path) -> None:
    ran = cli("files", odd_capture(tmp_path))
    lines = ran.out.splitlines()
    assert (len(lines), ran.code) == (15, 0)
    assert lines[2].startswith("Whole: incomplete: op_statistic_20260921111601.csv is empty (0 bytes)")
    assert [lines[1], *lines[3:5]] == [
        "Layout: new layout, devices: 0",
        "Export: 20260921111601, shown",
        "Export: 20260921101601, not shown",
    ]
    assert lines[7].split()[:3] == [f"{MERGED}/op_summary_20260921111601.csv", "op_summary", "2"]
    assert lines[7].endswith("  ok           yes   One row per task of an operator, with its duration.")
    assert lines[9].split()[:4] == ["-", "step_trace", "missing", "no"]
    assert ran.err.startswith("note: Several exports are in this capture: that of 20260921111601 is shown")


def test_a_directory_that_is_not_given_is_the_current_one(cli: Cli, demo: Path) -> None:
    assert json.loads(cli("files", "--format", "json", cwd=demo).out)["capture"] == str(demo)
