import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from prof_tui.data.capture.export import Export, read_export
from prof_tui.data.capture.file_sets import FileSet
from prof_tui.data.capture.refusals import unreadable_file
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.errors import UnreadableError

PROF = "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
MERGED = "mindstudio_profiler_output"
Case = Callable[[str], Path]


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    folder = tmp_path / PROF
    folder.mkdir()
    return folder


def fill(capture: Path, folder: str, *names: str, text: str = "x") -> None:
    for name in names:
        path = capture / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(file_set: FileSet | None) -> list[str]:
    assert file_set is not None
    return [file.path.name for file in file_set.files]


def unused(export: Export) -> dict[str, str]:
    return {item.file.path.name: item.reason for item in export.unused}


def test_stamps_that_differ_by_seconds_are_one_export(capture: Path) -> None:
    fill(capture, MERGED, "msprof_20260716124440.json", "op_summary_20260716124441.csv", "README.txt")
    fill(capture, ".", "msprof_20260716124440.db")
    export = read_export(capture)
    assert [(one.stamp, one.used, len(one.files)) for one in export.exports] == [("20260716124440", True, 2)]
    assert names(export.table("op_summary")) == ["op_summary_20260716124441.csv"]
    assert [names(timeline) for timeline in export.timelines] == [["msprof_20260716124440.json"]]
    assert [file.path.name for file in export.other] == ["README.txt", "msprof_20260716124440.db"]
    assert (export.generation, export.notices) == ("new layout", ())


def test_the_newest_export_is_used_and_the_older_one_named(capture: Path) -> None:
    older = ("op_summary_20260921101601.csv", "step_trace_20260921101602.csv", "aicpu_20260921101603.csv")
    newer = ("step_trace_20260921235958.csv", "op_summary_20260922000001.csv")
    fill(capture, MERGED, *older, *newer)
    export = read_export(capture)
    assert [(one.stamp, one.used) for one in export.exports] == [
        ("20260921235958", True),
        ("20260921101601", False),
    ]
    assert names(export.table("op_summary")) == ["op_summary_20260922000001.csv"]
    assert names(export.table("step_trace")) == ["step_trace_20260921235958.csv"]
    missing = export.table("aicpu")
    assert missing is not None
    assert (missing.status, missing.files) == ("missing", ())
    assert "20260921101601" in export.notices[0]
    assert "aicpu_20260921101603.csv" in export.notices[1]
    assert set(unused(export)) == set(older)


def test_an_older_export_opens_when_one_of_its_files_is_chosen(capture: Path) -> None:
    fill(capture, MERGED, "op_summary_20260921101601.csv", "op_summary_20260921111601.csv")
    chosen = capture / MERGED / "op_summary_20260921101601.csv"
    export = read_export(capture, chosen=chosen)
    assert names(export.table("op_summary")) == [chosen.name]
    assert [one.used for one in export.exports] == [False, True]


def test_three_exports_are_cut_at_the_largest_gaps(capture: Path) -> None:
    stamps = ("20260921100000", "20260921100100", "20260921100200")
    fill(
        capture, MERGED, *(f"{kind}_{stamp}.csv" for stamp in stamps for kind in ("op_summary", "task_time"))
    )
    fill(capture, MERGED, "msprof_20260921100058.json", "msprof_20260921100203.json")
    exports = read_export(capture).exports
    assert [one.stamp for one in exports] == [stamps[2], "20260921100058", stamps[0]]
    assert [len(one.files) for one in exports] == [3, 3, 2]


def test_a_sliced_export_after_one_without_slices_is_another_export(capture: Path) -> None:
    newer = ["op_summary_slice_0_20260921111601.csv", "op_summary_slice_1_20260921111602.csv"]
    fill(capture, MERGED, "op_summary_20260921101601.csv", *newer)
    assert names(read_export(capture).table("op_summary")) == newer


def test_slices_follow_each_other_by_number(capture: Path) -> None:
    first = "op_summary_20260921101601.csv"
    slices = [f"op_summary_slice_{number}_20260921101602.csv" for number in range(1, 12)]
    parts = [f"msprof_slice_{number}_20260921101601.json" for number in range(11)]
    fill(capture, MERGED, first, *reversed(slices), *parts)
    export = read_export(capture)
    assert names(export.table("op_summary")) == [first, *slices]
    assert [names(timeline) for timeline in export.timelines] == [parts]


