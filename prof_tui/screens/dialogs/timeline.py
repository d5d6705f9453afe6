"""What the timeline pane asks the user: where to look, which list to make of it, what to write to a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from prof_tui.data.query.query import Scope
from prof_tui.data.timeline.go_to import GoToIteration, GoToTime, parse_go_to
from prof_tui.errors import UsageError
from prof_tui.panes.timeline.texts import scope_words
from prof_tui.screens.destinations import ToEvents
from prof_tui.screens.dialogs.forms import OneScreen, PromptScreen, ask, ask_new_file
from prof_tui.screens.dialogs.help import LegendScreen
from prof_tui.screens.navigation import Navigator
from prof_tui.screens.working import work
from prof_tui.widgets.timeline.view import go_to_time
from prof_tui.words import _, byte_size, count, duration, microseconds

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.spans.span import Span
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.tables import EventTable
    from prof_tui.panes.pane import NotFound
    from prof_tui.panes.timeline.pane import TimelinePane

_ENTER_TAKES_ONE = _("Enter takes one, Escape closes")


def ask_about_timeline(navigator: Navigator, pane: TimelinePane, what: str) -> None:
    """Ask for one of TIMELINE_DIALOGS; but for another timeline, only once this one was read."""
    if what == "file":
        choose_timeline(pane)
    elif pane.index is not None:
        TIMELINE_DIALOGS[what](navigator, pane, pane.index)


def ask_again(navigator: Navigator, pane: TimelinePane, refused: NotFound) -> None:
    """Ask anew for what the timeline doesn't have, with what was typed and the reason."""
    if pane.index is not None:
        dialog = ask_where_to_go if refused.asked == "go_to" else ask_name_to_find
        dialog(navigator, pane, pane.index, refused)


# Where to look


def choose_timeline(pane: TimelinePane) -> None:
    """Ask which timeline of the export to show."""
    traces = pane.capture.traces
    names = traces.names()

    def show(place: int) -> None:
        if pane.index is None or names[place] != pane.index.name:
            pane.open(names[place])

    lines = [f"{name}  {byte_size(traces.size_bytes(name))}" for name in names]
    shown = pane.reader.trace_name
    current = names.index(shown) if shown in names else None
    hint = _("Enter opens one, Escape closes")
    ask(pane, OneScreen(_("Timelines"), lines, hint=hint, current=current), show)


def ask_name_to_find(
    navigator: Navigator, pane: TimelinePane, index: TraceIndex, refused: NotFound | None = None
) -> None:
    """Ask for the name whose events ``n`` and ``N`` go through."""
    text = "" if pane.found is None else pane.found.text
    title = _("Find events whose name contains; n next, N previous, empty ends it")
    text, why = (refused.text, refused.sentence) if refused else (text, "")
    pane.app.push_screen(PromptScreen(title, value=text, replace=True, error=why, accept=pane.find))


def ask_where_to_go(
    navigator: Navigator, pane: TimelinePane, index: TraceIndex, refused: NotFound | None = None
) -> None:
    """Ask for a time, an iteration or a name to go to."""

    def accept(text: str) -> None:
        if text.strip():
            _go_to(navigator, pane, index, text)

    title = _("Go to: a time in us (or 12 ms) from the start shown, iteration 5, or a part of a name")
    text, why = "", ""
    if refused:
        form = _("Nor is it a time, as 12.5 or 3 ms, nor iteration 5.")
        text, why = refused.text, f"{refused.sentence} {form}"
    pane.app.push_screen(PromptScreen(title, value=text, replace=True, error=why, accept=accept))


def _go_to(navigator: Navigator, pane: TimelinePane, index: TraceIndex, text: str) -> None:
    place = parse_go_to(text, pane.zero_ns, index.span)
    if isinstance(place, GoToIteration):
        navigator.set_scope(_iteration(pane.capture, navigator.scope, place.iteration))
    elif isinstance(place, GoToTime):
        _go_to_time(pane, index, place.at_ns)
    else:
        pane.find(place.text, "go_to")


def _go_to_time(pane: TimelinePane, index: TraceIndex, at_ns: int) -> None:
    begin_ns, end_ns = (moment - pane.zero_ns for moment in index.span)
    if not index.span[0] <= at_ns <= index.span[1]:
        text = (
            _("The timeline begins later: from the start shown it goes from {begin} to {end} us.")
            if at_ns < index.span[0]
            else _("The timeline ends before: from the start shown it goes from {begin} to {end} us.")
        )
        raise UsageError(text.format(begin=microseconds(begin_ns), end=microseconds(end_ns)))
    if not go_to_time(pane.lanes, at_ns):
        raise UsageError(_("In the lane under the cursor there is no event at that time or after it."))


def _iteration(capture: OpenCapture, scope: Scope, number: int) -> Scope:
    """The iteration of this number of the model that is looked at, else of the main model."""
    steps = capture.steps
    found = [
        step
        for step in steps.steps
        if step.iteration == number
        and scope.device in (None, step.device)
        and (steps.is_main(step) if scope.model is None else step.model == scope.model)
    ]
    if not found:
        raise UsageError(_("There is no iteration {number} of this model.").format(number=number))
    return Scope(found[0].device, found[0].model, number)


def show_legend(navigator: Navigator, pane: TimelinePane, index: TraceIndex) -> None:
    """Explain letters and colours of what is shown."""
    pane.app.push_screen(LegendScreen(pane.lanes.legend()))


