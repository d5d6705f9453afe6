import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.screen import ModalScreen

from prof_tui.data.capture.find import find_captures
from prof_tui.errors import NothingToOpenError
from tests.helpers.driven_app import Driven, opened

_SHARED = Path(__file__).parents[3] / "shared"
CASES = sorted(path.parent.name for path in (_SHARED / "cases").glob("*/expect.json"))
CAPTURES = sorted(str(path.relative_to(_SHARED / "data")) for path in (_SHARED / "data").rglob("PROF_*"))
KEYS = {"step_trace": "2", "op_statistic": "3", "op_summary": "4", "files": "6"}
_OF_THE_TERMINAL = {
    "copy-and-resize",
    "ctrl-z-and-ctrl-c",
    "dumb-terminal-c-locale-no-tty",
    "x10-mouse-bytes",
}
"""Cases whose capture is a plain one: test_terminal has them."""

Shown = Callable[[str], Path]


def expected(case: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((case / "expect.json").read_text())
    return read


def openable(case: Path) -> Iterator[Path]:
    """Every capture of a case; what is not one is the command line's to refuse."""
    try:
        yield from find_captures(case).captures
    except NothingToOpenError:
        return


async def only_capture(case: Path) -> Path:
    [capture] = openable(case)
    return capture


def in_pane(user: Driven, name: str) -> bool:
    return user.screen_name == "CaptureScreen" and user.pane_name == name


def panes_of(wanted: dict[str, Any]) -> list[str]:
    """The panes that a case is about, and the files; all where it doesn't say."""
    parts = [wanted, *wanted.get("dirs", {}).values()]
    named = {name for part in parts for name in (part.get("pane"), *part.get("panes", {})) if name in KEYS}
    return [name for name in KEYS if not named or name in {*named, "files"}]


async def visit_panes(user: Driven, names: Iterable[str], *keys: str) -> None:
    """Press keys in each pane, the last of them leads in; nothing may fail in a way that nobody foresaw."""
    for name in names:
        await user.press(KEYS[name])
        for key in keys:
            await user.press(key)
            if isinstance(user.screen, ModalScreen):
                await user.press("escape")
        for said in (user.text, *user.said):
            assert "unexpected" not in said
        if not in_pane(user, name):
            await user.press("escape")
        assert in_pane(user, name)


async def check_pane(user: Driven, name: str, wanted: dict[str, Any]) -> None:
    if name not in KEYS:
        return
    await user.press(KEYS[name])
    if name == "step_trace":
        await user.press("X")
    said = " ".join([user.words, user.message, user.pane_notices]).lower()
    for word in wanted.get("message_contains", ()):
        assert word.lower() in said
    if "rows" in wanted and not user.message:
        assert f"/ {wanted['rows']} matched / {wanted['rows']} total" in user.status
    if "columns" in wanted and user.pane.table is not None:
        own = [column for column in user.pane.table.columns if not column.derived]
        assert len(own) == wanted["columns"]


@pytest.mark.parametrize("case", [case for case in CASES if case not in _OF_THE_TERMINAL])
async def test_the_panes_of_every_case_can_be_used(shared_case: Shown, case: str) -> None:
    folder = shared_case(case)
    for capture in openable(folder):
        async with opened(capture, size=(120, 30)) as user:
            await visit_panes(user, panes_of(expected(folder)), "t", "enter")


@pytest.mark.parametrize("case", CASES)
async def test_panes_show_the_rows_and_messages_that_are_expected(shared_case: Shown, case: str) -> None:
    folder = shared_case(case)
    wanted = expected(folder)
    if case == "permission-0640" and os.geteuid() == 0:
        pytest.skip("root may read everything")
    if "panes" in wanted:
        async with opened(await only_capture(folder)) as user:
            for name, each in wanted["panes"].items():
                await check_pane(user, name, each)
    elif "pane" in wanted:
        async with opened(await only_capture(folder)) as user:
            await check_pane(user, wanted["pane"], wanted)
    for inner, each in wanted.get("dirs", {}).items():
        if "pane" in each:
            async with opened(folder / inner) as user:
                await check_pane(user, each["pane"], each)


@pytest.mark.parametrize(
    "case", ["tab-19-digit-start", "starts-sorted-as-text", "ai-cpu-only", "renamed-prof-device-10"]
)
async def test_rows_come_in_the_expected_order(shared_case: Shown, case: str) -> None:
    folder = shared_case(case)
    wanted = expected(folder)
    async with opened(await only_capture(folder), pane=wanted["pane"]) as user:
        for order in wanted["sort"]:
            await user.go_to(column=order["by"])
            mark = "▼" if order["dir"] == "desc" else "▲"
            while f"by {order['by']} {mark}" not in user.status:
                await user.press("o")
            assert user.column("Op Name") == order["op_names"]
        for name, cells in wanted.get("cells", {}).items():
            row = next(row for row in user.rows if row["Op Name"] == name)
            assert {header: row[header] for header in cells} == cells
        if "relative_start_us" in wanted:
            await user.press("r")
            starts = {row["Op Name"]: row["Task Start Time(us)"] for row in user.rows}
            assert starts == wanted["relative_start_us"]


@pytest.mark.parametrize("case", ["op-across-iterations"])
async def test_iterations_hold_the_expected_ops(shared_case: Shown, case: str) -> None:
    folder = shared_case(case)
    wanted = expected(folder)
    async with opened(await only_capture(folder), pane="step_trace") as user:
        for name, ops in wanted["drill"].items():
            iteration = name.partition("/")[2]
            await user.go_to(row=user.column("Iteration ID").index(iteration))
            await user.press("enter")
            assert sorted(user.column("Op Name")) == sorted(ops)
            await user.press("escape")
        await user.press("0", "4")
        assert "5 total" in user.status
        await user.go_to(row=user.column("Op Name").index(wanted["outside"][0]))
        await user.press("enter")
        assert "In no iteration" in user.text


@pytest.mark.parametrize(
    ("case", "sort", "first"),
    [("file-shrinks-while-open", "Op Name", "Mul_0")],
)
async def test_a_file_of_200_000_rows_may_shrink_while_it_is_shown(
    shared_case: Shown, case: str, sort: str, first: str
) -> None:
    capture = await only_capture(shared_case(case))
    file = capture / "mindstudio_profiler_output" / "op_summary_20260921101601.csv"
    whole = file.read_bytes()
    async with opened(capture, pane="op_summary") as user:
        assert "200,000 matched / 200,000 total" in user.status
        file.write_bytes(b"")
        await user.go_to(column=sort)
        await user.press("o", "G")
        assert user.app.is_running
        assert file.name in " ".join([user.text, *user.said])
        file.write_bytes(whole)
        await user.press("R")
        assert "200,000 matched / 200,000 total" in user.status
        await user.go_to(column=sort)
        await user.press("o", "g")
        assert user.column(sort)[0] == first


async def test_several_captures_are_offered_in_order_and_each_opens(shared_case: Shown) -> None:
    folder = shared_case("several-prof-in-output")
    wanted = expected(folder)
    captures = find_captures(folder / wanted["open"]).captures
    assert [capture.name for capture in captures] == wanted["choices"]
    for place, op in wanted["after_choice"].items():
        async with opened(*captures, size=(120, 30)) as user:
            await user.press(*["down"] * int(place), "enter", "4")
            assert user.column("Op Name") == [op]


async def test_captures_of_one_name_are_told_apart_and_each_opens(shared_case: Shown) -> None:
    folder = shared_case("same-name-under-two-ranks")
    captures = find_captures(folder).captures
    for place, name in enumerate(expected(folder)["picker_shows"]):
        async with opened(*captures, size=(120, 30)) as user:
            assert all(f"{each}/PROF_" in user.text for each in expected(folder)["picker_shows"])
            await user.press(*["down"] * place, "enter", "4")
            assert user.column("Op Name") == [f"Cast_r{place}"]
            assert user.title.name.startswith(f"{name}/PROF_")


@pytest.mark.parametrize("capture", CAPTURES)
async def test_every_pane_of_every_real_capture_can_be_used(shared_data: Path, capture: str) -> None:
    try:
        [path] = find_captures(shared_data / capture).captures
    except NothingToOpenError:
        pytest.skip("not exported")
    async with opened(path, size=(120, 30)) as user:
        await visit_panes(user, KEYS, "t", "r", "o", "O", "c", "question_mark", "G", "enter")
