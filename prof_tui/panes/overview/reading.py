"""What the overview asks, and how a worker answers it: part by part, each told as soon as it is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from prof_tui.data.capture.completeness import UNKNOWN, Completeness
from prof_tui.data.run.overview import Overview, notices_and_tables, read_overview, table_notices
from prof_tui.errors import CancelledError, ProfTuiError, UnreadableError
from prof_tui.panes.overview.findings_list import Noted
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.findings.finding import Findings, Result
    from prof_tui.data.open_capture import OpenCapture


@dataclass(frozen=True)
class Asked:
    """What is shown: an answer to another one is dropped."""

    steady_from: int | None = None
    """None for the usual first steady iteration."""
    reading: int = 0
    """Counts the readings of the files."""


@dataclass(frozen=True)
class Checking:
    """Rules are being checked."""

    per_cent: int


@dataclass(frozen=True)
class AllChecked:
    """Every rule was checked."""

    findings: Findings
    notices: tuple[Noted, ...]
    """On what they were found in."""
    completeness: Completeness


@dataclass(frozen=True)
class Stopped:
    """The worker gives up: cancelled, or with a sentence."""

    sentence: str


@dataclass
class Answered(Message):
    """A part of the answer to what was asked."""

    asked: Asked
    answer: Overview | Result | Checking | AllChecked | Stopped


def answer_parts(
    capture: OpenCapture,
    asked: Asked,
    known: Overview | None,
    cancelled: threading.Event,
    post: Callable[[Answered], object],
) -> None:
    """Read the overview, then check the rules; never raises ProfTuiError.

    ``known``: what an earlier reading found, shown until it is read anew.
    """

    def tell(answer: Overview | Result | Checking | AllChecked | Stopped) -> None:
        post(Answered(asked, answer))

    def progress(_done: int, _steps: int) -> bool:
        return not cancelled.is_set()

    read = partial(read_overview, capture, steady_from=asked.steady_from, told=tell, progress=progress)
    try:
        overview = read(known=known, soon=True)
        unjudged = not overview.why_no_busy and not _is_judged(capture)
        tell(_check(capture, asked, cancelled, tell))
        lacking = capture.completeness is not None and capture.completeness.lacks
        if (unjudged and table_notices(capture)) or _names_tell(capture) or lacking:
            read(known=overview)
    except CancelledError:
        tell(Stopped(_("cancelled; R reads again")))
    except ProfTuiError as error:
        tell(Stopped(str(error)))


def _is_judged(capture: OpenCapture) -> bool:
    """Whether the rows of op_summary were judged: until then damaged ones may be wrong in what is summed."""
    try:
        return capture.table("op_summary").judged
    except UnreadableError:  # it was the timeline that said what ran
        return True


def _names_tell(capture: OpenCapture) -> bool:
    """Whether names of op_summary, once the findings have read them, tell of more communication."""
    from prof_tui.data.tables.communication import is_told_by_names

    try:
        return is_told_by_names(capture.table("op_summary"))
    except UnreadableError:
        return False


def _check(
    capture: OpenCapture,
    asked: Asked,
    cancelled: threading.Event,
    tell: Callable[[Result | Checking], None],
) -> AllChecked:
    from prof_tui.data.findings.check import find

    last = -1

    def progress(done: int, steps: int) -> bool:
        nonlocal last
        per_cent = 100 * done // max(1, steps)
        if per_cent != last:
            last = per_cent
            tell(Checking(per_cent))
        return not cancelled.is_set()

    findings = find(capture, steady_from=asked.steady_from, found=tell, progress=progress)
    return AllChecked(findings, tuple(_notices(capture, findings)), capture.completeness or UNKNOWN)


def _notices(capture: OpenCapture, findings: Findings) -> Iterator[Noted]:
    """Notices of the rules, then of the tables that were read."""
    yield from map(Noted, findings.notices)
    for text, table in notices_and_tables(capture).items():
        yield Noted(text, table)
