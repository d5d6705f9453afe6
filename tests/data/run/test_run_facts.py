import json
from datetime import datetime
from pathlib import Path

import pytest

from prof_tui.data.capture.notes import read_notes
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.facts import RunFacts, run_facts
from prof_tui.data.run.notes import Collection, DeviceFacts, collection, device_facts
from prof_tui.data.run.overview import Overview
from prof_tui.data.run.periods import ModelFacts
from prof_tui.data.run.texts import missing_texts, run_texts
from prof_tui.demo.write import MERGED_DIRECTORY, PROF_NAME
from tests.helpers.captures import csv_capture


def folder_with(tmp_path: Path, **notes: object) -> Path:
    """A collected PROF with these notes of device 0: ``info``, ``sample``."""
    device = tmp_path / PROF_NAME / "device_0"
    device.mkdir(parents=True)
    for name, file in (("info", "info.json.0"), ("sample", "sample.json")):
        if name in notes:
            (device / file).write_text(json.dumps(notes[name]), encoding="utf-8")
    return tmp_path / PROF_NAME


def facts(path: Path) -> RunFacts:
    return run_facts(OpenCapture(path))


def test_the_notes_of_the_collector_are_told(capture: OpenCapture) -> None:
    found = run_facts(capture)
    assert found.capture == PROF_NAME
    assert found.collected == datetime(2026, 9, 21, 10, 15, 30)
    assert (found.host, found.program) == ("demo", "train.py")
    assert found.devices == (DeviceFacts(0, "Ascend 910B series", 24, 48, 6, 1800),)
    assert found.collection == Collection("l1", "PipeUtilization", ("--hccl",))
    assert (found.generation, found.stamp, found.other_stamps) == ("new layout", "20260921101601", ())
    assert (found.files, found.tables) == (3, ("op_summary", "op_statistic", "step_trace"))
    assert [one.table for one in found.missing] == ["task_time", "api_statistic", "msprof"]


def test_what_is_not_noted_is_none(tmp_path: Path) -> None:
    found = facts(folder_with(tmp_path))
    assert found.devices == (DeviceFacts(0, "", None, None, None, None),)
    assert (found.host, found.program, found.collected_ns, found.collection) == ("", "", None, None)


@pytest.mark.parametrize(
    "content", ["", "{", "[1, 2]", '{"DeviceInfo": 7}', '{"DeviceInfo": []}', "[" * 9999]
)
def test_damaged_notes_say_nothing(tmp_path: Path, content: str) -> None:
    path = tmp_path / "info.json.0"
    path.write_text(content)
    assert device_facts(read_notes(path), 0) == DeviceFacts(0, "", None, None, None, None)


def test_numbers_stand_as_numbers_or_texts(tmp_path: Path) -> None:
    info = {"platform_version": 16, "DeviceInfo": [{"ai_core_num": "8", "aiv_num": 0, "aic_frequency": "x"}]}
    assert device_facts(read_notes(tmp_path / "none") | info, 3) == DeviceFacts(
        3, "platform 16", 8, 0, None, None
    )


@pytest.mark.parametrize(
    ("sample", "level"),
    [
        ({"taskTime": "l0"}, "l0"),
        ({"taskTime": "on", "prof_level": "level1"}, "l1"),
        ({"profLevel": "l2"}, "l2"),
        ({"app": "x"}, ""),
    ],
)
def test_every_spelling_of_the_level_is_known(sample: dict[str, object], level: str) -> None:
    found = collection(sample)
    assert found is not None
    assert found.level == level


def test_metrics_are_none_where_ai_core_was_off() -> None:
    sample: dict[str, object] = {"ai_core_metrics": "Memory", "ai_core_profiling": "off", "msproftx": "on"}
    assert collection(sample) == Collection("", "", ("--msproftx",))


def test_what_is_missing_comes_with_what_to_add(tmp_path: Path) -> None:
    sample = {"taskTime": "l0", "acl": "on"}
    (folder_with(tmp_path, sample=sample) / MERGED_DIRECTORY).mkdir()
    csv_capture(tmp_path, task_time="kernel_name,task_time(us)\na,1.000\n")
    missing = {one.table: one for one in facts(tmp_path / PROF_NAME).missing}
    assert missing["op_statistic"].how == (
        'Add --task-time=l1 to msprof, or "task_time":"l1" to PROFILING_OPTIONS.'
    )
    assert missing["step_trace"].how == 'Add "training_trace":"on" to PROFILING_OPTIONS.'
    assert missing["op_summary"].how == ""
    assert missing["op_summary"].why.startswith("sample.json says that it was collected")
    assert missing["api_statistic"].how == ""
    assert "--type=text" in missing["msprof"].why


def test_the_words_of_it_are_what_people_read(capture: OpenCapture) -> None:
    found = run_facts(capture)
    said = run_texts(Overview(found, span_ns=5_010_000))
    assert said.headline == "2026-09-21 10:15:30, for 500.000 ms · train.py on demo · span 5.010 ms"
    assert said.devices == (
        "device 0: Ascend 910B series, 24 AI Cores, 48 Vector Cores, 6 AI CPUs, 1800 MHz",
    )
    assert said.collected == "--task-time=l1 --aic-metrics=PipeUtilization --hccl"
    assert said.exported == "new layout, export of 20260921101601, 3 files read"
    assert said.models == ()
    assert missing_texts(found.missing)[0].startswith("task_time: ")


def test_devices_of_one_kind_stand_together_and_models_too(capture: OpenCapture) -> None:
    found = run_facts(capture)
    models = tuple(
        ModelFacts(device, model, n, 0, model == 11, "most iterations" if model == 11 else "")
        for device in (0, 1)
        for model, n in ((11, 40), (1, 2))
    )
    text = "Model ID 11 is the main one (most iterations): 40 iterations; others: 1 (2)"
    assert run_texts(Overview(found, models)).models == (text,)
    unreadable = ("no iterations: step_trace has none that can be read",)
    assert run_texts(Overview(found, models=())).models == unreadable


def test_without_a_step_trace_there_are_no_models(tmp_path: Path) -> None:
    none = ("no iterations: the export has no step trace",)
    found = run_facts(csv_capture(tmp_path, op_summary="Op Name\na\n"))
    assert run_texts(Overview(found, models=())).models == none


@pytest.mark.parametrize(
    ("ns", "text"), [(18_542, "18.542 us"), (127_355_745, "127.356 ms"), (5 * 10**9, "5.000 s")]
)
def test_spans_have_the_unit_that_fits(capture: OpenCapture, ns: int, text: str) -> None:
    assert run_texts(Overview(run_facts(capture), span_ns=ns)).span == text
