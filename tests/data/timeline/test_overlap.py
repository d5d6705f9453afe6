"""Computing, communication, communication not overlapped, free."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.spans.span import complement, length, union
from prof_tui.data.timeline.overlap import (
    Overlap,
    check_overlap,
    device_overlap,
    device_window,
    file_overlap,
    overlap_devices,
)
from prof_tui.data.timeline.read.files import read_trace
from tests.helpers.traces import Slice, communication, overlap, stream, trace_index


def test_sums_are_those_of_the_unions() -> None:
    index = trace_index(
        {
            stream(2): [(0, 10, "MatMul"), (20, 10, "Cast", "AI_VECTOR_CORE")],
            stream(3): [(5, 10, "TopK", "AI_CPU")],
            communication(): [(12, 20, "hcom_allReduce_0")],
        }
    )
    found = device_overlap(index, 0).within((0, 50))
    assert found == Overlap((0, 50), computing_ns=25, communication_ns=20, not_overlapped_ns=7, free_ns=18)


def test_a_window_clips() -> None:
    index = trace_index({stream(2): [(0, 10, "op")], communication(): [(5, 20, "hcom")]})
    assert device_overlap(index, 0).within((8, 30)) == Overlap((8, 30), 2, 17, 15, 5)


@pytest.mark.parametrize(
    "kind",
    ["EVENT_WAIT", "NOTIFY_RECORD", "MEMCPY_ASYNC", "PCIE_DMA_SQE", "PROFILING_ENABLE", "PLACE_HOLDER_SQE"],
)
def test_what_is_no_operator_does_not_compute(kind: str) -> None:
    index = trace_index({stream(2): [(0, 10, "task", kind)]})
    assert device_overlap(index, 0).within((0, 10)).computing_ns == 0


@pytest.mark.parametrize(
    "kind", ["AI_CORE", "MIX_AIC", "MIX_AIV", "DSA_SQE", "KERNEL_AIVEC", "KERNEL_AICORE"]
)
def test_operators_compute(kind: str) -> None:
    index = trace_index({stream(2): [(0, 10, "op", kind)]})
    assert device_overlap(index, 0).within((0, 10)).computing_ns == 10


def test_kernels_that_communicate_do_not_compute() -> None:
    index = trace_index(
        {stream(2): [(0, 10, "allgatherAicpuKernel", "KERNEL_AICPU"), (10, 5, "TopK", "AI_CPU")]}
    )
    assert device_overlap(index, 0).within((0, 20)).computing_ns == 5


def test_planes_hold_the_tasks_of_communication_not_its_ops() -> None:
    index = trace_index(
        {communication(): [(0, 5, "hcom")], communication(thread="Plane 0"): [(0, 9, "Notify_Wait")]}
    )
    assert device_overlap(index, 0).within((0, 10)).communication_ns == 5


def test_without_a_lane_of_communication_ops_the_tasks_of_that_type_are_taken() -> None:
    index = trace_index({stream(2): [(0, 10, "MatMul"), (5, 10, "hcom_allReduce", "COMMUNICATION")]})
    assert device_overlap(index, 0).within((0, 20)) == Overlap((0, 20), 10, 10, 5, 5)


def test_broken_durations_are_no_busy_time() -> None:
    index = trace_index({stream(2): [(5, -3, "broken"), (6, 2, "op")]})
    assert device_overlap(index, 0).within((0, 10)).computing_ns == 2


def test_devices_are_told_apart() -> None:
    index = trace_index(
        {stream(2, 1): [(0, 4, "op")], stream(2, 0): [(0, 3, "op"), (7, 2, "wait", "EVENT_WAIT")]}
    )
    assert overlap_devices(index) == [0, 1]
    assert [device_overlap(index, device).within((0, 10)).computing_ns for device in (0, 1)] == [3, 4]
    assert [device_window(index, device) for device in (0, 1, 2)] == [(0, 3), (0, 4), (0, 0)]


def test_a_run_goes_from_its_first_op_to_its_last() -> None:
    index = trace_index(
        {
            stream(2): [(0, 1, "a", "PROFILING_ENABLE"), (10, 5, "op"), (90, 1, "z", "PROFILING_DISABLE")],
            communication(): [(20, 10, "hcom")],
            stream(3, 1): [(3, 1, "a", "PLACE_HOLDER_SQE"), (8, 1, "z", "EVENT_RECORD")],
        }
    )
    assert [device_window(index, device) for device in (0, 1)] == [(10, 30), (3, 9)]


def test_the_files_own_lanes_beside_ours() -> None:
    index = trace_index(
        {
            stream(2): [(0, 10, "op"), (20, 10, "op")],
            overlap("Computing"): [(0, 10, "Computing"), (20, 9, "Computing")],
            overlap("Free"): [(10, 10, "Free")],
        }
    )
    file = file_overlap(index, 0)
    assert file is not None
    assert file.within((0, 40)) == Overlap((0, 40), 19, 0, 0, 10)
    check = check_overlap(device_overlap(index, 0), file, (0, 40))
    assert check.unsaid_ns == 11
    assert check.differences == (("Computing", 1), ("Free", -1))
    assert check.sentence == (
        "Against the file's Overlap Analysis: Computing +0.001 us, Free -0.001 us. "
        "It says nothing of 0.011 us of this window."
    )
    same = check_overlap(device_overlap(index, 0), file, (0, 20))
    assert (same.differences, same.sentence) == ((), "As in the file's Overlap Analysis.")


def test_a_device_without_overlap_analysis_has_none() -> None:
    assert file_overlap(trace_index({stream(2): [(0, 10, "op")]}), 0) is None


slices = st.lists(
    st.tuples(
        st.integers(0, 60), st.integers(-2, 15), st.just("op"), st.sampled_from(["AI_CORE", "EVENT_WAIT"])
    )
)
windows = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 40)).map(lambda at: (at[0], sum(at))))


@given(slices, slices, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 15), st.just("hcom"))), windows)
def test_laws(one: list[Slice], other: list[Slice], ops: list[Slice], asked: list[tuple[int, int]]) -> None:
    index = trace_index({stream(2): one, stream(3): other, communication(): ops})
    table = pl.DataFrame(asked, schema={"begin_ns": pl.Int64, "end_ns": pl.Int64}, orient="row")
    spans = device_overlap(index, 0)
    for begin, end, computing, communicating, not_overlapped, free in spans.per_window(table).iter_rows():
        tasks = [(at, at + ns) for at, ns, _name, kind in [*one, *other] if kind == "AI_CORE"]  # type: ignore[misc]
        busy = union(tasks, begin, end)
        communication_spans = union([(at, at + ns) for at, ns, _name in ops], begin, end)  # type: ignore[misc]
        assert computing == length(busy)
        assert communicating == length(communication_spans)
        assert not_overlapped <= communicating
        assert computing + not_overlapped + free == end - begin
        assert free == length(complement(union([*busy, *communication_spans], begin, end), begin, end))
        assert spans.within((begin, end)) == Overlap(
            (begin, end), computing, communicating, not_overlapped, free
        )


@given(slices, st.lists(st.integers(0, 80), min_size=2).map(sorted))
def test_windows_that_part_the_time_part_the_sums(tasks: list[Slice], borders: list[int]) -> None:
    spans = device_overlap(trace_index({stream(2): tasks}), 0)
    parts = pl.DataFrame(
        {"begin_ns": borders[:-1], "end_ns": borders[1:]}, schema_overrides={"begin_ns": pl.Int64}
    )
    whole = spans.within((borders[0], borders[-1]))
    summed = spans.per_window(parts)
    assert (summed["computing_ns"].sum(), summed["free_ns"].sum()) == (whole.computing_ns, whole.free_ns)


@pytest.mark.parametrize(
    "capture",
    [
        "cann-910b-2026/PROF_000001_20260716124434225_00194166HHAEEFID",
        "cann-910b-2026/PROF_000001_20260716124543725_00195781ONMNNAML",
        "cann8-310b-2024/PROF_000001_20240418055151588_MHHFRHDLONLGNBIA",
        "mindspore-910-two-devices-2023/PROF_000001_20230818142704322_COJGGGCANRMICFBC",
        "mindspore-910-two-devices-2023/PROF_000001_20230818142704567_GQFAMHBKGODKJMLA",
    ],
)
def test_real_files_say_the_same_to_the_ns(shared_data: Path, capture: str) -> None:
    opened = OpenCapture(shared_data / capture)
    index = read_trace(opened.export, "msprof")
    [device] = overlap_devices(index)
    own, file = device_overlap(index, device), file_overlap(index, device)
    assert file is not None
    whole = device_window(index, device)
    windows = [window for step in opened.steps.steps if (window := step.window)]
    for window in [whole, *windows]:
        assert check_overlap(own, file, window).differences == ()
    assert own.within(whole).computing_ns > 0
