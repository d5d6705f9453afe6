from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import Driven, opened
from tests.helpers.small_capture import OP_HEADER, STATISTIC_HEADER, STEP_HEADER, at, step_lines, text

MARKUP, OPEN, ESCAPE, CJK = "Cast[red]x[/]", "Mul[/x]", "Add\x1b[31m\x07", "卷积/特征👍🏽é"
LONG = "gradients/" * 50 + "end"
NAMES = [MARKUP, OPEN, ESCAPE, CJK, LONG, ""]


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    ops = [
        f'0,11,{i},2,"{name}",T{name[:6]},"[b]{i}[/b]",{at(3100 + 100 * i)},{90 - i}.500,"[8]"'
        for i, name in enumerate(NAMES)
    ]
    capture = csv_capture(
        tmp_path,
        step_trace=text(STEP_HEADER, step_lines()),
        op_summary=text(f"{OP_HEADER},[red]odd(us)", [f"{op},[/]" for op in ops]),
        op_statistic=text(STATISTIC_HEADER, ["0,[red]T[/],[b]C[/b],1,1,1,1,1,1", "0,[/x],N/A,1,1,1,1,1,1"]),
    )
    return capture.path.rename(tmp_path / "PROF_[red]x[")


def clean(user: Driven) -> bool:
    """Whether everything drawn is text that a terminal shows."""
    return all(character.isprintable() for character in user.text.replace("\n", ""))


async def test_it_is_shown_as_text_in_tables_titles_and_chips(odd: Path) -> None:
    async with opened(odd, pane="op_summary", size=(180, 40)) as user:
        assert user.column("Op Name") == NAMES
        for shown in ("PROF_[red]x[", MARKUP, OPEN, "Add\\x1b[31m\\x07", CJK, "[b]0[/b]"):
            assert shown in user.text
        assert "…" + ("gradients/" * 50 + "end")[-35:] in user.text
        await user.go_to(column="Task Type")
        await user.press("equals_sign")
        assert "Task Type = [b]0[/b] ×" in user.text
        assert clean(user)


@pytest.mark.parametrize("row", range(len(NAMES)))
async def test_it_is_shown_as_text_on_the_page_of_an_op(odd: Path, row: int) -> None:
    async with opened(odd, pane="op_summary", size=(140, 100)) as user:
        await user.go_to(row=row)
        await user.press("enter")
        assert user.screen_name == "RowView"
        assert user.title.parts == (NAMES[row],)
        assert "[red]odd(us)" in user.text
        assert clean(user)
        if row < 4:
            assert NAMES[row].replace("\x1b", "\\x1b").replace("\x07", "\\x07") in user.text


async def test_the_long_name_is_whole_on_its_page(odd: Path) -> None:
    async with opened(odd, pane="op_summary", size=(140, 100)) as user:
        await user.go_to(row=4)
        await user.press("enter")
        lines = user.text.splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("   Op Name"))
        begin = lines[first].index("gradients/")
        parts = [line[begin:].split("  ")[0].strip() for line in lines[first : first + 20]]
        assert "".join(parts).startswith(LONG)


async def test_it_is_shown_as_text_in_lanes_and_on_the_iteration_screen(odd: Path) -> None:
    async with opened(odd, size=(180, 50), pane="step_trace") as user:
        await user.press("j", "j", "enter")
        assert user.screen_name == "IterationScreen"
        for name in NAMES:
            await user.press("down" if name is not MARKUP else "g")
        assert "Cast[red]x[" in user.text
        assert "[b]0[/b] 1" in user.words
        assert clean(user)


@pytest.mark.parametrize("key", ["O", "t", "c", "e", "question_mark", "ctrl+p"])
async def test_it_is_shown_as_text_in_dialogs(odd: Path, key: str) -> None:
    async with opened(odd, pane="op_summary", size=(180, 60)) as user:
        await user.press(key)
        assert user.screen_name != "CaptureScreen"
        if key in ("O", "c"):
            assert "[red]odd(us)" in user.text
        if key == "t":
            assert "[b]0[/b] 1 rows" in user.words
        assert clean(user)


@pytest.mark.parametrize("row", range(len(NAMES)))
async def test_it_is_shown_as_text_in_notices(odd: Path, row: int) -> None:
    async with opened(odd, pane="op_summary", size=(180, 60)) as user:
        await user.go_to(row=row)
        await user.press("y")
        assert user.app.clipboard == NAMES[row]
        assert clean(user)
        await user.press("slash")
        await user.enter_text("[red]")
        assert "row 1 of" in user.status
        await user.press("f")
        await user.enter_text("[/x] > 1")
        assert user.screen_name == "PromptScreen"
        assert clean(user)


async def test_op_types_lead_to_their_ops(odd: Path) -> None:
    async with opened(odd, pane="op_statistic", size=(180, 60)) as user:
        assert user.column("OP Type") == ["[red]T[/]", "[/x]"]
        await user.press("enter")
        assert "OP Type: [red]T[/] ×" in user.text
        assert "hides" in user.status


async def test_the_picker_shows_odd_names_as_text(
    odd: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = csv_capture(tmp_path_factory.mktemp("other"), op_summary="Op Name,[/]\na,1\n")
    assert isinstance(other, OpenCapture)
    async with opened(odd, other.path) as user:
        assert "PROF_[red]x[" in user.text
        await user.press("enter")
        assert user.screen_name == "CaptureScreen"
