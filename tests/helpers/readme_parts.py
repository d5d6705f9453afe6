"""The parts of README.md that the code knows better: columns, keys, usage, real output.

A part stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``.
``python tests/readme_parts.py`` writes them anew.
"""

import atexit
import importlib
import io
import os
import pkgutil
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache, partial
from pathlib import Path
from typing import TypeGuard
from unittest.mock import patch

from textual.binding import Binding, BindingType
from textual.dom import DOMNode

import prof_tui
from prof_tui.app import ProfTuiApp
from prof_tui.arguments import COMMANDS, PROGRAM
from prof_tui.cli import main
from prof_tui.data.findings.texts import ids_text
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.step_table import step_table
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.shown_columns import default_columns
from prof_tui.demo.write import PROF_NAME, write_demo
from prof_tui.panes.files import COLUMNS as FILES_COLUMNS
from prof_tui.panes.overview.findings_list import FindingsList
from prof_tui.panes.overview.pane import OverviewPane
from prof_tui.panes.registry import PANES
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.timeline.pane import TimelinePane
from prof_tui.screens.event import EventView
from prof_tui.screens.finding import FindingView
from prof_tui.screens.iteration import IterationScreen
from prof_tui.screens.navigation import NavigatedScreen
from prof_tui.screens.row import RowView
from prof_tui.widgets.table.table import FrameTable
from prof_tui.widgets.timeline.view import LaneView

README = Path(__file__).parents[2] / "README.md"

_PART = re.compile(r"(<!-- generated: (\S+) -->\n)(.*?)(<!-- end -->)", re.S)
_SHOWN_FOLDER = "/data"
"""Stands for the temporary directory in what is shown."""

_KEYS: dict[str, tuple[type[DOMNode], ...]] = {
    "everywhere": (NavigatedScreen, ProfTuiApp),
    "overview": (FindingsList, OverviewPane, FindingView),
    "tables": (FrameTable, TablePane),
    "timeline": (LaneView, TimelinePane, IterationScreen),
    "op": (RowView,),
    "event": (EventView,),
    "dialogs": (),
}
"""Whose keys stand together; dialogs are all others."""
_WITHOUT_COLUMNS = ("overview", "timeline")
"""Panes that show no table."""
_EXAMPLES = {
    "demo": "demo demo --no-open",
    "iterations": "table demo step_trace --model 11 --limit 5"
    " --columns 'Iteration ID,Iteration Time(us),FP to BP Time(us),Data Aug Bound(us)'",
    "types": "table demo op_statistic --iteration 5 --limit 3",
    "ai-cpu": "table demo op_summary --task-type AI_CPU --sort 'Task Duration' --limit 3"
    " --columns 'Op Name,Task Duration,Input Shapes' --format md",
    "condition": "table demo op_summary --where 'Task Duration > 1000' --columns 'Op Name,Task Duration'",
    "json": "table demo op_statistic --limit 1 --columns 'OP Type,Total Time(us)' --format json",
    "column": "table demo op_summary --sort Duration",
    "report": "report demo --format md",
}


# Tables


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = [list(head), *(list(row) for row in rows)]
    cells.insert(1, ["---"] * len(cells[0]))
    return "".join("| " + " | ".join(row) + " |\n" for row in cells)


def _columns(name: str) -> str:
    return _table(
        ("column", "meaning"), ((f"`{column.header}`", column.spec.meaning) for column in _shown(name))
    )


def _shown(name: str) -> Iterable[Column]:
    """The columns that a pane shows at first, of the demo."""
    if name == "files":
        return FILES_COLUMNS
    capture = OpenCapture(_demo_folder() / "demo" / PROF_NAME)
    table = capture.table(name)
    return default_columns(step_table(table, capture.steps) if name == "step_trace" else table)


def key_row(bindings: Iterable[Binding]) -> tuple[str, str, str]:
    """Keys as footer and help name them, description and tooltip of the bindings of one id."""
    app = ProfTuiApp([])
    of_one_id = list(bindings)
    keys = " ".join(f"`{app.get_key_display(binding)}`" for binding in of_one_id)
    return keys, of_one_id[0].description, of_one_id[0].tooltip


