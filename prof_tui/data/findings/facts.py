"""The facts of one run that rules judge, and what they build findings with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from prof_tui.data.capture.completeness import UNKNOWN, Completeness
from prof_tui.data.capture.notes import read_device_notes
from prof_tui.data.findings.finding import Basis, Finding, TableEvidence
from prof_tui.data.findings.from_timeline import HostWaits, TracedCommunication
from prof_tui.data.findings.sums import Totals
from prof_tui.data.query.query import Condition, OneOf, Query, Scope, Sort, Where
from prof_tui.data.run.facts import RunFacts, run_facts
from prof_tui.data.run.notes import DeviceFacts, device_facts
from prof_tui.data.run.ops import Ops
from prof_tui.data.run.ops_in_time import OpsInTime
from prof_tui.data.run.periods import ModelRun, steady_iterations
from prof_tui.words import _, count, microseconds

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


@dataclass
class Facts:
    """Filled from the top down while ``find`` goes on."""

    capture: OpenCapture
    devices: tuple[ModelRun, ...]
    """The models looked at; none where the capture has no step trace."""
    device: int | None = None
    model: int | None = None
    """``device`` and ``model``: what alone is looked at; None for all devices, and for main models."""
    ops: Ops | None = None
    """None where op_summary can't be read: ``why_no_ops`` says why."""
    why_no_ops: str = ""
    in_time: tuple[OpsInTime, ...] = ()
    """Per device; none where ops have no start."""
    totals: Totals = field(default_factory=lambda: Totals([]))
    traced: TracedCommunication | None = None
    """Communication by the timeline; None where none was read or is small enough to be."""
    timeline_read: bool = False
    """Whether a timeline was read that has tasks of a device, or communication."""
    host_waits: HostWaits | None = None
    """Idle time before launches by the timeline; None where none was read, or it knows no launches."""
    completeness: Completeness = UNKNOWN
    """What the capture lacks, as far as that was checked."""

    @property
    def basis(self) -> Basis:
        by_iteration = bool(self.devices) and (self.ops is None or self.ops.by_iteration)
        return "iteration" if by_iteration else "capture"

    @property
    def iterations(self) -> int:
        """What sums over ops are divided by: steady iterations with ops of all devices; 1 for the capture."""
        return 1 if self.basis == "capture" else max(1, sum(each.iterations for each in self.in_time))

    @property
    def period_ns(self) -> int | None:
        """What costs are a share of: the median period of a device, of several the mean of their medians.

        Each with the weight that its ops have in a cost.  For the whole capture the summed spans.
        """
        if self.basis == "capture":
            of_trace = 0 if self.traced is None else self.traced.window_ns
            return sum(timeline.span_ns for timeline in self.in_time) or of_trace or None
        held = {timeline.device: timeline.iterations for timeline in self.in_time}
        known = [
            (period, held.get(run.device, 0) if held else 1)
            for run in self.devices
            if (period := run.period_ns or run.iteration_time_ns)
        ]
        weight = sum(own for _period, own in known)
        return round(sum(period * own for period, own in known) / weight) if weight else None

    @property
    def per(self) -> str:
        """What a cost is of, for a sentence."""
        return _("an iteration") if self.basis == "iteration" else _("the capture")

    @property
    def whole(self) -> str:
        """What shares are of, for a sentence."""
        if self.basis == "capture":
            return _("the capture's span")
        return _whole_of(*self.devices)

    @property
    def op_ns(self) -> int:
        """Summed durations of all ops in scope, after the pass over their rows."""
        return self.totals.total_ns

    def of_all(self, number: int) -> str:
        """How many of the ops that count."""
        return _("{n} of {all} ops").format(n=count(number), all=count(self.totals.count))

    def chip(self, device: int | None) -> DeviceFacts:
        """The cores of a device."""
        return device_facts(read_device_notes(self.capture.path, device, "info.json"), device)

    @cached_property
    def _facts(self) -> RunFacts:
        return run_facts(self.capture)

    @property
    def level(self) -> str:
        """At which level tasks were collected, such as ``l1``; empty where sample.json doesn't say."""
        collection = self._facts.collection
        return "" if collection is None else collection.level

    def how_to_get(self, table: str) -> str:
        """What to add to the next collection or export so that a missing table is there; may be empty."""
        lacking = next((each for each in self._facts.missing if each.table == table), None)
        return "" if lacking is None else lacking.how or lacking.why

    def header(self, column_id: str) -> str:
        """The file's header of a column of op_summary."""
        return column_id if self.ops is None else self.ops.header(column_id)

    def per_iteration(self, total_ns: float) -> int:
        """A sum over the ops in scope as the cost of one iteration (of the capture, without step trace)."""
        return round(total_ns / self.iterations)

    def share(self, cost_ns: int, device: ModelRun | None = None) -> float | None:
        """``cost_ns`` of the period, of one device's where it concerns that device alone."""
        period = self.period_ns if device is None else device.period_ns or device.iteration_time_ns
        return cost_ns / period if period else None

    def finding(self, id_: str, cost_ns: int, *, device: ModelRun | None = None, **parts: Any) -> Finding:
        """A finding with its basis and share; its value is the share in %, unless ``parts`` say otherwise.

        ``device``: what the step trace says of it costs an iteration, even where no op is in one.
        """
        share = self.share(cost_ns, device)
        whose = (self.device, self.model) if device is None else (device.device, device.model)
        concerns = dict(zip(("device", "model"), whose, strict=True))
        basis, whole = (self.basis, self.whole) if device is None else ("iteration", _whole_of(device))
        usual = {"basis": basis, "share": share, "whole": whole, "value": 100 * (share or 0.0), "unit": "%"}
        finding = Finding(id=id_, cost_ns=cost_ns, **{**concerns, **usual, **parts})
        return replace(finding, title=f"{finding.title}{self._whose(finding)}")

    def _whose(self, finding: Finding) -> str:
        """Which device it is of, where there are several."""
        if len(self.capture.export.devices) < 2:
            return ""
        if finding.device is None:
            return _(", all devices together")
        return _(", device {n}").format(n=finding.device)

    def ops_by(
        self, *filters: Condition, by: str = "task_duration", scope: Scope | None = None, counted: bool = True
    ) -> TableEvidence:
        """op summary filtered, the rows with most of column ``by`` first.

        Only ops that count, where ``scope`` is not one iteration; all ops where not ``counted``.
        """
        scope = scope or Scope(self.device)
        if counted and scope.iteration is None:
            filters = (*filters, *self._count_only(filters))
        return TableEvidence("op_summary", Query(scope, filters, sort=Sort(self.header(by), True)))

    def _count_only(self, filters: Iterable[Condition]) -> Iterator[Condition]:
        """What more ops have to be to count, beside the ``filters``."""
        if self.basis == "iteration":
            yield steady_iterations(self.devices) if self.ops is None else self.ops.counted
        length = self.header("task_duration")
        compared = any(isinstance(each, Where) and each.column == length for each in filters)
        if self.ops is not None and not self.ops.all_valid and not compared:
            yield Where(length, ">=", "0")

    def over(self, column_id: str, threshold: float) -> Where:
        """A column of op summary over a threshold in its own unit."""
        return Where(self.header(column_id), ">", f"{threshold:g}")

    def compared(self, column_id: str, operator: str, ns: int) -> Where:
        """A duration of op summary, which has them in microseconds, compared with one in ns."""
        return Where(self.header(column_id), operator, microseconds(ns))

    def one_of(self, column_id: str, *values: str) -> OneOf:
        return OneOf(self.header(column_id), values)


def _whole_of(*devices: ModelRun) -> str:
    """What shares of their iterations are of."""
    return _("the period") if any(run.period_ns for run in devices) else _("Iteration Time")
