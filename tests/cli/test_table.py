import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from prof_tui.demo.write import STAMP, capture_skeleton, write_table
from tests.helpers.command_line import ROOT
from tests.helpers.odd_rows import op_row

from .conftest import Cli

OPS = "mindstudio_profiler_output"


def write_ops(prof: Path, *rows: dict[str, str], name: str = f"op_summary_{STAMP}.csv") -> Path:
    header = list(rows[0])
    return write_table(prof / OPS, name, header, [[row[title] for title in header] for row in rows])


def three_ops(tmp_path: Path) -> Path:
    prof = capture_skeleton(tmp_path / "three", "new")
    write_ops(
        prof,
        op_row(name="a|b", task_type="AI_CORE", duration="9.500", start="1790000000123456.701\t"),
        op_row(name="c", task_type="AI_CPU", duration="80.25", start="1790000000123456.700\t", task_id="N/A"),
        op_row(name="算子", task_type="N/A", duration="N/A", start="N/A"),
    )
    return prof


COLUMNS = "Op Name,Task Type,Task Start Time(us),Task Duration(us),Task ID"


THREE_OPS = {
    "table": "op_summary",
    "device": None,
    "columns": [
        {"name": "Op Name", "unit": "", "type": "text"},
        {"name": "Task Type", "unit": "", "type": "text"},
        {"name": "Task Start Time(us)", "unit": "us", "type": "time"},
        {"name": "Task Duration(us)", "unit": "us", "type": "decimal"},
        {"name": "Task ID", "unit": "", "type": "int"},
    ],
    "rows": [
        {
            "Op Name": "a|b",
            "Task Type": "AI_CORE",
            "Task Start Time(us)": "1790000000123456.701",
            "Task Duration(us)": 9.5,
            "Task ID": 0,
        },
        {
            "Op Name": "c",
            "Task Type": "AI_CPU",
            "Task Start Time(us)": "1790000000123456.700",
            "Task Duration(us)": 80.25,
            "Task ID": None,
        },
        {
            "Op Name": "算子",
            "Task Type": "N/A",
            "Task Start Time(us)": None,
            "Task Duration(us)": None,
            "Task ID": 0,
        },
    ],
    "total": 3,
    "matched": 3,
    "shown": 3,
    "files": [f"op_summary_{STAMP}.csv"],
    "notices": [],
}


def test_json_has_exact_numbers_and_says_what_each_column_is(cli: Cli, tmp_path: Path) -> None:
    ran = cli("table", three_ops(tmp_path), "op_summary", "--columns", COLUMNS, "--format", "json")
    assert (json.loads(ran.out), ran.err, ran.code) == (THREE_OPS, "", 0)


def test_json_counts_the_table_the_matches_and_what_is_shown(cli: Cli, two_devices: Path) -> None:
    words = ("--device", "1", "--where", "OP Type = MatMulV3", "--limit", "2", "--format", "json")
    answer = json.loads(cli("table", two_devices, "op_summary", *words).out)
    assert [answer[key] for key in ("device", "total", "matched", "shown")] == [1, 297, 114, 2]
    assert {row["Device_id"] for row in answer["rows"]} == {1}


def test_a_column_alone_sorts_numbers_down_and_times_up(cli: Cli, tmp_path: Path) -> None:
    prof = three_ops(tmp_path)
    by_duration = cli(
        "table", prof, "op_summary", "--sort", "task duration", "--columns", "Op Name", "--format", "csv"
    )
    by_start = cli(
        "table", prof, "op_summary", "--sort", "Task Start Time", "--columns", "Op Name", "--format", "csv"
    )
    assert by_duration.out == "Op Name\nc\na|b\n算子\n"
    assert by_start.out == "Op Name\nc\na|b\n算子\n"


def test_the_other_way_keeps_missing_values_last(cli: Cli, tmp_path: Path) -> None:
    words = ("--sort", "Task Duration(us)", "--asc", "--columns", "Op Name", "--format", "csv")
    assert cli("table", three_ops(tmp_path), "op_summary", *words).out == "Op Name\na|b\nc\n算子\n"


