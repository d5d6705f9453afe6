import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

import pytest

from prof_tui.data.capture import find as discover
from prof_tui.data.capture.choice import describe
from prof_tui.data.capture.find import check_exported, find_captures
from prof_tui.data.capture.layout import capture_date
from prof_tui.errors import NothingToOpenError, ProfTuiError, UnreadableError

PROF = "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
OTHER = "PROF_000002_20260921101530456_00195781ONMNNAML"
MERGED = "mindstudio_profiler_output"
TABLE = "op_summary_20260921101601.csv"
Case = Callable[[str], Path]


def write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def new_layout(capture: Path, device: int = 0) -> Path:
    write(capture / f"device_{device}" / f"info.json.{device}")
    write(capture / "host" / "info.json")
    write(capture / MERGED / TABLE)
    return capture


def refusal(path: Path) -> str:
    with pytest.raises(ProfTuiError) as caught:
        find_captures(path)
    return str(caught.value)


@pytest.fixture
def world_readable() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_stranger(code: str, path: Path) -> str:
    words = [sys.executable, "-B", "-c", code, str(path)]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root reads everything, and setpriv is not here")
        words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *words]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        words, cwd="/", env={"PYTHONPATH": str(root)}, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.parametrize("name", [PROF, "bert_fp16_bs8"])
@pytest.mark.parametrize(
    ("inner", "device"),
    [(".", None), (MERGED, None), ("device_0", 0), ("host", None), (f"{MERGED}/{TABLE}", None)],
)
def test_a_capture_is_found_from_itself_and_from_inside(
    tmp_path: Path, name: str, inner: str, device: int | None
) -> None:
    capture = new_layout(tmp_path / name)
    found = find_captures(capture / inner)
    assert found.captures == (capture,)
    assert found.device == device
    assert found.file == (capture / inner if inner.endswith(".csv") else None)


def test_a_file_inside_a_device_chooses_both(tmp_path: Path) -> None:
    file = write(tmp_path / "run" / "device_10" / "summary" / "op_summary_10_1_1.csv")
    found = find_captures(file)
    assert (found.captures, found.device, found.file) == ((tmp_path / "run",), 10, file)


def test_the_start_directory_is_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = new_layout(tmp_path / PROF)
    monkeypatch.chdir(capture / MERGED)
    assert find_captures(Path(".")).captures == (capture,)
    assert find_captures(Path(TABLE)).file == capture / MERGED / TABLE


def test_a_parent_lists_its_captures_by_name(tmp_path: Path) -> None:
    second, first = new_layout(tmp_path / "b" / "c" / OTHER), new_layout(tmp_path / PROF)
    write(tmp_path / "train.log")
    assert find_captures(tmp_path).captures == (first, second)


def test_a_capture_four_levels_below_is_not_found(tmp_path: Path) -> None:
    new_layout(tmp_path / "a" / "b" / "c" / PROF)
    assert "PROF_*" in refusal(tmp_path)
    assert len(find_captures(tmp_path / "a").captures) == 1


def test_no_capture_is_looked_for_inside_another(tmp_path: Path) -> None:
    capture = new_layout(tmp_path / PROF)
    new_layout(capture / "old" / OTHER)
    assert find_captures(tmp_path).captures == (capture,)


def test_a_capture_reached_twice_is_listed_once_under_its_own_name(tmp_path: Path) -> None:
    capture = new_layout(tmp_path / PROF)
    (tmp_path / "A").symlink_to(PROF)
    (tmp_path / "loop").symlink_to(".")
    assert find_captures(tmp_path).captures == (capture,)


def test_a_link_into_a_capture_leads_to_it(tmp_path: Path) -> None:
    capture = new_layout(tmp_path / "store" / PROF)
    link = tmp_path / "mine.csv"
    link.symlink_to(capture / MERGED / TABLE)
    assert find_captures(link).captures == (capture,)


def test_several_captures_are_listed_although_one_is_not_exported(tmp_path: Path) -> None:
    new_layout(tmp_path / PROF)
    write(tmp_path / OTHER / "device_1" / "info.json.1")
    found = find_captures(tmp_path)
    assert [describe(capture).exported for capture in found.captures] == [True, False]
    with pytest.raises(NothingToOpenError, match="not exported"):
        check_exported(found.captures[1])


def test_the_search_stops_after_so_many_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discover, "_MOST_ENTRIES", 8)
    for number in range(9):
        write(tmp_path / "many" / f"file{number}")
    assert "first 8 entries" in refusal(tmp_path)
    capture = new_layout(tmp_path / PROF)
    found = find_captures(tmp_path)
    assert found.captures == (capture,)
    assert found.notices == (
        f"The search below {tmp_path} stopped after 8 entries; there may be more captures.",
    )


def test_a_capture_that_the_search_may_not_list_is_a_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture, refused = new_layout(tmp_path / PROF), new_layout(tmp_path / OTHER)
    real = os.scandir

    def scandir(path: Path) -> "AbstractContextManager[Iterator[os.DirEntry[str]]]":
        if path == refused:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = find_captures(tmp_path)
    assert found.captures == (capture,)
    assert found.notices == (f"{refused} can't be read: Permission denied.",)


