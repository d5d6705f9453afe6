"""What the overview tells: to its screen what the user wants, to itself what its worker found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.panes.overview.findings_list import Noted
from prof_tui.panes.pane_messages import FromPane

if TYPE_CHECKING:
    from prof_tui.data.findings.finding import Findings, Result
    from prof_tui.data.run.facts import RunFacts
    from prof_tui.data.run.inside_model import Inside
    from prof_tui.data.run.models import ModelFacts
    from prof_tui.data.run.times import StepTimesFound
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
