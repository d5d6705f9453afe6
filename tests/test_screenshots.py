"""The pictures of the README, taken from the real application.

They are compared byte for byte where the pinned versions are installed; elsewhere each is only drawn.
``PROF_TUI_WRITE_SCREENSHOTS=1 pytest tests/test_screenshots.py`` writes them anew.
"""

import os
import re
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from prof_tui import words
from prof_tui.app import ProfTuiApp
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from tests.helpers.driven_app import Driven

_ROOT = Path(__file__).parents[1]
_PICTURES = _ROOT / "screenshots"
_SIZES = ((80, 24), (160, 45))
_AI_CPU = ("down", "down", "down", "down", "space")
_SLOW_ITERATION = ("2", "down", "down", "down", "down", "enter")
_SHOTS = {
    "overview": (),
    "finding": ("enter",),
    "step_trace": ("2",),
    "op_statistic": ("3",),
    "op_summary": ("4",),
    "op_summary_types": ("4", "t", *_AI_CPU, "enter", "t"),
    "files": ("6",),
    "iteration": _SLOW_ITERATION,
    "iteration_zoomed": (*_SLOW_ITERATION, *"bwwww"),
    "op": (*_SLOW_ITERATION, "b", "enter"),
    "timeline": ("5",),
    "timeline_iteration": (*_SLOW_ITERATION, "5", "b", "f", "s", "s"),
    "event": (*_SLOW_ITERATION, "5", "b", "enter"),
    "gaps": (*_SLOW_ITERATION, "5", "b", "G"),
    "help": ("question_mark",),
}
"""Keys from the first screen of the demo to each picture."""
_PICKED = "PROF_000002_20260922090012456_ASDFGHJKLZXCVBNM"


def _pins_are_installed() -> bool:
    pins = dict(re.findall(r"^([\w-]+)==(\S+)$", (_ROOT / "tests" / "requirements.txt").read_text(), re.M))
    return all(version(name) == pins[name] for name in ("textual", "rich", "polars"))


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The demo, and an old-layout capture beside it."""
    folder = tmp_path_factory.mktemp("captures")
    old = write_capture(folder / "b", demo_run(devices=2, iterations=6), layout="old", name=_PICKED)
    return write_capture(folder / "a", demo_run(), layout="new"), old


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever the locale and the colours of the terminal that runs the tests."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    ascii_only = words.ascii_only()
    words.use_ascii(False)
    yield
    words.use_ascii(ascii_only)


async def _picture(captures: Sequence[Path], keys: Sequence[str], size: tuple[int, int]) -> str:
    app = ProfTuiApp(captures)
    async with app.run_test(size=size) as pilot:
        driven = Driven(app, pilot)
        await driven.settle()
        await driven.press(*keys)
        return app.export_screenshot(title="prof-tui")


def _check(name: str, size: tuple[int, int], picture: str) -> None:
    path = _PICTURES / f"{name}-{size[0]}x{size[1]}.svg"
    if os.environ.get("PROF_TUI_WRITE_SCREENSHOTS"):
        path.write_text(picture, encoding="utf-8", newline="\n")
    elif _pins_are_installed():
        assert picture == path.read_bytes().decode(), f"{path.name} shows something else"


@pytest.mark.parametrize("size", _SIZES, ids="{0[0]}x{0[1]}".format)
@pytest.mark.parametrize("name", _SHOTS)
async def test_a_picture_shows_what_the_program_shows(
    captures: tuple[Path, Path], name: str, size: tuple[int, int]
) -> None:
    _check(name, size, await _picture(captures[:1], _SHOTS[name], size))


@pytest.mark.parametrize("size", _SIZES, ids="{0[0]}x{0[1]}".format)
async def test_the_picker_shows_both_captures(captures: tuple[Path, Path], size: tuple[int, int]) -> None:
    _check("picker", size, await _picture(captures, (), size))
