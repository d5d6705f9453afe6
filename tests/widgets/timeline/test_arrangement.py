from dataclasses import replace

from prof_tui.widgets.timeline.arrangement import Choices, LineKind, arrange
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import Lane, LaneGroup
from tests.helpers.lane_frames import Op, lane_set

GROUPS = [LaneGroup("host", "CANN"), LaneGroup("device", "Hardware"), LaneGroup("none", "no lanes")]


def index() -> LaneIndex:
    """A lane of no group; two host threads, one nested and one idle in the window; two streams, a counter."""
    lanes = {
        Lane("free", "free"): [Op(10, 5)],
        Lane("t1", "thread 1", "host"): [Op(500, 5)],
        Lane("t2", "thread 2", "host"): [Op(0, 50), Op(5, 10)],
        Lane("s1", "stream 1", "device"): [Op(0, 10)],
        Lane("s2", "stream 2", "device"): [],
        Lane("f", "freq", "device", is_plot=True): [],
    }
    return LaneIndex(replace(lane_set(0, 100, lanes), groups=GROUPS))


def shown(choices: Choices) -> list[str]:
    """A word per line: ``>`` a header, ``~`` lanes with nothing here, else the lane."""
    found = index()
    marks = {LineKind.GROUP: ">", LineKind.QUIET: "~", LineKind.FOLDED: "="}
    return [
        marks.get(line.kind, "")
        + (GROUPS[line.group].id if line.lane < 0 else found.lane_set.lanes[line.lane].id)
        for line in arrange(found, choices).lines
    ]


WHOLE = ["free", ">host", "t2", "t2", "~host", ">device", "s1", "~device"]


def test_groups_come_in_their_order_and_lanes_without_anything_share_a_line() -> None:
    assert shown(Choices()) == WHOLE


def test_a_group_is_folded_to_its_header_and_what_it_was_at_first_can_be_undone() -> None:
    assert shown(Choices().with_group("host", True)) == ["free", ">host", ">device", "s1", "~device"]
    assert Choices().is_folded(LaneGroup("g", "g", folded=True))
    assert not Choices().with_group("g", False).is_folded(LaneGroup("g", "g", folded=True))


def test_lanes_with_nothing_here_are_shown_below_their_line() -> None:
    unfolded = Choices().with_quiet_toggled("device")
    assert shown(unfolded)[-4:] == ["s1", "~device", "s2", "f"]
    assert shown(unfolded.with_quiet_toggled("device")) == WHOLE


def test_the_rows_of_a_lane_are_folded_into_one_line() -> None:
    assert shown(Choices().with_lane_toggled("t2").with_lane_toggled("s1"))[:4] == [
        "free",
        ">host",
        "=t2",
        "~host",
    ]


def test_a_hidden_lane_is_left_out_and_a_group_without_lanes_too() -> None:
    choices = Choices().with_hidden("t1").with_hidden("t2")
    assert shown(choices) == ["free", ">device", "s1", "~device"]
    assert arrange(index(), choices).hidden == 2


def test_pinned_lanes_are_on_top_in_the_order_in_which_they_were_pinned() -> None:
    choices = Choices().with_pin_toggled("s1").with_pin_toggled("t1")
    assert shown(choices) == ["s1", "t1", "free", ">host", "t2", "t2", ">device", "~device"]
    assert arrange(index(), choices).pinned == 2
    assert shown(choices.with_pin_toggled("s1").with_pin_toggled("t1")) == WHOLE


def test_a_lane_is_revealed_with_no_more_than_it_needs() -> None:
    closed = Choices().with_group("host", True).with_group("device", True).with_hidden("t1")
    assert shown(closed.revealing(index(), 1)) == ["free", ">host", "t2", "t2", "~host", "t1", ">device"]


def test_choices_hold_for_another_window() -> None:
    later = LaneIndex(replace(index().lane_set, begin_ns=490, end_ns=600))
    lines = arrange(later, Choices().with_hidden("free").with_pin_toggled("s1")).lines
    ids = [later.lane_set.lanes[line.lane].id for line in lines if line.lane >= 0]
    assert ids == ["s1", "t1"]


def test_without_groups_every_lane_has_its_line() -> None:
    found = index()
    plain = LaneIndex(replace(found.lane_set, groups=()))
    assert [line.kind for line in arrange(plain, Choices()).lines] == [
        *[LineKind.ROW] * 5,
        LineKind.EMPTY,
        LineKind.PLOT,
    ]
