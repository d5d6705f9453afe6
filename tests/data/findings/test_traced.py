"""Communication that a timeline tells of: in place of what op_summary does, where it is read."""

import json
from pathlib import Path
from unittest import mock

import pytest

from prof_tui.data import open_capture
from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import TableEvidence, TimelineEvidence
from prof_tui.data.findings.from_timeline import TracedCommunication, traced_communication
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.periods import choose_models
from prof_tui.data.timeline.model import TraceFile, TraceIndex
from prof_tui.demo.write import MERGED_DIRECTORY, PROF_NAME, STAMP
from prof_tui.errors import CancelledError
from tests.helpers.judged_run import BEGIN_US, USUAL, Iteration, Verdict, op, run_capture
from tests.helpers.traces import communication, stream, trace_file, trace_index

ID = "communication_not_overlapped"
Spans = list[tuple[int, int]]
"""Start and length in us after the run's begin."""


def index_of(computing: Spans, talking: Spans, *files: TraceFile) -> TraceIndex:
    def slices(spans: Spans, name: str) -> list[tuple[int, int, str]]:
        return [(1000 * (BEGIN_US + start), 1000 * us, name) for start, us in spans]

    lanes = {stream(2): slices(computing, "Mul"), communication(): slices(talking, "hcom_allReduce_")}
    return trace_index(lanes, files=files)


def traced(
    tmp_path: Path, index: TraceIndex, *, by_iteration: bool = True, device: int | None = None
) -> TracedCommunication | None:
    runs = choose_models(run_capture(tmp_path, None).steps).devices
    return traced_communication(index, runs, by_iteration=by_iteration, device=device)


def place(begin_us: int, end_us: int, iteration: int | None = None) -> TimelineEvidence:
    model = None if iteration is None else 11
    return TimelineEvidence(0, 1000 * (BEGIN_US + begin_us), 1000 * (BEGIN_US + end_us), model, iteration)


def test_steady_iterations_are_summed_and_the_longest_stretch_of_the_worst_is_the_place(
    tmp_path: Path,
) -> None:
    """Iterations 3 to 5 begin at 2044, 3044 and 4044 us; what iteration 1 does isn't counted."""
    index = index_of([(100, 10), (3200, 50), (3300, 20)], [(100, 400), (2100, 30), (3150, 200), (4800, 60)])
    assert traced(tmp_path, index) == TracedCommunication(
        3, 3 * 956_000, 290_000, 30_000 + 130_000 + 60_000, place(3150, 3200, 4)
    )


def test_without_iterations_everything_is_summed(tmp_path: Path) -> None:
    index = index_of([(100, 10), (3200, 50)], [(100, 400), (3150, 200)])
    assert traced(tmp_path, index, by_iteration=False) == TracedCommunication(
        1, 3_250_000, 600_000, 390_000 + 150_000, place(110, 500)
    )


def test_without_iterations_one_device_alone_is_summed(tmp_path: Path) -> None:
    index = index_of([(100, 10), (3200, 50)], [(100, 400), (3150, 200)])
    assert traced(tmp_path, index, by_iteration=False, device=0) == TracedCommunication(
        1, 3_250_000, 600_000, 390_000 + 150_000, place(110, 500)
    )
    assert traced(tmp_path, index, by_iteration=False, device=1) is None


def test_files_of_single_iterations_tell_of_those_alone(tmp_path: Path) -> None:
    """The span of the two touches iteration 4, whose own events are in neither."""
    files = [trace_file(f"msprof_{n}.json", device=0, model=11, iteration=n) for n in (3, 5)]
    index = index_of([], [(2100, 30), (4800, 60)], *files)
    assert traced(tmp_path, index) == TracedCommunication(
        2, 2 * 956_000, 90_000, 90_000, place(4800, 4860, 5)
    )


def test_a_timeline_without_communication_tells_nothing(tmp_path: Path) -> None:
    assert traced(tmp_path, index_of([(2100, 30)], [])) is None
    assert traced(tmp_path, index_of([(90_000, 30)], [(90_000, 30)])) is None


# The finding

OPS = [op(at + 100, 150, "hcom_allReduce_1", Task_Type="COMMUNICATION") for at in (0, 1000, 2000, 3000, 4000)]


def with_timeline(
    parent: Path, talk_us: float, iterations: tuple[Iteration, ...] | None = USUAL
) -> OpenCapture:
    """Beside op_summary's 150 us of communication an iteration, ``talk_us`` in the timeline."""
    capture = run_capture(parent, OPS, iterations)
    named = {"name": "process_name", "pid": 3, "tid": 0, "ph": "M", "args": {"name": "Communication"}}
    label = {"name": "process_labels", "pid": 3, "tid": 0, "ph": "M", "args": {"labels": "NPU 0"}}
    thread = {"name": "thread_name", "pid": 3, "tid": 0, "ph": "M", "args": {"name": "Group 0 Communication"}}
    events = [
        {
            "name": "hcom_allReduce_1",
            "pid": 3,
            "tid": 0,
            "ph": "X",
            "ts": f"{BEGIN_US + at + 100}.000",
            "dur": talk_us,
            "args": {},
        }
        for at in (0, 1000, 2000, 3000, 4000)
    ]
    path = capture.path / MERGED_DIRECTORY / f"msprof_{STAMP}.json"
    path.write_text(json.dumps([named, label, thread, *events], separators=(",", ":")))
    return OpenCapture(capture.path)


