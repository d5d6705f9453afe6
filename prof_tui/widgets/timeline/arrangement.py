"""Which lines a timeline has: what is folded, hidden and pinned decides, the time in sight doesn't."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import LaneGroup


class LineKind(Enum):
    """What a line is of."""

    GROUP = auto()
    """The header of a group."""
    QUIET = auto()
    """The lanes of a group that have nothing in the home window."""
    ROW = auto()
    """One row of a lane."""
    FOLDED = auto()
    """All rows of a lane."""
    PLOT = auto()
    """The curve of a counter."""
    EMPTY = auto()
    """A lane without intervals."""


OF_GROUP = (LineKind.GROUP, LineKind.QUIET)


class Line(NamedTuple):
    """One line; ``group`` and ``lane`` are indices into the lane set, ``row`` one into the index's rows."""

    kind: LineKind
    group: int = -1
    lane: int = -1
    row: int = -1


@dataclass(frozen=True)
class Choices:
    """What the user folded, hid and pinned, by ids of groups and lanes: it holds for other windows too."""

    folded_groups: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    """Only those that differ from what their lane set has."""
    unfolded_quiet: frozenset[str] = frozenset()
    """Groups whose lanes without anything in the home window are shown."""
    folded_lanes: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    pinned: tuple[str, ...] = ()
    """Lanes kept at the top, in the order in which they are shown."""

    def is_folded(self, group: LaneGroup) -> bool:
        return self.folded_groups.get(group.id, group.folded)

    def with_group(self, group: str, folded: bool) -> Choices:
        """With a group folded or not."""
        return replace(self, folded_groups=MappingProxyType({**self.folded_groups, group: folded}))

    def with_quiet_toggled(self, group: str) -> Choices:
        return replace(self, unfolded_quiet=self.unfolded_quiet ^ {group})

    def with_lane_toggled(self, lane: str) -> Choices:
        """With the rows of a lane folded into one line, or apart again."""
        return replace(self, folded_lanes=self.folded_lanes ^ {lane})

    def with_hidden(self, lane: str) -> Choices:
        return replace(self, hidden=self.hidden | {lane})

    def with_pin_toggled(self, lane: str) -> Choices:
        others = tuple(each for each in self.pinned if each != lane)
        return replace(self, pinned=others if lane in self.pinned else (*self.pinned, lane))

    def revealing(self, index: LaneIndex, lane_number: int) -> Choices:
        """Changed no further than needed for a lane to have a line."""
        lane = index.lane_set.lanes[lane_number]
        shown = replace(self, hidden=self.hidden - {lane.id})
        group = next((group for group in index.lane_set.groups if group.id == lane.group), None)
        if group is None or lane.id in self.pinned:
            return shown
        if self.is_folded(group):
            shown = shown.with_group(group.id, False)
        if not index.occupied[lane_number]:
            shown = replace(shown, unfolded_quiet=shown.unfolded_quiet | {group.id})
        return shown


@dataclass(frozen=True)
class Arrangement:
    """The lines from top to bottom."""

    lines: Sequence[Line] = ()
    pinned: int = 0
    """How many of the first stay in sight while the others scroll."""
    hidden: int = 0
    """Lanes that the user hid."""

    def find(self, kind: LineKind, group: int) -> int | None:
        """The line of a group: its header or that of its quiet lanes."""
        return self._place.get(Line(kind, group))

    def of_lane(self, lane: int) -> int | None:
        """The first line of a lane; None while it has none."""
        return self._first_of_lane.get(lane)

    def of_row(self, lane: int, row: int) -> int | None:
        """The line of a row, or the one that its lane is folded into."""
        found = self._line_of_row.get(row)
        return self._first_of_lane.get(lane) if found is None else found

    @cached_property
    def _place(self) -> dict[Line, int]:
        return {line: number for number, line in enumerate(self.lines)}

    @cached_property
    def _first_of_lane(self) -> dict[int, int]:
        lanes = [(line.lane, number) for number, line in enumerate(self.lines) if line.lane >= 0]
        return dict(reversed(lanes))

    @cached_property
    def _line_of_row(self) -> dict[int, int]:
        return {line.row: number for number, line in enumerate(self.lines) if line.row >= 0}


def arrange(index: LaneIndex, choices: Choices) -> Arrangement:
    """Pinned lanes, then those of no group, then each group under its header.

    In a group the lanes with anything in the home window come first; the others share a line.
    """
    lanes = index.lane_set.lanes
    pinned = [
        number
        for id_ in choices.pinned
        for number, lane in enumerate(lanes)
        if lane.id == id_ and id_ not in choices.hidden
    ]
    apart = choices.hidden.union(choices.pinned)
    by_group: dict[str, list[int]] = {}
    known = {group.id for group in index.lane_set.groups}
    for number, lane in enumerate(lanes):
        if lane.id not in apart:
            by_group.setdefault(lane.group if lane.group in known else "", []).append(number)
    lines = [line for number in pinned for line in _lane_lines(index, choices, number)]
    pinned_lines = len(lines)
    for number in by_group.get("", ()):
        lines += _lane_lines(index, choices, number)
    for number, group in enumerate(index.lane_set.groups):
        if group.id in by_group:
            lines += _group_lines(index, choices, number, by_group[group.id])
    hidden = sum(lane.id in choices.hidden for lane in lanes)
    return Arrangement(lines, pinned_lines, hidden)


def _group_lines(index: LaneIndex, choices: Choices, number: int, lanes: Sequence[int]) -> Iterator[Line]:
    group = index.lane_set.groups[number]
    yield Line(LineKind.GROUP, number)
    if choices.is_folded(group):
        return
    for lane in lanes:
        if index.occupied[lane]:
            yield from _lane_lines(index, choices, lane)
    quiet = [lane for lane in lanes if not index.occupied[lane]]
    if quiet:
        yield Line(LineKind.QUIET, number)
        if group.id in choices.unfolded_quiet:
            for lane in quiet:
                yield from _lane_lines(index, choices, lane)


def _lane_lines(index: LaneIndex, choices: Choices, number: int) -> Iterator[Line]:
    lane, rows = index.lane_set.lanes[number], index.columns.rows_of(number)
    if lane.is_plot and not rows:
        yield Line(LineKind.PLOT, lane=number)
    elif not rows:
        yield Line(LineKind.EMPTY, lane=number)
    elif len(rows) > 1 and lane.id in choices.folded_lanes:
        yield Line(LineKind.FOLDED, lane=number)
    else:
        for row in rows:
            yield Line(LineKind.ROW, lane=number, row=row)
