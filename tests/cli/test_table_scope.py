"""Which rows ``table`` prints: by device, model and iteration."""

import json
from pathlib import Path

from prof_tui.demo.write import MERGED_DIRECTORY, STAMP
from tests.helpers.traced_capture import traced_capture

from .conftest import Cli


def test_an_iteration_is_taken_where_one_model_alone_has_it(cli: Cli, demo: Path) -> None:
    words = ("--iteration", "3", "--columns", "Op Name", "--limit", "1")
    ran = cli("table", demo, "op_summary", *words)
    assert ran.out == "Op Name\nDefault/network/input/Unique-op1\n"
    assert ran.err.splitlines() == [
        "note: Ops are in iteration 3 by start in the iteration's window.",
        "note: 49 of 297 rows match.",
        "note: 1 of 49 rows are shown.",
    ]


def test_ops_outside_of_all_iterations_are_reachable(cli: Cli, demo: Path) -> None:
    words = ("--iteration", "outside", "--columns", "Op Name", "--format", "csv")
    assert cli("table", demo, "op_summary", *words).out == (
        "Op Name\naclnnInplaceZero_ZerosLikeAiCore_ZerosLike\n"
    )


def test_an_iteration_of_several_models_is_refused_with_the_choices(cli: Cli, two_devices: Path) -> None:
    ran = cli("table", two_devices, "op_summary", "--iteration", "1")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == (
        "prof-tui: There are several iterations 1; add one of: --device 0 --model 1, "
        "--device 0 --model 11, --device 1 --model 1, --device 1 --model 11.\n"
    )


def test_an_iteration_that_was_not_exported_is_refused_with_those_that_were(
    cli: Cli, old_layout: Path
) -> None:
    ran = cli("table", old_layout, "op_summary", "--iteration", "5")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == (
        "prof-tui: Iteration 5 was not exported; exported are: 2-4, 6 of device 0, model 11.\n"
    )


def test_exported_files_settle_which_model_is_meant(cli: Cli, old_layout: Path) -> None:
    ran = cli("table", old_layout, "op_summary", "--iteration", "2", "--columns", "Model ID", "--limit", "1")
    assert ran.out == "Model ID\n      11\n"


def test_an_iteration_of_the_step_trace_needs_no_export(cli: Cli, old_layout: Path) -> None:
    ran = cli("table", old_layout, "step_trace", "--iteration", "5", "--columns", "Iteration ID,Model ID")
    assert ran.out == "Iteration ID  Model ID\n           5        11\n"


def test_op_statistic_of_an_iteration_is_computed_and_says_so(cli: Cli, demo: Path) -> None:
    words = ("--iteration", "3", "--where", "OP Type = Cast", "--format", "json")
    answer = json.loads(cli("table", demo, "op_statistic", *words).out)
    assert "op_statistic is computed from op_summary, iteration 3." in answer["notices"]
    assert answer["files"] == [f"op_summary_{STAMP}.csv"]
    assert [(row["OP Type"], row["Count"]) for row in answer["rows"]] == [("Cast", 1)]


def test_a_model_of_two_devices_is_refused_with_the_choices(cli: Cli, two_devices: Path) -> None:
    ran = cli("table", two_devices, "op_summary", "--model", "11")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == "prof-tui: Model 11 is on several devices; add --device, one of: 0, 1.\n"


def test_iterations_from_one_on_are_those_of_the_main_model(cli: Cli, two_devices: Path) -> None:
    """Of each device, as findings count them; model 11 has six, model 1 has two."""
    words = ("--iteration", "3-", "--columns", "Model ID", "--format", "csv")
    both = cli("table", two_devices, "op_summary", *words)
    one = cli("table", two_devices, "op_summary", *words, "--device", "1")
    assert both.rows[0] == ["Model ID"]
    assert {row[0] for row in both.rows[1:]} == {"11"}
    assert len(both.rows[1:]) == 2 * len(one.rows[1:]) == 2 * 4 * 49
    assert one.err.startswith("note: Ops are in these iterations by start in the iteration's window.\n")


def test_iterations_of_another_model_from_one_on(cli: Cli, demo: Path) -> None:
    words = ("--model", "1", "--iteration", "2-", "--columns", "Iteration ID,Model ID", "--format", "csv")
    assert cli("table", demo, "step_trace", *words).rows[1:] == [["2", "1"]]


