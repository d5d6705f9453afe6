import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from prof_tui.panes.registry import PANES

PACKAGE = Path(__file__).parents[1] / "prof_tui"
LAYERS = (
    "words",
    "errors",
    "data",
    "demo",
    "widgets",
    "panes",
    "screens",
    "terminal",
    "app",
    "arguments",
    "cli",
)
"""Each may import those before it."""
TOP = ("__init__", "__main__")
NO_CAPTURE = {"spans"}
"""Modules of data that know nothing of captures: all that widgets may take from it."""
COLOURS = ("panes", "timeline", "colours")
"""The colours of the kinds of ops: the one module of a pane that others draw with."""
UI = ("textual", "rich")
MODULE_LINES = 500
FUNCTION_LINES = 40

MODULES = sorted(PACKAGE.rglob("*.py"))


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Names of the modules that a module imports, anywhere in it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports by a relative name"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own(names: Iterator[str]) -> set[tuple[str, ...]]:
    """Parts behind ``prof_tui`` of the package's own modules among them."""
    return {tuple(name.split(".")[1:]) for name in names if name.startswith("prof_tui.")}


def test_every_module_is_in_a_layer() -> None:
    assert {layer(path) for path in MODULES} <= {*LAYERS, *TOP}


@pytest.mark.parametrize(
    "path", [path for path in MODULES if layer(path) in LAYERS], ids=lambda path: path.stem
)
def test_imports_go_one_way(path: Path) -> None:
    here = layer(path)
    for there, *rest in own(imported(path)):
        if there in LAYERS:
            assert LAYERS.index(there) <= LAYERS.index(here), f"{here} imports {there}"
        if (here, there) == ("widgets", "data"):
            assert rest[0] in NO_CAPTURE, f"widgets import {rest[0]}"


@pytest.mark.parametrize("name", PANES)
def test_panes_do_not_import_each_other(name: str) -> None:
    panes = PACKAGE / "panes"
    others = PANES.keys() - {name}
    paths = [panes / f"{name}.py"] if (panes / f"{name}.py").exists() else list((panes / name).rglob("*.py"))
    assert paths
    for path in paths:
        theirs = {parts for parts in own(imported(path)) if parts[0] == "panes" and parts[1] in others}
        assert {parts for parts in theirs if parts[:3] != COLOURS} == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules_and_functions_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= FUNCTION_LINES, f"{node.name} has {length} lines"


def loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_a_capture_opens_without_ui_and_without_polars() -> None:
    loaded = loaded_after("import prof_tui.data.open_capture")
    assert loaded.isdisjoint({*UI, "polars"})


def test_the_first_frame_does_not_wait_for_polars() -> None:
    assert "polars" not in loaded_after(
        "import prof_tui.app, prof_tui.panes.overview.pane"
        "; import prof_tui.panes.op_summary, prof_tui.panes.step_trace"
    )


def test_the_data_layer_loads_no_ui() -> None:
    modules = [path.relative_to(PACKAGE.parent).with_suffix("") for path in MODULES if layer(path) == "data"]
    loaded = loaded_after("\n".join(f"import {'.'.join(module.parts)}" for module in modules))
    assert "polars" in loaded
    assert loaded.isdisjoint(UI)
