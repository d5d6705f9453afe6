"""What the timeline pane asks for, put before the user: prompts, lists, tables made from it, a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from prof_tui.data.query.query import Scope
from prof_tui.data.timeline.go_to import GoToIteration, GoToTime, parse_go_to
from prof_tui.data.writing.new_files import check_new, folder_for_files, free_name
from prof_tui.errors import ProfTuiError, UsageError
from prof_tui.panes.pane import Told
from prof_tui.panes.timeline.texts import scope_words
from prof_tui.screens.dialogs.choices import OneScreen
from prof_tui.screens.dialogs.legend import LegendScreen
from prof_tui.screens.dialogs.prompt import PromptScreen
from prof_tui.words import _, byte_size, count, duration

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.spans.span import Span
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.tables import EventTable
    from prof_tui.panes.timeline.pane import TimelinePane


class TimelineDialogs(Screen[None]):
    """A screen that may have the timeline pane."""

    capture: OpenCapture
    scope: Scope

    def timeline_pane(self) -> TimelinePane | None:
        """The timeline, where it was shown before."""
        from prof_tui.panes.timeline.pane import TimelinePane

        return next(iter(self.query(TimelinePane)), None)

    def action_ask_timeline(self, what: str) -> None:
        """``find``, ``go_to``, ``longest``, ``gaps``, ``sums``, ``legend``, ``file`` or ``carve``."""
        pane = self.timeline_pane()
        if pane is not None and what == "file":
            self._ask_which_timeline(pane)
        elif pane is not None and pane.index is not None:
            getattr(self, f"_ask_{what}_of")(pane, pane.index)

    def other_notices(self) -> list[str]:
        pane = self.timeline_pane()
        return pane.notices if pane is not None and pane.is_on_screen else []

    # Where to look

    def _ask_find_of(self, pane: TimelinePane, index: TraceIndex) -> None:
        text = "" if pane.found is None else pane.found.text
        title = _("Find events whose name contains; n next, N previous, empty ends it")
        self.app.push_screen(PromptScreen(title, value=text, replace=True, accept=pane.find))

    def _ask_go_to_of(self, pane: TimelinePane, index: TraceIndex) -> None:
        title = _("Go to: a time in us (or 12 ms) from the start shown, iteration 5, or a part of a name")

        def accept(text: str) -> None:
            if text.strip():
                self._go_to(pane, index, text)

        self.app.push_screen(PromptScreen(title, accept=accept))

    def _go_to(self, pane: TimelinePane, index: TraceIndex, text: str) -> None:
        place = parse_go_to(text, pane.zero_ns, index.span)
        if isinstance(place, GoToIteration):
            self.set_scope(self._iteration(place.iteration))
        elif isinstance(place, GoToTime):
            if not index.span[0] <= place.at_ns <= index.span[1]:
                text = _("The timeline ends before: it is {span} long, and times count from what is shown.")
                raise UsageError(text.format(span=duration(index.span[1] - index.span[0])))
            begin_ns, end_ns = pane.lanes.window
            half_ns = max(1, end_ns - begin_ns) // 2
            pane.show(index.name, None, (place.at_ns - half_ns, place.at_ns + half_ns))
        else:
            pane.find(place.text)

    def _iteration(self, number: int) -> Scope:
        """The iteration of this number of the model that is looked at, else of the main model."""
        steps = self.capture.steps
        found = [
            step
            for step in steps.steps
            if step.iteration == number
            and self.scope.device in (None, step.device)
            and (steps.is_main(step) if self.scope.model is None else step.model == self.scope.model)
        ]
        if not found:
            raise UsageError(_("There is no iteration {number} of this model.").format(number=number))
        return Scope(found[0].device, found[0].model, number)

    def set_scope(self, scope: Scope) -> None:
        """Show another scope."""
        raise NotImplementedError

    def _ask_legend_of(self, pane: TimelinePane, index: TraceIndex) -> None:
        self.app.push_screen(LegendScreen(pane.lanes.legend()))

    def _ask_which_timeline(self, pane: TimelinePane) -> None:
        traces = self.capture.traces
        names = traces.names()
        lines = [f"{name}  {byte_size(traces.size_bytes(name))}" for name in names]

        def chosen(place: int | None) -> None:
            if place is not None and (pane.index is None or names[place] != pane.index.name):
                pane.open(names[place])

        hint = _("Enter opens one, Escape closes")
        current = names.index(pane.reader.trace_name) if pane.reader.trace_name in names else None
        self.app.push_screen(OneScreen(_("Timelines"), lines, hint=hint, current=current), chosen)

    # Tables made from it

    def _ask_longest_of(self, pane: TimelinePane, index: TraceIndex) -> None:
        window = None if pane.shown is None or pane.scope.iteration is None else pane.shown.window

        def make() -> EventTable:
            from prof_tui.data.timeline.events import longest_events
            from prof_tui.data.timeline.tables import longest_table

            lanes = [number for number, lane in enumerate(index.lanes) if not lane.is_derived]
            return longest_table(index, longest_events(index, lanes=lanes, window=window))

        scope = scope_words(pane.scope, complete=index.complete)
        title = _("Longest events, {scope}, without Step Trace and Overlap Analysis").format(scope=scope)
        self._push_list(pane, index, title, make)

    def _ask_gaps_of(self, pane: TimelinePane, index: TraceIndex) -> None:
        lanes, title = _waiting_lanes(pane, index)
        if not lanes:
            self.notify(_("This timeline has no streams: there are no gaps to list."), markup=False)
            return
        window = index.span if pane.shown is None else pane.shown.window

        def make() -> EventTable:
            from prof_tui.data.iterations.placement import place_times
            from prof_tui.data.timeline.gaps import largest_gaps
            from prof_tui.data.timeline.tables import gaps_table

            gaps = largest_gaps(index, lanes, window)
            device = index.lanes[lanes[0]].device
            return gaps_table(index, gaps, place_times(self.capture.steps, device, gaps["begin_ns"]))

        self._push_list(pane, index, title, make)

    def _ask_sums_of(self, pane: TimelinePane, index: TraceIndex) -> None:
        span = pane.lanes.range_ns or pane.lanes.window
        what = _("the marked range") if pane.lanes.range_ns else _("what is on the screen")

        def chosen(place: int | None) -> None:
            if place is not None:
                title = _("Sums of {what}, {length}").format(what=what, length=duration(span[1] - span[0]))
                self._push_list(pane, index, title, partial(_sums, index, span, by_lane=place == 0))

        kinds = [_("One row per lane"), _("One row per name")]
        hint = _("Enter takes one, Escape closes")
        self.app.push_screen(OneScreen(_("Sums of {what}").format(what=what), kinds, hint=hint), chosen)

    def _push_list(
        self, pane: TimelinePane, index: TraceIndex, title: str, make: Callable[[], EventTable]
    ) -> None:
        from prof_tui.screens.tables import EventListScreen

        if not index.complete:
            title = _("{title}, of what was read").format(title=title)
        self.app.push_screen(EventListScreen(self.capture, title, make, pane.zero_ns, index.name))

    # Carve out

    def _ask_carve_of(self, pane: TimelinePane, index: TraceIndex) -> None:
        span = pane.lanes.range_ns or pane.lanes.window
        try:
            path = free_name(folder_for_files(Path.cwd()), "trace", "json")
        except ProfTuiError as error:
            self.notify(str(error), severity="error", markup=False)
            return

        def accept(name: str) -> None:
            wanted = Path(os.path.expanduser(name.strip()))
            check_new(wanted)
            self._carve(pane, index, span, wanted)

        title = _("Write the events of these {length} to this new trace JSON").format(
            length=duration(span[1] - span[0])
        )
        self.app.push_screen(PromptScreen(title, value=str(path), accept=accept))

    def _carve(self, pane: TimelinePane, index: TraceIndex, span: Span, path: Path) -> None:
        def work() -> None:
            from prof_tui.data.timeline.carve import Cut, carve

            try:
                carved = carve(index, Cut(span), path)
            except ProfTuiError as error:
                pane.post_message(Told(pane, str(error), failed=True))
            else:
                said = _("{n} events, {size} written to {path}")
                pane.post_message(
                    Told(pane, said.format(n=count(carved.events), size=byte_size(carved.bytes), path=path))
                )

        self.run_worker(work, thread=True, exit_on_error=False, group="write")


def _waiting_lanes(pane: TimelinePane, index: TraceIndex) -> tuple[list[int], str]:
    """The lanes whose gaps are meant: the stream under the cursor, else all streams of one device."""
    lane = pane.lane
    if lane is not None and (index.lanes[lane].is_stream or index.lanes[lane].is_communication):
        return [lane], _("Largest gaps of {lane}").format(lane=index.lanes[lane].thread)
    streams = index.lanes_where(is_stream=True)
    device = pane.scope.device
    if device is None:
        device = next((index.lanes[stream].device for stream in streams), None)
    lanes = [stream for stream in streams if index.lanes[stream].device in (device, None)]
    if device is None:
        return lanes, _("Largest gaps of all streams")
    return lanes, _("Largest gaps of all streams of device {n}").format(n=device)


def _sums(index: TraceIndex, span: Span, *, by_lane: bool) -> EventTable:
    from prof_tui.data.timeline.events import range_stats
    from prof_tui.data.timeline.tables import range_lanes_table, range_names_table

    stats = range_stats(index, span)
    return range_lanes_table(index, stats) if by_lane else range_names_table(index, stats)
