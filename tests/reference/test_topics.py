import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prof_tui.cli import main
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.findings.texts import finding_values
from prof_tui.data.tables.known_columns import SPECS
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from prof_tui.reference.json_shapes import SHAPES
from prof_tui.reference.topics import PLACES, TOPICS, declared_keys, help_pages, room_of
from prof_tui.words import cell_width

KEYS = list(declared_keys())
Printed = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """A function that runs a command line and gives what it prints."""

    def run(*words: str | Path) -> str:
        assert main([str(word) for word in words]) == 0
        return capsys.readouterr().out

    return run


def first_cells(topic: str) -> list[str]:
    """The first cell of each row of a topic's lists."""
    return re.findall(r"^\| `(.*?)` \|", "".join(help_pages(topic, "md")), re.M)


def test_every_key_says_what_it_does_and_is_listed_where_it_works() -> None:
    listed = "".join(help_pages("keys", "md"))
    for bindings in KEYS:
        for binding in bindings:
            assert all((binding.id, binding.description, binding.tooltip)), binding
        assert f" | {bindings[0].description} | {bindings[0].tooltip} |\n" in listed
    assert {room_of(bindings) for bindings in KEYS} == {room for rooms in PLACES.values() for room in rooms}


def test_no_id_stands_for_two_things() -> None:
    declared = {bindings[0].id: bindings[0] for bindings in KEYS}
    for bindings in KEYS:
        same = declared[bindings[0].id]
        assert (same.action, same.tooltip) == (bindings[0].action, bindings[0].tooltip)


def test_every_spelling_of_every_column_is_listed() -> None:
    listed = "".join(help_pages("columns", "md"))
    assert sorted(first_cells("columns")) == sorted(spec.headers[0] for spec in SPECS)
    assert [header for spec in SPECS for header in spec.headers if header not in listed] == []


def test_every_finding_and_every_file_type_is_listed() -> None:
    assert finding_values().keys() <= set(first_cells("findings"))
    assert sorted(first_cells("files")) == sorted(KINDS)


def key_paths(value: object, above: str = "") -> Iterator[str]:
    """Every key of a JSON value with those above it; ``[]`` behind a list's."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from key_paths(inner, f"{above}.{key}" if above else key)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from key_paths(inner, f"{above}[]")
    else:
        yield above


def holds(path: str, shape: str) -> bool:
    """Whether a key is the listed one, or one above it that is empty or null here."""
    return path == shape or shape.startswith((f"{path}[]", f"{path}."))


@pytest.mark.parametrize("command", SHAPES)
def test_the_json_has_the_keys_that_are_listed(tmp_path: Path, printed: Printed, command: str) -> None:
    new = write_capture(tmp_path / "new", demo_run(), layout="new")
    old = write_capture(tmp_path / "old", demo_run(devices=2, iterations=6), layout="old")
    lacking = _without_some_ops(write_capture(tmp_path / "lacking", demo_run(), layout="new"))
    name = command.split()[0]
    words = ["op_summary", "--limit", "1"] if name == "table" else []
    read = [json.loads(printed(name, path, *words, "--format", "json")) for path in (new, old, lacking)]
    # Rows have headers as keys.
    found = {re.sub(r"^rows\[\]\..*", "rows[]", path) for each in read for path in key_paths(each)}
    shapes = [key for key, _type, _meaning in SHAPES[command]]
    assert {path for path in found if not any(holds(_like_period(path), shape) for shape in shapes)} == set()
    assert {
        shape
        for shape in shapes
        if not any(holds(path, shape) or path.startswith(f"{shape}.") for path in found)
    } == set()


def _without_some_ops(capture: Path) -> Path:
    """A capture without the timeline, and with half of the ops of its twelfth iteration."""
    folder = capture / "mindstudio_profiler_output"
    [timeline], [summary] = (list(folder.glob(f"{name}_*")) for name in ("msprof", "op_summary"))
    timeline.unlink()
    lines = summary.read_text().splitlines()
    size = (len(lines) - 1) // 40
    summary.write_text("\n".join([*lines[: 12 * size], *lines[12 * size + size // 2 :], ""]))
    return capture


def _like_period(path: str) -> str:
    """Iteration Time has the keys of the period, which are listed once."""
    return path.replace(".iteration_time.", ".period.")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_keeps_within_its_width_and_says_the_same_in_markdown(printed: Printed, topic: str) -> None:
    text = "".join(help_pages(topic, "text", 100))
    assert max(map(cell_width, text.splitlines())) <= 100
    assert printed("help", topic) == "".join(help_pages(topic, "text"))
    assert printed("help", topic, "--format", "md") == "".join(help_pages(topic, "md"))
    said = [re.sub(r"[*`|\\]|---", " ", each).split() for each in (text, "".join(help_pages(topic, "md")))]
    assert sorted(said[0]) == sorted(said[1])


def test_help_alone_is_the_usage(printed: Printed) -> None:
    assert printed("help").startswith("usage: prof-tui ")


def test_an_unknown_topic_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "kyes"]) == 2
    assert set(TOPICS) <= set(re.findall(r"\w+", capsys.readouterr().err))