def by_id(bindings: Iterable[BindingType]) -> Iterator[list[Binding]]:
    """One binding per key, those of one id together."""
    found: dict[str | None, list[Binding]] = {}
    for binding in Binding.make_bindings(bindings):
        found.setdefault(binding.id, []).append(binding)
    yield from found.values()


def classes_with_keys() -> list[type[DOMNode]]:
    """The program's screens, panes and widgets that declare keys."""
    names = [module.name for module in pkgutil.walk_packages(prof_tui.__path__, "prof_tui.")]
    modules = [importlib.import_module(name) for name in names if name != "prof_tui.__main__"]
    own = [found for module in modules for found in vars(module).values() if _is_own(found, module.__name__)]
    return [found for found in own if "BINDINGS" in vars(found)]


def _is_own(found: object, module_name: str) -> TypeGuard[type[DOMNode]]:
    return isinstance(found, type) and issubclass(found, DOMNode) and found.__module__ == module_name


def _keys(place: str) -> str:
    named = {each for classes in _KEYS.values() for each in classes}
    classes = _KEYS[place] or [each for each in classes_with_keys() if each not in named]
    rows = dict.fromkeys(key_row(each) for found in classes for each in by_id(found.BINDINGS))
    return _table(("key", "name", "what it does"), rows)


# What the program prints


@cache
def _demo_folder() -> Path:
    """A directory with the demo in ``demo``, removed at the end of the process."""
    folder = Path(tempfile.mkdtemp(prefix="prof-tui-readme-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write_demo(folder / "demo", "new")
    return folder


def _printed(words: Iterable[str], folder: Path) -> str:
    """What a command line prints in ``folder``, stdout first; without msprof on PATH, 80 columns wide."""
    out, err = io.StringIO(), io.StringIO()
    environment = {"PATH": "", "COLUMNS": "80", "NO_COLOR": "1"}
    with chdir(folder), redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, environment):
        try:
            main(list(words))
        except SystemExit:
            pass
    return (out.getvalue() + err.getvalue()).replace(str(folder), _SHOWN_FOLDER)


def _example(line: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) if line.startswith("demo") else _demo_folder()
        return f"```console\n$ {PROGRAM} {line}\n{_printed(shlex.split(line), place)}```\n"


def _usage() -> str:
    lines = ["--help", *(f"{command} --help" for command in COMMANDS)]
    return "\n".join(_example(line) for line in lines)


def _refusals() -> str:
    """What is said of a directory that holds no text export."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        collected = folder / "PROF_000001_20260921101530123_COLLECTEDONLYXYZ"
        database = folder / "PROF_000002_20260921101530123_DATABASEONLYWXYZ"
        for prof in (collected, database):
            (prof / "device_0" / "data").mkdir(parents=True)
        (database / "msprof_20260921101601.db").touch()
        (folder / "worker_ascend_pt" / "ASCEND_PROFILER_OUTPUT").mkdir(parents=True)
        (folder / "elsewhere").mkdir()
        tried = (collected.name, database.name, "worker_ascend_pt", "elsewhere")
        said = (f"$ {PROGRAM} {word}\n{_printed([word], folder)}" for word in tried)
        return "```console\n" + "".join(said) + "```\n"


def _finding_ids() -> str:
    return f"```text\n{ids_text()}\n```\n"


PARTS: dict[str, Callable[[], str]] = {
    "usage": _usage,
    "refusals": _refusals,
    "finding-ids": _finding_ids,
    **{f"columns-{name}": partial(_columns, name) for name in PANES if name not in _WITHOUT_COLUMNS},
    **{f"keys-{place}": partial(_keys, place) for place in _KEYS},
    **{f"example-{name}": partial(_example, line) for name, line in _EXAMPLES.items()},
}


def written_parts(text: str) -> dict[str, str]:
    """The generated parts of a README by name."""
    return {name: part for _begin, name, part, _end in _PART.findall(text)}


def with_parts(text: str) -> str:
    """A README with every generated part as the code gives it."""
    return _PART.sub(lambda match: f"{match[1]}{PARTS[match[2]]()}{match[4]}", text)


if __name__ == "__main__":
    README.write_text(with_parts(README.read_text(encoding="utf-8")), encoding="utf-8")
