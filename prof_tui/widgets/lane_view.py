"""The timeline: lanes of intervals over time, zoomed and walked with the keys of chrome://tracing."""

from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from prof_tui.widgets.lane_index import LaneIndex, Place
from prof_tui.widgets.lane_keys import LANE_BINDINGS
from prof_tui.widgets.lane_model import LaneSet
from prof_tui.widgets.lane_scene import NO_STYLE, Scene
from prof_tui.widgets.lane_styles import LaneStyles
from prof_tui.widgets.time_window import TimeWindow


class LaneView(Widget, can_focus=True):
    """Lanes over time with a cursor on one interval.

    Its actions are public, so that a screen can forward keys while something else has the focus.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LaneView { width: 1fr; height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*LANE_BINDINGS]

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

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        index = LaneIndex(LaneSet(0, 0, (), (), ()))
        self._scene = Scene(index, _whole_window(index.lane_set))
        self._earlier_windows: list[TimeWindow] = []
        self._op_rank: int | None = None
        """Which of the longest ops the cursor was put on by that key; None once it moved otherwise."""

    def set_lanes(self, lane_set: LaneSet) -> None:
        """Show these lanes, all of their window; for tens of thousands of intervals see ``set_index``."""
        self.set_index(LaneIndex(lane_set))

    def set_index(self, index: LaneIndex) -> None:
        """Show lanes that a worker has indexed; the cursor stays on its key if they have it."""
        key = self.cursor_key
        self._draw(
            replace(
                self._scene,
                index=index,
                window=_whole_window(index.lane_set),
                cursor=None,
                gap_rank=None,
                top_row=0,
            )
        )
        self._earlier_windows.clear()
        if place := (None if key is None else index.find(key)) or index.first():
            self._put_cursor(place)

    @property
    def cursor_key(self) -> int | None:
        """The key of the interval under the cursor; None while there is none."""
        return None if self._scene.cursor is None else self._scene.index.interval(self._scene.cursor).key

    def select(self, key: int) -> bool:
        """Put the cursor on an interval and bring it into sight, silently; False when no lane has it."""
        place = self._scene.index.find(key)
        if place and (place != self._scene.cursor or self._scene.gap_rank is None):
            self._put_cursor(place)
        return place is not None

    def legend(self) -> Text:
        """Letter and title of every kind that occurs."""
        index = self._scene.index
        return LaneStyles(index.lane_set.kinds, NO_STYLE).legend(index.kinds_present)

    def action_zoom_in(self) -> None:
        self._zoom_in(self._anchor_ns())

    def action_zoom_out(self) -> None:
        self._zoom_out(self._anchor_ns())

    def action_pan_left(self) -> None:
        self._pan(-1)

    def action_pan_right(self) -> None:
        self._pan(1)

    def action_undo_zoom(self) -> None:
        if self._earlier_windows:
            self._draw(replace(self._scene, window=self._earlier_windows.pop()))

    def action_everything(self) -> None:
        self._zoom_to(_whole_window(self._scene.index.lane_set))

    def action_previous_op(self) -> None:
        if cursor := self._scene.cursor:
            self._walk_to(self._scene.index.along(cursor, -1))

    def action_next_op(self) -> None:
        if cursor := self._scene.cursor:
            self._walk_to(self._scene.index.along(cursor, 1))

    def action_lane_above(self) -> None:
        if cursor := self._scene.cursor:
            self._walk_to(self._scene.index.across(cursor, -1))

    def action_lane_below(self) -> None:
        if cursor := self._scene.cursor:
            self._walk_to(self._scene.index.across(cursor, 1))

    def action_longer_op(self) -> None:
        """The longest op; repeated, the others by descending duration, and then the longest again."""
        longest = self._scene.index.longest
        if longest:
            rank = 0 if self._op_rank is None else (self._op_rank + 1) % len(longest)
            self._walk_to(longest[rank])
            self._op_rank = rank

    def action_longer_gap(self) -> None:
        """The longest gap; repeated, the others in turn. The cursor goes to the op before it, else after."""
        index, rank = self._scene.index, self._scene.gap_rank
        if index.longest_gaps:
            rank = 0 if rank is None else (rank + 1) % len(index.longest_gaps)
            begin_ns, end_ns = index.longest_gaps[rank]
            self._walk_to(index.last_ended(begin_ns) or index.next_started(end_ns))
            self._draw(replace(self._scene, gap_rank=rank))
            self._look_at(self._scene.window.showing(begin_ns, end_ns))

    def action_enter(self) -> None:
        if self.cursor_key is not None:
            self.post_message(self.Entered(self.cursor_key))

    def on_click(self, event: events.Click) -> None:
        if at := event.get_content_offset(self):
            self._walk_to(self._scene.place_at(at.x, at.y))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._zoom_in(self._time_under(event))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._zoom_out(self._time_under(event))

    def on_resize(self) -> None:
        self._fit_to_widget()

    def render_line(self, y: int) -> Strip:
        """One line of the scene."""
        self._fit_to_widget()
        return Strip(self._scene.line(y)).simplify().adjust_cell_length(self.size.width, self._scene.base)

    def _fit_to_widget(self) -> None:
        """Take over size and style, which change before the events that tell of it arrive."""
        width, height = self.size
        if (width, height, self.rich_style) != (self._scene.width, self._scene.height, self._scene.base):
            scene = replace(self._scene, width=width, height=height, base=self.rich_style)
            self._scene = scene.with_row_shown()

    def _draw(self, scene: Scene) -> None:
        lines = scene.changed_lines(self._scene)
        self._scene = scene
        if lines is None:
            self.refresh()
        else:
            for y in lines:
                self.refresh(Region(0, y, self.size.width, 1))

    def _within_reach(self, window: TimeWindow) -> TimeWindow:
        return window.moved_within(self._scene.index.reach)

    def _look_at(self, window: TimeWindow) -> None:
        """Show another part of the time, as near to it as there is something to see."""
        self._draw(replace(self._scene, window=self._within_reach(window)))

    def _put_cursor(self, place: Place) -> None:
        if place != self._scene.cursor:
            self._op_rank = None
        scene = replace(self._scene, cursor=place, gap_rank=None).with_row_shown()
        interval = scene.index.interval(place)
        window = scene.window.showing(interval.start_ns, interval.end_ns)
        self._draw(replace(scene, window=self._within_reach(window)))

    def _walk_to(self, place: Place | None) -> None:
        if place is None:
            return
        moved = place != self._scene.cursor
        self._put_cursor(place)
        if moved:
            self.post_message(self.CursorMoved(self._scene.index.interval(place).key))

    def _pan(self, direction: int) -> None:
        window = self._scene.window
        self._look_at(replace(window, begin_ns=window.begin_ns + direction * max(1, window.span_ns // 4)))

    def _zoom_in(self, anchor_ns: int) -> None:
        window = self._scene.window
        span_ns = max(1, self._scene.columns, window.span_ns // 2)
        if span_ns < window.span_ns:
            self._zoom_to(window.zoomed(span_ns, anchor_ns))

    def _zoom_out(self, anchor_ns: int) -> None:
        window, whole = self._scene.window, _whole_window(self._scene.index.lane_set)
        fits = window.span_ns * 2 < whole.span_ns
        self._zoom_to(window.zoomed(window.span_ns * 2, anchor_ns) if fits else whole)

    def _zoom_to(self, window: TimeWindow) -> None:
        before = self._scene.window
        self._look_at(window)
        if self._scene.window != before:
            self._earlier_windows.append(before)

    def _anchor_ns(self) -> int:
        """What a zoom by key leaves in its place: the chosen gap or op when in sight, else the centre."""
        scene = self._scene
        begin_ns, end_ns = scene.window.begin_ns, scene.window.end_ns
        if scene.chosen and scene.window.holds(sum(scene.chosen) // 2):
            begin_ns, end_ns = scene.chosen
        return (begin_ns + end_ns) // 2

    def _time_under(self, event: events.MouseEvent) -> int:
        at = event.get_content_offset(self)
        column = max(0, at.x - self._scene.title_width) if at else 0
        return self._scene.grid.time_ns(column)


def _whole_window(lane_set: LaneSet) -> TimeWindow:
    return TimeWindow(lane_set.begin_ns, max(1, lane_set.end_ns - lane_set.begin_ns))