def test_text_is_aligned_and_uncut_without_a_terminal(cli: Cli, tmp_path: Path) -> None:
    words = ("--columns", "Op Name,Task Duration(us)", "--limit", "2")
    ran = cli("table", three_ops(tmp_path), "op_summary", *words)
    assert ran.out == "Op Name  Task Duration(us)\na|b                  9.500\nc                    80.25\n"
    assert ran.err == "note: 2 of 3 rows are shown.\n"


def test_text_shows_the_columns_of_the_pane_and_the_others_all(cli: Cli, demo: Path) -> None:
    text = cli("table", demo, "op_summary", "--limit", "1")
    whole = cli("table", demo, "op_summary", "--limit", "1", "--format", "csv")
    assert text.out.split("\n")[0].startswith("Op Name ")
    assert "Context ID" not in text.out
    assert len(whole.rows[0]) == 46 + 1
    assert whole.rows[0][-1] == "bound"
    assert " bound " in text.out.split("\n")[0]


def test_a_pipe_in_a_name_is_escaped_in_markdown(cli: Cli, tmp_path: Path) -> None:
    words = ("--columns", "Op Name,Task Duration(us)", "--limit", "1", "--format", "md")
    ran = cli("table", three_ops(tmp_path), "op_summary", *words)
    assert ran.out == "| Op Name | Task Duration(us) |\n| --- | ---: |\n| a\\|b | 9.500 |\n"


def test_conditions_and_types_and_text_are_joined(cli: Cli, demo: Path) -> None:
    words = ("--task-type", "AI_CORE", "--task-type", "AI_CPU", "--where", "Task Duration > 800")
    ran = cli("table", demo, "op_summary", *words, "--find", "HEAD", "--columns", "Op Name,Task Duration")
    assert ran.out.splitlines()[1:] == ["Default/network/head/MatMulV3-op90           1003.018"]
    assert ran.err == "note: 1 of 297 rows match.\n"


def test_no_match_is_no_error(cli: Cli, demo: Path) -> None:
    ran = cli("table", demo, "op_summary", "--find", "nowhere", "--columns", "Op Name")
    assert (ran.out, ran.err, ran.code) == ("Op Name\n", "note: 0 of 297 rows match.\n", 0)


def test_task_types_are_core_types_in_op_statistic(cli: Cli, demo: Path) -> None:
    ran = cli("table", demo, "op_statistic", "--task-type", "AI_CPU", "--columns", "OP Type")
    assert ran.out == "OP Type\nUnique\nNonZero\n"


def test_a_task_type_that_no_row_has_is_said_with_those_there_are(cli: Cli, demo: Path) -> None:
    words = ("--task-type", "ai_cores", "--task-type", "ai_cpu", "--columns", "Op Name")
    ran = cli("table", demo, "op_summary", *words)
    assert (len(ran.out.splitlines()), ran.code) == (1 + 12, 0)
    assert ran.err.splitlines() == [
        "note: No row has Task Type ai_cores; "
        "there are: AI_CORE, MIX_AIC, COMMUNICATION, AI_VECTOR_CORE, AI_CPU.",
        "note: 12 of 297 rows match.",
    ]


def test_columns_known_from_the_files_come_last_and_are_marked(cli: Cli, old_layout: Path) -> None:
    answer = json.loads(cli("table", old_layout, "op_statistic", "--limit", "1", "--format", "json").out)
    assert answer["columns"][-1] == {"name": "iteration", "unit": "", "type": "int", "derived": True}
    assert answer["rows"][0]["iteration"] == 2


def test_what_bounds_an_op_comes_last_and_is_marked(cli: Cli, demo: Path) -> None:
    words = ("--where", "bound = no bound", "--sort", "Task Duration", "--asc", "--limit", "1")
    answer = json.loads(cli("table", demo, "op_summary", *words, "--format", "json").out)
    assert answer["columns"][-1] == {"name": "bound", "unit": "", "type": "text", "derived": True}
    assert answer["rows"][0]["bound"] == "no bound"
    assert answer["rows"][0]["Task Duration(us)"] > 20
    assert answer["matched"] < answer["total"]


