import gzip
import json
from pathlib import Path

import pytest

from prof_tui.data.capture import content
from prof_tui.data.capture.content import (
    device_ids_of,
    foreign_content,
    headers_of,
    is_timeline,
    table_type,
    timeline_type,
    why_not_its_kind,
)
from prof_tui.data.capture.file_types import KINDS
from prof_tui.demo.tables import OP_STATISTIC_HEADER, OP_SUMMARY_HEADER, STEP_TRACE_HEADER
from tests.helpers.loose_tables import EVENTS, LFS, STATISTIC, ops


def type_of(header: str, stem: str = "") -> str:
    return table_type(headers_of(header.encode()), stem)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        *((",".join(names), "op_summary") for names in OP_SUMMARY_HEADER.values()),
        *((",".join(names), "step_trace") for names in STEP_TRACE_HEADER.values()),
        (",".join(OP_STATISTIC_HEADER["new"]), "op_statistic"),
        ("Model ID,Task ID,Stream ID,Task Type,Task Start Time,Task Duration(us),Context ID", "op_summary"),
        ("kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(ns),task_stop(ns)", "task_time"),
        ("Time(%),Time(us),Count,Avg(us),Waiting(us),Running(us),Pending(us),Type,API,Task ID", "task_time"),
        ("Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance", "api_statistic"),
        ("Component,Timestamp(us),Total Reserved(KB),Device", "npu_module_mem"),
        ("Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device", "memory_record"),
        ("Op Name,Op Type,Task Duration(us),Block Dim,Device Id,Pid,Current Freq,Rated Freq", ""),
        ("sepal_length,sepal_width,species", ""),
        ("", ""),
    ],
)
def test_a_type_is_known_by_its_columns(header: str, expected: str) -> None:
    assert type_of(header) == expected


@pytest.mark.parametrize("delimiter", ["\t", ";"])
def test_other_delimiters_and_line_ends_hide_no_column(delimiter: str) -> None:
    text = STATISTIC.replace(",", delimiter).replace("\n", "\r")
    assert type_of("\ufeff" + text) == "op_statistic"
    assert table_type(headers_of(text.encode("utf-16")), "") == "op_statistic"


def test_of_types_with_equal_columns_the_name_decides() -> None:
    header = "OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
    assert type_of(header) == "communication_statistic"
    assert type_of(header, "old hccl_statistic (2)") == "hccl_statistic"


def test_a_list_of_objects_has_their_keys_also_when_the_first_is_cut() -> None:
    rows = json.dumps([{"Op Name": "a", "Task Type": "AI_CORE", "Task Duration(us)": 1.5}] * 2)
    assert type_of(rows) == type_of(rows[:70]) == "op_summary"


def test_devices_are_those_of_the_rows_in_sight() -> None:
    text = ops(device=0) + ops(device=12).split("\n")[1] + "\n0,cut"
    assert device_ids_of(text.encode()) == {"0", "12"}
    assert device_ids_of(b'[{"Device_id": 3, "Op Name": "a"}, {"Device_id": "host"}]') == {"3", "host"}
    assert device_ids_of(b"Op Name\na\n") == frozenset()


def test_a_timeline_is_told_from_other_json_and_named_by_its_name() -> None:
    assert is_timeline(EVENTS.encode())
    assert is_timeline(b'\n{"traceEvents": [{"ph" : "M"}]}')
    assert not is_timeline(b'[{"Op Name": "ph"}]')
    assert not is_timeline(STATISTIC.encode())
    assert timeline_type("mine") == "msprof"
    assert timeline_type("rank0-MSPROF_TX (1)") == "msprof_tx"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (LFS.encode(), "git lfs pull"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html>\n<html>", "HTML page"),
        (b"<?xml version='1.0'?>", "XML"),
        (gzip.compress(b"x", mtime=0), "gzip"),
        (b"PK\x03\x04rest", "workbook"),
        (b"SQLite format 3\0", "SQLite"),
        (STATISTIC.encode(), ""),
        (b"", ""),
    ],
)
def test_what_is_neither_table_nor_timeline_is_named(head: bytes, said: str) -> None:
    assert said in foreign_content(head)
    assert bool(said) == bool(foreign_content(head))


def test_a_table_under_the_name_of_another_type_is_told() -> None:
    assert why_not_its_kind("op_statistic", STATISTIC.encode()) == ""
    assert "columns of op_statistic" in why_not_its_kind(
        "task_time", b"OP Type,Core Type,Count,Total Time(us)\n"
    )
    assert "'sepal_length,species'" in why_not_its_kind("op_summary", b"sepal_length,species\n1,2\n")
    assert why_not_its_kind("op_summary", b"OP Name,aicore_time\n") == "", "some columns are left"
    assert why_not_its_kind("ub", b"anything\n") == "", "its columns are not known"


def test_marks_are_of_known_types_in_plain_spelling() -> None:
    for marks in content._MARKS:
        assert marks.type in KINDS
        assert all(content._plain(name) == name for name in marks.required | marks.usual)


def test_a_file_that_cannot_be_read_has_no_content(tmp_path: Path) -> None:
    assert content.read_head(tmp_path) == content.read_head(tmp_path / "nothing") == b""
