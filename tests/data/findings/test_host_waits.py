from pathlib import Path

from prof_tui.data.findings.finding import TimelineEvidence
from prof_tui.data.findings.from_timeline import HostGap, HostWaits, host_waits
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.periods import choose_models
from tests.helpers.small_capture import BEGIN_US
from tests.helpers.traced_capture import traced_capture

NS = 1000
"""In a microsecond."""


def waits(capture: OpenCapture, *, by_iteration: bool = True) -> HostWaits | None:
    index = capture.traces.read("msprof")
    return host_waits(index, choose_models(capture.steps).devices, by_iteration=by_iteration)


def gap(iteration: int, begin_us: float, end_us: int, waited_us: float, ops: tuple[str, str]) -> HostGap:
    from_us = 5000 if iteration == 4 else 1000 * iteration
    begin_ns, end_ns = ((BEGIN_US + from_us) * NS + round(us * NS) for us in (begin_us, end_us))
    place = TimelineEvidence(0, begin_ns, end_ns, 11, iteration)
    before, after = (f"{op}_{iteration}" for op in ops)
    return HostGap(place, round(waited_us * NS), before, after, "Model@execute")


def test_a_gap_waits_for_the_host_until_the_launch_of_the_op_behind_it(tmp_path: Path) -> None:
    found = waits(traced_capture(tmp_path))
    assert found is not None
    assert (found.windows, found.window_ns) == (2, 1400 * NS)
    assert (found.gaps, found.late, found.idle_ns, found.waited_ns) == (4, 4, 292 * NS, 272 * NS)
    assert found.per_iteration(found.waited_ns) == 136 * NS
    assert found.latest == found.largest
    assert found.latest == (
        gap(3, 300, 400, 95, ("Cast", "TopK")),
        gap(4, 300, 400, 95, ("Cast", "TopK")),
        gap(3, 203.5, 250, 41.5, ("MatMul", "Cast")),
        gap(4, 204.5, 250, 40.5, ("MatMul", "Cast")),
    )


def test_a_gap_that_reaches_beyond_an_iteration_is_not_its_own(tmp_path: Path) -> None:
    """Iteration 4 comes late and is an outlier: the gap before its first op is in none that counts."""
    capture = traced_capture(tmp_path)
    found = host_waits(
        capture.traces.read("msprof"), choose_models(capture.steps.counted_from(1)).devices, by_iteration=True
    )
    assert found is not None
    assert (found.windows, found.gaps, found.latest[0].length_ns) == (3, 6, 100 * NS)


def test_of_the_whole_capture_gaps_between_iterations_count_too(tmp_path: Path) -> None:
    found = waits(traced_capture(tmp_path), by_iteration=False)
    assert found is not None
    assert (found.windows, found.gaps, found.latest[0].after) == (1, 11, "MatMul_4")
    assert found.latest[0].waited_ns == 1535 * NS


def test_a_timeline_without_launches_says_nothing_of_the_host(tmp_path: Path) -> None:
    capture = traced_capture(tmp_path)
    [timeline] = (capture.path / "mindstudio_profiler_output").glob("msprof_*.json")
    timeline.write_text(timeline.read_text().replace("connection_id", "other_id"))
    assert waits(OpenCapture(capture.path)) is None