def test_what_is_not_there_is_refused_with_what_is(cli: Cli, demo: Path) -> None:
    said = {
        ("--device", "7"): "There is no device 7 in this capture; it has: 0.",
        ("--model", "7"): "There is no model 7 in op_summary; it has: 1, 11, 4294967295.",
        ("--iteration", "7"): "There is no iteration 7; there are: 1-6.",
        ("--sort", "Durtion"): "No column 'Durtion' in this table; near: 'Task Duration(us)'.",
        ("--desc",): "--asc and --desc need --sort COLUMN.",
    }
    for words, sentence in said.items():
        ran = cli("table", demo, "op_summary", *words)
        assert (ran.out, ran.err, ran.code) == ("", f"prof-tui: {sentence}\n", 2)


def test_rows_that_are_not_told_apart_are_refused(cli: Cli, demo: Path) -> None:
    said = {
        ("--device", "0"): "The rows of api_statistic don't name their device: leave --device out.",
        ("--model", "11"): "The rows of api_statistic don't name their model.",
        ("--task-type", "AI_CPU"): "api_statistic has no Task Type or Core Type to choose by.",
        (
            "--iteration",
            "1",
        ): "api_statistic can't be cut by iteration: its rows are neither ops nor iterations.",
    }
    for words, sentence in said.items():
        ran = cli("table", demo, "api_statistic", *words)
        assert (ran.out, ran.err, ran.code) == ("", f"prof-tui: {sentence}\n", 2)


def test_a_known_table_that_is_missing_is_no_usage_error(cli: Cli, demo: Path) -> None:
    ran = cli("table", demo, "l2_cache")
    assert (ran.out, ran.code) == ("", 1)
    assert ran.err.startswith("prof-tui: There is no l2_cache in this export.")


def test_a_word_that_is_no_table_is_one(cli: Cli, demo: Path) -> None:
    ran = cli("table", demo, "op_sumary")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == (
        "prof-tui: There is no table 'op_sumary', did you mean op_summary? This export has: op_summary, "
        "op_statistic, step_trace, task_time, api_statistic, communication_statistic.\n"
    )


def test_a_timeline_is_no_table(cli: Cli, demo: Path) -> None:
    ran = cli("table", demo, "msprof")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err.startswith("prof-tui: msprof is a timeline here, not a table; the tables are: op_summary,")


def test_the_device_of_an_inner_directory_is_chosen(cli: Cli, two_devices: Path) -> None:
    words = ("op_statistic", "--columns", "Device_id", "--format", "json")
    assert json.loads(cli("table", two_devices / "device_1", *words).out)["device"] == 1


def test_a_file_of_an_older_export_opens_that_export(cli: Cli, tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path / "twice", "new")
    older = write_ops(prof, op_row(name="older"), name="op_summary_20260921101601.csv")
    write_ops(prof, op_row(name="newer"), name="op_summary_20260921111601.csv")
    words = ("op_summary", "--columns", "Op Name", "--format", "csv")
    assert cli("table", prof, *words).out == "Op Name\nnewer\n"
    assert cli("table", older, *words).out == "Op Name\nolder\n"


def test_control_characters_reach_no_terminal_and_csv_keeps_them(cli: Cli, tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path / "odd", "new")
    write_ops(prof, op_row(name="a\x1b[31mb"))
    words = ("table", prof, "op_summary", "--columns", "Op Name")
    assert cli(*words).out == "Op Name\na\\x1b[31mb\n"
    assert cli(*words, "--format", "csv").out == "Op Name\na\x1b[31mb\n"
    assert '"a\\u001b[31mb"' in cli(*words, "--format", "json").out


def test_any_locale_can_be_written_to(cli: Cli, tmp_path: Path) -> None:
    env = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    prof = three_ops(tmp_path)
    words = ("--columns", "Op Name", "--where", "Task Type = N/A")
    text = cli("table", prof, "op_summary", *words, env=env)
    whole = cli("table", prof, "op_summary", *words, "--format", "csv", env=env)
    assert (text.out, text.code) == ("Op Name\n??\n", 0)
    assert (whole.out, whole.code) == ("Op Name\n算子\n", 0)


def test_an_empty_file_is_named_and_costs_only_its_table(cli: Cli, tmp_path: Path) -> None:
    prof = three_ops(tmp_path)
    (prof / OPS / f"op_statistic_{STAMP}.csv").touch()
    ran = cli("table", prof, "op_statistic", "--format", "json")
    assert (ran.out, ran.code) == ("", 1)
    assert ran.err.startswith(f"prof-tui: op_statistic_{STAMP}.csv is empty (0 bytes)")
    assert cli("table", prof, "op_summary").code == 0


