import base64
import os
import re
import shlex
import signal
from pathlib import Path

import pytest

from tests.helpers.captures import csv_capture
from tests.helpers.real_terminal import PROGRAM, RealTerminal

OPS = """Op Name,Task Type,Task Duration(us)
卷积/LayerNormV3_7,AI_CORE,9.5
Add_1,AI_CORE,3.25
Cast_2,AI_CPU,1
"""
SHOWN = "▶卷积/LayerNormV3_7"


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return csv_capture(tmp_path, op_summary=OPS).path


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("start")


def op_summary(capture: Path) -> list[str]:
    """The command that opens its op summary."""
    return [*PROGRAM, str(capture), "--pane", "op_summary"]


def colours(output: bytes) -> set[bytes]:
    """The parameters of colour sequences, which are 30 and above."""
    styles = {
        part for style in re.findall(rb"\x1b\[([0-9;]*)m", output) for part in style.split(b";") if part
    }
    return {part for part in styles if int(part) >= 30}


@pytest.mark.parametrize(
    "sent", [b"\x1b[MC\x8e%", b"\x1b[MC\xc5", b"\xff", b"\x1b[MCq%", b"\x1b[MC\x8e%" * 50]
)
def test_mouse_reports_of_the_old_form_are_lived_through(capture: Path, folder: Path, sent: bytes) -> None:
    with RealTerminal(op_summary(capture), folder=folder, size=(40, 120)) as terminal:
        terminal.wait_for(SHOWN)
        terminal.send(sent)
        terminal.wait_for("▶Cast_2", again=b"G")
        terminal.send(b"q")
        assert terminal.status() == 0
        assert b"Traceback" not in terminal.output


def test_ctrl_z_gives_the_shell_back_and_fg_the_screen(capture: Path, folder: Path) -> None:
    shell = {"PS1": "READY-$?> ", "HISTFILE": ""}
    with RealTerminal(["bash", "--norc", "-i"], folder=folder, environment=shell, size=(24, 120)) as terminal:
        terminal.wait_for("READY-0> ")
        terminal.send(f"{shlex.join(op_summary(capture))}\n".encode())
        terminal.wait_for(SHOWN)
        terminal.send(b"G")
        terminal.wait_for("▶Cast_2")
        terminal.send(b"\x1a")
        terminal.wait_for("READY-147> ")
        assert b"\x1b[?1049l" in terminal.output
        terminal.send(b"echo typed-$((1+1))\n")
        assert "echo typed-$((1+1))" in terminal.wait_for("typed-2")
        terminal.send(b"fg\n")
        assert "▶Cast_2" in terminal.wait_for("q Quit")
        terminal.send(b"q")
        terminal.wait_for("READY-0> ")
        terminal.send(b"exit\n")
        assert terminal.status() == 0


@pytest.mark.parametrize("before", [b"", b"?", b"f"])
def test_ctrl_c_says_how_to_quit_also_over_a_dialog(capture: Path, folder: Path, before: bytes) -> None:
    with RealTerminal(op_summary(capture), folder=folder) as terminal:
        terminal.wait_for(SHOWN)
        if before:
            terminal.send(before)
            terminal.wait_for({b"?": "The column under the cursor", b"f": "COLUMN OP VALUE"}[before])
        terminal.send(b"\x03")
        terminal.wait_for("q quits")
        terminal.send(b"\x11")
        assert terminal.status() == 0


def test_the_terminal_is_left_as_it_was_found(capture: Path, folder: Path) -> None:
    with RealTerminal(op_summary(capture), folder=folder) as terminal:
        terminal.wait_for(SHOWN)
        terminal.send(b"q")
        assert terminal.status() == 0
        for off in (b"\x1b[?1049l", b"\x1b[?1003l", b"\x1b[?25h", b"\x1b[?2004l"):
            assert off in terminal.output[terminal.output.rindex(b"\x1b[?2004h") :]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_lost_demo_leaves_no_files(folder: Path, number: signal.Signals) -> None:
    with RealTerminal([*PROGRAM, "demo"], folder=folder, environment={"TMPDIR": str(folder)}) as terminal:
        terminal.wait_for("Step trace")
        assert [path.name.startswith("prof-tui-demo-") for path in folder.iterdir()] == [True]
        os.kill(terminal.process, number)
        assert terminal.status() == 128 + number
        assert b"\x1b[?1049l" in terminal.output
    assert not list(folder.iterdir())


