from pathlib import Path

from prof_tui.demo.write import PROF_NAME

from .conftest import Cli


def test_a_demo_in_a_new_directory_is_printed_and_readable(cli: Cli, tmp_path: Path) -> None:
    ran = cli("demo", "new", "--no-open")
    assert (ran.out, ran.err, ran.code) == (f"new/{PROF_NAME}\n", "", 0)
    assert cli("table", tmp_path / "new", "step_trace", "--limit", "1").code == 0


def test_a_demo_without_a_terminal_or_directory_stays_and_says_so(cli: Cli) -> None:
    ran = cli("demo")
    folder = Path(ran.out.strip()).parent
    assert (folder / PROF_NAME / "mindstudio_profiler_output").is_dir()
    assert (ran.err, ran.code) == (f"note: {folder} is kept; delete it when you are done with it.\n", 0)


def test_the_old_layout_has_a_file_per_iteration(cli: Cli, tmp_path: Path) -> None:
    assert cli("demo", "old", "--no-open", "--layout", "old").code == 0
    summary = tmp_path / "old" / PROF_NAME / "device_0" / "summary"
    assert len(list(summary.glob("op_summary_0_11_*.csv"))) == 12


def test_a_directory_in_use_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").touch()
    ran = cli("demo", "used")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err.startswith("prof-tui: used is not empty; ")
    assert [path.name for path in (tmp_path / "used").iterdir()] == ["file"]


def test_nothing_is_written_into_a_capture(cli: Cli, demo: Path) -> None:
    target = demo / "device_0" / "demo"
    ran = cli("demo", target, "--no-open")
    assert (ran.out, ran.code) == ("", 2)
    assert ran.err == (
        f"prof-tui: {target} is inside a capture, where nothing is written: name a directory elsewhere.\n"
    )
    assert not target.exists()


def test_a_refused_demo_leaves_no_temporary_directory(cli: Cli, demo: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in demo.iterdir())
    ran = cli("demo", env={"TMPDIR": str(demo)})
    assert (ran.out, ran.code) == ("", 2)
    assert sorted(path.name for path in demo.iterdir()) == before