def test_a_closed_pipe_ends_quietly(demo: Path) -> None:
    words = [sys.executable, "-m", "prof_tui", "table", str(demo), "op_summary", "--format", "csv"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(9) == b"Device_id"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_a_full_disk_is_one_sentence(demo: Path) -> None:
    words = [sys.executable, "-m", "prof_tui", "table", str(demo), "op_summary", "--format", "csv"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            words,
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            timeout=60,
            check=False,
        )
    assert (done.stderr, done.returncode) == (b"prof-tui: No space left on device.\n", 1)


def test_case_paths_above_and_below_a_capture_mean_it(cli: Cli, shared_case: Callable[[str], Path]) -> None:
    top = next(shared_case("wrong-directory-given").glob("job_*"))
    prof = next(top.glob("PROF_*"))
    inside = (prof / "device_0", prof / OPS, next((prof / OPS).glob("op_summary_*.csv")))
    for path in (top, top / "ASCEND_PROFILER_OUTPUT", *inside):
        ran = cli("table", path, "op_summary", "--columns", "Op Name", "--format", "csv")
        assert (ran.out, ran.code) == ("Op Name\nConv2D_x\n", 0)


def test_case_a_header_without_rows_is_an_empty_answer(cli: Cli, shared_case: Callable[[str], Path]) -> None:
    prof = shared_case("zero-byte-and-header-only")
    ran = cli("table", prof, "op_statistic", "--sort", "Count", "--format", "csv")
    assert (len(ran.rows), len(ran.rows[0]), ran.code) == (1, 9, 0)
    assert "no rows in op_statistic_20260921101601.csv" in ran.err
    refused = cli("table", prof, "op_summary")
    assert (refused.out, refused.code) == ("", 1)
    assert "op_summary_20260921101601.csv is empty" in refused.err


def test_a_limit_of_no_rows_is_the_header(cli: Cli, demo: Path) -> None:
    ran = cli("table", demo, "op_statistic", "--limit", "0", "--format", "csv", "--columns", "OP Type,Count")
    assert (ran.out, ran.code) == ("OP Type,Count\n", 0)


def test_cells_that_are_no_numbers_are_counted_though_nothing_is_sorted(cli: Cli, tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path / "odd", "new")
    write_ops(
        prof,
        op_row(name="a", duration='"1,234.500"', model_id="4.29E+09"),
        op_row(name="b", duration="--"),
        op_row(name="c", duration="99999999999999999999999"),
        op_row(name="d", duration="2"),
    )
    ran = cli("table", prof, "op_summary", "--sort", "Task Duration(us)", "--format", "json")
    rows = json.loads(ran.out)["rows"]
    assert [(row["Op Name"], row["Task Duration(us)"]) for row in rows] == [
        ("c", "99999999999999999999999"),
        ("a", 1234.5),
        ("d", 2),
        ("b", "--"),
    ]
    assert [row["Model ID"] for row in rows] == [11, "4.29E+09", 11, 11]
    file = f"note: op_summary_{STAMP}.csv:"
    assert cli("table", prof, "op_summary", "--limit", "0").err.splitlines()[:4] == [
        f"{file} 1 number of Model ID is a rounded power of ten, as spreadsheets write it:"
        " precision is lost.",
        f"{file} 1 cell of Task Duration(us) with thousands separators is read as a number.",
        f"{file} 1 cell of Task Duration(us) is no number, and is taken for N/A.",
        f"{file} 1 number of Task Duration(us) is too large: it sorts as the largest and is in no sum.",
    ]


def test_a_computed_statistic_counts_the_ops_it_leaves_out(cli: Cli, tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path / "odd", "new")
    write_ops(prof, op_row(name="a"), op_row(name="b", duration="N/A"), op_row(name="c", op_type="N/A"))
    ran = cli("table", prof, "op_statistic", "--columns", "OP Type,Count", "--format", "csv")
    assert ran.rows == [["OP Type", "Count"], ["MatMulV3", "1"]]
    assert ran.err.splitlines()[-2:] == [
        "note: 1 op without a duration is left out.",
        "note: 1 op without an OP Type is left out, but for Ratio.",
    ]