def test_a_missing_path_is_one_line(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nope") == f"No such file or directory: {tmp_path / 'nope'}"
    file = write(tmp_path / "file")
    assert refusal(file / "x") == f"No such file or directory: {file / 'x'}"


def test_a_broken_link_says_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to("gone")
    assert refusal(tmp_path / "latest") == f"{tmp_path / 'latest'} is a broken link: gone doesn't exist."


def test_nothing_found_says_what_was_looked_for_and_where(tmp_path: Path) -> None:
    text = refusal(tmp_path)
    assert all(part in text for part in (str(tmp_path), "PROF_*", MERGED, "device_N"))


def test_an_ordinary_host_directory_is_no_capture(tmp_path: Path) -> None:
    write(tmp_path / "host" / "data" / "x")
    write(tmp_path / "device_0" / "readme")
    assert "No capture" in refusal(tmp_path)


def test_collected_but_not_exported_gives_the_quoted_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/msprof")
    capture = tmp_path / "my run"
    write(capture / "device_0" / "info.json.0")
    write(capture / "device_10" / "info.json.10")
    write(capture / "device_2" / "info.json.2")
    first, command = refusal(capture).split("\n")
    assert "device_0, device_2, device_10" in first
    assert command.strip() == f"msprof --export=on --output='{capture}'"


def test_without_msprof_the_refusal_says_where_it_usually_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    write(tmp_path / "device_0" / "info.json.0")
    assert "source /usr/local/Ascend/ascend-toolkit/set_env.sh" in refusal(tmp_path)


def test_an_output_folder_without_tables_is_not_exported(tmp_path: Path) -> None:
    write(tmp_path / PROF / MERGED / "README.txt")
    assert "not exported" in refusal(tmp_path)


@pytest.mark.parametrize("folder", ["ASCEND_PROFILER_OUTPUT", "FRAMEWORK", "."])
def test_framework_output_leads_to_the_capture_beside_it(tmp_path: Path, folder: str) -> None:
    framework = tmp_path / "host_1_2026_ascend_pt"
    capture = new_layout(framework / PROF)
    file = write(framework / folder / "kernel_details.csv")
    assert find_captures(file).captures == find_captures(file.parent).captures == (capture,)
    assert find_captures(file).file is None


def test_framework_output_without_a_capture_is_named(tmp_path: Path) -> None:
    framework = tmp_path / "rank0_ascend_ms"
    file = write(framework / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv")
    for path in (tmp_path, framework, file):
        assert "torch_npu or MindSpore" in refusal(path)


def test_exit_codes_tell_refused_from_missing() -> None:
    assert (NothingToOpenError.exit_code, UnreadableError.exit_code) == (2, 1)


@pytest.mark.parametrize("inner", ["", PROF, f"{PROF}/{MERGED}/{TABLE}"])
def test_a_capture_of_somebody_else_is_named(world_readable: Path, inner: str) -> None:
    capture = new_layout(world_readable / PROF)
    capture.chmod(0o700 if os.geteuid() == 0 else 0)
    code = (
        "import sys, pathlib\n"
        "from prof_tui.data.capture.find import find_captures\n"
        "from prof_tui.errors import UnreadableError\n"
        "try: find_captures(pathlib.Path(sys.argv[1]))\n"
        "except UnreadableError as error: print(error)"
    )
    said = as_stranger(code, world_readable / inner)
    capture.chmod(0o700)
    assert said.startswith(str(capture))
    assert said.endswith("can't be read: Permission denied.")


def test_the_date_comes_from_the_name_or_the_linked_name(tmp_path: Path) -> None:
    (tmp_path / PROF).mkdir()
    (tmp_path / "latest").symlink_to(PROF)
    collected = datetime(2026, 9, 21, 10, 15, 30)
    assert capture_date(tmp_path / PROF) == capture_date(tmp_path / "latest") == collected
    assert capture_date(tmp_path / "PROF_bert") is None
    assert capture_date(tmp_path / "PROF_000001_99999999999999999_ABC") is None


def test_a_summary_is_made_of_names(tmp_path: Path) -> None:
    capture = new_layout(tmp_path / PROF, device=10)
    new_layout(capture, device=2)
    write(capture / "device_2" / "timeline" / "hccl_2_1_1.json")
    summary = describe(capture)
    assert (summary.devices, summary.tables, summary.exported) == ((2, 10), ("op_summary",), True)


def test_case_not_exported_yet(shared_case: Case) -> None:
    folder = shared_case("not-exported-yet")
    text = refusal(folder)
    assert f"msprof --export=on --output={folder / PROF}" in text
    assert "device_0" in text


def test_case_database_only(shared_case: Case) -> None:
    folder = shared_case("db-only-or-json-summary")
    text = refusal(folder / "db_only")
    assert "msprof_20260921101601.db" in text
    assert "--type=text" in text
    assert "not exported" not in text
    assert describe(folder / "summary_json" / PROF).tables == ("op_summary",)


def test_case_several_captures(shared_case: Case) -> None:
    found = find_captures(shared_case("several-prof-in-output") / "output")
    assert [capture.name[:11] for capture in found.captures] == ["PROF_000001", "PROF_000002"]
    assert [describe(capture).devices for capture in found.captures] == [(0,), (1,)]


def test_case_wrong_directory(shared_case: Case) -> None:
    folder = shared_case("wrong-directory-given")
    job = folder / "job_4711_20260921101530123_ascend_pt"
    inner = (
        ".",
        f"{PROF}/device_0",
        f"{PROF}/{MERGED}",
        f"{PROF}/{MERGED}/{TABLE}",
        "ASCEND_PROFILER_OUTPUT",
    )
    assert {find_captures(job / path).captures for path in inner} == {(job / PROF,)}
    assert str(folder / "empty_dir") in refusal(folder / "empty_dir")


def test_case_links_and_loop(shared_case: Case) -> None:
    folder = shared_case("symlink-and-loop")
    for path in ("latest", "store", "store2", ".", f"store/{PROF}/up"):
        assert len(find_captures(folder / path).captures) == 1


def test_case_renamed(shared_case: Case) -> None:
    folder = shared_case("renamed-prof-device-10")
    (capture,) = find_captures(folder).captures
    assert (capture.name, describe(capture).devices) == ("PROF_bert_fp16_bs8", (0, 2, 10))