@pytest.mark.parametrize("more", [["--pane", "op_summary"], ["--pane", "timeline"], []])
def test_a_lost_terminal_ends_it(capture: Path, folder: Path, more: list[str]) -> None:
    with RealTerminal([*PROGRAM, str(capture), *more], folder=folder) as terminal:
        terminal.wait_for("q Quit")
        assert terminal.hang_up() != 0, "it says so when it gives up, whichever part notices first"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_an_ended_program_gives_the_terminal_back(
    capture: Path, folder: Path, number: signal.Signals
) -> None:
    with RealTerminal(op_summary(capture), folder=folder) as terminal:
        terminal.wait_for(SHOWN)
        os.kill(terminal.process, number)
        assert terminal.status() == 128 + number
        assert b"\x1b[?1049l" in terminal.output


def test_a_copied_cell_reaches_the_terminal_whole(capture: Path, folder: Path, cache: Path) -> None:
    with RealTerminal(op_summary(capture), folder=folder) as terminal:
        terminal.wait_for(SHOWN)
        terminal.send(b"y")
        terminal.wait_for("Copied 20 B: 卷积/LayerNormV3_7 ")
        copied = base64.b64encode("卷积/LayerNormV3_7".encode())
        assert b"\x1b]52;c;" + copied in terminal.output
    assert (cache / "prof-tui-copy.txt").read_text() == "卷积/LayerNormV3_7"


def test_sizes_of_any_kind_are_lived_through(capture: Path, folder: Path) -> None:
    with RealTerminal(op_summary(capture), folder=folder) as terminal:
        terminal.wait_for(SHOWN)
        terminal.send(b"j")
        terminal.wait_for("▶Add_1")
        for size in ((5, 20), (1, 1), (100, 300)):
            terminal.resize(*size)
        terminal.wait_for("Task Duration(us)")
        terminal.resize(24, 80)
        terminal.wait_for("▶Add_1")
        terminal.send(b"q")
        assert terminal.status() == 0


@pytest.mark.parametrize("term", ["vt100", "screen", "screen.xterm-256color"])
def test_no_24_bit_colours_where_the_terminal_knows_none(capture: Path, folder: Path, term: str) -> None:
    asked = {"TERM": term, "COLORTERM": "truecolor"}
    with RealTerminal(op_summary(capture), folder=folder, environment=asked) as terminal:
        terminal.wait_for("q Quit")
        assert b"38;2;" not in terminal.output
        assert b"48;2;" not in terminal.output
        assert bool(colours(terminal.output)) is (term != "vt100")


def test_without_colours_the_row_and_the_choice_are_still_told_apart(capture: Path, folder: Path) -> None:
    with RealTerminal(op_summary(capture), folder=folder, environment={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for(SHOWN)
        terminal.send(b"O")
        terminal.wait_for("Escape closes")
        assert b"\x1b[1;4mTask Duration(us)" in terminal.output
        assert colours(terminal.output) == set()


@pytest.mark.parametrize(
    ("key", "said"), [(b"t", "Space marks"), (b"?", "The column under the cursor"), (b"f", "COLUMN OP VALUE")]
)
def test_a_c_locale_gets_ascii_only(capture: Path, folder: Path, key: bytes, said: str) -> None:
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}
    with RealTerminal(op_summary(capture), folder=folder, environment=plain) as terminal:
        terminal.wait_for(">??/LayerNormV3_7")
        terminal.send(key)
        terminal.wait_for(said)
        assert terminal.output.isascii()
        assert b"\\u" not in terminal.output


@pytest.mark.parametrize("term", ["dumb", "", "unknown"])
def test_a_terminal_that_cannot_draw_gets_one_line_and_status_2(
    capture: Path, folder: Path, term: str
) -> None:
    with RealTerminal(op_summary(capture), folder=folder, environment={"TERM": term}) as terminal:
        assert terminal.status() == 2
        assert b"terminal" in terminal.output
        assert terminal.output.count(b"\n") == 1
        assert b"\x1b" not in terminal.output
