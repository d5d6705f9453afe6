"""What a rule says: a finding with its evidence, or why it was not checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prof_tui.data.query.query import Query
from prof_tui.data.run.periods import ModelRun
from prof_tui.words import _

Severity = Literal["high", "medium", "low"]
Basis = Literal["iteration", "capture", "once"]
"""What a cost is counted for: a steady iteration, the whole capture, or one time outside of steady ones."""
Unit = Literal["%", "x", "us", ""]

HIGH_SHARE, MEDIUM_SHARE = 0.05, 0.03
"""Shares of the period from which a finding is high or medium (vendor-analyses.md section 3)."""

OURS = _("ours")
PROF_RULE = _("msprof's own rules (prof_rule, written by exporters until August 2024)")
ADVISOR = _("msprof-analyze advisor")
GUIDE = _("the vendor's guide to a training profile")


@dataclass(frozen=True)
class EvidenceRow:
    """One line of a finding's page; texts from the capture are printable already."""

    label: str
    count: int | None = None
    time_ns: int | None = None
    note: str = ""


@dataclass(frozen=True)
class TableEvidence:
    """A pane, sorted and filtered to the rows that a finding speaks of."""

    pane: Literal["step_trace", "op_statistic", "op_summary"]
    query: Query


@dataclass(frozen=True)
class TimelineEvidence:
    """A place in a device's timeline; ``iteration`` None where it is in none."""

    device: int | None
    begin_ns: int
    end_ns: int
    model: int | None = None
    iteration: int | None = None


Evidence = TableEvidence | TimelineEvidence


@dataclass(frozen=True)
class Finding:
    """One rule that holds.  Costs of several overlap: they are ranked, never added."""

    id: str
    """Stable: what ``--fail-on`` names."""
    title: str
    """What, in one line."""
    cost_ns: int
    """The cost of one steady iteration, of the whole capture, or once: ``basis`` says which."""
    basis: Basis
    share: float | None
    """``cost_ns`` of the period, or of the devices' spans (basis capture), 1 for all.

    None for once, and where the cost, or what it is a share of, is not known.
    """
    value: float
    """What ``--fail-on ID:>VALUE`` compares, in ``unit``."""
    unit: Unit
    rule: str
    """The condition and its threshold, with this run's numbers."""
    source: str
    """Where the threshold is from."""
    advice: str
    """What to try, and with which option to collect again where that tells more."""
    caveat: str
    """What could make the finding wrong."""
    rows: tuple[EvidenceRow, ...] = ()
    evidence: Evidence | None = None
    device: int | None = None
    model: int | None = None
    iteration: int | None = None
    """``device``, ``model`` and ``iteration``: what it concerns alone; None for all."""
    whole: str = _("the period")
    """What ``share`` is of, for a sentence."""

    @property
    def severity(self) -> Severity:
        return severity_of(self.share)

    @property
    def letter(self) -> str:
        """H, M or L: severity where colour does not show."""
        return self.severity[0].upper()

    @property
    def ranking(self) -> tuple[float, int, str, int, int]:
        """Sort key: what takes most of its whole comes first, what is paid once comes last.

        A cost of the whole capture and one of an iteration compare by their shares, never by their ns.
        """
        recurring = 0 if self.basis == "once" else self.cost_ns
        return -(self.share or 0.0), -recurring, self.id, self.device or 0, self.iteration or 0


@dataclass(frozen=True)
class NotChecked:
    """A rule that could not be checked."""

    id: str
    ids: tuple[str, ...]
    """The ids of the findings that it could have given."""
    why: str
    """One sentence: what is missing."""
    how: str
    """One sentence: the command or PROFILING_OPTIONS entry that gives it; may be empty."""


Result = Finding | NotChecked


@dataclass(frozen=True)
class Findings:
    """All that was found, by cost."""

    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]
    basis: Basis
    """What costs are counted for, but for those that are paid once."""
    iterations: int
    """Steady ones of all devices; 0 where the whole capture counts."""
    op_iterations: int
    """Iterations that costs are a mean of: steady, no outliers, with ops; 0 for the whole capture."""
    period_ns: int | None
    """The median of the steady iterations, of several devices the mean of theirs; or their summed spans."""
    devices: tuple[ModelRun, ...] = ()
    """The model of each device that was looked at; none without step trace."""
    notices: tuple[str, ...] = ()
    device: int | None = None
    model: int | None = None
    """``device`` and ``model``: what alone was looked at; None for all devices, and for main models."""

    def of(self, id_: str) -> tuple[Finding, ...]:
        """The findings with this id, by cost."""
        return tuple(finding for finding in self.findings if finding.id == id_)

    def unchecked(self, id_: str) -> NotChecked | None:
        """Why findings of this id could not be looked for; None where they were."""
        return next((each for each in self.not_checked if id_ in each.ids), None)


def severity_of(share: float | None) -> Severity:
    """After msprof-analyze: high from 5 % of the period on, medium from 3 %; low where it has no share."""
    if share is None or share < MEDIUM_SHARE:
        return "low"
    return "high" if share >= HIGH_SHARE else "medium"
