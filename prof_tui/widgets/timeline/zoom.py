"""Which window of time each way of zooming leads to."""

from __future__ import annotations

from dataclasses import replace

from prof_tui.data.spans.span import Span
from prof_tui.widgets.timeline.index import LaneIndex
from prof_tui.widgets.timeline.scene import Scene
from prof_tui.widgets.timeline.window import TimeWindow


def window_over(span: Span) -> TimeWindow:
    """The window that shows a span, and at least a nanosecond."""
    return TimeWindow(span[0], max(1, span[1] - span[0]))


def home(index: LaneIndex) -> TimeWindow:
    """The home window of a lane set."""
    return window_over(index.home)


def everything(scene: Scene) -> TimeWindow:
    """The home window; from there all that there is, and from there the home window again."""
    index = scene.index
    whole = window_over(index.lane_set.whole or index.reach)
    return whole if scene.window == home(index) else home(index)


def closer(scene: Scene, anchor_ns: int) -> TimeWindow:
    """Half the time, but not less than a nanosecond per cell."""
    span_ns = max(1, scene.columns, scene.window.span_ns // 2)
    return scene.window.zoomed(span_ns, anchor_ns) if span_ns < scene.window.span_ns else scene.window


def wider(scene: Scene, anchor_ns: int) -> TimeWindow:
    """Twice the time; the home window when that is between the two, all that there is at most."""
    window, inner = scene.window, home(scene.index)
    if (
        window.span_ns < inner.span_ns <= 2 * window.span_ns
        and inner.begin_ns <= window.begin_ns
        and window.end_ns <= inner.end_ns
    ):
        return inner
    reach = window_over(scene.index.reach)
    fits = 2 * window.span_ns < reach.span_ns
    return window.zoomed(2 * window.span_ns, anchor_ns) if fits else reach


def over(scene: Scene, begin_ns: int, end_ns: int) -> TimeWindow:
    """Exactly a span, in the middle where it is shorter than a nanosecond per cell."""
    span_ns = max(1, scene.columns, end_ns - begin_ns)
    return TimeWindow(begin_ns - (span_ns - max(0, end_ns - begin_ns)) // 2, span_ns)


def panned(scene: Scene, direction: int) -> TimeWindow:
    """Earlier (-1) or later (1) by a quarter of the view."""
    window = scene.window
    return replace(window, begin_ns=window.begin_ns + direction * max(1, window.span_ns // 4))


def anchor_ns(scene: Scene) -> int:
    """What a zoom by key leaves in its place: the chosen gap or op when in sight, else the centre."""
    begin_ns, end_ns = scene.window.begin_ns, scene.window.end_ns
    if scene.chosen and scene.window.holds(sum(scene.chosen) // 2):
        begin_ns, end_ns = scene.chosen
    return (begin_ns + end_ns) // 2
