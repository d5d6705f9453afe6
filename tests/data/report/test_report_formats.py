"""The report as text, Markdown and JSON, where names are long or look like markup."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from prof_tui.data.report.as_json import report_json
from prof_tui.data.report.formats import escape_markdown, report_markdown, report_text
from prof_tui.data.report.report import Report, read_report
from prof_tui.data.writing.text import wrapped
from prof_tui.words import cell_width
from tests.helpers.judged_run import op, run_capture

SCOPED = (
    "Default/network-TrainOneStepCell/network-WithLossCell/_backbone-ResNet/layer1/conv1-Conv2d/Conv2D-op1"
)


OTHERS = tuple(f"Add_{number}" for number in range(9))


def report(parent: Path, name: str) -> Report:
    """Of a run in which one op takes nearly all the time."""
    begins = (2100, 3100, 4100)
    others = [op(at + 40 + i, 0.1, other) for at in begins for i, other in enumerate(OTHERS)]
    return read_report(run_capture(parent, [op(at, 30, name) for at in begins] + others))


# Text


@pytest.mark.parametrize("written", [report_text, report_markdown])
def test_a_name_of_thousands_of_characters_is_cut_but_in_json(
    tmp_path: Path, written: Callable[[Report], Iterator[str]]
) -> None:
    """Each mention has 119 characters of it and an ellipsis; in text in lines of 80."""
    of_long = report(tmp_path, "M" * 3000)
    said = "".join(written(of_long))
    runs = {len(found) for found in re.findall("M{9,}…?", re.sub(r"M\n +M", "MM", said))}
    assert runs == {120}
    [top] = of_long.findings.of("top_ops")
    [kept] = [one for one in json.loads(report_json(of_long))["findings"] if one["id"] == "top_ops"]
    assert (kept["title"], kept["rows"][0]["label"]) == (top.title, "M" * 3000)


def test_a_long_name_is_broken_behind_a_joint() -> None:
    assert wrapped(f"{SCOPED}: 3 x", 80, first="  rows  ", rest=" " * 8) == (
        "  rows  Default/network-TrainOneStepCell/network-WithLossCell/_backbone-ResNet/\n"
        "        layer1/conv1-Conv2d/Conv2D-op1: 3 x\n"
    )
    assert wrapped("a" * 5 + "_" + "b" * 5, 8) == "aaaaa_\nbbbbb\n"


def test_a_name_without_joint_is_broken_where_the_line_ends() -> None:
    assert wrapped("x" * 25, 10, rest="  ") == "xxxxxxxx\n  xxxxxxxx\n  xxxxxxxx\n  x\n"
    assert wrapped("卷积" * 3, 6) == "卷积卷\n积卷积\n"


@pytest.mark.parametrize("word", ["--aic-metrics=PipeUtilization", "op_summary_20260921101601.csv,"])
def test_files_and_options_stay_in_one_piece(word: str) -> None:
    assert wrapped(f"see {word} now", 12, rest="  ") == f"see\n  {word}\n  now\n"


def test_every_line_of_a_report_fits(tmp_path: Path) -> None:
    said = "".join(report_text(report(tmp_path, SCOPED * 2)))
    assert max(map(cell_width, said.splitlines())) <= 80


# Markdown

NAMES = [
    "a|b`c`*d*_e_<f>",
    "&lt;b&gt;",
    "[a](b)",
    "![x](y)",
    "# a",
    "- a",
    "1. a",
    "+ a",
    "---",
    "=",
    "~~~",
    "a\\",
]


def texts(tokens: list[Token]) -> Iterator[str]:
    """What is shown by the tokens that hold nothing but text."""
    for token in tokens:
        if token.type == "inline":
            children = token.children or []
            assert {child.type for child in children} <= {"text", "text_special"}
            yield "".join(child.content for child in children)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_text(name: str) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    assert list(texts(parser.parse(f"- {escape_markdown(name)}\n"))) == [name]
    assert [each.type for each in parser.parse(f"- {escape_markdown(name)}\n")][1:3] == [
        "list_item_open",
        "paragraph_open",
    ]
    table = parser.parse(f"| a | b |\n| --- | --- |\n| {escape_markdown(name)} | 2 |\n")
    assert list(texts(table)) == ["a", "b", name, "2"]


def test_what_is_no_markup_is_left_alone() -> None:
    said = "--hccl=on -5 1.5 a-b (1)"
    assert escape_markdown(said) == said


def test_a_finding_s_name_stays_text(tmp_path: Path) -> None:
    name = "a|b*c*<script>&amp;"
    out = "".join(report_markdown(report(tmp_path, name)))
    assert "<script>" not in out
    [summary] = [line for line in out.splitlines() if "<summary>" in line and "Op Names" in line]
    assert "a|b*c*&lt;script&gt;&amp;amp;" in summary
    rows = list(texts(MarkdownIt("commonmark").enable("table").parse(out.split("<details>")[0])))
    assert any(name in text for text in rows)


# JSON


def parsed(found: Report) -> dict[str, Any]:
    loaded = json.loads(report_json(found), parse_constant=pytest.fail)
    assert isinstance(loaded, dict)
    return loaded


def test_evidence_says_from_which_iteration_on(tmp_path: Path) -> None:
    [top] = [one for one in parsed(report(tmp_path, "Mul_1"))["findings"] if one["id"] == "top_ops"]
    assert top["evidence"] == {
        "pane": "op_summary",
        "device": None,
        "model": None,
        "iteration": None,
        "filters": ["Op Name: Mul_1"],
        "iterations_from": [{"device": 0, "model": 11, "iteration": 3, "without": []}],
        "sort": "Task Duration(us)",
        "descending": True,
    }
