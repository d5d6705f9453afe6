from pathlib import Path

import pytest

from .conftest import Cli

WORDS = {
    "files": ["files", "{}", "--format", "json"],
    "table": ["table", "{}", "op_statistic", "--format", "csv"],
    "report": ["report", "{}", "--fail-on", "top_ops"],
    "trace": ["trace", "{}", "--iteration", "3", "-o", "-"],
    "help": ["help", "findings"],
    "open": ["{}"],
    "usage": ["table", "{}"],
    "nothing there": ["files", "{}/nowhere"],
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_a_command_does_the_same_in_a_process_of_its_own(cli: Cli, demo: Path, words: list[str]) -> None:
    line = [word.format(demo) for word in words]
    assert cli(*line, process=True) == cli(*line)
