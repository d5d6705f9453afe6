import re
import shlex

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from tests.helpers.readme_parts import PARTS, README, by_id, classes_with_keys, key_row, written_parts
from tests.test_layers import LAYERS

TEXT = README.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PARTS)
def test_a_generated_part_is_what_the_code_gives(name: str) -> None:
    assert written_parts(TEXT)[name] == PARTS[name](), "python -m tests.helpers.readme_parts writes it anew"


def test_every_generated_part_is_known() -> None:
    assert written_parts(TEXT).keys() == PARTS.keys()


@pytest.mark.parametrize("found", classes_with_keys(), ids=lambda found: found.__name__)
def test_every_key_is_declared_in_full_and_is_in_the_readme(found: type[DOMNode]) -> None:
    for bindings in by_id(found.BINDINGS):
        for binding in bindings:
            assert all((binding.id, binding.description, binding.tooltip)), binding
        assert "| " + " | ".join(key_row(bindings)) + " |\n" in TEXT


def test_no_id_stands_for_two_things() -> None:
    declared: dict[str | None, Binding] = {}
    for found in classes_with_keys():
        for bindings in by_id(found.BINDINGS):
            first = declared.setdefault(bindings[0].id, bindings[0])
            assert (first.action, first.tooltip) == (bindings[0].action, bindings[0].tooltip)


def test_the_layers_are_those_that_are_tested() -> None:
    assert " <- ".join(LAYERS) in TEXT


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
