"""Tables and timelines under names that msprof doesn't give, and in places where it puts none."""

import os
from pathlib import Path

import pytest

from prof_tui.data.capture import find as discover
from prof_tui.data.capture import layout, listing
from prof_tui.data.capture.choice import describe, names_apart
from prof_tui.data.capture.export import read_export
from prof_tui.data.capture.find import find_captures
from prof_tui.data.capture.layout import name_among_neighbours
from prof_tui.data.open_capture import OpenCapture
from prof_tui.errors import NothingToOpenError, UnreadableError
from tests.helpers.captures import column_cells
from tests.helpers.loose_tables import EVENTS, LFS, STATISTIC, ops, put

PROF = "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
MERGED = "mindstudio_profiler_output"
STAMP = "20260921101601"
PROPER = f"op_summary_{STAMP}.csv"


def names_of(capture: OpenCapture) -> list[str | None]:
    return column_cells(capture, capture.table("op_summary"), "Op Name")


def refusal(path: Path) -> str:
    with pytest.raises(NothingToOpenError) as caught:
        find_captures(path)
    return str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "a003-op_summary.csv",
        f"op_summary_{STAMP} (1).csv",
        f"op_summary_{STAMP}-Copy1.csv",
        "op_summary_001.csv",
        "op_summary_test.csv",
        f"OP_SUMMARY_{STAMP}.CSV",
        "Op_Summary.Csv",
        f"brand_new_{STAMP}.csv",
        "what is this?.csv",
        "[red]名前\x1b[31m.csv",
    ],
)
@pytest.mark.parametrize("folder", [f"{PROF}/{MERGED}", f"{PROF}/out of msprof", "downloads"])
def test_the_only_file_with_its_columns_is_the_table_under_any_name(
    tmp_path: Path, folder: str, name: str
) -> None:
    file = put(tmp_path / folder / name, ops())
    for path in (tmp_path, file.parent, file):
        found = find_captures(path)
        capture = OpenCapture(found.captures[0], chosen=found.file)
        assert names_of(capture) == ["Cast_0"]
        assert capture.export.devices == (0,)
        assert capture.export.notices == ()
        assert capture.export.root.joinpath(*capture.path.parts[len(capture.export.root.parts) :]).exists()


def test_a_file_of_a_capture_chooses_its_pane_whatever_its_name(tmp_path: Path) -> None:
    file = put(tmp_path / PROF / MERGED / "mine.csv", ops())
    chosen = OpenCapture(tmp_path / PROF, chosen=file).chosen
    assert chosen is not None
    assert (chosen.type, chosen.suffix) == ("op_summary", "csv")


def test_a_copy_beside_the_proper_file_is_named_and_never_added(tmp_path: Path) -> None:
    folder = tmp_path / PROF / MERGED
    put(folder / PROPER, ops("Proper"))
    copy = put(folder / f"op_summary_{STAMP} (1).csv", ops("Copy"))
    put(folder / "a003.csv", ops("Other"))
    capture = OpenCapture(tmp_path / PROF)
    assert names_of(capture) == ["Proper"]
    assert [item.file.path.name for item in capture.export.unused] == ["a003.csv", copy.name]
    assert capture.export.notices == (
        f"a003.csv is op_summary too, beside {PROPER}: never added; it opens alone by its own path.",
        "1 more file is such a copy: Files (6) has it.",
    )
    assert [(one.stamp, one.used) for one in capture.export.exports] == [(STAMP, True)]
    found = find_captures(copy)
    alone = OpenCapture(found.captures[0], chosen=found.file)
    assert names_of(alone) == ["Copy"]
    assert alone.export.notices == (f"{copy.name} is open alone: the other files of {PROF} are left out.",)


def test_capitals_are_a_copy_where_small_letters_stand_beside_them(tmp_path: Path) -> None:
    folder = tmp_path / PROF / MERGED
    put(folder / PROPER, ops("Proper"))
    put(folder / PROPER.upper(), ops("Copy"))
    assert names_of(OpenCapture(tmp_path / PROF)) == ["Proper"]


def test_slices_in_capitals_are_still_slices(tmp_path: Path) -> None:
    for number in range(3):
        put(tmp_path / PROF / MERGED / f"OP_SUMMARY_SLICE_{number}_{STAMP}.CSV", ops(f"Op_{number}"))
    assert names_of(OpenCapture(tmp_path / PROF)) == ["Op_0", "Op_1", "Op_2"]


@pytest.mark.parametrize("folder", [f"{PROF}/{MERGED}", "artifacts"])
def test_several_of_one_type_without_a_proper_one_are_alternatives(tmp_path: Path, folder: str) -> None:
    files = [put(tmp_path / folder / f"a{n:03}-op_summary.csv", ops(f"Op_{n}")) for n in range(35)]
    found = find_captures(tmp_path / folder)
    assert found.captures == tuple(files)
    assert found.notices == (
        "None of these files has the name that msprof gives its type: each opens alone.",
    )
    assert describe(files[4]).tables == ("op_summary",)
    assert names_of(OpenCapture(files[4], chosen=files[4])) == ["Op_4"]
    one = find_captures(files[7])
    assert names_of(OpenCapture(one.captures[0], chosen=one.file)) == ["Op_7"]