def test_the_finding_is_the_timeline_s(tmp_path: Path) -> None:
    finding = Verdict(find(with_timeline(tmp_path, 200.001))).one(ID)
    assert (finding.cost_ns, finding.share) == (200_001, 0.200001)
    assert finding.rule == (
        "200.001 us of the 200.001 us communication in an iteration (20.0 % of the period) is not "
        "overlapped: over 10 % of the period. Worked out from the timeline of 3 iterations."
    )
    begin_ns = 1000 * (BEGIN_US + 2100)
    assert finding.evidence == TimelineEvidence(0, begin_ns, begin_ns + 200_001, 11, 3)
    assert [(row.label, row.count, row.time_ns) for row in finding.rows] == [("hcom_allReduce_1", 3, 450_000)]


def test_a_timeline_that_says_less_is_believed(tmp_path: Path) -> None:
    assert Verdict(find(with_timeline(tmp_path, 100))).silent(ID)


def test_of_a_capture_without_iterations(tmp_path: Path) -> None:
    finding = Verdict(find(with_timeline(tmp_path, 500, None))).one(ID)
    assert (finding.cost_ns, finding.basis) == (2_500_000, "capture")
    assert finding.rule.endswith("over 10 % of the capture's span. Worked out from the timeline.")
    begin_ns = 1000 * (BEGIN_US + 100)
    assert finding.evidence == TimelineEvidence(0, begin_ns, begin_ns + 500_000)


def test_a_large_timeline_counts_once_it_is_read(tmp_path: Path) -> None:
    capture = with_timeline(tmp_path, 200)
    with mock.patch.object(open_capture, "MOST_BYTES_UNASKED", 0):
        unread = Verdict(find(capture)).one(ID)
        assert (unread.cost_ns, capture.traces.get("msprof")) == (150_000, None)
        assert unread.rule.endswith("Worked out from op_summary.")
        assert isinstance(unread.evidence, TableEvidence)
        capture.traces.read("msprof")
        assert Verdict(find(capture)).one(ID).cost_ns == 200_000


def test_a_damaged_timeline_leaves_it_to_op_summary(tmp_path: Path) -> None:
    capture = with_timeline(tmp_path, 200)
    (capture.path / MERGED_DIRECTORY / f"msprof_{STAMP}.json").write_text("no JSON")
    assert Verdict(find(OpenCapture(capture.path))).one(ID).cost_ns == 150_000


@pytest.mark.parametrize("ops", [[op(at + 100, 150) for at in (2000, 3000, 4000)], None])
def test_communication_that_op_summary_leaves_out_counts(
    tmp_path: Path, ops: list[dict[str, object]] | None
) -> None:
    with_timeline(tmp_path, 200.001)
    if ops is None:
        (tmp_path / PROF_NAME / MERGED_DIRECTORY / f"op_summary_{STAMP}.csv").unlink()
    else:
        run_capture(tmp_path, ops)
    finding = Verdict(find(OpenCapture(tmp_path / PROF_NAME))).one(ID)
    assert (finding.cost_ns, finding.share, finding.rows) == (200_001, 0.200001, ())


def test_of_a_timeline_alone_the_whole_time_of_its_devices_counts(tmp_path: Path) -> None:
    """Five times 500 us, from 100 to 4,600 us after the begin."""
    capture = with_timeline(tmp_path, 500, None)
    (capture.path / MERGED_DIRECTORY / f"op_summary_{STAMP}.csv").unlink()
    finding = Verdict(find(OpenCapture(capture.path))).one(ID)
    assert (finding.cost_ns, finding.basis, finding.share) == (2_500_000, "capture", 2.5 / 4.5)


def test_without_op_summary_a_timeline_in_which_nothing_communicates_is_no_finding(tmp_path: Path) -> None:
    capture = with_timeline(tmp_path, 0)
    (capture.path / MERGED_DIRECTORY / f"op_summary_{STAMP}.csv").unlink()
    verdict = Verdict(find(OpenCapture(capture.path)))
    assert verdict.silent(ID)
    assert verdict.all.unchecked(ID) is None


def test_reading_it_can_be_cancelled(tmp_path: Path) -> None:
    """The last steps are those of the timeline."""
    capture = with_timeline(tmp_path, 200)
    with pytest.raises(CancelledError):
        find(capture, progress=lambda done, steps: done < steps)
    assert capture.traces.get("msprof") is None