# Lists made from it


def list_longest(navigator: Navigator, pane: TimelinePane, index: TraceIndex) -> None:
    """List the longest events of the scope."""
    window = None if pane.shown is None or pane.scope.iteration is None else pane.shown.window

    def make() -> EventTable:
        from prof_tui.data.timeline.events import longest_events
        from prof_tui.data.timeline.tables import longest_table

        lanes = [number for number, lane in enumerate(index.lanes) if not lane.is_derived]
        return longest_table(index, longest_events(index, lanes=lanes, window=window))

    scope = scope_words(pane.scope, complete=index.complete)
    title = _("Longest events, {scope}, without Step Trace and Overlap Analysis").format(scope=scope)
    _open_list(navigator, pane, index, title, make)


def list_gaps(navigator: Navigator, pane: TimelinePane, index: TraceIndex) -> None:
    """List the largest gaps of the lane under the cursor, else of all streams."""
    lanes, title = _waiting_lanes(pane, index)
    if not lanes:
        pane.notify(_("This timeline has no streams: there are no gaps to list."), markup=False)
        return
    window = index.span if pane.shown is None else pane.shown.window

    def make() -> EventTable:
        from prof_tui.data.iterations.placement import place_times
        from prof_tui.data.timeline.gaps import largest_gaps
        from prof_tui.data.timeline.tables import gaps_table

        gaps = largest_gaps(index, lanes, window)
        device = index.lanes[lanes[0]].device
        return gaps_table(index, gaps, place_times(pane.capture.steps, device, gaps["begin_ns"]))

    _open_list(navigator, pane, index, title, make)


def _waiting_lanes(pane: TimelinePane, index: TraceIndex) -> tuple[list[int], str]:
    """The lanes whose gaps are meant: the stream under the cursor, else all streams of one device."""
    from prof_tui.panes.timeline.lanes import lane_id

    wanted = pane.lanes.cursor_lane_id
    lane = next((number for number, told in enumerate(index.lanes) if lane_id(told) == wanted), None)
    if lane is not None and (index.lanes[lane].is_stream or index.lanes[lane].is_communication):
        return [lane], _("Largest gaps of {lane}").format(lane=index.lanes[lane].thread)
    streams = index.lanes_where(lambda lane: lane.is_stream)
    device = pane.scope.device
    if device is None:
        device = next((index.lanes[stream].device for stream in streams), None)
    lanes = [stream for stream in streams if index.lanes[stream].device in (device, None)]
    if device is None:
        return lanes, _("Largest gaps of all streams")
    return lanes, _("Largest gaps of all streams of device {n}").format(n=device)


def choose_sums(navigator: Navigator, pane: TimelinePane, index: TraceIndex) -> None:
    """Ask by what to sum the events of the marked range, else of what is on the screen; list the sums."""
    span = pane.lanes.range_ns or pane.lanes.window
    what = _("the marked range") if pane.lanes.range_ns else _("what is on the screen")

    def show(place: int) -> None:
        title = _("Sums of {what}, {length}").format(what=what, length=duration(span[1] - span[0]))
        _open_list(navigator, pane, index, title, partial(_sums, index, span, by_lane=place == 0))

    kinds = [_("One row per lane"), _("One row per name")]
    ask(pane, OneScreen(_("Sums of {what}").format(what=what), kinds, hint=_ENTER_TAKES_ONE), show)


def _sums(index: TraceIndex, span: Span, *, by_lane: bool) -> EventTable:
    from prof_tui.data.timeline.events import range_stats
    from prof_tui.data.timeline.tables import range_lanes_table, range_names_table

    stats = range_stats(index, span)
    return range_lanes_table(index, stats) if by_lane else range_names_table(index, stats)


def _open_list(
    navigator: Navigator, pane: TimelinePane, index: TraceIndex, title: str, make: Callable[[], EventTable]
) -> None:
    if not index.complete:
        title = _("{title}, of what was read").format(title=title)
    navigator.open(ToEvents(title, make, pane.zero_ns, index.name))


# Carve out


def ask_carved_file(navigator: Navigator, pane: TimelinePane, index: TraceIndex) -> None:
    """Ask for a new trace JSON and write the events of the marked range, else of the window, to it."""
    span = pane.lanes.range_ns or pane.lanes.window

    def write(path: Path) -> None:
        say = partial(pane.notify, markup=False)
        work(pane, "write", lambda: _carve(index, span, path), say, exclusive=False)

    title = _("Write the events of these {length} to this new trace JSON")
    title = title.format(length=duration(span[1] - span[0]))
    ask_new_file(pane, title, name="trace", suffix="json", write=write)


def _carve(index: TraceIndex, span: Span, path: Path) -> str:
    from prof_tui.data.timeline.carve import Cut, carve

    carved = carve(index, Cut(span), path)
    said = _("{n} events, {size} written to {path}")
    return said.format(n=count(carved.events), size=byte_size(carved.bytes), path=path)


TIMELINE_DIALOGS: dict[str, Callable[[Navigator, TimelinePane, TraceIndex], None]] = {
    "find": ask_name_to_find,
    "go_to": ask_where_to_go,
    "longest": list_longest,
    "gaps": list_gaps,
    "sums": choose_sums,
    "legend": show_legend,
    "carve": ask_carved_file,
}
"""What a key of the timeline pane asks for, by the name in its action."""
