"""Which events are carved out of a timeline, and that each is the text of its file."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.requests.trace import TraceRequest, answer_trace
from prof_tui.data.timeline import carve as carve_module
from prof_tui.data.timeline.carve import Carved, carve
from prof_tui.demo.write import MERGED_DIRECTORY, STAMP
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError, UsageError
from tests.helpers.carve_capture import (
    FREQUENCY_NAMES,
    HARDWARE,
    HARDWARE_NAMES,
    HOST,
    HOST_NAMES,
    METADATA,
    OTHER_DEVICE,
    OTHER_NAMES,
    flow,
    frequency,
    slice_,
    trace_capture,
)
from tests.helpers.small_capture import BEGIN_US, at

Carve = Callable[..., tuple[list[str], Carved]]


@pytest.fixture
def carved(tmp_path: Path) -> Carve:
    """Carves iteration 2 of model 11 out of these events; the texts written, and what is said of them."""

    def run(*events: str, iteration: int = 2, device: int = 0, **more: object) -> tuple[list[str], Carved]:
        capture = trace_capture(tmp_path / "capture", *events, devices=(0, 1))
        request = TraceRequest(iteration, device=device, model=11, **more)  # type: ignore[arg-type]
        answer = answer_trace(capture, request)
        target = tmp_path / "out.json"
        done = carve(answer.index, answer.cut, target)
        text = target.read_text(encoding="utf-8")
        assert len(json.loads(text)) == done.events
        assert target.stat().st_size == done.bytes
        assert text[0] + text[-2:] == "[]\n"
        return text[1:-2].split(",\n"), done

    return run


def test_what_overlaps_the_window_is_written_byte_for_byte(carved: Carve) -> None:
    inside = [
        slice_("reaches in", 2000, "100.001"),
        slice_("within", 2200, "50.0"),
        slice_('算子 [bold] \\u001b\\"}{,', 2300, "1"),
        slice_("reaches out", 2799, "500"),
        slice_("around", 100, "9000.25", HOST),
    ]
    outside = [
        slice_("touches the begin", 2050, "50", HOST),
        slice_("touches the end", 2800, "5", HOST),
        slice_("before", 100, "1"),
        slice_("after", 4000, "1"),
    ]
    texts, done = carved(
        *METADATA, outside[0], *inside[:2], outside[1], *inside[2:4], *outside[2:], inside[4]
    )
    assert texts == [*METADATA, *inside]
    assert (
        done.choice.slices,
        len(done.choice.metadata),
        done.choice.anchors,
        done.choice.flow_ends,
        done.choice.samples,
    ) == (5, 8, 0, 0, 0)
    assert done.layers == ("CANN", "Ascend Hardware")


def test_the_window_is_the_iterations(tmp_path: Path) -> None:
    capture = trace_capture(tmp_path, *METADATA, slice_("within", 2200, "50.0"), devices=(0, 1))
    answer = answer_trace(capture, TraceRequest(2, device=0, model=11))
    assert answer.cut.window == ((BEGIN_US + 2100) * 1000, (BEGIN_US + 2800) * 1000)


def test_what_has_no_length_counts_where_it_begins(carved: Carve) -> None:
    at_begin, at_end = slice_("at begin", 2100, "0"), slice_("at end", 2800, "0")
    broken = slice_("broken", 2500, "-700.0")
    instant = f'{{"ph":"i","s":"t","name":"mark","pid":{HOST},"tid":1,"ts":"{at(2400)}"}}'
    texts, done = carved(*METADATA, at_begin, at_end, broken, instant)
    assert texts == [*METADATA, at_begin, broken, instant]
    assert done.choice.slices == 3


def test_the_other_end_of_an_arrow_comes_with_the_slice_it_belongs_to(carved: Carve) -> None:
    launch = [slice_("outer", 500, "100", HOST), slice_("launch", 510, "10", HOST), flow("s", 1, 515, HOST)]
    task = [slice_("task", 2200, "10"), flow("f", 1, 2200, HARDWARE)]
    ahead = [slice_("launch of 3", 2700, "5", HOST), flow("s", 2, 2702, HOST)]
    later = [slice_("task of 3", 3200, "10"), flow("f", 2, 3200, HARDWARE)]
    other = [slice_("other", 5000, "10", HOST), flow("s", 3, 5000, HOST), flow("f", 3, 5500, HARDWARE)]
    texts, done = carved(*METADATA, *launch, *task, *ahead, *later, *other)
    assert texts == [*METADATA, *launch[1:], *task, *ahead, *later]
    assert (done.choice.slices, done.choice.flow_ends, done.choice.anchors) == (2, 2, 2)


def test_an_arrow_to_a_slice_that_began_before_the_window_is_one_of_it(carved: Carve) -> None:
    launch = [slice_("launch", 510, "10", HOST), flow("s", 1, 510, HOST)]
    task = [slice_("task", 2050, "100"), flow("f", 1, 2050, HARDWARE)]
    nested = [slice_("run", 0, "9000", HOST), slice_("done", 1500, "1", HOST), flow("s", 2, 1500, HOST)]
    early = [slice_("early", 1600, "1"), flow("f", 2, 1600, HARDWARE)]
    texts, done = carved(*METADATA, *nested, *launch, *task, *early)
    assert texts == [*METADATA, nested[0], *launch, *task]
    assert (done.choice.slices, done.choice.flow_ends, done.choice.anchors) == (2, 2, 1)


def test_of_a_flow_that_begins_twice_only_the_arrow_that_touches_is_written(carved: Carve) -> None:
    first = [flow("s", 7, 600, HOST), flow("f", 7, 700, HARDWARE)]
    second = [flow("s", 7, 1900, HOST), flow("f", 7, 2300, HARDWARE), flow("f", 7, 4300, HARDWARE)]
    texts, done = carved(*METADATA, *first, *second)
    assert texts == [*METADATA, *second[:2]]
    assert (done.choice.flow_ends, done.choice.anchors) == (1, 0)


def test_a_beginning_in_the_window_brings_all_its_ends(carved: Carve) -> None:
    arrow = [flow("s", 7, 2100, HOST), flow("t", 7, 2900, HARDWARE), flow("f", 7, 4000, HARDWARE)]
    assert carved(*METADATA, *arrow)[0] == [*METADATA, *arrow]


def test_a_counter_keeps_its_last_sample_before_the_window(carved: Carve) -> None:
    samples = [frequency(at_us, 1000 + at_us) for at_us in (100, 1500, 2100, 2799, 2800)]
    texts, done = carved(*METADATA, *samples)
    assert texts == [*METADATA, *samples[1:4]]
    assert (done.choice.samples, done.choice.slices, done.layers) == (1, 0, ("AI Core Freq",))


def test_a_begin_comes_with_its_end(carved: Carve) -> None:
    begin, end = (
        f'{{"ph":"{phase}","name":"reduce","pid":{HARDWARE},"tid":2,"ts":"{at(at_us)}"}}'
        for phase, at_us in (("B", 2700), ("E", 2900))
    )
    later = slice_("later", 2850, "10")
    texts, done = carved(*METADATA, begin, later, end)
    assert texts == [*METADATA, begin, end]
    assert (done.events, done.choice.slices) == (10, 1)


def test_metadata_comes_first_and_each_text_once(carved: Carve) -> None:
    task = slice_("task", 2200, "1")
    assert carved(task, *METADATA, *HARDWARE_NAMES)[0] == [*METADATA, task]


def test_a_layer_is_chosen_whatever_its_case(carved: Carve) -> None:
    task, call, sample = slice_("task", 2200, "1"), slice_("call", 2200, "1", HOST), frequency(2200, 1)
    arrow = [flow("s", 1, 2200, HOST), flow("f", 1, 2200, HARDWARE)]
    events = [*METADATA, call, task, sample, *arrow]
    assert carved(*events, layers=("ascend hardware",))[0] == [*HARDWARE_NAMES, task, arrow[1]]


def test_two_layers_are_both_written(carved: Carve) -> None:
    call, sample = slice_("call", 2200, "1", HOST), frequency(2200, 1)
    events = [*METADATA, call, slice_("task", 2200, "1"), sample]
    texts, _done = carved(*events, layers=("CANN", "AI Core Freq"))
    assert texts == [*HOST_NAMES, *FREQUENCY_NAMES, call, sample]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("Ascend Hardwear", "No layer 'Ascend Hardwear' in this timeline; near: 'Ascend Hardware'."),
        ("qqq", "No layer 'qqq' in this timeline; the layers are: 'CANN', 'Ascend Hardware'."),
    ],
)
def test_a_layer_that_is_not_there_is_met_with_those_that_are(carved: Carve, word: str, said: str) -> None:
    events = [*HOST_NAMES, *HARDWARE_NAMES, slice_("call", 2200, "1", HOST), slice_("task", 2200, "1")]
    with pytest.raises(UsageError, match=f"^{said}$"):
        carved(*events, layers=(word,))


def test_lanes_of_another_device_are_left_out(carved: Carve) -> None:
    own, other = slice_("task", 2200, "1"), slice_("task", 2200, "1", OTHER_DEVICE)
    call = slice_("call", 2200, "1", HOST)
    events = [*METADATA, *OTHER_NAMES, call, own, other]
    assert carved(*events)[0] == [*METADATA, call, own]


def test_the_other_device_has_its_own(carved: Carve) -> None:
    own, other = slice_("task", 2200, "1"), slice_("task", 2200, "1", OTHER_DEVICE)
    events = [*HARDWARE_NAMES, *OTHER_NAMES, own, other]
    assert carved(*events, device=1)[0] == [*OTHER_NAMES, other]


def test_far_apart_events_and_small_reads_make_no_difference(
    carved: Carve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carve_module, "_READ_BYTES", 300)
    monkeypatch.setattr(carve_module, "_GAP_BYTES", 10)
    monkeypatch.setattr(carve_module, "_ROWS_AT_ONCE", 2)
    inside = [slice_(f"task {number}", 2200 + number, "1") for number in range(9)]
    events = [text for own in inside for text in (slice_("before", 100, "1", HOST), own)]
    assert carved(*METADATA, *events)[0] == [*METADATA, *inside]


def test_slices_of_a_timeline_are_joined(tmp_path: Path) -> None:
    capture = trace_capture(tmp_path / "capture")
    folder = capture.path / MERGED_DIRECTORY
    (folder / f"msprof_{STAMP}.json").unlink()
    tasks = [slice_("one", 2200, "1"), slice_("two", 2300, "1")]
    for number, task in enumerate(tasks):
        text = "[" + ",".join([*METADATA, task]) + "]"
        (folder / f"msprof_slice_{number}_{STAMP}.json").write_text(text)
    answer = answer_trace(OpenCapture(capture.path), TraceRequest(2, model=11))
    carve(answer.index, answer.cut, tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text() == "[" + ",\n".join([*METADATA, *tasks]) + "]\n"


# The new file


def small_cut(tmp_path: Path) -> tuple[OpenCapture, TraceRequest]:
    return trace_capture(tmp_path / "capture", *METADATA, slice_("task", 2200, "1")), TraceRequest(
        2, model=11
    )


def test_a_cancelled_one_leaves_nothing(tmp_path: Path) -> None:
    answer = answer_trace(*small_cut(tmp_path))
    folder = tmp_path / "out"
    folder.mkdir()
    with pytest.raises(CancelledError):
        carve(answer.index, answer.cut, folder / "out.json", lambda done, total: False)
    assert list(folder.iterdir()) == []


def test_an_interrupted_one_leaves_nothing(tmp_path: Path) -> None:
    answer = answer_trace(*small_cut(tmp_path))
    folder = tmp_path / "out"
    folder.mkdir()

    def interrupt(done: int, total: int) -> bool:
        assert len(list(folder.iterdir())) == 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carve(answer.index, answer.cut, folder / "out.json", interrupt)
    assert list(folder.iterdir()) == []


def test_a_name_that_is_taken_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    answer = answer_trace(*small_cut(tmp_path))
    target = tmp_path / "out.json"

    def take(done: int, total: int) -> bool:
        target.write_text("mine")
        return True

    with pytest.raises(UsageError, match="exists and is not overwritten"):
        carve(answer.index, answer.cut, target, take)
    assert target.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_it_works_where_files_cannot_be_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_names: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    answer = answer_trace(*small_cut(tmp_path))
    folder = tmp_path / "out"
    folder.mkdir()
    carve(answer.index, answer.cut, folder / "out.json")
    assert [path.name for path in folder.iterdir()] == ["out.json"]
    with pytest.raises(UsageError):
        carve(answer.index, answer.cut, folder / "out.json")


def test_a_timeline_that_changed_is_not_copied(tmp_path: Path) -> None:
    capture, request = small_cut(tmp_path)
    answer = answer_trace(capture, request)
    path = answer.index.files[0].path
    path.write_text("[" + path.read_text()[1:].replace("task", "tusk") + " ")
    with pytest.raises(UnreadableError, match=f"^{path.name} was changed since it was read: read it anew.$"):
        carve(answer.index, answer.cut, tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


# The window


def refusal(capture: OpenCapture, iteration: int) -> ProfTuiError:
    with pytest.raises(ProfTuiError) as caught:
        answer_trace(capture, TraceRequest(iteration, model=11))
    return caught.value


def test_an_iteration_that_the_timeline_lacks_is_met_with_those_in_it(tmp_path: Path) -> None:
    tasks = (slice_("first", 1200, "1"), slice_("last", 3200, "1"))
    error = refusal(trace_capture(tmp_path, *METADATA, *tasks), 4)
    assert str(error) == "Iteration 4 is not in the timeline msprof; in it are: 1-3."
    assert error.exit_code == 2


def test_a_window_without_events_is_an_empty_part(carved: Carve) -> None:
    texts, done = carved(*METADATA, slice_("first", 1200, "1"), slice_("last", 3200, "1"))
    assert (texts, done.choice.slices, done.layers) == (METADATA, 0, ())


def test_other_clocks_are_said(tmp_path: Path) -> None:
    away = slice_("task", 2200, "1").replace(at(2200), "5000.000")
    error = refusal(trace_capture(tmp_path, *METADATA, away), 2)
    assert str(error) == (
        "No iteration is in the timeline msprof: it is of another run or clock than step_trace, from "
        f"5000.000 to 5001.000 us, and iteration 2 from {at(2100)} to {at(2800)} us."
    )
    assert error.exit_code == 1
