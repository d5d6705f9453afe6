"""The timeline: lanes of intervals over time, zoomed and walked with the keys of chrome://tracing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from prof_tui.widgets.keys import key
from prof_tui.widgets.timeline import zoom as lane_zoom
from prof_tui.widgets.timeline.arrangement import OF_GROUP, Choices, Line, LineKind
from prof_tui.widgets.timeline.canvas import LaneCanvas
from prof_tui.widgets.timeline.cursor import Cursor, On, along, lane_of, line_of, on_line
from prof_tui.words import _

_key = partial(key, "timeline")

_ZOOM = Binding.Group(_("Zoom"), compact=True)
_PAN = Binding.Group(_("Pan"), compact=True)
_WALK = Binding.Group(_("Walk"), compact=True)
_LONGEST = Binding.Group(_("Longest op, gap"), compact=True)


LANE_BINDINGS: list[Binding] = [
    _key("w", "zoom_in", _("Zoom in"), _("Half the time, around the op under the cursor"), _ZOOM),
    _key("s", "zoom_out", _("Zoom out"), _("Twice the time, at most everything"), _ZOOM),
    _key("a", "pan_left", _("Earlier"), _("Move by a quarter of the view to earlier times"), _PAN),
    _key("d", "pan_right", _("Later"), _("Move by a quarter of the view to later times"), _PAN),
    _key("left", "previous_op", _("Previous op"), _("The op that starts before, same lane"), _WALK),
    _key("right", "next_op", _("Next op"), _("The op that starts next, same lane"), _WALK),
    _key("up", "lane_above", _("Lane above"), _("The op nearest in time, one line up"), _WALK),
    _key("down", "lane_below", _("Lane below"), _("The op nearest in time, one line down"), _WALK),
    _key(
        "enter",
        "enter",
        _("Details"),
        _("Open the op under the cursor; on a header, fold or unfold it"),
        show=True,
    ),
    _key("z", "undo_zoom", _("Undo zoom"), _("Back to the view before the last zoom")),
    _key("Z", "everything", _("Everything"), _("The whole window; again: all that there is")),
    _key("f", "fit", _("Fit"), _("Zoom to the marked range, else to the chosen gap or op")),
    _key("b", "longer_op", _("Longest op"), _("The longest op; again: the next longest"), _LONGEST),
    _key("B", "longer_gap", _("Longest gap"), _("The longest gap; again: the next longest"), _LONGEST),
    _key("m", "mark", _("Mark range"), _("Begin a range at the op under the cursor; again: end it")),
    _key("M", "clear_mark", _("Clear range"), _("Take the marked range away")),
    _key("space", "fold_group", _("Fold group"), _("Fold or unfold the group under the cursor")),
    _key("minus", "fold_lane", _("Fold rows"), _("All rows of the lane in one line, or apart again")),
    _key("i", "hide_lane", _("Hide lane"), _("Leave the lane under the cursor out")),
    _key("I", "show_hidden", _("Show hidden"), _("Show all hidden lanes again")),
    _key("p", "pin_lane", _("Pin lane"), _("Keep the lane at the top, or put it back")),
]

LANE_ONLY = frozenset(
    {"left", "right", "up", "down", "enter", "f", "m", "M", "space", "minus", "i", "I", "p"}
)
"""The keys that a table may mean otherwise: a screen with both leaves them to the half with the focus."""


class LaneView(LaneCanvas, can_focus=True):
    """The keys and the mouse on a timeline.

    Its actions are public, so that a screen can forward keys while something else has the focus.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*LANE_BINDINGS]
    BINDING_GROUP_TITLE = _("Lanes")

    class CursorMoved(Message):
        """The user moved the cursor to the interval with this key."""

        def __init__(self, key: int) -> None:
            super().__init__()
            self.key = key

    class Entered(Message):
        """The user asks for the interval with this key."""

        def __init__(self, key: int) -> None:
            super().__init__()
            self.key = key

    class RangeMarked(Message):
        """The user has marked a range."""

        def __init__(self, begin_ns: int, end_ns: int) -> None:
            super().__init__()
            self.begin_ns = begin_ns
            self.end_ns = end_ns

    class RangeCleared(Message):
        """The user took the marked range away."""

    class Arranged(Message):
        """Lanes were folded, hidden or pinned, or are so no more: there may be more lines or fewer."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._op_rank: int | None = None
        """Which of the longest ops the cursor was put on by that key; None once it moved otherwise."""

    def select(self, key: int) -> bool:
        """Put the cursor on an interval and bring it into sight, silently; False when no lane has it."""
        number = self._scene.index.find(key)
        if number is None:
            return False
        cursor = Cursor(On.INTERVAL, number)
        if cursor != self._scene.cursor or self._scene.gap_rank is None:
            self._reveal(cursor)
            self._put_cursor(cursor)
        return True

    # Zoom

    def action_zoom_in(self) -> None:
        self._zoom_to(lane_zoom.closer(self._scene, lane_zoom.anchor_ns(self._scene)))

    def action_zoom_out(self) -> None:
        self._zoom_to(lane_zoom.wider(self._scene, lane_zoom.anchor_ns(self._scene)))

    def action_pan_left(self) -> None:
        self._look_at(lane_zoom.panned(self._scene, -1))

    def action_pan_right(self) -> None:
        self._look_at(lane_zoom.panned(self._scene, 1))

    def action_undo_zoom(self) -> None:
        if self._earlier_windows:
            self._draw(replace(self._scene, window=self._earlier_windows.pop()))

    def action_everything(self) -> None:
        self._zoom_to(lane_zoom.everything(self._scene))

    def action_fit(self) -> None:
        if span := self._scene.marked or self._scene.chosen:
            self.look_at(*span)

    # Walk

    def action_previous_op(self) -> None:
        self._walk_along(-1)

    def action_next_op(self) -> None:
        self._walk_along(1)

    def action_lane_above(self) -> None:
        self._walk_across(-1)

    def action_lane_below(self) -> None:
        self._walk_across(1)

    def action_longer_op(self) -> None:
        """The longest op; repeated, the others by descending duration, and then the longest again."""
        scene = self._scene
        lanes, hidden = scene.index.lane_set.lanes, scene.choices.hidden
        count = len(scene.index.longest)
        begin = 0 if self._op_rank is None else self._op_rank + 1
        for rank in (at % count for at in range(begin, begin + count)):
            number = scene.index.longest[rank]
            if lanes[scene.index.lane_of(number)].id not in hidden:
                self._reveal(Cursor(On.INTERVAL, number))
                self._walk_to(Cursor(On.INTERVAL, number))
                self._op_rank = rank
                return

    def action_longer_gap(self) -> None:
        """The longest gap; repeated, the others in turn. The cursor goes to the op before it, else after."""
        index, rank = self._scene.index, self._scene.gap_rank
        if not index.longest_gaps:
            return
        rank = 0 if rank is None else (rank + 1) % len(index.longest_gaps)
        begin_ns, end_ns = index.longest_gaps[rank]
        number = index.last_ended(begin_ns)
        number = index.next_started(end_ns) if number is None else number
        if number is not None:
            self._reveal(Cursor(On.INTERVAL, number))
            self._walk_to(Cursor(On.INTERVAL, number))
        self._draw(replace(self._scene, gap_rank=rank).with_range_extended())
        self._look_at(self._scene.window.showing(begin_ns, end_ns))

    def action_enter(self) -> None:
        line = self._scene.line_under_cursor
        if self.cursor_key is not None:
            self.post_message(self.Entered(self.cursor_key))
        elif line and line.kind in OF_GROUP:
            self.action_fold_group()

    # Mark a range

    def action_mark(self) -> None:
        scene = self._scene
        if scene.marked_from is None:
            if scene.chosen:
                self._draw(replace(scene, marked=scene.chosen, marked_from=scene.chosen))
        elif scene.marked:
            self._draw(replace(scene, marked_from=None))
            self.post_message(self.RangeMarked(*scene.marked))

    def action_clear_mark(self) -> None:
        if self._scene.marked:
            self._draw(replace(self._scene, marked=None, marked_from=None))
            self.post_message(self.RangeCleared())

    # Arrange

    def action_fold_group(self) -> None:
        scene, line = self._scene, self._scene.line_under_cursor
        if line is None:
            return
        groups = scene.index.lane_set.groups
        if line.kind is LineKind.QUIET:
            self._arrange(scene.choices.with_quiet_toggled(groups[line.group].id))
            return
        group = scene.group_of(line)
        if group is not None:
            folded = scene.choices.is_folded(groups[group])
            header = Cursor(On.LINE, line=Line(LineKind.GROUP, group))
            self._arrange(scene.choices.with_group(groups[group].id, not folded), header)

    def action_fold_lane(self) -> None:
        if lane_id := self.cursor_lane_id:
            self._arrange(self._scene.choices.with_lane_toggled(lane_id))

    def action_hide_lane(self) -> None:
        if lane_id := self.cursor_lane_id:
            self._arrange(self._scene.choices.with_hidden(lane_id))

    def action_show_hidden(self) -> None:
        self._arrange(replace(self._scene.choices, hidden=frozenset()))

    def action_pin_lane(self) -> None:
        if lane_id := self.cursor_lane_id:
            self._arrange(self._scene.choices.with_pin_toggled(lane_id))

    def _arrange(self, choices: Choices, cursor: Cursor | None = None) -> None:
        before = self._scene
        if choices == before.choices:
            return
        key = self.cursor_key
        self._draw(before.arranged(choices, cursor))
        self.post_message(self.Arranged())
        if self.cursor_key not in (None, key):
            self.post_message(self.CursorMoved(self.cursor_key))

    def _reveal(self, cursor: Cursor) -> None:
        """Unfold and show what has no line of its own now."""
        scene = self._scene
        if line_of(scene.arrangement, scene.index, cursor) is None:
            lane = lane_of(scene.index, cursor)
            choices = scene.choices.revealing(scene.index, lane) if lane is not None else scene.choices
            self._draw(scene.arranged(choices, cursor))
            self.post_message(self.Arranged())

    # The mouse

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        cursor = None if at is None else self._scene.cursor_at(at.x, at.y)
        if cursor:
            self._walk_to(cursor)
            if cursor.line and cursor.line.kind in OF_GROUP:
                self.action_fold_group()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._zoom_to(lane_zoom.closer(self._scene, self._time_under(event)))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._zoom_to(lane_zoom.wider(self._scene, self._time_under(event)))

    def _time_under(self, event: events.MouseEvent) -> int:
        at = event.get_content_offset(self)
        column = max(0, at.x - self._scene.title_width) if at else 0
        return self._scene.grid.time_ns(column)

    # The cursor

    def _put_cursor(self, cursor: Cursor, wanted_ns: int | None = None) -> None:
        if cursor != self._scene.cursor:
            self._op_rank = None
        scene = replace(self._scene, cursor=cursor, wanted_ns=wanted_ns, gap_rank=None)
        scene = scene.with_range_extended().with_cursor_shown()
        window = scene.window.showing(*scene.chosen) if scene.chosen else scene.window
        self._draw(replace(scene, window=window.moved_within(scene.index.reach)))

    def _walk_to(self, cursor: Cursor | None, wanted_ns: int | None = None) -> None:
        if cursor is None:
            return
        moved = cursor != self._scene.cursor
        self._put_cursor(cursor, wanted_ns)
        if moved and self.cursor_key is not None:
            self.post_message(self.CursorMoved(self.cursor_key))

    def _walk_along(self, step: int) -> None:
        if cursor := self._scene.cursor:
            self._walk_to(along(self._scene.index, cursor, step))

    def _walk_across(self, step: int) -> None:
        scene = self._scene
        if scene.cursor_line is None or not 0 <= scene.cursor_line + step < self.line_count:
            return
        line = scene.arrangement.lines[scene.cursor_line + step]
        self._walk_to(on_line(scene.index, line, scene.time_ns), scene.time_ns)
