import re
import shlex
from pathlib import Path

import pytest

from prof_tui.arguments import PROGRAM
from prof_tui.cli import main
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from tests.test_layers import LAYERS, ROOMS

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
MOST_LINES = 250


def test_it_is_short() -> None:
    assert len(TEXT.splitlines()) <= MOST_LINES


def test_layers_and_rooms_are_those_that_are_tested() -> None:
    assert f"\n{' <- '.join(LAYERS)}\n" in TEXT
    assert f"\n{' <- '.join(ROOMS)}\n" in TEXT
    assert tuple(re.findall(r"^\| `(\w+)` \|", TEXT, re.M)) == ROOMS


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", TEXT)
    assert pictures
    assert all((README.parent / picture).is_file() for picture in pictures)


@pytest.mark.parametrize("name", ["set-up", "test"])
def test_a_command_to_paste_is_one_line(name: str) -> None:
    found = re.search(rf"<!-- command: {name} -->\n```sh\n(.*?)```\n<!-- end -->", TEXT, re.S)
    assert found
    [line] = found[1].splitlines()
    assert shlex.split(line)[:3] == ["python3", "-m", "venv"]


def test_the_commands_do_on_the_demo_what_they_are_shown_for(
    start: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_capture(start / "demo", demo_run(), layout="new")
    found = re.search(r"<!-- commands -->\n```sh\n(.*?)```\n<!-- end -->", TEXT, re.S)
    assert found
    lines = [shlex.split(line) for line in found[1].splitlines()]
    assert len(lines) == 5
    for program, *words in lines:
        assert program == PROGRAM
        assert main(words) == 0, " ".join(words)
        assert capsys.readouterr().out or (start / "five.json").stat().st_size
