"""The plan of the package: which part may import which, and how large its parts are."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from prof_tui.panes.registry import PANES

PACKAGE = Path(__file__).parents[1] / "prof_tui"
LAYERS = (
    *("words", "errors", "data", "demo", "widgets", "panes", "screens"),
    *("terminal", "app", "reference", "arguments", "cli"),
)
"""Each may import those before it."""
ROOMS = (
    *("spans", "capture", "tables", "iterations", "query", "writing", "timeline"),
    *("open_capture", "run", "findings", "pages", "report", "requests"),
)
"""The rooms of ``data`` in the order in which data travels: each may import those before it."""
TOP = ("__init__", "__main__")
NO_CAPTURE = {"spans"}
"""Rooms of data that know nothing of captures: all that widgets may take from it."""
UI = ("textual", "rich")
MODULE_LINES = 500
FUNCTION_LINES = 40
CLASS_LINES = 400
CLASS_METHODS = 45
"""``CLASS_LINES`` and ``CLASS_METHODS``: of a class together with its bases of ours."""
CLASSES_ABOVE_ONE_ANOTHER = 2

MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def imported(name: str) -> frozenset[str]:
    """Modules of the package that a module imports, in functions and for typing too."""
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports by a relative name"
            wholes = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {whole if whole in MODULES else str(node.module) for whole in wholes}
    return frozenset(found & MODULES.keys() - {name})


def parts(name: str) -> tuple[str, str]:
    """The layer of a module and, of ``data``, its room; empty where there is none."""
    _package, layer, room, *_rest = [*name.split("."), "", ""]
    return layer, room


def test_every_module_is_in_a_layer_and_in_a_room() -> None:
    assert {parts(name)[0] for name in MODULES} <= {"", *LAYERS, *TOP}
    assert {room for layer, room in map(parts, MODULES) if layer == "data"} == {"", *ROOMS}


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_go_one_way_between_layers(layer: str) -> None:
    allowed = set(LAYERS[: LAYERS.index(layer) + 1]) | {""}
    arrows = {(name, other) for name in MODULES if parts(name)[0] == layer for other in imported(name)}
    assert {arrow for arrow in arrows if parts(arrow[1])[0] not in allowed} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_one_way_between_rooms(room: str) -> None:
    allowed = set(ROOMS[: ROOMS.index(room) + 1]) | {""}
    arrows = {(name, other) for name in MODULES if parts(name) == ("data", room) for other in imported(name)}
    assert {
        (name, other)
        for name, other in arrows
        if parts(other)[0] == "data" and parts(other)[1] not in allowed
    } == set()


def test_widgets_know_nothing_of_captures() -> None:
    taken = {other for name in MODULES if parts(name)[0] == "widgets" for other in imported(name)}
    assert {parts(other)[1] for other in taken if parts(other)[0] == "data"} <= NO_CAPTURE


def test_no_import_goes_in_a_circle() -> None:
    try:
        TopologicalSorter({name: imported(name) for name in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(f"in a circle: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize("name", PANES)
def test_panes_do_not_import_each_other(name: str) -> None:
    own = f"prof_tui.panes.{name}"
    others = {f"prof_tui.panes.{other}" for other in PANES.keys() - {name}}
    modules = [module for module in MODULES if module == own or module.startswith(f"{own}.")]
    assert modules
    for module in modules:
        assert {other for other in imported(module) if other.startswith(tuple(others))} == set()


@pytest.mark.parametrize("name", MODULES)
def test_modules_and_functions_are_short(name: str) -> None:
    assert len(MODULES[name].read_text(encoding="utf-8").splitlines()) <= MODULE_LINES
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert _lines(node) <= FUNCTION_LINES, f"{node.name} has {_lines(node)} lines"


# Classes


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


@cache
def classes() -> dict[tuple[str, str], ast.ClassDef]:
    """Module and name to every class of the package."""
    return {
        (module, node.name): node
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.ClassDef)
    }


def own_bases(module: str, node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Bases of a class that are classes of the package too."""
    sources = {
        alias.asname or alias.name: (str(each.module), alias.name)
        for each in ast.walk(tree(module))
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
    }
    for base in node.bases:
        named = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(named, ast.Name):
            key = sources.get(named.id, (module, named.id))
            if key in classes():
                yield key


def family(key: tuple[str, str]) -> set[tuple[str, str]]:
    """A class and all its bases of ours."""
    above = own_bases(key[0], classes()[key])
    return {key}.union(*(family(base) for base in above))


def height(key: tuple[str, str]) -> int:
    """Classes of ours above one another, the lowest included."""
    return 1 + max((height(base) for base in own_bases(key[0], classes()[key])), default=0)


def test_classes_are_short_together_with_their_bases() -> None:
    long = {}
    for key in classes():
        nodes = [classes()[each] for each in family(key)]
        methods = [
            n for node in nodes for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        size = sum(map(_lines, nodes)), len(methods)
        if size[0] > CLASS_LINES or size[1] > CLASS_METHODS:
            long[key] = size
    assert long == {}


def test_no_classes_are_piled_up() -> None:
    high = {key for key in classes() if height(key) > CLASSES_ABOVE_ONE_ANOTHER}
    assert {key for key in high if key[0] != "prof_tui.errors"} == set()


# What is loaded


def loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_a_capture_opens_without_ui_and_without_polars() -> None:
    loaded = loaded_after("import prof_tui.data.open_capture")
    assert loaded.isdisjoint({*UI, "polars"})


def test_the_first_frame_does_not_wait_for_polars() -> None:
    panes = "prof_tui.panes.overview.pane, prof_tui.panes.op_summary, prof_tui.panes.step_trace"
    assert "polars" not in loaded_after(f"import prof_tui.app, {panes}")


def test_the_data_layer_loads_no_ui() -> None:
    modules = [name for name in MODULES if parts(name)[0] == "data"]
    loaded = loaded_after("\n".join(f"import {module}" for module in modules))
    assert "polars" in loaded
    assert loaded.isdisjoint(UI)