def test_alternatives_cost_the_other_tables_nothing(tmp_path: Path) -> None:
    folder = tmp_path / PROF / MERGED
    put(folder / f"op_statistic_{STAMP}.csv", STATISTIC)
    files = [put(folder / f"op_summary_{n:03}.csv", ops(f"Op_{n}", device=9)) for n in (1, 2)]
    assert find_captures(tmp_path).captures == (tmp_path / PROF,)
    export = read_export(tmp_path / PROF)
    assert [file.path for file in export.alternatives("op_summary")] == files
    assert export.has_table("op_statistic")
    assert not export.has_table("op_summary")
    with pytest.raises(UnreadableError, match=r"^2 files are op_summary, none under the name that msprof"):
        OpenCapture(tmp_path / PROF).table("op_summary")
    assert {item.reason.split(" is ")[1] for item in export.unused} == {
        "one of 2 files that are op_summary, none under its name: each opens alone."
    }


def test_a_number_is_a_device_unless_a_column_says_otherwise(tmp_path: Path) -> None:
    folder = tmp_path / PROF / MERGED
    put(folder / f"op_summary_0_{STAMP}.csv", ops("Of_0", device=0))
    put(folder / f"op_summary_1_{STAMP}.csv", ops("Of_1", device=1))
    put(
        folder / f"task_time_7_{STAMP}.csv", "kernel_name,kernel_type,task_start(us),task_stop(us)\na,b,1,2\n"
    )
    export = read_export(tmp_path / PROF)
    assert export.devices == (0, 1, 7)
    assert names_of(OpenCapture(tmp_path / PROF)) == ["Of_0", "Of_1"]


def test_a_number_that_is_no_device_names_none(tmp_path: Path) -> None:
    put(tmp_path / PROF / MERGED / "op_summary_007.csv", ops(device=0))
    put(tmp_path / PROF / MERGED / "op_statistic_007.csv", STATISTIC)
    export = read_export(tmp_path / PROF)
    assert export.devices == (0,)
    assert [table.device for table in export.tables if table.files] == [None, None]


def test_timelines_are_found_by_their_events(tmp_path: Path) -> None:
    file = put(tmp_path / "trace.json", EVENTS)
    put(tmp_path / "package.json", '{"name": "x"}')
    assert find_captures(file).captures == (file,)
    capture = OpenCapture(find_captures(tmp_path).captures[0])
    assert (capture.path, capture.traces.names()) == (tmp_path, ["msprof"])


def test_a_capture_below_comes_before_what_lies_loose(tmp_path: Path) -> None:
    put(tmp_path / PROPER, ops())
    put(tmp_path / PROF / MERGED / PROPER, ops())
    assert find_captures(tmp_path).captures == (tmp_path / PROF,)


def test_files_that_only_look_like_exports_open_nothing(tmp_path: Path) -> None:
    for name in ("event.csv", "api.json", "dp.csv", "iris.csv", "op_summary.csv"):
        put(tmp_path / name, "sepal_length,species\n1,2\n")
    assert "No capture" in refusal(tmp_path)
    assert "'sepal_length,species' are the columns of no known type" in refusal(tmp_path / "iris.csv")


def test_a_loose_file_that_is_something_else_is_named(tmp_path: Path) -> None:
    assert "Git LFS pointer" in refusal(put(tmp_path / "mine.csv", LFS))
    with pytest.raises(UnreadableError, match="no table of op_summary but a Git LFS pointer"):
        OpenCapture(put(tmp_path / PROPER, LFS)).table("op_summary")


def test_not_more_files_are_opened_than_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discover, "_MOST_LOOKED_AT", 3)
    for number in range(4):
        put(tmp_path / "many" / f"x{number}.csv", ops())
    assert "No capture" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        (f"{PROPER}.gz", "gunzip -k"),
        (f"{PROPER}.zst", "zstd -d"),
        (f"op_summary_{STAMP}.zip", "unzip"),
        (f"{PROPER}.tar.gz", "tar -xf"),
        (f"op_summary_{STAMP}.TGZ", "tar -xf"),
        (f"op_summary_{STAMP}.xlsx", "save the sheet as CSV"),
    ],
)
def test_a_packed_table_is_named_with_what_unpacks_it(tmp_path: Path, name: str, command: str) -> None:
    capture = tmp_path / "my run" / PROF
    put(capture / "device_0" / "info.json.0", "{}")
    file = put(capture / MERGED / name, "x")
    for path in (tmp_path, file):
        text = refusal(path)
        assert name in text
        assert command in text
        assert "not exported" not in text
        assert f"'{file}'" in text or name.endswith("xlsx")
    put(capture / MERGED / f"op_statistic_{STAMP}.csv", STATISTIC)
    export = read_export(capture)
    lacking = export.table("op_summary")
    assert lacking is not None
    assert (lacking.status, lacking.files) == ("unsupported", ())
    assert command in lacking.reason
    assert "Collected with" not in OpenCapture(capture).why_missing("op_summary")


