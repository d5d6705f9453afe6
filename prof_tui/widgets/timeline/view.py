"""The timeline: lanes of intervals over time, zoomed and walked with the keys of chrome://tracing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from prof_tui.data.spans.span import Span
from prof_tui.widgets.keys import key
from prof_tui.widgets.timeline.arrangement import OF_GROUP, Choices, Line, LineKind
from prof_tui.widgets.timeline.cursor import (
    Cursor,
    On,
    along,
    first,
    is_at_home,
    lane_of,
    line_of,
    on_line,
    same_in,
)
from prof_tui.widgets.timeline.drawing import Drawing, LaneStyles
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import LaneSet
from prof_tui.widgets.timeline.scene import NO_STYLE, Scene
from prof_tui.widgets.timeline.zoom import TimeWindow
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

_MARGIN = 8
"""Beside a gap an eighth of it is in sight on both sides: the ops that it lies between."""

LANE_ONLY = frozenset(
    {"left", "right", "up", "down", "enter", "f", "m", "M", "space", "minus", "i", "I", "p"}
)
"""The keys that a table may mean otherwise: a screen with both leaves them to the half with the focus."""


class LaneView(Widget, can_focus=True):
    """Lanes over time with a cursor on one interval.

    Its actions are public, so that a screen can forward keys while something else has the focus.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LaneView { width: 1fr; height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*LANE_BINDINGS]
    BINDING_GROUP_TITLE = _("Lanes")

    @dataclass
    class CursorMoved(Message):
        """The user moved the cursor to the interval with this key."""

        key: int

    @dataclass
    class Entered(Message):
        """The user asks for the interval with this key."""

        key: int

    @dataclass
    class Looked(Message):
        """Another time is on the screen."""

        window: Span

    class Arranged(Message):
        """Lanes were folded, hidden or pinned, or are so no more: there may be more lines or fewer."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        index = LaneIndex(LaneSet(0, 0))
        self._scene = Scene(index, TimeWindow.over(index.home))
        self._drawing = Drawing(self._scene)
        self._earlier_windows: list[TimeWindow] = []
        self._op_rank: int | None = None
        """Which of the longest ops the cursor was put on by that key; None once it moved otherwise."""

    def set_index(self, index: LaneIndex, *, keep: bool = False) -> None:
        """Show lanes that a worker has indexed; what the user folded, hid and pinned stays so.

        The cursor stays on its key if that is in the new home window.  With ``keep``, for a timeline that
        is still being read, the window, its undo, the range and the lines in sight stay too; a view of all
        of the home window then shows all of the new one.
        """
        before = self._scene
        keep = keep and bool(before.index.lane_set.lanes)
        cursor = before.cursor and same_in(index, before.index, before.cursor)
        scene = replace(before, index=index, cursor=None, gap=None, gap_rank=None, wanted_ns=None)
        if before.window == TimeWindow.over(before.index.home):
            scene = replace(scene, window=TimeWindow.over(index.home))
        if not keep:
            self._earlier_windows.clear()
            home = TimeWindow.over(index.home)
            scene = replace(scene, window=home, top_line=0, marked=None, marked_from=None)
        scene = scene.arranged(before.choices)
        if cursor and not keep and not is_at_home(index, cursor):
            cursor = None
        if cursor is None or line_of(scene.arrangement, index, cursor) is None:
            cursor = first(scene.arrangement, index)
        scene = replace(scene, cursor=cursor).with_cursor_shown()
        self._draw(scene)

    # What is shown

    @property
    def cursor_key(self) -> int | None:
        """The key of the interval under the cursor; None while there is none."""
        cursor = self._scene.cursor
        return self._scene.index.key_of(cursor.number) if cursor and cursor.on is On.INTERVAL else None

    @property
    def cursor_lane_id(self) -> str | None:
        """The lane under the cursor; None on the header of a group."""
        scene = self._scene
        lane = scene.cursor and lane_of(scene.index, scene.cursor)
        return None if lane is None else scene.index.lane_set.lanes[lane].id

    @property
    def range_ns(self) -> Span | None:
        """The marked range, also while it is being marked."""
        return self._scene.marked

    @property
    def window(self) -> Span:
        """The time on the screen."""
        return self._scene.window.begin_ns, self._scene.window.end_ns

    @property
    def line_count(self) -> int:
        """How many lines the lanes take."""
        return len(self._scene.arrangement.lines)

    def legend(self) -> Text:
        """Letter and title of every kind that occurs."""
        index = self._scene.index
        return LaneStyles(index.lane_set.kinds, NO_STYLE).legend(index.kinds_present)

    def select(self, key: int) -> bool:
        """Put the cursor on an interval and bring it into sight, silently; False when no lane has it."""
        number = self._scene.index.find(key)
        if number is None:
            return False
        cursor = Cursor(On.INTERVAL, number)
        if cursor != self._scene.cursor or self._scene.gap is None:
            self._reveal(cursor)
            self._put_cursor(cursor)
        return True

    # Zoom

    def look_at(self, begin_ns: int, end_ns: int) -> None:
        """Zoom to a span; undone as any zoom."""
        self._show_window(TimeWindow.over((begin_ns, end_ns), self._scene.columns))

    def action_zoom_in(self, at_ns: int | None = None) -> None:
        """Around a moment; None: around the chosen gap or op."""
        scene = self._scene
        anchor_ns = scene.zoom_anchor_ns if at_ns is None else at_ns
        self._show_window(scene.window.zoomed_in(anchor_ns, scene.columns))

    def action_zoom_out(self, at_ns: int | None = None) -> None:
        """Around a moment; None: around the chosen gap or op."""
        scene = self._scene
        anchor_ns = scene.zoom_anchor_ns if at_ns is None else at_ns
        self._show_window(scene.window.zoomed_out(anchor_ns, scene.index.home, scene.index.reach))

    def action_pan_left(self) -> None:
        self._show_window(self._scene.window.panned(-1), undoable=False)

    def action_pan_right(self) -> None:
        self._show_window(self._scene.window.panned(1), undoable=False)

    def action_undo_zoom(self) -> None:
        if self._earlier_windows:
            self._draw(replace(self._scene, window=self._earlier_windows.pop()))

    def action_everything(self) -> None:
        index = self._scene.index
        home, whole = TimeWindow.over(index.home), TimeWindow.over(index.lane_set.whole or index.reach)
        self._show_window(whole if self._scene.window == home else home)

    def action_fit(self) -> None:
        if span := self._scene.marked or self._scene.chosen:
            self.look_at(*span)

    def _show_window(self, window: TimeWindow, *, undoable: bool = True) -> None:
        """Show another part of the time, as near to it as there is something to see."""
        before = self._scene.window
        self._draw(replace(self._scene, window=window.moved_within(self._scene.index.reach)))
        if undoable and self._scene.window != before:
            self._earlier_windows.append(before)

    # Walk

    def action_previous_op(self) -> None:
        self._walk_to(along(self._scene.index, self._scene.cursor, -1))

    def action_next_op(self) -> None:
        self._walk_to(along(self._scene.index, self._scene.cursor, 1))

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
        """The longest gap; repeated, the others in turn."""
        gaps, rank = self._scene.index.longest_gaps, self._scene.gap_rank
        if gaps:
            rank = 0 if rank is None else (rank + 1) % len(gaps)
            look_at_gap(self, gaps[rank], rank)

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

    def action_clear_mark(self) -> None:
        if self._scene.marked:
            self._draw(replace(self._scene, marked=None, marked_from=None))

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
        self.action_zoom_in(_time_under(event, self))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_zoom_out(_time_under(event, self))

    # The cursor

    def _put_cursor(self, cursor: Cursor, wanted_ns: int | None = None) -> None:
        if cursor != self._scene.cursor:
            self._op_rank = None
        scene = replace(self._scene, cursor=cursor, wanted_ns=wanted_ns, gap=None, gap_rank=None)
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

    def _walk_across(self, step: int) -> None:
        scene = self._scene
        if scene.cursor_line is None or not 0 <= scene.cursor_line + step < self.line_count:
            return
        line = scene.arrangement.lines[scene.cursor_line + step]
        self._walk_to(on_line(scene.index, line, scene.time_ns), scene.time_ns)

    # Draw

    def on_resize(self) -> None:
        self._fit_to_widget()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a part, in the style that the widget has now."""
        self._fit_to_widget()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the scene."""
        if self.size != (self._scene.width, self._scene.height):
            self._fit_to_widget()
        return Strip(self._drawing.line(y), self.size.width)

    def _fit_to_widget(self) -> None:
        """Take over size and style, which change before the events that tell of it arrive."""
        width, height = self.size
        if (width, height, self.rich_style) != (self._scene.width, self._scene.height, self._scene.base):
            scene = replace(self._scene, width=width, height=height, base=self.rich_style)
            self._scene = scene.with_cursor_shown()
            self._drawing = Drawing(self._scene)

    def _draw(self, scene: Scene) -> None:
        lines = scene.changed_lines(self._scene)
        if scene.window != self._scene.window:
            self.post_message(self.Looked((scene.window.begin_ns, scene.window.end_ns)))
        self._scene = scene
        self._drawing = Drawing(scene, self._drawing)
        if lines is None:
            self.refresh()
        else:
            for y in lines:
                self.refresh(Region(0, y, self.size.width, 1))


def shaded(lanes: LaneView) -> Span | None:
    """The gap, or other stretch of time, that is shaded."""
    return lanes._scene.gap


def look_at_gap(lanes: LaneView, gap: Span, rank: int | None = None, key: int | None = None) -> None:
    """Shade a stretch of time and zoom to it with the ops on both sides; undone as any zoom.

    The cursor goes to the interval with ``key``, else to the op before it, else after it.  ``rank``: its
    place in ``longest_gaps``.
    """
    index, looked_at = lanes._scene.index, lanes._scene.window
    before, after = index.last_ended(gap[0]), index.next_started(gap[1])
    chosen = None if key is None else index.find(key)
    beside = [Cursor(On.INTERVAL, number) for number in (after, before, chosen) if number is not None]
    for cursor in beside:
        lanes._reveal(cursor)
        lanes._put_cursor(cursor)
    if lanes.cursor_key is not None and beside:
        lanes.post_message(lanes.CursorMoved(lanes.cursor_key))
    begin_ns = gap[0] if before is None else min(gap[0], index.columns.end_ns(before))
    end_ns = gap[1] if after is None else max(gap[1], index.columns.starts[after])
    margin_ns = max(1, (end_ns - begin_ns) // _MARGIN)
    lanes._draw(replace(lanes._scene, gap=gap, gap_rank=rank, window=looked_at).with_range_extended())
    lanes.look_at(begin_ns - margin_ns, end_ns + margin_ns)


def go_to_time(lanes: LaneView, at_ns: int) -> bool:
    """Put the cursor on what is at a moment, or begins first after it, in its lane; the zoom stays.

    Without intervals in the cursor's lane only the time is shown; False where it has none any more.
    """
    scene = lanes._scene
    lane = scene.cursor and lane_of(scene.index, scene.cursor)
    rows = range(0) if lane is None else scene.index.columns.rows_of(lane)
    number = scene.index.at_or_after(rows, at_ns)
    if number is None and rows:
        return False
    if number is not None:
        lanes._walk_to(Cursor(On.INTERVAL, number))
        at_ns = max(at_ns, scene.index.columns.starts[number])
    lanes._show_window(replace(scene.window, begin_ns=at_ns - scene.window.span_ns // 2))
    return True


def _time_under(event: events.MouseEvent, lanes: LaneView) -> int:
    """The moment that the mouse is on."""
    at, scene = event.get_content_offset(lanes), lanes._scene
    return scene.grid.time_ns(max(0, at.x - scene.title_width) if at else 0)