def test_iterations_from_one_on_that_are_not_there_are_refused(
    cli: Cli, demo: Path, old_layout: Path
) -> None:
    for capture, name, words, said in (
        (demo, "op_summary", ("7-",), "There is no iteration from 7 on; there are: 1-6."),
        (
            demo,
            "op_statistic",
            ("3-",),
            "op_statistic can't be cut to iterations from 3 on, only these can: op_summary, task_time, "
            "step_trace.",
        ),
        (
            demo,
            "op_summary",
            ("1-", "--model", "7"),
            "There is no iteration of model 7; there are some of: 1, 11.",
        ),
        (
            old_layout,
            "op_summary",
            ("2-", "--model", "1"),
            "No iteration from 2 on was exported; exported are: 2-4, 6.",
        ),
        (
            demo,
            "op_summary",
            ("0-",),
            "argument --iteration: 0 is less than 1 (see prof-tui table --help)",
        ),
    ):
        ran = cli("table", capture, name, "--iteration", *words)
        assert (ran.out, ran.code, ran.err) == ("", 2, f"prof-tui: {said}\n")


def test_exported_iterations_from_one_on(cli: Cli, old_layout: Path) -> None:
    words = ("--iteration", "3-", "--columns", "Infer ID", "--format", "csv")
    assert {row[0] for row in cli("table", old_layout, "op_summary", *words).rows[1:]} == {"3", "4", "6"}


def test_iterations_from_one_to_another(cli: Cli, demo: Path) -> None:
    words = ("--iteration", "3-4", "--columns", "Iteration ID", "--format", "csv")
    assert cli("table", demo, "step_trace", *words).out.split() == ["Iteration", "ID", "3", "4"]
    ops = cli("table", demo, "op_summary", "--iteration", "3-4", "--limit", "0")
    assert "note: 98 of 297 rows match." in ops.err.splitlines()
    past = cli("table", demo, "op_summary", "--iteration", "8-9")
    assert (past.err, past.code) == ("prof-tui: There is no iteration from 8 to 9; there are: 1-6.\n", 2)
    turned = cli("table", demo, "op_summary", "--iteration", "4-3")
    assert "argument --iteration: 4-3 ends before it begins" in turned.err
    assert turned.code == 2


def test_op_statistic_comes_from_the_timeline_where_only_that_was_exported(cli: Cli, tmp_path: Path) -> None:
    capture = traced_capture(tmp_path / "only", tables=False)
    for table in (capture.path / MERGED_DIRECTORY).glob("*.csv"):
        table.unlink()
    words = ("--columns", "OP Type,Count", "--format", "csv")
    ran = cli("table", capture.path, "op_statistic", *words)
    assert (ran.out, ran.code) == ("OP Type,Count\nMatMul,4\nCast,4\nTopK,4\n", 0)
    assert ran.err.startswith("note: op_statistic is computed from timeline msprof.\n")
    only = "Only timelines were exported: msprof --export=on --output=PROF_XXX writes the tables beside them."
    summary = cli("table", capture.path, "op_summary")
    assert (summary.out, summary.code) == ("", 1)
    assert summary.err == (
        f"prof-tui: There is no op_summary in this export. {only} "
        "The timeline has the ops: 5, then S sums them by name; op_statistic is computed from it.\n"
    )


def test_of_an_iteration_and_a_model_it_comes_from_the_timeline_too(cli: Cli, tmp_path: Path) -> None:
    capture = traced_capture(tmp_path / "traced", tables=False)
    words = ("--columns", "OP Type,Total Time(us)", "--limit", "1", "--format", "csv")
    third = cli("table", capture.path, "op_statistic", "--iteration", "3", "--model", "11", *words)
    assert third.out == "OP Type,Total Time(us)\nMatMul,103.500\n"
    assert "note: op_statistic is computed from timeline msprof, iteration 3." in third.err.splitlines()
    other = cli("table", capture.path, "op_statistic", "--model", "7", *words)
    assert (other.err, other.code) == ("prof-tui: There is no model 7 in op_statistic; it has: 1, 11.\n", 2)