def test_an_archive_in_a_capture_may_be_its_export_and_a_packed_log_is_none(tmp_path: Path) -> None:
    capture = tmp_path / PROF
    put(capture / "device_0" / "info.json.0", "{}")
    put(capture / "run.log.gz", "x")
    assert "not exported" in refusal(capture)
    put(capture / "output.zip", "x")
    assert "output.zip is packed" in refusal(capture)


def test_a_packed_capture_is_named(tmp_path: Path) -> None:
    put(tmp_path / f"{PROF}.tar.gz", "x")
    put(tmp_path / "photos.zip", "x")
    assert f"{PROF}.tar.gz is packed" in refusal(tmp_path)
    assert f"{PROF}.tar.gz is packed" in refusal(tmp_path / f"{PROF}.tar.gz")


@pytest.mark.parametrize("name", ["OPPROF_20260921101530_QWERTZ", "renamed"])
def test_output_of_msprof_op_is_named_from_anywhere(tmp_path: Path, name: str) -> None:
    header = (
        "Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device Id,Pid,Current Freq,Rated Freq\n"
    )
    table = put(tmp_path / name / "OpBasicInfo.csv", header)
    inner = put(tmp_path / name / "dump" / "x.csv", "a\n")
    for path in (tmp_path, table.parent, table, inner):
        assert "msprof op (operator tuning)" in refusal(path)
    assert "msprof op" in refusal(put(tmp_path / "elsewhere" / "basic.csv", header))


def test_output_of_msprof_op_beside_captures_is_a_notice(tmp_path: Path) -> None:
    put(tmp_path / PROF / MERGED / PROPER, ops())
    put(tmp_path / "OPPROF_1" / "OpBasicInfo.csv", "a\n")
    found = find_captures(tmp_path)
    assert found.captures == (tmp_path / PROF,)
    assert "OPPROF_1 is output of msprof op" in found.notices[0]


def test_directories_that_cannot_be_listed_are_named_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / PROF / MERGED / PROPER, ops())
    refused = {tmp_path / f"locked{number}" for number in range(5)}
    for folder in refused:
        folder.mkdir()
    real = os.scandir

    def scandir(path: Path) -> object:
        if path in refused:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = find_captures(tmp_path)
    assert found.captures == (tmp_path / PROF,)
    assert found.notices[0] == f"{tmp_path / 'locked0'} can't be read: Permission denied."
    assert found.notices[3] == f"2 more directories below {tmp_path} can't be read."


def test_captures_are_told_apart_by_the_shortest_part_of_their_paths() -> None:
    ranks = [Path(f"/data/job/rank{n}/{PROF}") for n in (0, 1)]
    assert names_apart(ranks) == [f"rank0/{PROF}", f"rank1/{PROF}"]
    assert names_apart([Path("/a/x/PROF_1"), Path("/a/x/PROF_2")]) == ["PROF_1", "PROF_2"]
    assert names_apart([Path("/a/PROF_1"), Path("/a/b/PROF_1")]) == ["PROF_1", "b/PROF_1"]
    assert names_apart(ranks[:1]) == [PROF]


def test_a_capture_has_its_directorys_name_where_a_neighbour_has_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "_MOST_NEIGHBOURS", 2)
    first = put(tmp_path / "rank0" / PROF / MERGED / PROPER, ops()).parents[1]
    assert name_among_neighbours(first) == PROF
    put(tmp_path / "rank1" / PROF / MERGED / PROPER, ops())
    assert name_among_neighbours(first) == f"rank0/{PROF}"
    assert OpenCapture(first).name == PROF, "no file is waited for"
    assert read_export(first).name == f"rank0/{PROF}"


def test_an_odd_folder_of_a_prof_directory_is_that_capture(tmp_path: Path) -> None:
    put(tmp_path / PROF / "my output" / PROPER, ops())
    assert find_captures(tmp_path).captures == (tmp_path / PROF,)
    export = read_export(tmp_path / PROF)
    assert [file.path.parent.name for table in export.tables for file in table.files] == ["my output"]
    assert export.generation == "loose files"


def test_a_table_of_msprof_op_hides_no_capture_beside_it(tmp_path: Path) -> None:
    put(tmp_path / "OpBasicInfo.csv", "a\n")
    put(tmp_path / PROF / MERGED / PROPER, ops())
    assert find_captures(tmp_path).captures == (tmp_path / PROF,)


def test_files_that_are_not_looked_into_are_counted_and_none_is_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_MOST_LOOKED_AT", 2)
    for name in ("a.csv", "b.csv", "c.csv"):
        put(tmp_path / name, ops() if name == "a.csv" else "x\n")
    export = read_export(tmp_path)
    assert [table.name for table in export.tables if table.files] == ["op_summary"]
    assert export.notices == (
        f"{tmp_path} holds 3 files under odd names; only the first 2 were looked into.",
    )
