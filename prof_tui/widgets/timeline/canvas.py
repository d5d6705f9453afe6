"""The picture of a timeline as a widget: what it shows can be asked and set, keys are for others."""

from __future__ import annotations

from dataclasses import replace

from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline import zoom as lane_zoom
from prof_tui.widgets.timeline.cursor import On, first, is_at_home, lane_of, line_of, same_in
from prof_tui.widgets.timeline.drawing import Drawing
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.model import LaneSet
from prof_tui.widgets.timeline.scene import NO_STYLE, Scene
from prof_tui.widgets.timeline.styles import LaneStyles
from prof_tui.widgets.timeline.window import TimeWindow


class LaneCanvas(Widget):
    """Lanes over time with a cursor on one interval."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LaneCanvas { width: 1fr; height: 1fr; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        index = LaneIndex(LaneSet(0, 0))
        self._scene = Scene(index, lane_zoom.home(index))
        self._drawing = Drawing(self._scene)
        self._earlier_windows: list[TimeWindow] = []

    def set_lanes(self, lane_set: LaneSet) -> None:
        """Show these lanes, all of their window; for tens of thousands of intervals see ``set_index``."""
        self.set_index(LaneIndex(lane_set))

    def set_index(self, index: LaneIndex, *, keep: bool = False) -> None:
        """Show lanes that a worker has indexed; what the user folded, hid and pinned stays so.

        The cursor stays on its key if that is in the new home window.  With ``keep``, for a timeline that
        is still being read, the window, its undo, the range and the lines in sight stay too; a view of all
        of the home window then shows all of the new one.
        """
        before = self._scene
        keep = keep and bool(before.index.lane_set.lanes)
        cursor = before.cursor and same_in(index, before.index, before.cursor)
        scene = replace(before, index=index, cursor=None, gap_rank=None, wanted_ns=None)
        if before.window == lane_zoom.home(before.index):
            scene = replace(scene, window=lane_zoom.home(index))
        if not keep:
            self._earlier_windows.clear()
            scene = replace(scene, window=lane_zoom.home(index), top_line=0, marked=None, marked_from=None)
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
    def cursor_time_ns(self) -> int:
        """When the interval or sample under the cursor starts, else the time that a walk keeps to."""
        return self._scene.chosen[0] if self._scene.chosen else self._scene.time_ns

    @property
    def cursor_lane_id(self) -> str | None:
        """The lane under the cursor; None on the header of a group."""
        scene = self._scene
        lane = scene.cursor and lane_of(scene.index, scene.cursor)
        return None if lane is None else scene.index.lane_set.lanes[lane].id

    @property
    def chosen(self) -> Span | None:
        """When the chosen gap is, else the interval or sample under the cursor."""
        return self._scene.chosen

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

    def look_at(self, begin_ns: int, end_ns: int) -> None:
        """Zoom to a span; undone as any zoom."""
        self._zoom_to(lane_zoom.over(self._scene, begin_ns, end_ns))

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
        self._scene = scene
        self._drawing = Drawing(scene, self._drawing)
        if lines is None:
            self.refresh()
        else:
            for y in lines:
                self.refresh(Region(0, y, self.size.width, 1))

    def _look_at(self, window: TimeWindow) -> None:
        """Show another part of the time, as near to it as there is something to see."""
        self._draw(replace(self._scene, window=window.moved_within(self._scene.index.reach)))

    def _zoom_to(self, window: TimeWindow) -> None:
        before = self._scene.window
        self._look_at(window)
        if self._scene.window != before:
            self._earlier_windows.append(before)
