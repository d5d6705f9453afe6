import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from prof_tui import __version__, cli
from prof_tui.demo.write import capture_skeleton
from tests.helpers.command_line import ROOT

from .conftest import Cli

NO_TERMINAL = (
    "prof-tui: The screen needs a terminal (stdin, stdout, stderr); "
    "without: prof-tui table {path} op_summary\n"
)


def test_without_a_terminal_one_sentence_says_what_works_instead(cli: Cli, demo: Path) -> None:
    for words in ((demo,), ("open", demo), ("--device", "0", demo)):
        ran = cli(*words)
        assert (ran.out, ran.err, ran.code) == ("", NO_TERMINAL.format(path=demo), 2)


def test_no_argument_opens_the_current_directory(cli: Cli, demo: Path) -> None:
    ran = cli(cwd=demo)
    assert (ran.out, ran.err, ran.code) == ("", NO_TERMINAL.format(path="."), 2)


def on_a_terminal(path: Path, term: str, stderr: int | None) -> tuple[bytes, bytes, int]:
    """What a terminal was sent, what a redirected stderr was, and the exit code."""
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "prof_tui", str(path)],
        stdin=inner,
        stdout=inner,
        stderr=inner if stderr is None else stderr,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TERM": term},
    )
    os.close(inner)
    _out, err = process.communicate(timeout=60)
    drawn = os.read(outer, 65536) if stderr is None else b""
    os.close(outer)
    return drawn, err or b"", process.returncode


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
def test_a_terminal_that_cannot_draw_gets_one_sentence_without_an_escape(demo: Path, term: str) -> None:
    drawn, _err, code = on_a_terminal(demo, term, None)
    assert (drawn.decode().replace("\r\n", "\n"), code) == (NO_TERMINAL.format(path=demo), 2)


def test_a_redirected_stderr_gets_no_screen(demo: Path) -> None:
    _drawn, err, code = on_a_terminal(demo, "xterm-256color", subprocess.PIPE)
    assert (err.decode(), code) == (NO_TERMINAL.format(path=demo), 2)


def test_a_refusal_loads_neither_the_screen_nor_polars(demo: Path) -> None:
    script = (
        "import sys; from prof_tui.cli import main; main([sys.argv[1]]); "
        "print([name for name in ('textual', 'rich', 'polars') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(demo)],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    assert done.stdout == b"[]\n"


def test_a_word_that_is_nothing_is_met_with_the_nearest_command(cli: Cli) -> None:
    near, far, path = cli("tabel", "x"), cli("qqq"), cli("no/such")
    assert near.err == (
        "prof-tui: No such file or directory: tabel; nor is it a command, the nearest is table.\n"
    )
    assert far.err == (
        "prof-tui: No such file or directory: qqq; nor is it a command, those are open, files, table, "
        "report, trace, demo, help.\n"
    )
    assert path.err == "prof-tui: No such file or directory: no/such\n"
    assert [ran.code for ran in (near, far, path)] == [2, 2, 2]


def test_a_directory_with_a_commands_name_opens_by_its_path(cli: Cli, tmp_path: Path) -> None:
    capture_skeleton(tmp_path / "files", "new")
    assert "was collected but not exported" in cli("./files").err


def test_what_cannot_be_opened_says_why_before_anything_else(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    raw = capture_skeleton(tmp_path / "raw", "new")
    nothing, not_exported = cli("empty"), cli("raw")
    assert nothing.err.startswith("prof-tui: No capture in empty: looked for PROF_* directories, ")
    assert f"  msprof --export=on --output={raw}\n" in not_exported.err
    assert (nothing.code, not_exported.code) == (2, 2)
    assert nothing.out + not_exported.out == ""


def test_a_command_lists_several_captures(cli: Cli, tmp_path: Path) -> None:
    first = capture_skeleton(tmp_path / "out", "new", (0, 1), name="PROF_000001_20260921101530123_QWERTZ")
    second = capture_skeleton(tmp_path / "out", "new", (2,), name="PROF_000002_20260921101531456_QWERTZ")
    for words in (("table", "out", "op_summary"), ("files", "out")):
        ran = cli(*words)
        assert (ran.out, ran.code) == ("", 2)
        assert ran.err == (
            "prof-tui: There are 2 captures in out; give one of them:\n"
            f"  {first}  2026-09-21 10:15:30; devices 0, 1; not exported\n"
            f"  {second}  2026-09-21 10:15:31; device 2; not exported\n"
        )


def test_version_and_help_are_data(cli: Cli) -> None:
    version, described = cli("--version"), cli("--help")
    assert (version.out, version.code) == (f"prof-tui {__version__}\n", 0)
    assert described.code == 0
    assert all(f"    {command} " in described.out for command in ("open", "files", "table", "demo"))


def test_a_wrong_option_is_one_line(cli: Cli, demo: Path) -> None:
    ran = cli("table", demo, "op_summary", "--limit", "-1")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == "prof-tui: argument --limit: -1 is less than 0 (see prof-tui table --help)\n"


def test_an_interrupt_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], demo: Path
) -> None:
    def interrupted(path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "single_capture", interrupted)
    assert cli.main(["files", str(demo)]) == 130
    assert capsys.readouterr() == ("", "prof-tui: Interrupted.\n")


def test_help_can_be_read_in_any_locale(cli: Cli) -> None:
    env = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert cli("table", "--help", env=env).out.isascii()