def test_files_of_iterations_join_by_device_model_and_iteration(capture: Path) -> None:
    fill(
        capture, "device_0/summary", "op_summary_0_1_10.csv", "op_summary_0_1_9.csv", "op_summary_0_11_2.csv"
    )
    fill(capture, "device_10/summary", "op_summary_10_1_1.csv")
    fill(capture, "device_2/summary", "op_summary_2_1.csv")
    export = read_export(capture)
    table = export.table("op_summary")
    assert table is not None
    places = [(file.device, file.model, file.iteration) for file in table.files]
    assert places == [(0, 1, 9), (0, 1, 10), (0, 11, 2), (2, None, 1), (10, 1, 1)]
    assert (table.device, table.model, table.iteration) == (None, None, None)
    assert (export.devices, export.generation) == ((0, 2, 10), "old layout")
    assert [(one.stamp, one.used, len(one.files)) for one in export.exports] == [(None, True, 5)]


def test_a_timeline_is_one_device_model_and_iteration(capture: Path) -> None:
    fill(capture, "device_0/timeline", *(f"msprof_0_2_{number}.json" for number in (10, 1)))
    fill(capture, "device_0/timeline", "msprof_0_2_2_slice_1.json", "msprof_0_2_2_slice_0.json")
    timelines = read_export(capture).timelines
    assert [(one.device, one.model, one.iteration) for one in timelines] == [(0, 2, 1), (0, 2, 2), (0, 2, 10)]
    assert names(timelines[1]) == ["msprof_0_2_2_slice_0.json", "msprof_0_2_2_slice_1.json"]


def test_a_step_trace_that_every_iteration_repeats_is_read_once_per_device(capture: Path) -> None:
    for device in (0, 1):
        files = (f"step_trace_{device}_1_{number}" for number in (1, 2, 10))
        for name in files:
            fill(capture, f"device_{device}/summary", f"{name}.csv")
            fill(capture, f"device_{device}/timeline", f"{name}.json")
    fill(capture, "device_1/summary", "step_trace_1_1_2.csv", text="longer")
    export = read_export(capture)
    table = export.table("step_trace")
    assert names(table) == ["step_trace_0_1_1.csv", "step_trace_1_1_2.csv"]
    timelines = [one for one in export.timelines if one.name == "step_trace"]
    assert [(one.device, one.model, one.iteration) for one in timelines] == [(0, None, None), (1, None, None)]
    assert [names(one) for one in timelines] == [["step_trace_0_1_1.json"], ["step_trace_1_1_1.json"]]
    assert len(export.unused) == 8
    assert export.notices == ()


def test_merged_files_cover_those_of_devices_which_are_never_added(capture: Path) -> None:
    fill(capture, MERGED, "op_summary_20231010101010.csv", "msprof_20231010101010.json")
    fill(capture, "device_0/summary", "op_summary_0_1_1_20231010101009.csv", "aicpu_0_1_1_20231010101009.csv")
    fill(capture, "device_0/timeline", "msprof_0_1_1_20231010101008.json")
    export = read_export(capture)
    assert names(export.table("op_summary")) == ["op_summary_20231010101010.csv"]
    assert names(export.table("aicpu")) == ["aicpu_0_1_1_20231010101009.csv"]
    assert [names(one) for one in export.timelines] == [["msprof_20231010101010.json"]]
    assert (
        unused(export)["op_summary_0_1_1_20231010101009.csv"]
        == "op_summary_20231010101010.csv holds the same."
    )
    assert export.notices == (f"2 files of device_N are not used: {MERGED} holds their rows.",)
    assert export.generation == "both layouts"


def test_a_merged_file_of_one_device_covers_only_that_device(capture: Path) -> None:
    fill(capture, MERGED, "op_summary_0_20231010101010.json")
    fill(capture, "device_0/summary", "op_summary_0_1_1_20231010101009.csv")
    fill(capture, "device_1/summary", "op_summary_1_1_1_20231010101009.csv")
    table = read_export(capture).table("op_summary")
    assert names(table) == ["op_summary_0_20231010101010.json", "op_summary_1_1_1_20231010101009.csv"]


