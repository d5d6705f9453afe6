"""The shared inputs from public reports that concern timelines, as a user sees them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.driven_app import Driven, opened

Case = Callable[[str], Path]
PROF = "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
TIMELINE = "msprof_20260921101601.json"


async def go_to(user: Driven, name: str) -> None:
    await user.press("g")
    await user.enter_text(name)
    assert user.event_name == name


def event_names(user: Driven) -> list[str]:
    """Of all lanes, in time order."""
    index = user.timeline.index
    assert index is not None
    return [str(name) for name in index.events.sort("start_ns", "duration_ns")["name"]]


@pytest.mark.parametrize("kind", ["object", "object_trailing_comma", "leading_comma", "array"])
async def test_lenient_syntax_is_read_and_odd_numbers_stay_what_they_are(
    shared_case: Case, kind: str
) -> None:
    capture = shared_case("json-object-commas-nan") / kind / PROF
    async with opened(capture, pane="timeline") as user:
        assert event_names(user) == ["Conv2D_0", "Memcpy_1", "Relu_2"]
        assert "Stream 2" in user.text
        await go_to(user, "Memcpy_1")
        await user.press("enter")
        assert "Duration 0.000 us" in user.words
        shown = user.words.lower()
        assert "bandwidth(gb/s) nan" in shown or "bandwidth(gb/s) n/a" in shown
        assert "size(b) infinity" in shown or "size(b) inf" in shown or "size(b) n/a" in shown


@pytest.mark.parametrize("kind", ["bad_quote", "two_arrays"])
async def test_damage_names_the_file_and_costs_nothing_else(shared_case: Case, kind: str) -> None:
    capture = shared_case("json-broken-in-the-middle") / kind / PROF
    async with opened(capture, pane="timeline") as user:
        assert any(TIMELINE in notice for notice in user.timeline.notices)
        assert "Conv2D_0" in event_names(user)
        await user.press("4")
        assert "1 total" in user.status


async def test_slices_are_one_timeline_with_each_lane_once(shared_case: Case) -> None:
    capture = shared_case("timeline-slices") / PROF
    async with opened(capture, pane="timeline") as user:
        assert event_names(user) == ["Conv2D_0", "Relu_1", "MatMulV2_2"]
        index = user.timeline.index
        assert index is not None
        assert [lane.thread for lane in index.lanes if lane.is_stream] == ["Stream 2"]
        begin_ns, end_ns = index.span
        assert end_ns - begin_ns == 90_000


async def test_zero_negative_and_overlapping_durations(shared_case: Case) -> None:
    capture = shared_case("zero-negative-overlapping-durations") / PROF
    async with opened(capture, pane="timeline") as user:
        names = ["Conv2D_0", "AicpuNotify_1", "Relu_2", "Stale_3", "Cast_4"]
        assert sorted(event_names(user)) == sorted(names)
        assert "130.000 /" in user.text, "computing is the union of the valid intervals"
        await go_to(user, "AicpuNotify_1")
        await go_to(user, "Stale_3")
        assert "invalid" in user.text
        index = user.timeline.index
        assert index is not None
        places = zip(map(str, index.events["name"]), index.events["lane"], index.events["row"], strict=True)
        found = {name: (lane, row) for name, lane, row in places}
        lane, row = found["Conv2D_0"]
        assert found["Relu_2"] == (lane, row + 1), "in a row of its own: it goes on beyond Conv2D_0"
