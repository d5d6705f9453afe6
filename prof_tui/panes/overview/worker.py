"""What the overview's worker does: the parts one after the other, each told as soon as it is there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.run.overview import notices_and_tables, table_notices
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError
from prof_tui.panes.overview.findings_list import Noted
from prof_tui.panes.pane import FromPane
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.findings.finding import Findings, Result
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.run.facts import RunFacts
    from prof_tui.data.run.models import ModelFacts
    from prof_tui.data.run.times import Inside, StepTimesFound
    from prof_tui.panes.overview.pane import OverviewPane


@dataclass(frozen=True)
class Asked:
    """What is shown: an answer to another one is dropped."""

    steady_from: int | None = None
    """None for the usual first steady iteration."""
    reading: int = 0
    """Counts the readings of the files."""


@dataclass
class FromOverview(FromPane):
    """Whatever the overview tells."""

    pane: OverviewPane


@dataclass
class EntryEntered(FromOverview):
    """The user clicks a line of the list."""

    at: int


@dataclass
class Answered(FromOverview):
    """Whatever the worker found."""

    asked: Asked


@dataclass
class RunRead(Answered):
    run: RunFacts


@dataclass
class TimesRead(Answered):
    models: tuple[ModelFacts, ...]
    times: StepTimesFound


@dataclass
class InsideRead(Answered):
    inside: tuple[Inside, ...]
    why_not: str


@dataclass
class ResultFound(Answered):
    result: Result


@dataclass
class StepTaken(Answered):
    done: int
    steps: int


@dataclass
class AllFound(Answered):
    """Every rule was checked."""

    findings: Findings
    notices: tuple[Noted, ...]
    """On what they were found in."""


@dataclass
class Stopped(Answered):
    """The worker gives up: cancelled, or with a sentence."""

    sentence: str


def read_overview_parts(pane: OverviewPane, asked: Asked, cancelled: threading.Event) -> None:
    """The run, its iterations, what op_summary says of them, then the findings; never raises ProfTuiError."""
    try:
        times = _read_run(pane, asked)
        unjudged = _read_inside(pane, asked, times, cancelled, soon=True)
        _find(pane, asked, cancelled)
        if (unjudged and table_notices(pane.capture)) or _names_tell(pane.capture):
            _read_inside(pane, asked, times, cancelled)
    except CancelledError:
        pane.post_message(Stopped(pane, asked, _("cancelled; R reads again")))
    except ProfTuiError as error:
        pane.post_message(Stopped(pane, asked, str(error)))


def _read_run(pane: OverviewPane, asked: Asked) -> StepTimesFound:
    from prof_tui.data.run.facts import run_facts

    pane.post_message(RunRead(pane, asked, run_facts(pane.capture)))
    from prof_tui.data.run.models import model_facts
    from prof_tui.data.run.times import step_times

    trace = pane.capture.steps
    times = step_times(trace.counted_from(asked.steady_from))
    pane.post_message(TimesRead(pane, asked, model_facts(trace), times))
    return times


def _read_inside(
    pane: OverviewPane,
    asked: Asked,
    times: StepTimesFound,
    cancelled: threading.Event,
    *,
    soon: bool = False,
) -> bool:
    """Whether it was read before its rows were judged: damaged ones may be wrong in it."""
    from prof_tui.data.run.device_times import inside_times

    try:
        inside = inside_times(
            pane.capture, times.devices, progress=lambda _done, _steps: not cancelled.is_set(), soon=soon
        )
    except UnreadableError as error:
        pane.post_message(InsideRead(pane, asked, (), str(error)))
        return False
    pane.post_message(InsideRead(pane, asked, inside, ""))
    try:
        return not pane.capture.table("op_summary").judged
    except UnreadableError:  # it was the timeline that said what ran
        return False


def _names_tell(capture: OpenCapture) -> bool:
    """Whether names of op_summary, once the findings have read them, tell of more communication."""
    from prof_tui.data.tables.communication import is_told_by_names

    try:
        return is_told_by_names(capture.table("op_summary"))
    except UnreadableError:
        return False


def _find(pane: OverviewPane, asked: Asked, cancelled: threading.Event) -> None:
    from prof_tui.data.findings.check import find

    last = -1

    def progress(done: int, steps: int) -> bool:
        nonlocal last
        per_cent = 100 * done // max(1, steps)
        if per_cent != last:
            last = per_cent
            pane.post_message(StepTaken(pane, asked, done, steps))
        return not cancelled.is_set()

    findings = find(
        pane.capture,
        steady_from=asked.steady_from,
        found=lambda result: _tell(pane, asked, result),
        progress=progress,
    )
    pane.post_message(AllFound(pane, asked, findings, tuple(_notices(pane, findings))))


def _notices(pane: OverviewPane, findings: Findings) -> Iterator[Noted]:
    """Of the rules, then of the tables that were read."""
    yield from map(Noted, findings.notices)
    for text, table in notices_and_tables(pane.capture).items():
        yield Noted(text, table)


def _tell(pane: OverviewPane, asked: Asked, result: object) -> None:
    pane.post_message(ResultFound(pane, asked, result))  # type: ignore[arg-type]