def test_a_summary_as_json_is_a_table_and_never_added_to_the_csv(capture: Path) -> None:
    fill(
        capture, "device_0/summary", "op_summary_0_1_1.json", "op_summary_0_1_2.json", "op_summary_0_1_2.csv"
    )
    fill(capture, "device_0/summary", "task_time_0_1_1.json", "prof_rule_0.json")
    fill(capture, "device_0/timeline", "task_time_0_1_1.json")
    export = read_export(capture)
    assert names(export.table("op_summary")) == ["op_summary_0_1_1.json", "op_summary_0_1_2.csv"]
    assert names(export.table("task_time")) == ["task_time_0_1_1.json"]
    assert [one.name for one in export.timelines] == ["msprof", "task_time"]
    assert [file.path.name for file in export.other] == ["prof_rule_0.json"]


def test_merged_json_is_a_timeline_by_its_type(capture: Path) -> None:
    files = ("msprof", "msprof_tx", "step_trace", "op_summary", "unknown")
    fill(capture, MERGED, *(f"{name}_20260921101601.json" for name in files))
    export = read_export(capture)
    assert [one.name for one in export.timelines] == ["step_trace", "msprof", "msprof_tx"]
    assert names(export.table("op_summary")) == ["op_summary_20260921101601.json"]
    assert [file.name.type for file in export.other] == ["unknown"]


def test_files_of_the_host_have_no_device(capture: Path) -> None:
    fill(capture, "host/summary", "acl_7_1.csv")
    fill(capture, "host/timeline", "msprof_tx.json")
    export = read_export(capture)
    table = export.table("acl")
    assert table is not None
    assert (table.device, table.files[0].device, export.devices) == (None, None, ())


def test_a_table_of_an_unknown_type_is_kept_after_the_known_ones(capture: Path) -> None:
    fill(capture, MERGED, "brand_new_20260921101601.csv", "sys_mem_20260921101601.csv")
    tables = read_export(capture).tables
    assert [table.name for table in tables if table.status == "ok"] == ["sys_mem", "brand_new"]


def test_usual_tables_that_are_missing_say_what_makes_them(capture: Path) -> None:
    fill(capture, MERGED, "op_summary_20260921101601.csv")
    export = read_export(capture)
    missing = [table.name for table in export.tables if table.status == "missing"]
    assert missing == ["op_statistic", "step_trace", "task_time", "api_statistic"]
    assert [(one.name, one.status) for one in export.timelines] == [("msprof", "missing")]
    assert "l0" in next(table.reason for table in export.tables if table.name == "op_statistic")


def test_an_empty_file_is_a_status_alone_and_a_notice_beside_others(capture: Path) -> None:
    fill(capture, MERGED, "op_statistic_20260921101601.csv", "op_summary_20260921101601.csv", text="")
    fill(capture, MERGED, "op_summary_slice_1_20260921101602.csv")
    export = read_export(capture)
    alone, beside = export.table("op_statistic"), export.table("op_summary")
    assert alone is not None
    assert (alone.status, alone.reason) == ("empty", "op_statistic_20260921101601.csv is empty (0 bytes).")
    assert names(alone) == ["op_statistic_20260921101601.csv"]
    assert beside is not None
    assert (beside.status, names(beside)) == ("ok", ["op_summary_slice_1_20260921101602.csv"])
    assert export.notices == ("op_summary_20260921101601.csv is empty (0 bytes).",)
    assert unused(export) == {"op_summary_20260921101601.csv": export.notices[0]}


def test_a_broken_link_is_unreadable_and_names_its_target(capture: Path) -> None:
    fill(capture, MERGED, "op_summary_20260921101601.csv")
    (capture / MERGED / "op_statistic_20260921101601.csv").symlink_to("nowhere.csv")
    table = read_export(capture).table("op_statistic")
    assert table is not None
    assert table.status == "unreadable"
    assert table.reason == "op_statistic_20260921101601.csv is a broken link: nowhere.csv doesn't exist."
    with pytest.raises(UnreadableError, match=f"^{re.escape(table.reason)}$"):
        SourceFile(table.files[0].path)


def test_a_pipe_or_directory_named_like_a_table_is_never_read(capture: Path) -> None:
    fill(capture, f"{MERGED}/op_summary_20260921101601.csv", "x")
    os.mkfifo(capture / MERGED / "op_statistic_20260921101601.csv")
    export = read_export(capture)
    faults = {table.name: table.reason for table in export.tables if table.status == "unreadable"}
    assert faults == {
        "op_statistic": "op_statistic_20260921101601.csv is not a regular file.",
        "op_summary": "op_summary_20260921101601.csv is not a regular file.",
    }


