"""What the commands say of tables under other names, of copies, and of what is no table."""

import json
from pathlib import Path

from tests.helpers.loose_tables import EVENTS, LFS, STATISTIC, ops, put

from .conftest import Cli

PROF = "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
MERGED = f"{PROF}/mindstudio_profiler_output"
STAMP = "20260921101601"


def test_alternatives_end_with_2_and_the_list_and_each_opens_alone(cli: Cli, tmp_path: Path) -> None:
    files = [put(tmp_path / "arte facts" / f"a{n:03}-op_summary.csv", ops(f"Op_{n}")) for n in range(3)]
    for words in (("table", "arte facts", "op_summary"), ("files", "arte facts"), ("report", "arte facts")):
        ran = cli(*words)
        assert (ran.out, ran.code) == ("", 2)
        assert ran.err.splitlines() == [
            "prof-tui: There are 3 captures in arte facts; give one of them:",
            *(f"  {file}  op_summary" for file in files),
            "None of these files has the name that msprof gives its type: each opens alone.",
        ]
    ran = cli("table", files[1], "op_summary", "--columns", "Op Name", "--format", "csv")
    assert (ran.rows, ran.code) == ([["Op Name"], ["Op_1"]], 0)


def test_alternatives_beside_proper_tables_are_listed_when_they_are_asked_for(
    cli: Cli, tmp_path: Path
) -> None:
    put(tmp_path / MERGED / f"op_statistic_{STAMP}.csv", STATISTIC)
    files = [put(tmp_path / MERGED / f"op_summary_{n}x.csv", ops()) for n in range(2)]
    ran = cli("table", PROF, "op_summary")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err.splitlines()[1:] == [f"  {file}" for file in files]
    assert cli("table", PROF, "op_statistic", "--format", "csv").code == 0
    listed = json.loads(cli("files", PROF, "--format", "json").out)
    table = next(each for each in listed["tables"] if each["name"] == "op_summary")
    assert (table["status"], table["rows"]) == ("unsupported", None)
    assert table["files"] == [str(file.relative_to(tmp_path / PROF)) for file in files]
    report = cli("report", PROF)
    assert "none under the name that msprof gives" in " ".join(report.out.split())
    assert report.code == 0


def test_a_copy_is_a_note_and_a_row_of_files(cli: Cli, tmp_path: Path) -> None:
    put(tmp_path / MERGED / f"op_summary_{STAMP}.csv", ops("Proper"))
    put(tmp_path / MERGED / f"op_summary_{STAMP}-Copy1.csv", ops("Copy"))
    ran = cli("files", PROF)
    said = f"is op_summary too, beside op_summary_{STAMP}.csv: never added; it opens alone by its own path."
    assert f"note: op_summary_{STAMP}-Copy1.csv {said}\n" in ran.err
    line = next(line for line in ran.out.splitlines() if "-Copy1.csv" in line)
    assert " ok " in line
    assert " no " in line
    assert " ".join(cli("report", PROF).out.split()).count("beside op_summary") == 1


def test_a_damaged_file_is_no_reason_to_collect_again(cli: Cli, tmp_path: Path) -> None:
    put(tmp_path / MERGED / f"op_summary_{STAMP}.csv", LFS)
    put(tmp_path / MERGED / f"step_trace_{STAMP}.csv", "<!DOCTYPE html>\n<html></html>\n")
    put(tmp_path / MERGED / f"msprof_{STAMP}.json", LFS)
    report = " ".join(cli("report", PROF).out.split())
    pointer = "but a Git LFS pointer: run `git lfs pull` where it lies."
    assert f"op_summary_{STAMP}.csv is no table of op_summary {pointer}" in report
    assert f"step_trace_{STAMP}.csv is no table of step_trace but an HTML page" in report
    assert "no iterations: step_trace has none that can be read" in report
    assert "Collect with msprof --task-time=on" not in report
    assert 'Collect with "training_trace"' not in report
    listed = json.loads(cli("files", PROF, "--format", "json").out)
    statuses = {each["name"]: each["status"] for each in (*listed["tables"], *listed["timelines"])}
    assert {statuses[name] for name in ("op_summary", "step_trace", "msprof")} == {"damaged"}
    ran = cli("table", PROF, "op_summary")
    assert (ran.out, ran.code) == ("", 1)
    assert pointer in ran.err


def test_a_packed_table_is_in_files_and_report(cli: Cli, tmp_path: Path) -> None:
    put(tmp_path / MERGED / f"op_statistic_{STAMP}.csv", STATISTIC)
    packed = put(tmp_path / MERGED / f"op_summary_{STAMP}.csv.gz", "x")
    said = f"{packed.name} is packed; this unpacks it: gunzip -k {packed}"
    listed = json.loads(cli("files", PROF, "--format", "json").out)
    table = next(each for each in listed["tables"] if each["name"] == "op_summary")
    assert (table["status"], table["reason"]) == ("unsupported", said)
    ran = cli("table", PROF, "op_summary")
    assert (ran.code, ran.err) == (1, f"prof-tui: {said}\n")
    assert f"op_summary: {packed.name} is packed" in " ".join(cli("report", PROF).out.split())


def test_a_timeline_alone_opens(cli: Cli, tmp_path: Path) -> None:
    file = put(tmp_path / "trace.json", EVENTS)
    listed = json.loads(cli("files", file, "--format", "json").out)
    assert (listed["capture"], listed["generation"]) == (str(file), "loose files")
    assert [(each["name"], each["files"], each["slices"]) for each in listed["timelines"]] == [
        ("msprof", ["trace.json"], 1)
    ]


def test_names_are_data_for_the_terminal_and_the_shell(cli: Cli, tmp_path: Path) -> None:
    put(tmp_path / MERGED / "op_summary $(touch x);'\x1b[31m.csv.gz", "x")
    ran = cli("files", PROF)
    assert ran.code == 2
    assert "\x1b" not in ran.err
    assert "\\x1b[31m" in ran.err
