"""A timeline as lanes for the widget: groups are processes, lanes their threads, plots their counters."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from prof_tui.data.timeline.model import OVERLAP_LAYER, TraceIndex, TraceLane
from prof_tui.data.timeline.windows import ScopeWindow
from prof_tui.panes.timeline.kinds import kinds_of
from prof_tui.widgets.timeline.columns import LaneColumns
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import Lane, LaneGroup, LaneSet, Mark


def trace_lanes(index: TraceIndex, shown: ScopeWindow) -> LaneIndex:
    """The lanes for a scope's window; those of other devices than its own are there, but folded.

    Takes up to a second for millions of events the first time, milliseconds for each window after that.
    """
    device = shown.scope.device
    lanes = [_lane(lane, device) for lane in index.lanes]
    groups = {
        lane.group: _group(told, lane.group, device) for lane, told in zip(lanes, index.lanes, strict=True)
    }
    lane_set = LaneSet(
        *shown.window,
        lanes=lanes,
        intervals=index.events,
        marks=[Mark(mark.at_ns, mark.title) for mark in shown.marks],
        kinds=kinds_of(index.kinds),
        groups=list(groups.values()),
        samples=index.counters,
        whole=index.span,
    )
    return LaneIndex(lane_set, _columns(index))


_known_columns: WeakKeyDictionary[TraceIndex, LaneColumns] = WeakKeyDictionary()


def _columns(index: TraceIndex) -> LaneColumns:
    """What every window of a timeline shares, worked out once."""
    if index not in _known_columns:
        _known_columns[index] = LaneColumns(index.events)
    return _known_columns[index]


def lane_id(lane: TraceLane) -> str:
    """The same for the same lane of another reading of the file."""
    return f"{lane.layer}\n{lane.label}\n{lane.device}\n{lane.thread}"


def _lane(lane: TraceLane, device: int | None) -> Lane:
    own = device is None or lane.device in (None, device)
    return Lane(
        id=lane_id(lane),
        title=lane.thread,
        group=f"{lane.layer}\n{lane.label}\n{lane.device}",
        is_busy=own and (lane.is_stream or lane.is_communication),
        is_plot=lane.is_counter,
    )


def _group(lane: TraceLane, group: str, device: int | None) -> LaneGroup:
    title = f"{lane.layer} ({lane.label})" if lane.label else lane.layer
    other_device = device is not None and lane.device not in (None, device)
    return LaneGroup(group, title, folded=other_device or lane.layer == OVERLAP_LAYER)