def test_a_file_without_permission_costs_its_own_table(
    capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(capture, MERGED, "op_summary_20260921101601.csv", "op_statistic_20260921101601.csv")
    refused = capture / MERGED / "op_summary_20260921101601.csv"
    refused.chmod(0o640)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != refused)
    monkeypatch.setattr(Path, "owner", lambda path: "root")
    export = read_export(capture)
    statuses = {table.name: table.status for table in export.tables if table.files}
    assert statuses == {"op_summary": "unreadable", "op_statistic": "ok"}
    table = export.table("op_summary")
    assert table is not None
    said = "can't be read: Permission denied (mode 0640, owner root); ask its owner for read permission."
    assert table.reason == f"{refused.name} {said}"
    assert unreadable_file(refused, PermissionError(13, "Permission denied")) == table.reason
    assert unreadable_file(refused, OSError(5, "Input/output error")) == (
        f"{refused.name} can't be read: Input/output error."
    )


def test_a_folder_that_cannot_be_listed_is_a_notice(capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(capture, MERGED, "op_summary_20260921101601.csv")
    fill(capture, "host/summary", "acl.csv")
    real = os.listdir

    def listdir(path: Path) -> list[str]:
        if Path(path).name == "summary":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "listdir", listdir)
    export = read_export(capture)
    assert export.notices == (f"{capture / 'host' / 'summary'} can't be listed: Permission denied.",)
    assert names(export.table("op_summary")) == ["op_summary_20260921101601.csv"]


def test_a_capture_that_went_away_is_unreadable(capture: Path) -> None:
    shutil.rmtree(capture)
    with pytest.raises(UnreadableError, match=PROF):
        read_export(capture)


def test_a_file_is_known_by_size_time_and_inode(capture: Path) -> None:
    fill(capture, MERGED, "op_summary_20260921101601.csv", text="12345")
    table = read_export(capture).table("op_summary")
    assert table is not None
    file, status = table.files[0], table.files[0].path.stat()
    assert (file.size, file.mtime_ns, file.inode) == (5, status.st_mtime_ns, status.st_ino)


def test_case_slices(shared_case: Case) -> None:
    for part in shared_case("slices-with-two-timestamps").glob("*/PROF_*"):
        table = read_export(part).table("op_summary")
        assert table is not None
        assert [file.name.slice or 0 for file in table.files] == [0, 1]


def test_case_json_summary(shared_case: Case) -> None:
    table = read_export(shared_case("db-only-or-json-summary") / "summary_json" / PROF).table("op_summary")
    assert names(table) == ["op_summary_0_20260921101601.json"]


def test_case_timeline_slices(shared_case: Case) -> None:
    export = read_export(shared_case("timeline-slices") / PROF)
    assert {one.name: len(one.files) for one in export.timelines} == {
        "step_trace": 1,
        "msprof": 2,
        "msprof_tx": 1,
    }


def test_case_renamed_columns(shared_case: Case) -> None:
    folder = shared_case("renamed-columns-four-versions")
    generations = {path.parent.name: read_export(path).generation for path in folder.glob("*/PROF_*")}
    new = dict.fromkeys(("cann7", "cann8", "cann9"), "new layout")
    assert generations == {"cann5": "old layout", **new}


def test_case_devices_in_numeric_order(shared_case: Case) -> None:
    assert read_export(shared_case("renamed-prof-device-10") / "PROF_bert_fp16_bs8").devices == (0, 2, 10)


def test_case_empty_files(shared_case: Case) -> None:
    export = read_export(shared_case("zero-byte-and-header-only") / PROF)
    statuses = {table.name: table.status for table in export.tables if table.files}
    assert statuses == {"op_summary": "empty", "op_statistic": "ok", "step_trace": "ok"}
    assert [one.status for one in export.timelines] == ["empty"]


def test_case_broken_link(shared_case: Case) -> None:
    table = read_export(shared_case("symlink-and-loop") / "latest").table("op_statistic")
    assert table is not None
    assert table.status == "unreadable"


def test_real_old_captures_have_a_timeline_per_iteration(shared_data: Path) -> None:
    folder = shared_data / "mindspore-910-two-devices-2023"
    export = read_export(next(folder.glob("PROF_*_COJGGGCANRMICFBC")))
    iterations = [one.iteration for one in export.timelines if one.name == "msprof"]
    assert iterations == list(range(1, 11))
    assert [len(one.files) for one in export.timelines if one.name == "step_trace"] == [1]
