"""Pane 1: what the run was, where its time goes, and what to do next."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker, WorkerState

from prof_tui.data.findings.finding import Finding, NotChecked
from prof_tui.data.query.query import OUTSIDE, Scope
from prof_tui.data.run.overview import Overview
from prof_tui.errors import UsageError
from prof_tui.panes.overview.findings_list import (
    Entry,
    EntryEntered,
    FindingsList,
    Noted,
    cells_for,
    columns,
    entries,
    key_of,
    line,
    whole_run,
)
from prof_tui.panes.overview.lines import LOW_LINES, count_room, fit_lines, join_lines
from prof_tui.panes.overview.reading import AllChecked, Answered, Asked, Checking, answer_parts
from prof_tui.panes.overview.summary import run_lines, time_lines
from prof_tui.panes.pane import CapturePane, Changed, CopyWanted, SteadyChosen
from prof_tui.panes.table.status import unexpected
from prof_tui.widgets.keys import key
from prof_tui.words import _, counted, glyphs

if TYPE_CHECKING:
    from prof_tui.data.findings.finding import Findings, Result
    from prof_tui.data.open_capture import OpenCapture


OVERVIEW_BINDINGS: list[BindingType] = [
    key(
        "overview",
        "i",
        "screen.open_run",
        _("The run"),
        _("All that stands above the findings, uncut, on a page"),
        show=True,
    ),
    key(
        "overview",
        "s",
        "screen.ask_steady_from",
        _("Steady from"),
        _("Choose from which Iteration ID on iterations count as steady"),
        show=True,
    ),
    key("overview", "y,Y", "copy", _("Copy"), _("Copy this line")),
]


_ROOMY_LINES = 34
"""Pane heights from which on Task Types get a line each."""
_LIST_MARGIN = 3
"""Cells beside the lines of the list: a blank on each side and the scroll bar."""


class OverviewPane(CapturePane):
    """Appears piece by piece, as a worker finds it; findings are a list with a cursor."""

    DEFAULT_CSS = """
    OverviewPane { height: 1fr; }
    OverviewPane > Static { height: auto; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    OverviewPane > .overview--run { color: $text-muted; }
    OverviewPane > .overview--heading { text-style: bold; border-top: solid $primary; }
    OverviewPane.-low > .overview--heading { border-top: none; }
    OverviewPane > FindingsList { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = OVERVIEW_BINDINGS
    BINDING_GROUP_TITLE = _("Overview pane")

    table_name = "overview"

    def __init__(self, capture: OpenCapture, *, scope: Scope = Scope(), pane_id: str | None = None) -> None:
        super().__init__(capture, scope=scope, pane_id=pane_id)
        self.asked = Asked()
        self.entries: list[Entry] = []
        """The lines of the list."""
        self.overview: Overview | None = None
        """What was read so far; None until something was."""
        self.results: list[Result] = []
        self.notices: tuple[Noted, ...] = ()
        """On what it was made from."""
        self.findings: Findings | None = None
        """None until every rule was checked."""
        self._cancelled = threading.Event()
        self._is_reading = False
        self._is_list_due = False
        self._progress = ""
        self._kept = ""
        """Key of the line that the cursor is to be on."""

    def compose(self) -> ComposeResult:
        yield Static(classes="overview--run")
        yield Static(classes="overview--times")
        yield Static(classes="overview--heading", markup=False)
        yield FindingsList()

    def on_mount(self) -> None:
        self._read()

    def on_unmount(self) -> None:
        self._cancelled.set()  # else quitting waits for all that is still to be read

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    # Reading

    def _read(self) -> None:
        """Read everything anew for what is asked now; what is shown stays until it is answered."""
        self._cancelled.set()
        cancelled = self._cancelled = threading.Event()
        asked, self._is_reading = self.asked, True
        self._progress = _("reading {mark} Escape cancels").format(mark=glyphs().ellipsis)
        self.results, self.findings, self.notices = [], None, ()
        if self.overview is not None:
            self.overview = replace(self.overview, busy=(), why_no_busy=None, span_ns=None)
        known = self.overview

        def work() -> None:
            answer_parts(self.capture, asked, known, cancelled, self.post_message)

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="overview")
        self._draw()

    @on(Answered)
    def _take(self, message: Answered) -> None:
        """What a worker found; the answer to an older question is dropped."""
        message.stop()
        answer = message.answer
        if message.asked != self.asked:
            return
        if isinstance(answer, Finding | NotChecked):
            self.results.append(answer)
            if not self._is_list_due:  # of results that come together the list is drawn once
                self._is_list_due = True
                self.call_later(self._draw_found)
        elif isinstance(answer, Checking):
            self._progress = _("checking rules, {n} % done; Escape cancels").format(n=answer.per_cent)
            self._say_heading()
        else:
            if isinstance(answer, Overview):
                self.overview = answer
            elif isinstance(answer, AllChecked):
                self.findings, self.notices = answer.findings, answer.notices
                self._progress, self._is_reading = "", False
                if self.overview is not None:
                    self.overview = replace(self.overview, completeness=answer.completeness)
            else:
                self._stop(answer.sentence)
            self._draw()
            self.post_message(Changed(self))

    def _draw_found(self) -> None:
        self._is_list_due = False
        if self.is_mounted:
            self._draw_list()
            self._say_heading()

    @on(Worker.StateChanged)
    def _say_unexpected(self, event: Worker.StateChanged) -> None:
        """What no sentence was prepared for is still said."""
        if event.state is WorkerState.ERROR:
            self._stop(unexpected(event.worker))
            self._draw()

    def _stop(self, sentence: str) -> None:
        self._progress, self._is_reading = sentence, False
        overview = self.overview
        if overview is not None and overview.why_no_busy is None and not overview.busy:
            self.overview = replace(overview, why_no_busy=sentence)

    # As a pane

    def set_scope(self, scope: Scope) -> None:
        """Show one device; iterations and models stay in sight, whichever is looked at."""
        self.scope = scope
        self._draw()

    @property
    def device(self) -> int | None:
        """The device that is shown alone."""
        return self.scope.device if self.scope.iteration is None else None

    def standing(self) -> tuple[Asked, str]:
        entry = self.entry
        return self.asked, "" if entry is None else key_of(entry)

    def go_back_to(self, standing: object) -> None:
        if isinstance(standing, tuple):
            asked, self._kept = standing
            if asked.steady_from != self.asked.steady_from:
                self.count_from(asked.steady_from)
            self._draw()

    def reload(self) -> None:
        self.asked = replace(self.asked, reading=self.asked.reading + 1)
        self._read()

    def cancel(self) -> bool:
        if not self._is_reading or self._cancelled.is_set():
            return False
        self._cancelled.set()
        return True

    def take_focus(self) -> None:
        self.screen.set_focus(self.lines)

    @property
    def file_names(self) -> tuple[str, ...]:
        tables = (self.capture.export.table(name) for name in ("step_trace", "op_summary"))
        return tuple(file.path.name for table in tables if table is not None for file in table.files[:1])

    # Keys

    @property
    def lines(self) -> FindingsList:
        return self.query_one(FindingsList)

    @property
    def entry(self) -> Entry | None:
        """What the cursor is on."""
        at = self.lines.highlighted
        return self.entries[at] if at is not None and at < len(self.entries) else None

    @on(OptionList.OptionSelected)
    def _enter(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        self.post_message(EntryEntered(tuple(self.entries), message.option_index))

    def action_copy(self) -> None:
        if self.entry is not None:
            self.post_message(CopyWanted(self, line(self.entry).plain))

    @property
    def has_no_iterations(self) -> bool:
        """Whether that is known."""
        return self.overview is not None and self.overview.times is not None and not self.overview.steps

    def check_steady_from(self, first: int) -> None:
        """UsageError where no iteration of a main model is left; what is known of them is asked."""
        steps = () if self.overview is None else self.overview.steps
        last = max((step.iteration for times in steps for step in times.steady), default=None)
        if last is None:
            raise UsageError(_("The iterations are not known: there is no step trace, or it is being read."))
        if first > last:
            text = _("There is no iteration from {first} on: the last is {last}.")
            raise UsageError(text.format(first=first, last=last))

    def count_from(self, first: int | None) -> None:
        """Let iterations from this Iteration ID on count; None for the usual first."""
        self.capture.steady_from = first
        self.post_message(SteadyChosen(self))
        self.asked = replace(self.asked, steady_from=first, reading=self.asked.reading + 1)
        self._read()

    # Drawing

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        self._draw_list()
        self._draw_above()
        self._say_heading()

    def _draw_above(self) -> None:
        """The lines there is room for, so that the list always has some."""
        width, height = max(20, self.size.width - 2), self.size.height
        self.set_class(height < LOW_LINES, "-low")
        overview, roomy = self.overview, height >= _ROOMY_LINES
        run = run_lines(overview) if overview else []
        times = time_lines(overview, self.device, width, roomy=roomy) if overview else []
        room = count_room(height, None if self._is_reading else len(self.entries))
        shown = fit_lines([*run, *times], room)
        for name, lines in (("run", run), ("times", times)):
            part = self.query_one(f".overview--{name}", Static)
            kept = [line for line in shown if any(line is other for other in lines)]
            part.update(join_lines(kept))
            part.display = bool(kept)

    def _draw_list(self) -> None:
        """The lines in order; the cursor stays on its line, or at the top while it is there."""
        at, entry = self.lines.highlighted, self.entry
        kept = self._kept or ("" if entry is None or not at else key_of(entry))
        overview, device = self.overview, self.device
        missing = overview.run.missing if overview else ()
        of_steps = overview.times.notices if overview and overview.times else ()
        notices = dict.fromkeys((*(Noted(text, "step_trace") for text in of_steps), *self.notices))
        self.entries = entries(self.results, missing, notices, device)
        if overview is not None:
            self.entries.append(whole_run(overview, device))
        keys = [key_of(entry) for entry in self.entries]
        cells, width = cells_for(self.entries), max(1, self.size.width - _LIST_MARGIN)
        self.lines.set_options(Option(line(entry, cells, width)) for entry in self.entries)
        if kept in keys:
            self.lines.highlighted, self._kept = keys.index(kept), ""
        elif self.entries:
            self.lines.highlighted = 0

    def _say_heading(self) -> None:
        number = sum(isinstance(entry, Finding) for entry in self.entries)
        text = counted("{n} finding", "{n} findings", number)
        overlap = _("costs overlap: don't add them up") if number > 1 else ""
        parts = (text, self._progress, _whole_run_text(self.scope), "" if self._progress else overlap)
        said = f" {glyphs().separator} ".join(part for part in parts if part)
        self.query_one(".overview--heading", Static).update(f"{columns(cells_for(self.entries))}  {said}")


def _whole_run_text(scope: Scope) -> str:
    """All iterations are in sight in the overview: said while one of them is looked at."""
    if scope.iteration is None:
        return ""
    if scope.iteration == OUTSIDE:
        return _("of the whole run, not only outside iterations")
    return _("of all iterations, not only {iteration}").format(iteration=scope.iteration)
